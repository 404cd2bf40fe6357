import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { expect, it } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { Subscriber } from './subscriber.ts'

const OWNER = {
  userId: 'u',
  tenantId: 1,
  tenantUid: 't',
  hasApiKey: false,
  token: '',
  connectedAt: 0,
  expiresAt: 0,
}
/** Large enough to fill the buffers of the system. */
const values = (step: number) => ({
  step,
  ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`m${'x'.repeat(90)}${n}`, n])),
})

it('a backfill that exceeds its deadline ends with coalesced values, and live samples follow', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const connected = once(server, 'connection')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const messages: { values: { step: number }; skipped?: number }[] = []
  client.on('message', (data) => messages.push(JSON.parse(String(data))))
  await once(client, 'open')
  const [socket, request] = (await connected) as [WebSocket, { socket: Socket }]
  const subscriber = new Subscriber({ socket, raw: request.socket }, OWNER)
  client.pause()

  const stored = Array.from({ length: 4_000 }, (_, step) => ({
    deviceId: 'a',
    at: step,
    values: values(step),
  }))
  subscriber.beginBackfill(['a'])
  const sent = await subscriber.sendStored(stored, performance.now() + 20)
  subscriber.offer({ deviceId: 'a', at: 4_000, values: { step: 4_000 }, frame: Buffer.alloc(0) })
  subscriber.endBackfill(undefined)
  expect(sent).toBeGreaterThan(0)
  expect(sent).toBeLessThan(4_000)
  expect(subscriber.counts).toEqual({ sent, coalesced: 4_001 - sent, dropped: 0 })

  client.resume()
  await expect.poll(() => messages.at(-1)?.values.step, { interval: 5 }).toBe(4_000)
  // All backfill samples but the newest are skipped; the live one has the newest step, at its own instant.
  expect(messages.slice(0, sent).map((message) => message.values.step)).toEqual(
    stored.slice(0, sent).map(({ at }) => at),
  )
  expect(messages).toHaveLength(sent + 2)
  expect(messages[sent]?.skipped).toBe(4_001 - sent - 2)
  expect(subscriber.counts).toEqual({ sent: sent + 2, coalesced: 4_001 - sent, dropped: 4_001 - sent - 2 })
  client.terminate()
  server.close()
})
