// What training keeps in this browser: how one does in each drill, the hands one got wrong, the best table tests.
import type { Hand } from './drills'

export type Tally = { asked: number; right: number; streak: number; longest: number; antes: number }
export type Best = { right: number; asked: number; seconds: number; allowed: number; when: number }
type Stored = { tallies: Record<string, Tally>; wrong: Hand[]; tests: Record<string, Best[]>; ante: number }

const PLACE = 'pitboss.training'
const MOST = 100
const FEW = 5
const NONE: Tally = { asked: 0, right: 0, streak: 0, longest: 0, antes: 0 }

function stored(): Partial<Stored> {
  try {
    return (JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<Stored> | null) ?? {}
  } catch {
    return {}
  }
}

/** A hand, whatever the order of its cards. */
const named = (hand: Hand): string =>
  JSON.stringify([hand.game, [...hand.player].sort(), hand.up, [...hand.board].sort(), hand.raised])

class TrainingProgress {
  #tallies = $state<Record<string, Tally>>({})
  #wrong = $state<Hand[]>([])
  #tests = $state<Record<string, Best[]>>({})
  /** What an Ante is taken to be, in cents, where losses are told in money. */
  ante = $state(1000)

  constructor() {
    const { tallies, wrong, tests, ante } = stored()
    this.#tallies = tallies ?? {}
    this.#wrong = wrong ?? []
    this.#tests = tests ?? {}
    this.ante = ante ?? 1000
  }

  /** How one does in one drill of a game, or so far in several. */
  tally(game: string, ...drills: string[]): Tally {
    const all = drills.map((drill) => this.#tallies[`${game}/${drill}`] ?? NONE)
    const sum = (what: keyof Tally) => all.reduce((total, one) => total + one[what], 0)
    return { asked: sum('asked'), right: sum('right'), streak: sum('streak'), longest: Math.max(...all.map((one) => one.longest)), antes: sum('antes') }
  }

  answered(game: string, drill: string, right: boolean, antes = 0): void {
    const one = this.tally(game, drill)
    const streak = right ? one.streak + 1 : 0
    this.#tallies[`${game}/${drill}`] = {
      asked: one.asked + 1,
      right: one.right + (right ? 1 : 0),
      streak,
      longest: Math.max(one.longest, streak),
      antes: one.antes + antes,
    }
    this.#keep()
  }

  anew(game: string, drill: string): void {
    delete this.#tallies[`${game}/${drill}`]
    this.#keep()
  }

  wrong(game: string): Hand[] {
    return this.#wrong.filter((hand) => hand.game === game)
  }

  mistaken(hand: Hand): void {
    const others = this.#wrong.filter((one) => named(one) !== named(hand))
    this.#wrong = [hand, ...others].slice(0, MOST)
    this.#keep()
  }

  learnt(hand: Hand): void {
    this.#wrong = this.#wrong.filter((one) => named(one) !== named(hand))
    this.#keep()
  }

  /** The best table tests of a game: most right first, then the fastest. */
  tests(game: string): Best[] {
    return this.#tests[game] ?? []
  }

  tested(game: string, one: Best): void {
    const all = [...this.tests(game), one].sort((a, b) => b.right - a.right || a.seconds - b.seconds)
    this.#tests[game] = all.slice(0, FEW)
    this.#keep()
  }

  playFor(cents: number): void {
    this.ante = cents
    this.#keep()
  }

  #keep(): void {
    const all: Stored = { tallies: this.#tallies, wrong: this.#wrong, tests: this.#tests, ante: this.ante }
    localStorage.setItem(PLACE, JSON.stringify(all))
  }
}

export const kept = new TrainingProgress()
