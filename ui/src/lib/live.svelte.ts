// The live feed: one WebSocket for the page, reopened when it breaks. An order without a reply is sent again under its
// key, so that it is carried out once.
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
  /** Called when the server closes the socket because the session ended. */
  over = (): void => this.open()

  /** Drop everything of the person who was signed in before. */
  forget(): void {
    this.tables = {}
    this.log = {}
    this.#asked.clear()
    this.#mays.clear()
  }

  /** Open the socket; again after a sign-in or sign-out. */
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

  /** Watch a table; the returned function stops. */
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

  /** Send a command to a table. */
  order(table: string, command: Command, entered: DealerInput = {}): Promise<ReplyMessage> {
    const key = newKey()
    const message = JSON.stringify({ type: 'order', key, table, command, entered })
    return new Promise((done) => {
      this.#asked.set(key, { message, done })
      this.#say(message)
    })
  }

  /** Ask whether a table would accept commands one after another, without carrying them out. */
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

  /** Send text if the socket is open. */
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
