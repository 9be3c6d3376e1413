// A hand to be settled by the calculator, and how a box of a finished round is put into it.
import type { components } from '../lib/schema'
import type { Box, View } from '../lib/types'

type S = components['schemas']
export type Form = S['SettleForm']
export type Settlement = S['Settlement']
export type Body = S['SettleBody']
export type Replay = S['Replay']

/** The rules a hand is settled by: of an open table, a preset, or a Submission in writing; `instead` of its table's own. */
export type Rules = { game: string; table?: string; preset?: string; submission?: string; instead?: boolean }
export type Hand = {
  rules: Rules
  cards: Record<string, string[]>
  wagers: Record<string, number>
  decisions: number[]
  left: boolean
  magic: string
  lucky: string[]
  others: { cards: string[]; folded: boolean; wagers: Record<string, number> }[]
  /** What meters showed, by name and amount (“main@100”), in cents: at this box's turn and when the dealer's hand was turned. */
  meters: Record<string, number>
  atReveal: Record<string, number>
  /** What the table settled the box at, in cents. */
  settled: number | null
  from: { table: string; round: number; seat: number }
}

const known = (cards: (string | null)[]): string[] => cards.filter((card) => card !== null)

/** The frame where a round is settled: the first with any line, and the last before the table is cleared. */
export function settledAt(frames: { view: View }[]): { first: number; last: number } | null {
  const lined = frames.flatMap((frame, i) => (frame.view.boxes.some((box) => box.lines.length) ? [i] : []))
  return lined.length ? { first: lined[0]!, last: lined.at(-1)! } : null
}

/** The last sight of every box of a round. */
export function boxesOf(replay: Replay): Box[] {
  const found = new Map<number, Box>()
  for (const frame of replay.frames) for (const box of frame.view.boxes) found.set(box.seat, box)
  return [...found.values()].sort((a, b) => a.seat - b.seat)
}

/** A box of a finished round as a hand to be settled, as far as who asks may see it. */
export function handOf(replay: Replay, seat: number, rules: Rules): Hand | null {
  const boxes = boxesOf(replay)
  const box = boxes.find((one) => one.seat === seat)
  if (!box) return null
  const place = settledAt(replay.frames)?.last ?? replay.frames.length - 1
  const { view } = replay.frames[place]!
  // A payout off a meter is measured when it is claimed; what is settled then waits for a floorperson.
  const turn =
    replay.frames.find((frame) => frame.view.claimed === seat) ??
    replay.frames.find((frame) => frame.view.boxes.some((one) => one.seat === seat && one.lines.length))
  const measured = Object.entries(replay.meters).sort(([a], [b]) => Number(a) - Number(b)).map(([, shown]) => shown)
  const cards: Record<string, string[]> = { player: known(box.cards) }
  for (const [name, held] of Object.entries(view.places)) cards[name] = known(held)
  return {
    rules,
    cards,
    wagers: { ...box.wagers },
    decisions: [...box.decisions],
    left: box.left,
    magic: view.magic ?? '',
    lucky: view.lucky.flatMap((drawn) => (drawn === 'dealer' ? ['dealer'] : drawn === String(seat) ? ['player'] : [])),
    others: boxes
      .filter((one) => one.seat !== seat)
      .map((one) => ({ cards: known(one.cards), folded: one.decisions.includes(0), wagers: { ...one.wagers } })),
    meters: (turn && replay.meters[turn.seq]) ?? measured.at(-1) ?? {},
    atReveal: measured[0] ?? {},
    settled: box.net,
    from: { table: replay.round.table, round: replay.round.number, seat },
  }
}

/** Whether a hand is still the box that was put in: nothing is changed, at most cards are added that could not be seen. */
export const isUnchanged = (put: Partial<Body>, now: Partial<Body>): boolean =>
  JSON.stringify({ ...put, cards: null }) === JSON.stringify({ ...now, cards: null }) &&
  Object.entries(put.cards ?? {}).every(([place, cards]) => cards.every((card) => now.cards?.[place]?.includes(card)))

const SIGNS: Record<string, string> = { '♠': 's', '♥': 'h', '♦': 'd', '♣': 'c' }
/** The cards that are named in a text: “Ah 10s T♣”. */
export const cardsIn = (text: string): string[] =>
  [...text.matchAll(/(10|[2-9TJQKA])([shdc♠♥♦♣])/gi)].map(
    ([, rank, suit]) => (rank === '10' ? 'T' : rank!.toUpperCase()) + (SIGNS[suit!] ?? suit!.toLowerCase()),
  )
