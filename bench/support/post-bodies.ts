import { Agent, request } from 'node:http'

export interface Posts {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly bodies: readonly Uint8Array[]
}

function post(agent: Agent, { url, headers }: Posts, body: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } }
    const sent = request(url, options, (response) => {
      response.resume()
      response.on('end', () => {
        if ((response.statusCode ?? 500) < 300) resolve()
        else reject(new Error(`${url} answered ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Posts bodies in their order over a few connections. */
export async function postBodies(posts: Posts): Promise<void> {
  const { bodies, connections } = posts
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let next = 0
  const worker = async (): Promise<void> => {
    for (let body = bodies[next++]; body; body = bodies[next++]) await post(agent, posts, body)
  }
  await Promise.all(Array.from({ length: connections }, worker))
  agent.destroy()
}
