// What is printed on the cloth, broken into lines and columns that fit between the marked areas.
import type { Layout, Panel } from '../lib/types'
import { areasAt, type Area } from './geometry'

/** Parts put together to lines of at most so many letters. */
function filled(parts: string[], joint: string, most: number): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const longer = `${lines.at(-1)}${joint}${part}`
    if (lines.length && longer.trimEnd().length <= most) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines.map((line) => line.trim())
}
/** The same of a text, broken behind a word or a dash. */
const broken = (text: string, most: number): string[] => filled(text.split(/(?<=[ —])/), '', most)

export type Written = { text: string; kind: 'owner' | 'title' | 'notice' | 'limits'; size: number; y: number }

/** The arcs under the dealer's cards: whose table it is, the game, its notices, the limits of every wager. */
export function arcs(layout: Layout): Written[] {
  const notices = layout.notices.flatMap((notice) => broken(notice.text, 72))
  const size = notices.length > 1 ? 15 : 18
  const lines: Omit<Written, 'y'>[] = [
    { text: layout.property, kind: 'owner', size: 15 },
    { text: layout.title, kind: 'title', size: 38 },
    ...notices.map((text) => ({ text, kind: 'notice' as const, size })),
    ...filled(limits(layout), ' · ', 88).map((text) => ({ text, kind: 'limits' as const, size: 13 })),
  ]
  let y = 206
  return lines.map((line) => ({ ...line, y: (y += line.size * (line.kind === 'title' ? 1 : 1.3)) }))
}

/** Every wager once with what it may be; raises of the same limits together. */
function limits(layout: Layout): string[] {
  const found = new Map<string, Set<string>>()
  for (const spot of layout.spots) {
    const key = spot.placed === 'decision' ? spot.limits! : spot.offer!
    found.set(key, (found.get(key) ?? new Set()).add(`${spot.title.replace(/,.*$/, '')}`))
  }
  return [...found].map(([key, titles]) => {
    const spot = layout.spots.find((one) => (one.placed === 'decision' ? one.limits : one.offer) === key)!
    return `${[...titles].join(', ')} ${spot.limits}`
  })
}

type Odds = { hand: string[]; pays: string }
type Column = { panels: { title: string; rows: Odds[] }[]; lines: number; letters: number }
export type Placed = Column & { x: number; width: number }

/** Of a column: its lines, and the height of one above its letters. */
const LINES = 16
export const LEAD = 1.24
export const HEAD = 1.4
/** How wide a letter is at most, on average, and the room between two columns, in sizes of the type. */
const LETTER = 0.57
const GAP = 1.8

/** The odds of every panel, whole and in order, one column filled after another. */
function columns(panels: Panel[]): Column[] {
  const found: Column[] = []
  for (const panel of panels) {
    const rows = panel.rows.map((row) => ({ hand: broken(row.hand, 24), pays: row.pays }))
    const lines = rows.reduce((sum, row) => sum + row.hand.length, HEAD)
    const letters = Math.max(panel.title.length, ...rows.map((row) => Math.max(...row.hand.map((part) => part.length)) + row.pays.length + 2))
    const last = found.at(-1)
    if (last && last.lines + lines <= LINES) {
      last.panels.push({ title: panel.title, rows })
      last.lines += lines
      last.letters = Math.max(last.letters, letters)
    } else found.push({ panels: [{ title: panel.title, rows }], lines, letters })
  }
  return found
}

function apart({ x, width, lines }: Placed, top: number, size: number, areas: Area[]): boolean {
  const bottom = top + lines * LEAD * size
  return areas.every(
    (area) =>
      Math.hypot(
        Math.max(x - width / 2 - area.x, 0, area.x - x - width / 2),
        Math.max(top - area.y, 0, area.y - bottom),
      ) >= area.r + 6,
  )
}

/** The columns in the largest type in which they touch no marked area. */
export function odds(layout: Layout, top: number): { size: number; columns: Placed[] } {
  const areas = areasAt(layout)
  const found = columns(layout.panels)
  for (let size = 14; ; size -= 0.25) {
    const widths = found.map((column) => column.letters * LETTER * size)
    let x = 800 - (widths.reduce((sum, width) => sum + width, 0) + GAP * size * (found.length - 1)) / 2
    const placed = found.map((column, i) => {
      const width = widths[i]!
      x += width + GAP * size
      return { ...column, width, x: x - GAP * size - width / 2 }
    })
    if (size <= 7 || placed.every((column) => apart(column, top, size, areas))) return { size, columns: placed }
  }
}
