// The wagers a patron plans, and how they become orders. The server checks every change of the plan.
import { house } from '../lib/house.svelte'
import { live } from '../lib/live.svelte'
import type { Layout, Refusal, Spot, View } from '../lib/types'

/** By box: cents on each spot. */
export type Draft = Record<number, Record<string, number>>
type LastWagers = { seat: number; boxes: Draft }
export type Place = { view: View; seat: number }

export const CHIPS = [100, 500, 2_500, 10_000, 50_000, 100_000]
const same = (a: Record<string, number>, b: Record<string, number>) =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => (a[name] ?? 0) === (b[name] ?? 0))

export class WagerPlan {
  draft = $state<Draft>({})
  chip = $state(500)
  /** Why the last plan was not accepted, and of which box; it stays readable when betting is over. */
  refused = $state<(Refusal & { seat: number }) | null>(null)
  /** The spot touched last, as "seat/name". */
  touched = $state('')
  sending = $state(false)
  /** Called when the player changes the plan. */
  onchange = (): void => {}
  last = $state<LastWagers | null>(null)
  #past = $state<Draft[]>([])
  #storage: string

  constructor(
    readonly layout: Layout,
    readonly place: () => Place,
  ) {
    this.#storage = `pitboss.last.${house.who?.name}.${layout.table}`
    this.last = JSON.parse(sessionStorage.getItem(this.#storage) ?? 'null') as LastWagers | null
  }

  wagered = $derived.by<Draft>(() =>
    Object.fromEntries(
      this.place().view.boxes.filter((box) => box.patron === house.who?.name).map((box) => [box.seat, box.wagers]),
    ),
  )
  /** The boxes of the plan, one's own seat among them. */
  seats = $derived.by(() =>
    [...new Set([this.place().seat, ...Object.keys({ ...this.wagered, ...this.draft }).map(Number)])].filter(Boolean).sort((a, b) => a - b),
  )
  total = $derived.by(() => this.seats.reduce((sum, seat) => sum + Object.values(this.of(seat)).reduce((a, b) => a + b, 0), 0))
  canUndo = $derived.by(() => this.#past.length > 0)

  /** Orders for the changes: first empty the farthest boxes, then wager from the own seat outwards. */
  orders = $derived.by(() => {
    const far = (seat: number) => Math.abs(seat - this.place().seat)
    const changed = this.seats.filter((seat) => this.draft[seat] !== undefined && !same(this.draft[seat], this.wagered[seat] ?? {}))
    const empty = (seat: number) => !Object.keys(this.draft[seat]!).length
    return [
      ...changed.filter(empty).sort((a, b) => far(b) - far(a)),
      ...changed.filter((seat) => !empty(seat)).sort((a, b) => far(a) - far(b)),
    ].map((seat) => ({ type: 'Wager' as const, seat, wagers: { ...this.draft[seat] } }))
  })

  of(seat: number): Record<string, number> {
    return this.draft[seat] ?? this.wagered[seat] ?? {}
  }

  /** Whether a spot holds something other than what is wagered there. */
  isPlanned(seat: number, spot: string): boolean {
    return this.draft[seat] !== undefined && (this.draft[seat][spot] ?? 0) !== (this.wagered[seat]?.[spot] ?? 0)
  }

  /** Put the chosen chip on a spot, or take one back; a spot with a few fixed amounts steps through them. */
  put(seat: number, name: string, less = false): void {
    const spot = this.layout.spots.find((one) => one.name === name)
    if (!spot || spot.placed !== 'first') return
    const next = this.#next(spot, this.of(seat)[name] ?? 0, less)
    const wagers = { ...this.of(seat), [name]: next }
    if (!next) delete wagers[name]
    this.#change(() => (this.draft[seat] = wagers))
    this.touched = `${seat}/${name}`
    void this.#ask()
  }

  open(seat: number): void {
    if (!this.draft[seat] && !this.wagered[seat]) this.#change(() => (this.draft[seat] = {}))
  }

  undo(): void {
    const before = this.#past.pop()
    if (!before) return
    this.draft = before
    this.touched = ''
    this.onchange()
    void this.#ask()
  }

  clear(): void {
    this.#change(() => {
      for (const seat of this.seats) {
        if (Object.keys(this.wagered[seat] ?? {}).length) this.draft[seat] = {}
        else delete this.draft[seat]
      }
    })
    this.touched = ''
    void this.#ask()
  }

  /** Plan the last wagers again, counted from the seat one has now. */
  repeat(): void {
    const last = this.last
    if (!last) return
    this.#change(() => {
      for (const [seat, wagers] of Object.entries(last.boxes)) this.draft[Number(seat) + this.place().seat - last.seat] = { ...wagers }
    })
    this.touched = ''
    void this.#ask()
  }

  /** Start over at another seat. */
  forget(): void {
    this.draft = {}
    this.#past = []
  }

  async wager(): Promise<void> {
    if (this.sending || !this.orders.length) return
    this.sending = true
    const [plan, from] = [this.orders, this.place().seat]
    let boxes = { ...this.wagered }
    for (const order of plan) {
      const reply = await live.order(this.layout.table, order)
      if (!reply.accepted) {
        this.refused = { why: reply.why ?? '', cite: reply.cite ?? '', seat: order.seat }
        this.sending = false
        return
      }
      const drafted = this.draft[order.seat]
      if (drafted && same(drafted, order.wagers)) delete this.draft[order.seat]
      boxes = { ...boxes, [order.seat]: order.wagers }
    }
    const filled = Object.entries(boxes).filter(([, chips]) => Object.keys(chips).length)
    if (filled.length) this.last = { seat: from, boxes: Object.fromEntries(filled) }
    for (const seat of Object.keys(this.draft).map(Number)) if (!Object.keys(this.draft[seat]!).length) delete this.draft[seat]
    sessionStorage.setItem(this.#storage, JSON.stringify(this.last))
    this.refused = null
    this.touched = ''
    this.#past = []
    this.sending = false
    house.refresh()
  }

  #next(spot: Spot, have: number, less: boolean): number {
    const amounts = [0, ...(spot.amounts ?? [])]
    if (amounts.length === 1) return Math.max(0, have + (less ? -this.chip : this.chip))
    const place = amounts.indexOf(have) + (less ? -1 : 1)
    return amounts[(place + amounts.length) % amounts.length] ?? 0
  }

  #change(change: () => void): void {
    this.#past.push($state.snapshot(this.draft))
    change()
    this.onchange()
  }

  async #ask(): Promise<void> {
    const orders = this.orders
    const plan = JSON.stringify(orders)
    if (!orders.length) return void (this.refused = null)
    const answer = await live.may(this.layout.table, orders)
    if (JSON.stringify(this.orders) === plan) this.refused = answer.may ? null : { ...answer, seat: orders[answer.of ?? 0]!.seat }
  }
}
