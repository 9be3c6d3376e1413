// The Submission that is being made: what is chosen, what it says as TOML, and what the house finds of it.
import { api, at, RefusedError, unwrap } from '../lib/api'
import { house } from '../lib/house.svelte'
import type { components } from '../lib/schema'

type S = components['schemas']
export type Choices = S['Choices']
export type Offer = S['OfferChoices']
export type Form = S['Form']
export type Examined = S['SubmissionReport']
export type Problem = S['Problem']
/** A Submission to begin with or to compare with: what it is called, and its text. */
export type Known = { name: string; text: string }
/** What is kept over a reload: the text, and choices that it does not say yet. */
type Kept = { who: string; began: Known; text: string; choices: Choices | null }

const PAUSE = 300
const AGAIN = 2000
const KEPT = 'pitboss.draft'

/** Whether asking the same again may be answered: the house was not reached, had too much to do, or failed. */
const passing = (error: unknown): boolean =>
  error instanceof RefusedError && (error.status === 0 || error.status === 429 || error.status >= 500)

const examine = (submission: string): Promise<Examined> => unwrap(api.POST('/api/submissions/examine', { body: { submission } }))

class Draft {
  /** What one began with, and what the house found of that. */
  began = $state.raw<(Known & { found: Examined }) | null>(null)
  form = $state.raw<Form | null>(null)
  choices = $state<Choices | null>(null)
  text = $state('')
  found = $state.raw<Examined | null>(null)
  /** Whether the house is asked, or soon will be. */
  working = $state(false)
  /** Whether it was asked in vain: what was found is of something else than what is chosen. */
  unanswered = $state(false)
  failed = $state('')
  /** Wagers that were withdrawn, as they were, should they be offered again. */
  withdrawn: Record<string, Offer> = {}

  #who = ''
  #waiting: ReturnType<typeof setTimeout> | undefined
  #changed: 'no' | 'choices' | 'text' = 'no'
  #running = false

  /** Whether what the house found is of what is chosen now. */
  get current(): boolean {
    return !this.working && !this.unanswered
  }

  /** Go on with what this person had before the page was loaded. */
  async resume(): Promise<void> {
    const who = house.who?.name ?? ''
    if (this.#who === who) return
    this.#who = who
    this.leave()
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Kept | null
    if (kept?.who !== who) return
    await this.begin(kept.began)
    if (!this.began) return
    if (kept.choices) {
      await this.#take(kept.choices)
      this.chose()
    } else if (kept.text !== this.text) this.typed(kept.text)
  }

  /** Begin with a Submission. */
  async begin(known: Known): Promise<void> {
    const changed = this.#changed
    clearTimeout(this.#waiting)
    this.#changed = 'no'
    this.working = true
    this.failed = ''
    try {
      const found = await examine(known.text)
      this.form = this.choices = null
      if (found.submission) await this.#take(found.submission)
      this.withdrawn = {}
      this.text = known.text
      this.found = found
      this.began = { ...known, found }
      this.unanswered = false
      this.#keep()
    } catch (error) {
      this.failed = (error as Error).message
      if (changed !== 'no') return this.#soon(changed)
    }
    this.working = false
  }

  /** Put it away. */
  leave(): void {
    clearTimeout(this.#waiting)
    this.#changed = 'no'
    this.began = this.form = this.choices = this.found = null
    this.text = this.failed = ''
    this.working = this.unanswered = false
  }

  /** Something was chosen in the form. */
  chose(): void {
    this.#soon('choices')
  }

  /** The text was changed by hand. */
  typed(text: string): void {
    this.text = text
    this.#soon('text')
  }

  /** What is wrong at a key of the Submission. */
  at(where: string): Problem[] {
    return this.found?.problems.filter((one) => one.where === where) ?? []
  }

  #soon(changed: 'choices' | 'text'): void {
    this.#changed = changed
    this.working = true
    clearTimeout(this.#waiting)
    this.#waiting = setTimeout(() => void this.#ask(), PAUSE)
  }

  /** Have the house write down and examine what there is, until nothing changed meanwhile; in vain, it is asked again. */
  async #ask(): Promise<void> {
    if (this.#running) return
    this.#running = true
    while (this.#changed !== 'no') {
      const [by, began] = [this.#changed, this.began]
      this.#keep()
      this.#changed = 'no'
      try {
        const text = by === 'text' ? this.text : (await unwrap(api.POST('/api/submissions/compose', { body: this.choices! }))).submission
        const found = await examine(text)
        if (this.began !== began) continue
        if (by === 'text' && found.submission && !this.#since('choices')) await this.#take(found.submission)
        if (!this.#since('text')) this.text = text
        this.found = found
        this.failed = ''
        this.unanswered = false
        this.#keep()
      } catch (error) {
        if (this.began !== began) continue
        this.failed = (error as Error).message
        this.unanswered = true
        if (!this.#since('no')) continue
        this.#changed = by
        if (passing(error)) this.#waiting = setTimeout(() => void this.#ask(), AGAIN)
        break
      }
    }
    this.#running = false
    this.working = false
  }

  /** Whether something was changed in this way, or nothing, while the house was asked. */
  #since(by: 'no' | 'choices' | 'text'): boolean {
    return this.#changed === by
  }

  /** Show choices in the form of their game; a game that there is not leaves the form as it is. */
  async #take(choices: Choices): Promise<void> {
    if (this.form?.game !== choices.game) {
      const form = await unwrap(api.GET('/api/games/{game}/form', { params: { path: { game: choices.game } } })).catch(() => null)
      if (!form) return
      this.form = form
    }
    this.choices = choices
  }

  #keep(): void {
    if (!this.began) return
    const kept: Kept = {
      who: this.#who,
      began: { name: this.began.name, text: this.began.text },
      text: this.text,
      choices: this.#changed === 'choices' ? this.choices : null,
    }
    sessionStorage.setItem(KEPT, JSON.stringify(kept))
  }
}

export const draft = new Draft()
