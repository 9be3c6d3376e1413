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

/** As few lines, and these as even as they can be. */
function even(fill: (most: number) => string[], most: number): string[] {
  const lines = fill(most).length
  while (most > 1 && fill(most - 1).length === lines) most -= 1
  return fill(most)
}

export type Written = { text: string; kind: 'owner' | 'title' | 'notice' | 'limits'; size: number; y: number }

/** The arcs under the dealer's cards: whose table it is, the game, its notices, the limits of every wager. */
export function arcs(layout: Layout): Written[] {
  const notices = layout.notices.flatMap((notice) => even((most) => broken(notice.text, most), 96))
  const wagers = limits(layout)
  const size = notices.length > 1 ? 16 : 18
  const lines: Omit<Written, 'y'>[] = [
    ...broken(layout.property, 90).map((text) => ({ text, kind: 'owner' as const, size: 15 })),
    { text: layout.title, kind: 'title', size: 38 },
    ...notices.map((text) => ({ text, kind: 'notice' as const, size })),
    ...even((most) => filled(wagers, ' · ', most), 106).map((text) => ({ text, kind: 'limits' as const, size: 13 })),
  ]
  let y = 206
  return lines.map((line) => ({ ...line, y: (y += line.size * (line.kind === 'title' ? 1 : 1.3)) }))
}

/** Every wager once with what it may be; raises of the same limits together. */
function limits(layout: Layout): string[] {
  const found = new Map<string, { titles: Set<string>; limits: string }>()
  for (const { placed, offer = '', limits = '', title } of layout.spots) {
    const key = placed === 'decision' ? limits : offer
    if (!found.has(key)) found.set(key, { titles: new Set(), limits })
    found.get(key)!.titles.add(title.replace(/,.*$/, ''))
  }
  return [...found.values()].map(({ titles, limits }) => `${[...titles].join(', ')} ${limits}`)
}

type Odds = { hand: string[]; pays: string }
type Column = { panels: { title: string; rows: Odds[] }[]; lines: number; letters: number }
export type Laid = Column & { x: number; width: number }

/** In sizes of the type: from line to line, how wide a letter is on average, the room between two columns. */
export const LEAD = 1.24
const LETTER = 0.57
const GAP = 1.8
/** In lines: the head of a panel. */
export const HEAD = 1.4

/** The odds of every panel, whole and in order, one column filled after another up to so many lines. */
function columns(panels: Panel[], most: number): Column[] {
  const found: Column[] = []
  for (const panel of panels) {
    const rows = panel.rows.map((row) => ({ hand: broken(row.hand, 24), pays: row.pays }))
    const lines = rows.reduce((sum, row) => sum + row.hand.length, HEAD)
    const wide = rows.map((row) => Math.max(...row.hand.map((part) => part.length)) + row.pays.length + 2)
    const letters = Math.max(panel.title.length, ...wide)
    const last = found.at(-1)
    if (last && last.lines + lines <= most) {
      last.panels.push({ title: panel.title, rows })
      last.lines += lines
      last.letters = Math.max(last.letters, letters)
    } else found.push({ panels: [{ title: panel.title, rows }], lines, letters })
  }
  return found
}

/** Whether a column keeps off every marked area, and off the chips that stand on it. */
function apart({ x, width, lines }: Laid, top: number, size: number, areas: Area[]): boolean {
  const bottom = top + lines * LEAD * size
  return areas.every(
    (area) =>
      Math.hypot(
        Math.max(x - width / 2 - area.x, 0, area.x - x - width / 2),
        Math.max(top - area.y, 0, area.y - bottom),
      ) >= area.r + 12,
  )
}

/** Columns side by side in the middle of the felt. */
function placed(found: Column[], size: number): Laid[] {
  const widths = found.map((column) => column.letters * LETTER * size)
  const all = widths.reduce((sum, width) => sum + width + GAP * size, -GAP * size)
  let x = 800 - all / 2
  return found.map((column, i) => {
    const width = widths[i]!
    x += width + GAP * size
    return { ...column, width, x: x - GAP * size - width / 2 }
  })
}

/** The columns, short or long, that can be printed in the largest type without touching a marked area. */
export function odds(layout: Layout, top: number): { size: number; columns: Laid[] } {
  const areas = areasAt(layout)
  const ways = Array.from({ length: 16 }, (_, i) => columns(layout.panels, 10 + i))
  for (let size = 14; ; size -= 0.25) {
    for (const way of ways) {
      const found = placed(way, size)
      if (size <= 7 || found.every((column) => apart(column, top, size, areas))) return { size, columns: found }
    }
  }
}
