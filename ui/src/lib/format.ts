// Formats of amounts, times and cards.
import type { Layout } from './types'

const written = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** Cents, with the currency sign and two decimals. */
export const money = (cents: number): string => written.format(cents / 100)
/** The same where there is little room: no decimals where there are none. */
export const shortMoney = (cents: number): string => (cents % 100 ? money(cents) : whole.format(cents / 100))
/** With its sign, for what was won or lost. */
export const signedMoney = (cents: number): string => (cents > 0 ? `+${money(cents)}` : money(cents).replace('-', '−'))
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`
export { clock } from './time'
export const formatDuration = (seconds: number): string => {
  const s = Math.max(0, Math.round(seconds))
  const h = Math.floor(s / 3600)
  const m = Math.floor((s % 3600) / 60)
  return h ? `${h} h ${m} min` : m ? `${m} min` : `${s} s`
}
/** What a wager is called at a table. */
export const wagerTitle = (layout: Layout, wager: string): string =>
  layout.spots.find((spot) => spot.name === wager)?.title ?? wager.replaceAll('-', ' ')
const RANKS: Record<string, string> = { T: '10', J: 'jack', Q: 'queen', K: 'king', A: 'ace' }
const SUITS: Record<string, string> = { c: 'clubs', d: 'diamonds', h: 'hearts', s: 'spades' }
/** A card in words, for who listens. */
export const cardName = (card: string | null): string =>
  card ? `${RANKS[card[0]!] ?? card[0]} of ${SUITS[card[1]!]}` : 'a card face down'
