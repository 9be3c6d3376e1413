// What the server shows of the mathematics, under short names, and how its figures are written here.
import type { components } from '../lib/schema'

type S = components['schemas']
export type Mathematics = S['Mathematics']
export type Wager = S['WagerView']
export type Required = S['RequiredView']
export type Limited = S['LimitView']
export type Metered = S['MetersView']
export type Verdict = S['HoldVerdict']
export type Compared = S['HoldComparisonView']
export type Figure = S['Figure']
export type Form = S['Form']
export type Reading = S['ReadingForm']

/** A number as text, with a true minus; with a plus where what is won is told from what is lost. */
export const minus = (text: string): string => text.replace(/^-/, '−')
export const signed = (text: string): string => (/^(-|0$)/.test(text) ? minus(text) : `+${text}`)
export const whole = (n: number): string => minus(n.toLocaleString('en-US'))
/** A chance that is not exact, to four digits. */
export const about = (share: number): string =>
  `${(100 * share).toLocaleString('en-US', { maximumSignificantDigits: 4, minimumSignificantDigits: 4 })} %`
export const named = (one: { title: string; paytable: string }): string =>
  one.paytable ? `${one.title}, Paytable ${one.paytable}` : one.title
/** Each once, in their order. */
export const distinct = <T>(many: T[]): T[] => [...new Set(many)]
/** Those alike in something, together. */
export function grouped<T>(many: T[], by: (one: T) => string): [string, T[]][] {
  const found = new Map<string, T[]>()
  for (const one of many) found.set(by(one), [...(found.get(by(one)) ?? []), one])
  return [...found]
}
