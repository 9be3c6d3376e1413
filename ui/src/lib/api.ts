// Requests over HTTP: JSON both ways; a refusal is an error that carries the server's sentence and clause.
import type { Refusal, Who } from './types'

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

/** Remember what goes with every request that changes something. */
export function setSession(who: Who | null): void {
  csrf = who?.csrf ?? ''
}

/** A key of its own for every order; also where a page is not served over https. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

async function request(method: string, path: string, body?: unknown, key?: string): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json' }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (method !== 'GET' && csrf) headers['X-CSRF-Token'] = csrf
  if (key) headers['Idempotency-Key'] = key
  let answer: Response
  try {
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
  } catch {
    throw new RefusedError('The house cannot be reached.', '', 0)
  }
  if (answer.ok) return answer
  const said = (await answer.json().catch(() => ({}))) as { detail?: string; extra?: { cite?: string } }
  throw new RefusedError(said.detail ?? `The house answers ${answer.status}.`, said.extra?.cite ?? '', answer.status)
}

async function json<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
  const answer = await request(method, path, body, key)
  return (answer.status === 204 ? undefined : await answer.json()) as T
}

export const get = <T>(path: string): Promise<T> => json('GET', path)
export const post = <T>(path: string, body: unknown, key?: string): Promise<T> => json('POST', path, body, key)
export const remove = (path: string): Promise<void> => json('DELETE', path)
/** The keys of acts that the house may have done without being heard to say so. */
const unanswered = new Map<string, string>()

/** Have the house do something that concerns more than one table; asked again after no answer, it is done once. */
export async function act<T>(asked: { type: string; [field: string]: unknown }): Promise<T> {
  const text = JSON.stringify(asked)
  const key = unanswered.get(text) ?? newKey()
  unanswered.set(text, key)
  try {
    const done = await json<T>('POST', '/api/acts', { act: asked }, key)
    unanswered.delete(text)
    return done
  } catch (error) {
    if (error instanceof RefusedError && error.status >= 400 && error.status < 500) unanswered.delete(text)
    throw error
  }
}

/** Fetch a file and hand it to the browser to keep. */
export async function download(path: string, body: unknown, name: string): Promise<void> {
  const answer = await request('POST', path, body)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await answer.blob())
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** A path with its parts escaped: at`/api/tables/${table}/layout`. */
export const at = (parts: TemplateStringsArray, ...values: (string | number)[]): string =>
  parts.reduce((path, part, i) => path + part + (i < values.length ? encodeURIComponent(values[i]!) : ''), '')
