import { EventEmitter, once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { countTraffic, drain } from './drain.ts'
import { DRAIN_QUIET_MS } from './limits.ts'

interface Setup {
  readonly request: (path: string) => Promise<IncomingMessage>
  readonly stop: () => Promise<number>
  /** Lets requests to /slow finish. */
  readonly release: () => void
  readonly isStarted: Promise<void>
}

/** A server, and a client that keeps its one connection open. */
async function startSetup(noticeMs = 0): Promise<Setup> {
  const events = new EventEmitter()
  const isStarted = once(events, 'started').then(() => {})
  const isReleased = once(events, 'released')
  let isStopping = false
  const app = Fastify({ return503OnClosing: false })
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close')
  })
  app.get('/', async () => 'fast')
  app.get('/slow', async () => {
    events.emit('started')
    await isReleased
    return 'slow'
  })
  const traffic = countTraffic(app.server)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    request: (path) =>
      new Promise((resolve, reject) => {
        get({ host: '127.0.0.1', port, path, agent }, (response) => {
          response.resume().once('end', () => resolve(response))
        }).once('error', reject)
      }),
    stop: () => {
      const announce = () => {
        isStopping = true
      }
      return drain({ app, traffic, announce, noticeMs })
    },
    release: () => void events.emit('released'),
    isStarted,
  }
}

describe('draining the HTTP server', () => {
  it('answers a request that a client sends on an open connection after the stop began, and closes it', async () => {
    const { request, stop } = await startSetup()
    await request('/')
    const stopped = stop()
    // Both timers run in this event loop: the one of the server is counted in turns and cannot be ahead.
    await sleep(600)
    const { statusCode, headers } = await request('/')
    expect([statusCode, headers.connection]).toEqual([200, 'close'])
    expect(await stopped).toBe(0)
  })

  it('serves new connections during the notice, and ends each after its response', async () => {
    const { request, stop } = await startSetup(4_000)
    const stopped = stop()
    for (let count = 0; count < 2; count += 1) {
      const { statusCode, headers } = await request('/')
      expect([statusCode, headers.connection]).toEqual([200, 'close'])
    }
    expect(await stopped).toBe(0)
    await expect(request('/')).rejects.toThrow('ECONNREFUSED')
  })

  it('waits for a request that is in flight', async () => {
    const { request, stop, release, isStarted } = await startSetup()
    const response = request('/slow')
    await isStarted
    const stopped = stop()
    await sleep(DRAIN_QUIET_MS * 1.5)
    release()
    expect((await response).statusCode).toBe(200)
    expect(await stopped).toBe(0)
  })
})
