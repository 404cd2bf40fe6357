import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'

/** A request as it is sent, byte for byte: nothing in it is normalized. */
export interface RawRequest {
  readonly method: string
  /** Path and query string, encoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

export interface RawResponse {
  readonly kind: 'response'
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** The connection ended without a response, or there was none within the hang limit. */
export interface NoResponse {
  readonly kind: 'none'
  readonly reason: string
}

export interface FuzzClient {
  send(request: RawRequest): Promise<RawResponse | NoResponse>
  close(): void
}

/** Sends one request at a time over a connection that is kept open. */
export function makeClient(baseUrl: string, hangMs: number): FuzzClient {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve) => {
        const none = (reason: string) => resolve({ kind: 'none', reason })
        const timer = setTimeout(() => {
          none(`no response within ${hangMs / 1000} s`)
          sent.destroy()
        }, hangMs)
        const settle = (result: RawResponse | NoResponse) => {
          clearTimeout(timer)
          resolve(result)
        }
        // Without it, Node sends the body of a GET or DELETE with no length, which is no valid HTTP.
        const length = body && { 'Content-Length': body.length }
        const options = { agent, hostname, port, method, path, headers: { ...headers, ...length } }
        const sent = httpRequest(options, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', (error) =>
            settle({ kind: 'none', reason: `the response broke off: ${error.message}` }),
          )
          response.on('end', () =>
            settle({
              kind: 'response',
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks),
            }),
          )
        })
        sent.on('error', (error) => settle({ kind: 'none', reason: error.message }))
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}
