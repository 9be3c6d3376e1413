// The arithmetic of charts: where a value lies on an axis, where ticks are, and labels that do not cover each other.
export type Kind = 'linear' | 'log' | 'root'
export type Scale = { at: (value: number) => number; ticks: number[] }

const BENT: Record<Kind, (value: number) => number> = {
  linear: (value) => value,
  log: (value) => Math.log10(value),
  root: (value) => Math.sign(value) * Math.sqrt(Math.abs(value)),
}

/** Values from `low` to `high` laid between two places of the drawing, with about so many ticks. */
export function scale(kind: Kind, [low, high]: [number, number], [from, to]: [number, number], many = 5): Scale {
  const bent = BENT[kind]
  const span = bent(high) - bent(low) || 1
  const at = (value: number): number => from + ((bent(value) - bent(low)) / span) * (to - from)
  return { at, ticks: kind === 'log' ? decades(low, high) : even(low, high, many) }
}

/** Round numbers at even steps of 1, 2 or 5 times a power of ten. */
export function even(low: number, high: number, many: number): number[] {
  const rough = (high - low) / many || 1
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= rough * 0.999) ?? 10)
  const ticks = []
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) ticks.push(Number((n * step).toPrecision(12)))
  return ticks
}

function decades(low: number, high: number): number[] {
  const ticks = []
  for (let n = Math.ceil(Math.log10(low) - 1e-9); n <= Math.log10(high) + 1e-9; n++) ticks.push(Number(`1e${n}`))
  return ticks
}

export type Label = { y: number; text: string }
export type Placed = Label & { from: number }

/** Labels at the ends of lines moved apart, within the drawing. */
export function spread(labels: Label[], gap: number, low: number, high: number): Placed[] {
  const placed = labels.map((one) => ({ ...one, from: one.y })).sort((a, b) => a.y - b.y)
  placed.forEach((one, i) => (one.y = Math.max(one.y, low, i ? placed[i - 1]!.y + gap : low)))
  for (let i = placed.length - 1; i >= 0; i--) {
    placed[i]!.y = Math.min(placed[i]!.y, high - (placed.length - 1 - i) * gap)
  }
  return placed
}
/** About how wide a text is drawn, in pixels. */
export const wide = (text: string, size = 12): number => text.length * size * 0.56
