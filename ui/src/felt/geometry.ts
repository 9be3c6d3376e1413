// Where things lie on the felt, in units of a scene of 1600 × 960; a poker card is 63 × 88 there, a chip 40 across.
import type { Layout, Spot } from '../lib/types'

export const SCENE = { width: 1600, height: 960 }
export const FELT =
  'M 92 52 L 1508 52 Q 1572 52 1572 128 C 1572 560 1210 926 800 926 C 390 926 28 560 28 128 Q 28 52 92 52 Z'
export const RACK = { x: 352, y: 84 }
export const SHOE = { x: 1206, y: 84 }
/** Left and right of the dealer's cards: the displays of the table game systems. */
export const DISPLAYS = [502, 1098]

export type Point = { x: number; y: number }
export type Seat = Point & { turn: number }

/** Seats are counted clockwise from the dealer's left, which is on the right of who sits opposite. */
export function seatAt(seat: number, seats: number): Seat {
  const from = 14
  const angle = from + ((180 - 2 * from) * (seat - 1)) / Math.max(1, seats - 1)
  const rad = (angle * Math.PI) / 180
  return { x: 800 + 646 * Math.cos(rad), y: 96 + 652 * Math.sin(rad), turn: (angle - 90) * 0.42 }
}

export type Placed = Point & { spot: Spot; r: number }

/** The marked areas of one seat: the required wager and what follows it in a row, the others in a row behind. */
export function spotsAt(layout: Layout): Placed[] {
  const main = layout.spots.filter((spot) => spot.required || spot.placed === 'decision')
  const side = layout.spots.filter((spot) => !main.includes(spot))
  const row = (spots: Spot[], y: number, gap: number, r: number): Placed[] =>
    spots.map((spot, i) => ({ spot, x: (i - (spots.length - 1) / 2) * gap, y, r }))
  return [...row(side, -80, 64, 26), ...row(main, -12, 68, 30)]
}

export type Area = Point & { r: number }
/** How much farther than its sides the corners of an area reach. */
const CORNERS: Record<string, number> = { square: 1.41, diamond: 1.14 }

/** The marked areas of all seats as they lie on the felt, each in the circle around it. */
export function areasAt(layout: Layout): Area[] {
  return Array.from({ length: layout.seats }, (_, i) => seatAt(i + 1, layout.seats)).flatMap((seat) => {
    const [cos, sin] = [Math.cos((seat.turn * Math.PI) / 180), Math.sin((seat.turn * Math.PI) / 180)]
    return spotsAt(layout).map(({ x, y, r, spot }) => ({
      x: seat.x + x * cos - y * sin,
      y: seat.y + x * sin + y * cos,
      r: r * (CORNERS[spot.shape] ?? 1),
    }))
  })
}

/** The cards of one seat, side by side and overlapping, so that every index is seen. */
export function handAt(cards: number): (Point & { width: number })[] {
  const width = 56
  const step = cards > 2 ? 35 : 60
  const begin = -((cards - 1) * step + width) / 2
  return Array.from({ length: cards }, (_, i) => ({ x: begin + i * step, y: 32, width }))
}

export type Row = { name: string; title: string; x: number; cards: (Point & { width: number })[] }

/** The dealer's and the community's cards, all in one row before the dealer. */
export function placesAt(layout: Layout, held: Record<string, unknown[]>): Row[] {
  const width = 74
  const step = 80
  const gap = 56
  const counts = layout.places.map((place) => Math.max(place.cards, held[place.name]?.length ?? 0))
  const total = counts.reduce((sum, n) => sum + n * step, 0) + gap * Math.max(0, counts.length - 1)
  let x = 800 - total / 2
  return layout.places.map((place, i) => {
    const begin = x
    x += counts[i]! * step + gap
    const cards = Array.from({ length: counts[i]! }, (_, n) => ({ x: begin + n * step, y: 92, width }))
    return { name: place.name, title: place.title, x: begin + (counts[i]! * step - 6) / 2, cards }
  })
}
