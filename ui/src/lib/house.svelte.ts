// The signed-in person with permissions and balance, the house, and display settings kept in this browser.
import { api, type RefusedError, setSession, unwrap } from './api'
import { live } from './live.svelte'
import { score } from './score.svelte'
import type { Account, Act, Permission, Welcome, Who } from './types'
import { setZone } from './time'

const storedSetting = (name: string, otherwise: string): string => localStorage.getItem(`pitboss.${name}`) ?? otherwise

class House {
  welcome = $state<Welcome | null>(null)
  who = $state<Who | null>(null)
  balance = $state<number | null>(null)
  ready = $state(false)
  fourColours = $state(storedSetting('four-colours', 'no') === 'yes')
  still = $state(storedSetting('still', 'no') === 'yes' || matchMedia('(prefers-reduced-motion: reduce)').matches)
  sound = $state(storedSetting('sound', 'no') === 'yes')
  advice = $state(storedSetting('advice', 'off') as 'off' | 'before' | 'after')
  /** Seconds by which the server's clock is ahead of this one. */
  ahead = 0
  #refreshing: ReturnType<typeof setTimeout> | undefined

  async begin(): Promise<void> {
    this.welcome = await unwrap(api.GET('/api/house'))
    setZone(this.welcome.timezone)
    this.ahead = this.welcome.time - Date.now() / 1000
    live.over = () => void this.begin().catch(() => live.open())
    await this.#came(this.welcome.who)
    this.ready = true
  }

  async signIn(name: string, password: string): Promise<void> {
    await this.#came(await unwrap(api.POST('/api/session', { body: { name, password } })))
  }

  async signOut(): Promise<void> {
    await api.DELETE('/api/session').catch((error: RefusedError) => {
      if (error.status !== 401) throw error // else the session was over already
    })
    await this.#came(null)
  }

  /** Whether the house lets this person see or do something; nobody signed in may do nothing. */
  may(permission: Permission): boolean {
    return !!this.who?.may.includes(permission)
  }

  /** Whether the house lets this person give an act. */
  mayAct(type: Act['type']): boolean {
    return !!this.who?.acts.includes(type)
  }

  /** Reload the balance, once for several calls in a row. */
  refresh(): void {
    clearTimeout(this.#refreshing)
    this.#refreshing = setTimeout(() => void this.#account(), 120)
  }

  now(): number {
    return Date.now() / 1000 + this.ahead
  }

  keep(name: 'four-colours' | 'still' | 'sound' | 'advice', value: string): void {
    localStorage.setItem(`pitboss.${name}`, value)
    if (name === 'four-colours') this.fourColours = value === 'yes'
    if (name === 'still') this.still = value === 'yes'
    if (name === 'sound') this.sound = value === 'yes'
    if (name === 'advice') this.advice = value as 'off' | 'before' | 'after'
  }

  async #came(who: Who | null): Promise<void> {
    if (who?.name !== this.who?.name) {
      live.forget()
      score.of(who?.name ?? '')
    }
    this.who = who
    setSession(who)
    live.open()
    await this.#account()
  }

  async #account(): Promise<void> {
    this.balance = this.may('play') ? ((await unwrap(api.GET('/api/account')).catch(() => null))?.balance ?? null) : null
  }
}

export const house = new House()
