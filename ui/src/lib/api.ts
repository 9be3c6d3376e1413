// The house's HTTP API, typed by its description; a refusal is an error with the server's sentence and clause.
import createClient from 'openapi-fetch'
import type { paths } from './schema'
import type { Act, ActResult, Refusal, Who } from './types'

export class RefusedError extends Error implements Refusal {
  constructor(
    readonly why: string,
    readonly cite: string,
    readonly status: number,
  ) {
    super(why)
  }
}

let csrf = ''

/** Keep the CSRF token that goes with every change. */
export function setSession(who: Who | null): void {
  csrf = who?.csrf ?? ''
}

/** A new idempotency key; works on pages without https too. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

async function refusalOf(response: Response): Promise<RefusedError> {
  const said = (await response.json().catch(() => ({}))) as { detail?: string; extra?: { cite?: string } }
  return new RefusedError(said.detail ?? `The house answers ${response.status}.`, said.extra?.cite ?? '', response.status)
}

export const api = createClient<paths>({ headers: { Accept: 'application/json' } })
api.use({
  onRequest({ request }) {
    if (request.method !== 'GET' && csrf) request.headers.set('X-CSRF-Token', csrf)
  },
  async onResponse({ response }) {
    if (!response.ok) throw await refusalOf(response)
  },
  onError: () => new RefusedError('The house cannot be reached.', '', 0),
})

/** The body of a reply: `await unwrap(api.GET('/api/tables'))`. A refusal throws. */
export const unwrap = async <T>(reply: Promise<{ data?: T }>): Promise<T> => (await reply).data as T

/** The keys of acts without a reply: the house may have carried them out. */
const unanswered = new Map<string, string>()

/** Give an act to the house; repeated after no reply, it is carried out once. */
export async function act(asked: Act): Promise<ActResult> {
  const text = JSON.stringify(asked)
  const key = unanswered.get(text) ?? newKey()
  unanswered.set(text, key)
  try {
    const done = await unwrap(api.POST('/api/acts', { params: { header: { 'Idempotency-Key': key } }, body: { act: asked } }))
    unanswered.delete(text)
    return done
  } catch (error) {
    if (error instanceof RefusedError && error.status >= 400 && error.status < 500) unanswered.delete(text)
    throw error
  }
}

/** Hand a file to the browser to keep. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** A path with its parts escaped: at`/api/tables/${table}/layout`. */
export const at = (parts: TemplateStringsArray, ...values: (string | number)[]): string =>
  parts.reduce((path, part, i) => path + part + (i < values.length ? encodeURIComponent(values[i]!) : ''), '')
