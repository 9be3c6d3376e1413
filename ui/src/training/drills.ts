// What one may be drilled in, the server's words for it, and the address of each drill.
import type { components } from '../lib/schema'
import type { Panel } from '../lib/types'

type S = components['schemas']
export type Hand = Omit<S['PlayerHand'], 'player' | 'up' | 'board' | 'raised'> & {
  player: string[]
  up: string[]
  board: string[]
  raised: number[]
}
export type PlayerDrill = Omit<S['PlayerDrill'], 'hand'> & { hand: Hand }
export type PlayerGraded = Omit<S['PlayerGrade'], 'hand'> & { hand: Hand }
export type PlayerScore = Omit<S['PlayerScore'], 'mistakes'> & { mistakes: PlayerGraded[] }
export type PayDrill = S['PayDrill']
export type PayLine = S['PayLine']
export type PayGraded = S['PayGrade']
export type Question = PayDrill | S['ReadDrill'] | S['ChoiceDrill']
export type TableTest = Omit<S['TableTest'], 'questions'> & { questions: Question[] }
export type DealerGraded = S['DealerGrade']
export type DealerScore = S['DealerScore']
export type Option = S['DrillOption']
export type Form = S['SettleForm']
/** What somebody answers: a choice, or of a round to settle its lines. */
export type AnswerBody = { choice?: string; lines?: PayLine[] }
export type Answer = S['DealerAnswer']
export type DealerKind = S['DrillKind']
export type PlayerKind = S['PlayerKind']

/** A game, and whose rules its drills go by: an open table's, with the odds printed there, or a preset's. */
export type Rules = { form: Form; table: string; preset: string; panels: Panel[] }

export type Kind = { name: string; title: string; about: string }
export const PLAYER: Kind[] = [
  { name: 'hard', title: 'Hard hands', about: 'where decisions are close, or the known rule of thumb errs' },
  { name: 'any', title: 'Any hands', about: 'as they are dealt' },
  { name: 'again', title: 'Hands you got wrong', about: 'asked again in other suits, until you get them right' },
]
export const DEALER: Kind[] = [
  { name: 'pay', title: 'Take and pay', about: 'settle a round, wager by wager' },
  { name: 'read', title: 'Hand reading', about: 'name what cards make' },
  { name: 'irregular', title: 'Irregularities', about: 'what to do when something goes wrong' },
  { name: 'procedure', title: 'Procedure', about: 'what comes next, in which order and direction' },
  { name: 'test', title: 'Table test', about: 'all of these, against the clock' },
]
export const KINDS = [...PLAYER, ...DEALER]
export const titleOf = (kind: string): string => KINDS.find((one) => one.name === kind)?.title ?? kind

/** Where a drill is; rules that are not the usual ones are part of the address. */
export function addressOf(game: string, drill: string, chosen: { table?: string; preset?: string } = {}): string {
  const query = new URLSearchParams({ drill })
  if (chosen.table) query.set('table', chosen.table)
  if (chosen.preset) query.set('preset', chosen.preset)
  return `/training/${encodeURIComponent(game)}?${query}`
}

/** A time on a clock: minutes and seconds. */
export const dial = (seconds: number): string => {
  const s = Math.abs(Math.trunc(seconds))
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`
}
/** A worth or a cost, in Antes. */
export const antes = (about: number): string => about.toFixed(4).replace('-', '−')
/** The first words of an option: “It wins: pay it” is “It wins”. */
export const brief = (says: string): string => says.split(':')[0]!

/** With its full stop. */
export const sentence = (says: string): string => (/[.?!]$/.test(says) ? says : `${says}.`)

/** Hear keys while the focus is within, so that a letter or number means something only there. */
export function keys(node: HTMLElement, heard: (event: KeyboardEvent) => void): { update: (next: typeof heard) => void; destroy: () => void } {
  let now = heard
  const listen = (event: KeyboardEvent): void => {
    const typing = event.target instanceof Element && event.target.closest('input, select, textarea')
    if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented) now(event)
  }
  node.addEventListener('keydown', listen)
  return { update: (next) => (now = next), destroy: () => node.removeEventListener('keydown', listen) }
}
/** The keys of options: numbers, then letters. */
export const KEYS = '123456789abcdefghijklmnopqrstuvwxyz'
