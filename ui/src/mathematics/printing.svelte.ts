// Whether the page is being printed: charts are then drawn anew, as wide as paper.
import { flushSync } from 'svelte'

/** Pixels between the margins of a sheet. */
const SHEET = 660

class Printing {
  now = $state(false)

  constructor() {
    addEventListener('beforeprint', () => flushSync(() => (this.now = true)))
    addEventListener('afterprint', () => (this.now = false))
  }

  /** How wide to draw what is so wide on the screen. */
  width(measured: number): number {
    return this.now ? SHEET : measured
  }
}

export const printing = new Printing()
