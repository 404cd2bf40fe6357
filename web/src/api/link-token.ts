/**
 * The token of a link in a mail. It is taken out of the address before anything is loaded, so that it stays in neither
 * the address bar, the history, nor a link to another page; no request sends a Referer (header of the service). It is
 * in memory only: after a reload the link of the mail has to be opened again.
 *
 * Links have it after the question mark, because front ends with pages of their own read it there; in the fragment it
 * is accepted too.
 */
import { LINK_PAGES } from '../../../src/kernel/console-sections.ts'
import { BASE_URL } from '../kernel/base-url.ts'

let token: string | undefined

/** Called once, before the router reads the address. */
export function takeLinkToken(): void {
  if (!LINK_PAGES.some((name) => `${location.origin}${location.pathname}` === `${BASE_URL}/${name}`)) return
  const parameters = [location.hash.slice(1), location.search].map((text) => new URLSearchParams(text))
  token =
    parameters.map((each) => each.get('token')).find((found) => found !== null && found !== '') ?? undefined
  history.replaceState(history.state, '', location.pathname)
}

export const linkToken = (): string | undefined => token
