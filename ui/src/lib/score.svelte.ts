// How well somebody decides: counted from the server's exact values, kept in this browser.
import type { Advice } from './types'

export type JudgedDecision = { table: string; chosen: Advice; best: Advice; all: Advice[] }
type Sums = { decisions: number; right: number; lost: number }

const NOTHING: Sums = { decisions: 0, right: 0, lost: 0 }

class Score {
  last = $state<JudgedDecision | null>(null)
  sums = $state<Sums>(NOTHING)
  #kept = 'pitboss.score'

  /** Whose decisions are counted from now on. */
  of(name: string): void {
    this.#kept = `pitboss.score.${name}`
    this.last = null
    this.sums = (JSON.parse(localStorage.getItem(this.#kept) ?? 'null') as Sums | null) ?? NOTHING
  }

  decided(table: string, all: Advice[], multiple: number): void {
    const chosen = all.find((one) => one.multiple === multiple)
    const best = all.find((one) => one.best)
    if (!chosen || !best) return
    this.last = { table, chosen, best, all }
    this.sums = {
      decisions: this.sums.decisions + 1,
      right: this.sums.right + (chosen.best ? 1 : 0),
      lost: this.sums.lost + chosen.loses,
    }
    localStorage.setItem(this.#kept, JSON.stringify(this.sums))
  }

  reset(): void {
    this.last = null
    this.sums = NOTHING
    localStorage.removeItem(this.#kept)
  }
}

export const score = new Score()
