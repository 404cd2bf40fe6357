/** One request to a running service that must succeed; returns its body. */
export async function callService(method: string, url: string, token: string | undefined, body?: object) {
  const answer = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads
  const parsed: any = await answer.json()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${JSON.stringify(parsed)}`)
  return parsed
}
