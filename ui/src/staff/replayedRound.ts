// Loads a finished round, and one of its boxes for the calculator with the rules of that round.
import { api, unwrap } from '../lib/api'
import { house } from '../lib/house.svelte'
import type { components } from '../lib/schema'
import { handOf, type Hand, type Replay, type Rules } from './calculatorHand'

type S = components['schemas']

export const loadReplay = (table: string, number: number): Promise<Replay> => unwrap(api.GET('/api/rounds/{table}/{number}/frames', { params: { path: { table, number } } }))

/** The rules of a table: its own while it is open, else its Submission, else a preset of the game. */
export async function rulesOf(table: string, game: string): Promise<Rules> {
  const open = await unwrap(api.GET('/api/tables'))
  if (open.some((one) => one.table === table)) return { game, table }
  if (house.may('see-submissions')) {
    const kept = await unwrap(api.GET('/api/submissions'))
    const own = kept.find((one) => one.tables.some((held) => held.table === table))
    if (own) return { game, submission: own.text }
  }
  const presets = await unwrap(api.GET('/api/presets'))
  return { game, preset: presets.findLast((one) => one.game === game)?.name, instead: true }
}

export async function loadHand(table: string, number: number, seat: number): Promise<Hand | null> {
  const replay = await loadReplay(table, number)
  return handOf(replay, seat, await rulesOf(table, replay.layout.game))
}
