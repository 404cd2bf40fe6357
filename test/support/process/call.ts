import type { Json } from '../json.ts'

/** One request to a running service that must succeed; returns its body. */
export async function callService(method: string, url: string, token: string | undefined, body?: object) {
  const response = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
  })
  const parsed: Json = await response.json()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${JSON.stringify(parsed)}`)
  return parsed
}
