// Where cards and gear lie on the felt; all that is printed there comes with the layout, drawn by the server.
import type { Layout } from '../lib/types'

export const RACK = { x: 352, y: 84 }
export const SHOE = { x: 1206, y: 84 }
/** Left and right of the dealer's cards: the displays of the table game systems. */
export const DISPLAYS = [502, 1098]

export type Point = { x: number; y: number }

/** The cards of one seat, side by side and overlapping, so that every index is seen. */
export function handAt(cards: number): (Point & { width: number })[] {
  const width = 56
  const step = cards > 2 ? 35 : 60
  const begin = -((cards - 1) * step + width) / 2
  return Array.from({ length: cards }, (_, i) => ({ x: begin + i * step, y: 32, width }))
}

/** How far a card is from the one before it where there are more than printed places. */
const MORE = 18

/** Where the cards of a place lie: each on its printed outline, those too many beside the last. */
export function cardsAt(place: Layout['drawing']['places'][number], cards: number): (Point & { width: number })[] {
  const last = place.cards.length - 1
  return Array.from({ length: Math.max(cards, place.cards.length) }, (_, i) => ({
    x: place.cards[Math.min(i, last)]! + Math.max(0, i - last) * MORE,
    y: place.y,
    width: place.width,
  }))
}
