// Short names for the server's types; `schema.d.ts` is generated from its OpenAPI description.
import type { components } from './schema'

type S = components['schemas']
export type Layout = S['Layout']
export type Spot = S['Spot']
export type Panel = S['Panel']
export type View = S['View']
export type Box = S['BoxView']
export type Line = S['Line']
export type Part = S['Part']
export type Sentence = S['Sentence']
export type TableMessage = S['TableMessage']
export type Offered = S['LobbyTable']
export type Welcome = S['Welcome']
export type Who = S['SessionInfo']
export type Permission = S['Permission']
export type Act = S['ActBody']['act']
export type ActResult = S['ActResult']
export type Account = S['Account']
export type Advice = S['Advice']
export type Played = S['PlayedRound']

export type ClientMessage = S['ClientMessage']
export type ServerMessage = S['ServerMessage']
export type ReplyMessage = S['ReplyMessage']
export type TrialReply = S['TrialReply']
export type Command = S['OrderMessage']['command']
/** The dealer's input with a command; the server has a default for each field. */
export type DealerInput = Partial<S['DealerInput']>
/** An action at a table; of one type of command, where that is given. */
export type Possible<T extends Command['type'] = Command['type']> = S['PossibleAction'] & { command: Extract<Command, { type: T }> }
/** Why something was not done: a sentence and the clause that says so. */
export type Refusal = { why: string; cite: string }
