// The server's words, under short names; `schema.d.ts` is generated from its OpenAPI description.
import type { components } from './schema'

type S = components['schemas']
export type Layout = S['Layout']
export type Spot = S['Spot']
export type Panel = S['Panel']
export type View = S['View']
export type Box = S['BoxView']
export type Line = S['Line']
export type TableMessage = S['TableMessage']
export type Offered = S['LobbyTable']
export type Welcome = S['Welcome']
export type Who = S['SessionInfo']
export type Account = S['Account']
export type Advice = S['Advice']
export type Reply = S['Reply']
export type Played = S['PlayedRound']

/** Anything that may be asked of a table; the server names and checks its fields. */
export type Command = { type: string; [field: string]: unknown }
export type Possible = Omit<S['PossibleAction'], 'command'> & { command: Command }
/** Why something was not done: a sentence and the clause that says so. */
export type Refusal = { why: string; cite: string }
