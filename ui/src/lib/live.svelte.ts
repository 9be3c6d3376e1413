// The live feed: one socket for the page, opened again when it breaks; an order that was not answered is
// sent again under its key, so that it is carried out once.
import { untrack } from 'svelte'
import { newKey } from './api'
import type { ClientMessage, Command, DealerInput, ReplyMessage, Sentence, ServerMessage, TableMessage, TrialReply } from './types'

type Pending<T> = { message: string; done: (reply: T) => void }
const OVER = 4401

class Live {
  connected = $state(false)
  tables = $state<Record<string, TableMessage>>({})
  meters = $state<Record<string, Record<string, number>>>({})
  /** The last sentences of each table's log, the newest last. */
  log = $state<Record<string, Sentence[]>>({})

  #socket: WebSocket | null = null
  #watching = new Map<string, number>()
  #asked = new Map<string, Pending<ReplyMessage>>()
  #mays = new Map<string, Pending<TrialReply>>()
  #retry = 250
  /** Called when the house has closed the line: whoever was signed in here may be so no longer. */
  over = (): void => this.open()

  /** Forget everything that was told to somebody, or asked by them: another person sits here now. */
  forget(): void {
    this.tables = {}
    this.log = {}
    this.#asked.clear()
    this.#mays.clear()
  }

  /** Begin, or begin anew after somebody signed in or out. */
  open(): void {
    this.#socket?.close()
    this.connected = false
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/live`)
    this.#socket = socket
    socket.onopen = () => {
      if (this.#socket !== socket) return
      this.connected = true
      this.#retry = 250
      for (const table of this.#watching.keys()) this.#watch(table)
      for (const { message } of [...this.#asked.values(), ...this.#mays.values()]) socket.send(message)
    }
    socket.onmessage = (event) => this.#socket === socket && this.#heard(JSON.parse(event.data) as ServerMessage)
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return
      this.connected = false
      setTimeout(() => this.#socket === socket && (code === OVER ? this.over() : this.open()), this.#retry)
      this.#retry = Math.min(this.#retry * 2, 4000)
    }
  }

  /** Be told of a table; the function that is returned ends it. */
  watch(table: string): () => void {
    const count = this.#watching.get(table) ?? 0
    this.#watching.set(table, count + 1)
    untrack(() => count === 0 && this.#watch(table))
    return () => {
      const left = (this.#watching.get(table) ?? 1) - 1
      if (left > 0) this.#watching.set(table, left)
      else {
        this.#watching.delete(table)
        untrack(() => this.#send({ type: 'unwatch', table }))
      }
    }
  }

  /** Have a table do something. */
  order(table: string, command: Command, entered: DealerInput = {}): Promise<ReplyMessage> {
    const key = newKey()
    const message = JSON.stringify({ type: 'order', key, table, command, entered })
    return new Promise((done) => {
      this.#asked.set(key, { message, done })
      this.#say(message)
    })
  }

  /** Ask whether orders would be taken, one after another, without having them done. */
  may(table: string, commands: Command[]): Promise<TrialReply> {
    const key = newKey()
    const message = JSON.stringify({ type: 'may', key, table, commands })
    return new Promise((done) => {
      this.#mays.set(key, { message, done })
      this.#say(message)
    })
  }

  #watch(table: string): void {
    const seen = this.tables[table]
    this.#send({ type: 'watch', table, since: seen?.seq ?? null })
  }

  /** Say something, if there is somebody to hear it. */
  #say(text: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text)
  }

  #send(message: ClientMessage): void {
    this.#say(JSON.stringify(message))
  }

  #heard(message: ServerMessage): void {
    switch (message.type) {
      case 'table': {
        const sentences = message.happened.flatMap((one) => one.sentences)
        this.log[message.table] = [...(this.log[message.table] ?? []), ...sentences].slice(-200)
        this.tables[message.table] = message
        break
      }
      case 'meters':
        this.meters[message.table] = message.meters
        break
      case 'reply':
        this.#asked.get(message.key)?.done(message)
        this.#asked.delete(message.key)
        break
      case 'may':
        this.#mays.get(message.key)?.done(message)
        this.#mays.delete(message.key)
        break
    }
  }
}

export const live = new Live()
