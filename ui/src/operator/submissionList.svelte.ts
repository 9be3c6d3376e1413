// The Submissions to start a draft from or to compare with: the presets of Pitboss and those of the house.
import { api, unwrap } from '../lib/api'
import { house } from '../lib/house.svelte'
import type { components } from '../lib/schema'
import { clock } from '../lib/format'
import type { Known } from './draft.svelte'

export type HouseSubmission = components['schemas']['HouseSubmission']
type Preset = components['schemas']['Preset']

/** What a preset is called: “cajun-stud-rack-card” is “rack card”. */
export const presetLabel = (one: Preset): string => one.name.replace(`${one.game}-`, '').replaceAll('-', ' ')

class SubmissionList {
  presets = $state.raw<Preset[]>([])
  house = $state.raw<HouseSubmission[]>([])
  failed = $state('')

  async load(): Promise<void> {
    try {
      if (!this.presets.length) this.presets = await unwrap(api.GET('/api/presets'))
      this.house = house.may('see-submissions') ? await unwrap(api.GET('/api/submissions')) : []
      this.failed = ''
    } catch (error) {
      this.failed = (error as Error).message
    }
  }

  /** All presets and Submissions of the house, each with a unique name; only those of `game` if it is given. */
  all(game = ''): (Known & { key: string })[] {
    return [
      ...this.presets.filter((one) => !game || one.game === game).map((one) => ({ key: one.name, name: `${one.title}, ${presetLabel(one)}`, text: one.text })),
      ...this.house.filter((one) => !game || one.game === game).map((one) => ({ key: one.sha256, name: submissionLabel(one), text: one.text })),
    ]
  }
}

/** A Submission of the house in a few words. */
export const submissionLabel = (one: HouseSubmission): string => {
  const where = one.tables.map((table) => table.table).join(', ')
  const when = one.tables.length ? `since ${clock(Math.min(...one.tables.map((table) => table.since)))}` : 'not yet in force'
  return `${one.title}, version ${one.version}${where ? `, at ${where}` : ''}, ${when}`
}

export const submissionList = new SubmissionList()
