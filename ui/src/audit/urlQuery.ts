// Search fields kept in the address, so that a link shows the same search.
import { route } from '../lib/route.svelte'

export type Query = Record<string, string | number | null | undefined>

/** The address of this page with changed search fields; empty ones are left out. */
export function urlWith(changes: Query, query = route.query): string {
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '') parameters.delete(name)
    else parameters.set(name, String(value))
  }
  return `${route.path}?${parameters}`
}

/** Change search fields without leaving the place on the page. */
export function setQuery(changes: Query, instead = false): void {
  const to = urlWith(changes)
  if (to === location.pathname + location.search) return
  if (instead) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** A search field of the address. */
export const queryValue = (name: string): string => new URLSearchParams(route.query).get(name) ?? ''
/** A search field as a number, or null. */
export const queryNumber = (name: string): number | null => {
  const text = queryValue(name)
  return /^\d+$/.test(text) ? Number(text) : null
}
/** Search fields for a request: an empty one is left out. */
export const withoutEmpty = <T extends Query>(wanted: T): { [K in keyof T]: Exclude<T[K], ''> | undefined } =>
  Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== '')) as { [K in keyof T]: Exclude<T[K], ''> | undefined }
/** Follow a link of this page without leaving where one is; opened in another window it is a link like any other. */
export function follow(event: MouseEvent, changes: Query): boolean {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false
  event.preventDefault()
  event.stopPropagation()
  setQuery(changes)
  return true
}
