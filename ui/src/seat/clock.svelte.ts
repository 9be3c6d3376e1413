// The time of the house, for everything that counts down on a screen: one ticking value, read where it is needed.
import { house } from '../lib/house.svelte'

class Clock {
  now = $state(house.now())

  constructor() {
    setInterval(() => (this.now = house.now()), 250)
  }

  /** Whole seconds until a moment, never negative. */
  left(until: number): number {
    return Math.max(0, Math.ceil(until - this.now))
  }
}

export const clock = new Clock()
