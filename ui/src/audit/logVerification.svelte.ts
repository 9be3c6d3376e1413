// The verification of one log, piece by piece as the house checks it, with how far it has come.
import { api, unwrap } from '../lib/api'
import type { components } from '../lib/schema'
import { count } from '../lib/format'
import type { Part } from '../lib/types'

type Checked = components['schemas']['VerifiedPiece']
/** The least time between two questions, in milliseconds: the house answers twenty in a second. */
const PACE = 60

export class LogVerification {
  state = $state<'not yet' | 'under way' | 'stopped' | 'done'>('not yet')
  entries = $state(0)
  of = $state(0)
  rounds = $state(0)
  postings = $state(0)
  checkpoints = $state(0)
  problems = $state.raw<Part[][]>([])
  keys = $state<string[]>([])
  followed = $state(false)
  whole = $state(false)
  failed = $state('')
  #stopping = false

  constructor(readonly chain: string) {}

  async go(): Promise<void> {
    this.state = 'under way'
    this.entries = this.rounds = this.postings = this.checkpoints = 0
    this.problems = []
    this.keys = []
    this.followed = this.whole = this.#stopping = false
    this.failed = ''
    let next: Checked['next'] = { since: 0, checkpoint: 0 }
    try {
      while (next && !this.#stopping) {
        const paced = new Promise((done) => setTimeout(done, PACE))
        const piece: Checked = await unwrap(api.GET('/api/chains/{chain}/verify', { params: { path: { chain: this.chain }, query: next } }))
        this.#add(piece)
        next = piece.next
        if (next) await paced
      }
    } catch (error) {
      this.failed = (error as Error).message
    }
    this.state = this.#stopping || this.failed ? 'stopped' : 'done'
  }

  stop(): void {
    this.#stopping = true
  }

  #add(piece: Checked): void {
    this.of = piece.of
    this.entries = Math.max(this.entries, piece.last)
    this.rounds += piece.rounds
    this.postings += piece.postings
    this.checkpoints += piece.checkpoints
    this.problems = [...this.problems, ...piece.problem_parts]
    this.keys = [...new Set([...this.keys, ...piece.signed_by])]
    this.followed ||= piece.followed
    this.whole = piece.next === null && piece.last >= piece.of
  }

  /** Whether everything was checked, and nothing is wrong. */
  get sound(): boolean {
    return this.state === 'done' && this.whole && !this.problems.length
  }

  /** What was found, in words. */
  get says(): string {
    if (this.state === 'not yet') return ''
    const seen = `${count(this.entries, 'entry', 'entries')} of ${this.of.toLocaleString('en-US')}`
    if (this.state === 'under way') return `${seen} checked…`
    if (this.failed) return `Stopped after ${seen}: ${this.failed}`
    if (this.state === 'stopped') return `Stopped after ${seen}; nothing said of the rest.`
    const parts = [
      this.rounds ? `${count(this.rounds, 'round')} ${this.followed ? 'replayed' : 'decided again'}` : '',
      count(this.postings, 'posting'),
      this.checkpoints ? count(this.checkpoints, 'checkpoint') : this.whole ? 'no checkpoint yet' : '',
    ]
    const checked = parts.filter(Boolean).join(', ')
    if (this.sound) return `Whole: all ${count(this.of, 'entry', 'entries')} are bound to one another; ${checked}; all as it was written.`
    const beyond = this.whole ? '' : ` It cannot be followed beyond entry ${this.entries} of ${this.of}.`
    return `It breaks in ${count(this.problems.length, 'place')}.${beyond} Checked: ${checked}.`
  }
}
