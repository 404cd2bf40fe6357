import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import {
  ApiError,
  type LiveConnection,
  type LiveOptions,
  NetsaatClient,
} from '../../../clients/typescript/src/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const MINUTE_MS = 60_000

/** A connection in between that tests cut, or that passes nothing on. */
interface Proxy {
  readonly url: string
  cut(): void
  isAccepting: boolean
  isSilent: boolean
  readonly server: Server
}

async function startProxy(target: string): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (!proxy.isAccepting) return void client.destroy()
    const service = connect(Number(new URL(target).port), '127.0.0.1')
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (!proxy.isSilent) to.write(bytes)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    isAccepting: true,
    isSilent: false,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
  return proxy
}

let api: TestApi
let tenant: TestTenant
let meter: TestDevice
let proxy: Proxy
let connection: LiveConnection
let received: string[]
let states: string[]

beforeAll(async () => {
  api = await startApi()
  proxy = await startProxy(api.url)
})
beforeEach(async () => {
  tenant = await createTenant(api)
  meter = await createDevice(api, tenant)
  received = []
  states = []
})
afterEach(() => connection.close())
afterAll(async () => {
  proxy.cut()
  proxy.server.close()
  await api.close()
})

const clientOf = (token: string) =>
  new NetsaatClient({ baseUrl: proxy.url, credentials: { accessToken: token }, timeoutMs: 5000 })

async function open(options: Partial<LiveOptions> = {}, client = clientOf(tenant.viewer.token)) {
  connection = client.live({
    devices: [meter.id],
    onSample: ({ timestamp }) => received.push(timestamp),
    onState: (state) => states.push(state),
    WebSocket: WebSocket as never,
    ...options,
  })
  await until(() => states.at(-1) === 'open')
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 60_000
  while (!isTrue()) {
    if (performance.now() > end) throw new Error(`${states} ${received.length} ${received.slice(-5)}`)
    await sleep(20)
  }
}

/** Stores a sample of each instant, in minutes from now; returns their timestamps. */
async function store(...minutes: number[]): Promise<string[]> {
  const instants = minutes.map((minute) => api.clock.now() + minute * MINUTE_MS)
  for (let first = 0; first < instants.length; first += 500) {
    const samples = instants.slice(first, first + 500).map((at) => sample(meter, at, { active_power: 1 }))
    expect((await postSamples(api, tenant, samples)).status).toBe(201)
  }
  return instants.map((at) => new Date(at).toISOString())
}

async function interrupt(work: () => Promise<void>): Promise<void> {
  const opened = states.filter((state) => state === 'open').length
  proxy.isAccepting = false
  proxy.cut()
  await until(() => states.at(-1) === 'waiting')
  await work()
  proxy.isAccepting = true
  await until(() => states.filter((state) => state === 'open').length > opened)
}

describe('live values of the TypeScript client', () => {
  it('lose and repeat nothing when the socket is cut, also late samples', async () => {
    await store(-30)
    await open()
    const before = await store(-2, -1)
    await until(() => received.length === 2)
    let missed: string[] = []
    await interrupt(async () => {
      missed = await store(-12, 0)
    })
    const after = await store(0.5)
    await until(() => received.length >= 5)
    await interrupt(async () => {})
    const last = await store(0.75)
    await until(() => received.includes(last[0] ?? ''))
    expect(received.toSorted()).toEqual([...before, ...missed, ...after, ...last].toSorted())
  })

  it('read over HTTP what the backfill of the socket leaves out', async () => {
    await open({ lateMs: 8 * 60 * MINUTE_MS })
    const [first = ''] = await store(0)
    await until(() => received.length === 1)
    let missed: string[] = []
    await interrupt(async () => {
      missed = await store(...Array.from({ length: 5200 }, (_, index) => -(index + 1) / 12))
    })
    await until(() => received.length >= 5201)
    await sleep(100)
    expect(received.toSorted()).toEqual([first, ...missed].toSorted())
  })

  it('return after a connection without a sign of life', async () => {
    await open({ pingMs: 500 })
    proxy.isSilent = true
    const missed = await store(-1)
    await until(() => states.includes('waiting'))
    proxy.isSilent = false
    proxy.cut()
    await until(() => received.length === 1)
    expect(received).toEqual(missed)
  })

  it('go on from the position of an earlier connection', async () => {
    await open()
    const { position } = connection
    expect(position).toBe(new Date(api.clock.now()).toISOString())
    await connection.close()
    expect(states.at(-1)).toBe('closed')
    const missed = await store(-1)
    await open({ since: position ?? '' })
    await until(() => received.length === 1)
    expect(received).toEqual(missed)
  })

  it('name devices that do not exist', async () => {
    const other = await createDevice(api, await createTenant(api))
    const refused: string[] = []
    await open({ devices: [other.id], onRefused: (devices) => refused.push(...devices) })
    expect(refused).toEqual([other.id])
  })

  it('end when the credentials are not valid any more', async () => {
    const admin = clientOf(tenant.admin.token)
    const { data } = await admin.post('/api/api-keys', {
      body: { name: 'display', permissions: ['read:measurement'], expires_in_days: 1 },
    })
    await open({}, new NetsaatClient({ baseUrl: proxy.url, credentials: { apiKey: data.key } }))
    await admin.delete('/api/api-keys/{id}', { path: { id: data.id } })
    proxy.cut()
    const failure = await connection.closed
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({ status: 401 })
    expect(states.at(-1)).toBe('closed')
  })

  it('need an implementation where there is no global WebSocket', async () => {
    const globals = globalThis as { WebSocket?: unknown }
    const { WebSocket: own } = globals
    delete globals.WebSocket
    connection = clientOf(tenant.viewer.token).live({ devices: [], onSample: () => {} })
    expect(await connection.closed).toMatchObject({ message: expect.stringContaining('package ws') })
    if (own !== undefined) globals.WebSocket = own
  })
})
