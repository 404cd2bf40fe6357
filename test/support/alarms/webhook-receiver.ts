import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { Json } from '../json.ts'

export interface Delivered {
  readonly path: string
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Json
}

/** A response with headers and a body. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface WebhookReceiver {
  readonly url: string
  readonly delivered: Delivered[]
  /** The responses to the next deliveries; 204 when none is left. */
  readonly answers: (number | Reply | 'hang' | 'cut')[]
  close(): Promise<void>
}

/**
 * An HTTP server that accepts deliveries, rejects them, redirects them (302), hangs, or aborts the
 * connection.
 */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const delivered: Delivered[] = []
  const responses: WebhookReceiver['answers'] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const { headers, url = '' } = request
    delivered.push({ path: url, id: String(headers['webhook-id']), headers, text, body: JSON.parse(text) })
    const reply = responses.shift() ?? 204
    if (reply === 'hang') return
    if (reply === 'cut') return void request.socket.destroy()
    if (reply === 302) response.setHeader('location', '/elsewhere')
    if (typeof reply === 'object') return void response.writeHead(reply.status, reply.headers).end(reply.body)
    response.statusCode = reply
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    delivered,
    answers: responses,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Verifies as a receiver does: the signature, and that it was sent at about this time. */
export function isGenuine({ headers, text }: Delivered, secret: string, now: number): boolean {
  const timestamp = String(headers['webhook-timestamp'])
  if (Math.abs(Number(timestamp) * 1000 - now) > 300_000) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${headers['webhook-id']}.${timestamp}.${text}`).digest()
  const [version, signature = ''] = String(headers['webhook-signature']).split(',')
  const given = Buffer.from(signature, 'base64')
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
}
