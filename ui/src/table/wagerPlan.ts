// What a patron means to wager, and what the house said of it.
import type { Refusal } from '../lib/types'

/** By box: cents on each spot. */
export type Draft = Record<number, Record<string, number>>
/** A refusal, and the box it is of. */
export type Late = Refusal & { seat: number }
