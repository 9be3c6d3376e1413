// Small things that the form of a Submission needs: hands in one order, changes in words.
import type { components } from '../lib/schema'
import { signedMoney } from '../lib/format'

type Printed = components['schemas']['PrintedPaytable']
type Figure = components['schemas']['Figure']

/** Every hand of some paytables, in the order in which they are printed. */
export function hands(paytables: readonly Printed[]): string[] {
  const found: string[] = []
  for (const { rows } of paytables) {
    let place = 0
    for (const { hand } of rows) {
      const known = found.indexOf(hand)
      if (known < 0) found.splice(place, 0, hand)
      place = (known < 0 ? place : known) + 1
    }
  }
  return found
}

const four = (number: number): string => {
  const size = Math.abs(number)
  const digits = size ? Math.max(0, 3 - Math.floor(Math.log10(size))) : 0
  return `${number < 0 ? '−' : '+'}${size.toLocaleString('en-US', { maximumFractionDigits: Math.min(digits, 12) })}`
}
/** By how much a figure is another than before; a share by percentage points. */
export const describeChange = (now: Figure, before: Figure, share: boolean): string =>
  now.exact === before.exact ? '' : share ? `${four(100 * (now.number - before.number))} points` : four(now.number - before.number)
export const changedMoney = (now: number | null, before: number | null): string =>
  now === null || before === null || now === before ? '' : signedMoney(now - before)

/** Go to the field that a key of the Submission is chosen in, or to the nearest there is. */
export function goTo(where: string): void {
  const parts = where.split('.')
  for (let length = parts.length; length; length--) {
    const found = document.getElementById(`field-${parts.slice(0, length).join('.')}`)
    if (!found) continue
    for (let at: Element | null = found; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true
    found.scrollIntoView({ block: 'center' })
    found.focus({ preventScroll: true })
    return
  }
  document.getElementById('toml')?.focus()
}

/** Download a text as a file. */
export function downloadText(text: string, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/toml' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
/** The file name of a Submission. */
export const fileName = (game: string, version: string, kind: string): string =>
  `${game}-${version.match(/[A-Za-z0-9]+/g)?.join('-') ?? 'draft'}${kind}`
