import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Sample } from '../../src/areas/metering/intake-contract/index.ts'
import { HOUR_MS } from '../../src/kernel/time.ts'
import { sized } from '../support/effort.ts'
import { DEVICES_EACH, liveUrls, watchedBy } from '../support/live-subscriptions.ts'
import { makeSample } from '../support/samples.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import type { SocketTask } from '../support/socket-client.ts'
import { type Bench, type Figure, median } from '../support/types.ts'
import { startWorker, type Worker } from '../support/worker.ts'
import { fromTheField } from './live-field.ts'

const SOCKETS = 1_000
const DEVICES = 100
const ROUNDS = sized(7, 2)
/** Samples of one event, and events of a round. */
const SHAPES = [
  { samples: 100, events: sized(20, 5) },
  { samples: 1, events: sized(500, 200) },
] as const

const HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const runTask = (client: Worker, wanted: SocketTask) => client.ask<unknown>(wanted)

const textOf = ({ deviceId, at, values }: Sample): string =>
  JSON.stringify({ type: 'sample', device_id: deviceId, timestamp: new Date(at).toISOString(), values })

interface Pushing {
  readonly urls: readonly string[]
  push(samples: readonly Sample[]): void
  stop(): Promise<void>
}

/**
 * What `ws` alone does with the same messages to the same sockets: routed by a map, serialised once, sent to
 * each.
 */
async function startBare(ids: readonly string[]): Promise<Pushing> {
  const server = createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  const watchers = new Map<string, Set<WebSocket>>(ids.map((id) => [id, new Set()]))
  sockets.on('connection', (socket, { url }) => {
    for (const id of watchedBy(Number(url?.slice(1)), ids)) watchers.get(id)?.add(socket)
    socket.send('{"type":"hello"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    urls: Array.from({ length: SOCKETS }, (_, socket) => `ws://127.0.0.1:${port}/${socket}`),
    push(samples) {
      for (const sample of samples) {
        const text = Buffer.from(textOf(sample))
        for (const socket of watchers.get(sample.deviceId) ?? []) socket.send(text, { binary: false })
      }
    },
    async stop() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A frame of a server: two bytes, and two more from 126 bytes on. */
const frameBytes = (sample: Sample): number => {
  const length = Buffer.byteLength(textOf(sample))
  return length + (length < 126 ? 2 : 4)
}

interface Round {
  readonly events: number
  readonly samples: number
}

/** Milliseconds until every socket has everything, event by event, and the processor time of this process. */
async function pushAll(
  client: Worker,
  { push }: Pushing,
  ids: readonly string[],
  { events, samples }: Round,
) {
  let cpuMs = 0
  const begun = performance.now()
  for (let event = 0; event < events; event++) {
    const batch = Array.from({ length: samples }, (_, index): Sample => {
      const device = (event * samples + index) % ids.length
      return { deviceId: ids[device] ?? '', ...makeSample({ startAt: HOUR, stepMs: 1_000 }, device, event) }
    })
    const bytes =
      batch.reduce((sum, sample) => sum + frameBytes(sample), 0) * ((SOCKETS * DEVICES_EACH) / DEVICES)
    const before = process.cpuUsage()
    push(batch)
    const counted = await runTask(client, { kind: 'count', bytes })
    const { user, system } = process.cpuUsage(before)
    cpuMs += (user + system) / 1000
    if (counted !== bytes) throw new Error(`${String(counted)} bytes arrived instead of ${bytes}`)
  }
  return { tookMs: performance.now() - begun, cpuMs }
}

async function fanOut(service: BenchService): Promise<Figure[]> {
  const ids = (await createDevices(service, DEVICES)).map(({ id }) => id)
  const clients = { ours: startWorker('./socket-client.ts'), bare: startWorker('./socket-client.ts') }
  const bare = await startBare(ids)
  const watched = Array.from({ length: SOCKETS }, (_, socket) => watchedBy(socket, ids))
  const { bus } = service.deps
  const ours: Pushing = {
    urls: liveUrls(service, watched),
    push: (samples) => bus.emit('samples_stored', { tenantId: service.tenant.id, samples }),
    stop: async () => {},
  }
  try {
    await runTask(clients.ours, { kind: 'open', urls: ours.urls })
    await runTask(clients.bare, { kind: 'open', urls: bare.urls })
    const figures: Figure[] = []
    for (const shape of SHAPES) {
      const took = {
        ours: [] as number[],
        bare: [] as number[],
        oursCpu: [] as number[],
        bareCpu: [] as number[],
      }
      for (let round = 0; round < ROUNDS + 1; round++) {
        const mine = await pushAll(clients.ours, ours, ids, shape)
        const bareResult = await pushAll(clients.bare, bare, ids, shape)
        if (round === 0) continue
        took.ours.push(mine.tookMs)
        took.bare.push(bareResult.tookMs)
        took.oursCpu.push(mine.cpuMs)
        took.bareCpu.push(bareResult.cpuMs)
      }
      figures.push(...compare(shape, took))
    }
    return figures
  } finally {
    await Promise.all([clients.ours.end(), clients.bare.end()])
    await bare.stop()
  }
}

type Took = Readonly<Record<'ours' | 'bare' | 'oursCpu' | 'bareCpu', readonly number[]>>

function compare({ samples, events }: Round, took: Took): Figure[] {
  const messages = (samples * events * SOCKETS * DEVICES_EACH) / DEVICES
  const rate = (ms: readonly number[]) => `${Math.round(messages / median(ms))} k messages/s`
  const each = (ms: readonly number[]) => `${((median(ms) / messages) * 1000).toFixed(2)} µs`
  const what = samples === 1 ? 'one sample an event' : `${samples} samples an event`
  return [
    {
      name: `live, 1,000 sockets of 10 devices, ${what}, rate (bare ws broadcast)`,
      measured: rate(took.ours),
      against: rate(took.bare),
      ratio: median(took.bare) / median(took.ours),
      aim: samples === 1 ? '>= 1' : '>= 0.6',
    },
    {
      name: `live, 1,000 sockets of 10 devices, ${what}, processor time of the server per message (bare ws broadcast)`,
      measured: each(took.oursCpu),
      against: each(took.bareCpu),
      ratio: median(took.bareCpu) / median(took.oursCpu),
      aim: '',
    },
  ]
}

/** From a gateway, and from the commit, to the sockets. Clients run in separate processes. */
export const liveBench: Bench = {
  name: 'live',
  async run() {
    const service = await openService(HOUR + HOUR_MS - 1)
    try {
      return [...(await fromTheField(service)), ...(await fanOut(service))]
    } finally {
      await service.stop()
    }
  },
}
