import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from './app-type.ts'
import { limitArrival } from './arrival-timeout.ts'

const app = Fastify({ forceCloseConnections: true })
beforeAll(async () => {
  limitArrival(app as unknown as App, 50)
  app.post('/usual', () => 'arrived')
  app.post('/long', { config: { arrivalMaxMs: 60_000 } }, () => 'arrived')
  const refuse = { onRequest: async () => Promise.reject(new Error('not let in')) }
  app.post('/refused', { config: { arrivalMaxMs: 60_000 }, ...refuse }, () => 'arrived')
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

/** Half of a request. */
function begin(path: string): { socket: Socket; answer: Promise<string> } {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/plain\r\n`
  socket.write(`${head}Content-Length: 6\r\n\r\nabc`)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  socket.on('error', () => undefined)
  return { socket, answer: once(socket, 'close').then(() => text) }
}

describe('a request that does not arrive completely', () => {
  it('is answered with 408, except on a route with a longer timeout', async () => {
    const long = begin('/long')
    expect(await begin('/usual').answer).toMatch(/^HTTP\/1\.1 408 .*REQUEST_TIMEOUT/s)
    long.socket.write('def')
    expect(await long.answer).toMatch(/^HTTP\/1\.1 200 .*arrived/s)
  })

  it('has no longer timeout when it was rejected before the body', async () => {
    expect(await begin('/refused').answer).toMatch(/^HTTP\/1\.1 500 /)
  })
})

it('a request of the process to itself is not timed, also when it is refused before its body is read', async () => {
  const errors: unknown[] = []
  const note = (error: unknown) => void errors.push(error)
  process.on('uncaughtException', note)
  expect(
    (await app.inject({ method: 'POST', url: '/refused', payload: { body: 'unread' } })).statusCode,
  ).toBe(500)
  // A request over a socket is cut after the same time, so its end shows that the time is over.
  await begin('/usual').answer
  process.off('uncaughtException', note)
  expect(errors).toEqual([])
})
