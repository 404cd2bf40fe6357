import { DAY_MS, HOUR_MS, periodOf } from '../../src/kernel/time.ts'
import { ensurePartitions } from '../../src/platform/db/partitions.ts'
import { sized } from '../support/effort.ts'
import { type BenchGateway, makeGateway, openGateways } from '../support/gateways.ts'
import type { LiveTask, StoreTask, Timing } from '../support/live-gateway.ts'
import { DEVICES_EACH, liveUrls, watchedBy } from '../support/live-subscriptions.ts'
import type { BenchService } from '../support/service.ts'
import { type Figure, median } from '../support/types.ts'
import { startWorker, type Worker } from '../support/worker.ts'

const GATEWAYS = 20
const DEVICES_PER_GATEWAY = 50
const RATE = 2_000
/** Alternating without and with the backfill, so that other load on the machine affects both alike. */
const ROUNDS = sized(4, 1)
const SECONDS = sized(5, 3)
/** Connections, partitions and query plans are created meanwhile. */
const WARM_UP_SECONDS = sized(3, 2)
const STEP_MS = 500
/** The meters of the gateway that sends backfill, and how often each of them is read. */
const AWAY_DEVICES = 50
const AWAY_STEP_MS = 1_000
/** Far enough apart for the rate of a backfill. */
const STORE_EACH_MS = 12 * HOUR_MS
const TIMES_LIVE_SPEED = 10
const STORE_RATE = (TIMES_LIVE_SPEED * AWAY_DEVICES * 1000) / AWAY_STEP_MS

const HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
/** Live: samples older than ten minutes use the backfill path. */
const LIVE_START = HOUR + HOUR_MS - 5 * 60_000
const STORE_START = HOUR - 7 * DAY_MS

const now = () => performance.timeOrigin + performance.now()

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((one, other) => one - other)
const percentile = (ordered: readonly number[], share: number): number =>
  ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? Number.NaN

interface Latencies {
  readonly toPuback: readonly number[]
  readonly toSocket: readonly number[]
  readonly fromCommit: readonly number[]
}

interface Course {
  readonly gateways: readonly BenchGateway[]
  readonly port: number
  readonly publisher: Worker
  readonly sockets: Worker
  /** The instants at which samples were committed, by their number. */
  readonly stored: ReadonlyMap<number, number>
}

/** Live samples at an even rate, and their latencies in milliseconds. */
async function sendLive(course: Course, firstNo: number, seconds: number): Promise<Latencies> {
  const { gateways, port, publisher, sockets, stored } = course
  const startAt = LIVE_START
  const task: LiveTask = {
    ...{ kind: 'live', port, gateways, rate: RATE, seconds, firstNo, startAt, stepMs: STEP_MS },
  }
  const timings = await publisher.ask<Timing[]>(task)
  const count = RATE * seconds
  const arrived = await sockets.ask<[number, number][]>({ kind: 'times', count })
  const published = new Map(timings.map(([no, at]) => [no, at]))
  return {
    toPuback: sorted(timings.map(([, at, acknowledgedAt]) => acknowledgedAt - at)),
    toSocket: sorted(arrived.map(([no, at]) => at - (published.get(no) ?? Number.NaN))),
    fromCommit: sorted(arrived.map(([no, at]) => at - (stored.get(no) ?? Number.NaN))),
  }
}

const together = (rounds: readonly Latencies[]): Latencies => ({
  toPuback: sorted(rounds.flatMap(({ toPuback }) => toPuback)),
  toSocket: sorted(rounds.flatMap(({ toSocket }) => toSocket)),
  fromCommit: sorted(rounds.flatMap(({ fromCommit }) => fromCommit)),
})

/**
 * The load beside the live samples: none, or a backfill at a given rate (samples per second) or without a
 * limit.
 */
const WAYS = [
  { name: 'alone', hasStore: false, storeRate: undefined },
  {
    name: `during a backfill at ${TIMES_LIVE_SPEED} times the live rate`,
    hasStore: true,
    storeRate: STORE_RATE,
  },
  { name: 'during a backfill as fast as it is acknowledged', hasStore: true, storeRate: undefined },
] as const

interface Turn {
  readonly latencies: Latencies
  /** Backfill samples a second. */
  readonly stored: number
}

const both = (ordered: readonly number[]): string =>
  `${percentile(ordered, 0.5).toFixed(1)} / ${percentile(ordered, 0.99).toFixed(1)} ms`

const PATHS = [
  ['MQTT publish to socket', 'toSocket'],
  ['MQTT publish to PUBACK', 'toPuback'],
  ['commit to socket', 'fromCommit'],
] as const

/** `turns`: those of each variant, round by round. */
function figuresOf(turns: readonly (readonly Turn[])[]): Figure[] {
  const live = `live, ${RATE.toLocaleString('en')} samples/s in messages of one sample`
  const [alone] = turns.map((all) => together(all.map(({ latencies }) => latencies)))
  if (!alone) throw new Error('nothing was measured')
  return WAYS.flatMap(({ name, hasStore }, way): Figure[] => {
    const all = turns[way] ?? []
    const pooled = together(all.map(({ latencies }) => latencies))
    const figures = PATHS.map(([path, key]) => ({
      name: `${live}, ${name}: ${path}, p50 / p99${hasStore ? ' (without backfill)' : ''}`,
      measured: both(pooled[key]),
      against: hasStore ? both(alone[key]) : '',
      ratio: hasStore ? percentile(pooled[key], 0.5) / percentile(alone[key], 0.5) : undefined,
      aim: '',
    }))
    if (!hasStore) return figures
    const stored = median(all.map((turn) => turn.stored))
    return [
      ...figures,
      {
        name: `backfill of one gateway with ${AWAY_DEVICES} meters beside live samples (${TIMES_LIVE_SPEED} times its live rate)`,
        measured: `${Math.round(stored).toLocaleString('en')} samples/s`,
        against: `${STORE_RATE} samples/s`,
        ratio: stored / STORE_RATE,
        aim: '>= 0.95',
      },
    ]
  })
}

/**
 * Each message goes from a gateway in another process through the embedded broker and the database to a
 * socket in a third one.
 */
export async function fromTheField(service: BenchService): Promise<Figure[]> {
  const { bus, database } = service.deps
  const gateways: BenchGateway[] = []
  for (let index = 0; index < GATEWAYS; index++)
    gateways.push(await makeGateway(service, `gateway ${index}`, DEVICES_PER_GATEWAY))
  const away = await makeGateway(service, 'backfill', AWAY_DEVICES)
  const ids = gateways.flatMap(({ deviceIds }) => deviceIds)
  const watched = Array.from({ length: ids.length / DEVICES_EACH }, (_, socket) => watchedBy(socket, ids))
  const periods = new Set([periodOf(HOUR), periodOf(STORE_START)])
  await ensurePartitions(database, 'measurement', [...periods])
  const broker = await openGateways(service)
  const [publisher, store] = [startWorker('./live-gateway.ts'), startWorker('./live-gateway.ts')]
  const sockets = startWorker('./socket-client.ts')
  const stored = new Map<number, number>()
  const { emit } = bus
  Object.assign(bus, {
    emit: ((name, event) => {
      if ('samples' in event) for (const { values } of event.samples) stored.set(values['no'] ?? 0, now())
      emit(name, event)
    }) satisfies typeof emit,
  })
  try {
    await sockets.ask({ kind: 'watch', urls: liveUrls(service, watched) })
    const { port } = broker
    const course: Course = { gateways, port, publisher, sockets, stored }
    await sendLive(course, 0, WARM_UP_SECONDS)
    const turns: Turn[][] = WAYS.map(() => [])
    let firstNo = WARM_UP_SECONDS * RATE
    let begunStores = 0
    for (let round = 0; round < ROUNDS; round++)
      for (let index = 0; index < WAYS.length; index++) {
        const way = (round + index) % WAYS.length
        const { hasStore, storeRate: rate } = WAYS[way] ?? WAYS[0]
        begunStores += 1
        const startAt = STORE_START + begunStores * STORE_EACH_MS
        const task: StoreTask = {
          ...{ kind: 'store', port, gateway: away, seconds: SECONDS, rate, startAt, stepMs: AWAY_STEP_MS },
        }
        const storing = hasStore ? store.ask<number>(task) : Promise.resolve(0)
        storing.catch(() => {})
        const latencies = await sendLive(course, firstNo, SECONDS)
        firstNo += RATE * SECONDS
        turns[way]?.push({ latencies, stored: await storing })
      }
    return figuresOf(turns)
  } finally {
    Object.assign(bus, { emit })
    await Promise.all([publisher.end(), store.end(), sockets.end()])
    await broker.close()
  }
}
