import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS } from '../src/kernel/time.ts'
import { startEvaluator } from '../src/modules/alarms/index.ts'
import type { Sample } from '../src/platform/ingest.ts'
import { createPolicies, STORM_HOUR, watch } from './alarms.ts'
import { makeSample } from './support/samples.ts'
import { type BenchService, createDevices, openService } from './support/service.ts'
import type { Bench, Figure } from './support/types.ts'
import { DEVICES_EACH, liveUrls, watchedBy } from './support/watching.ts'
import { startWorker, type Worker } from './support/worker.ts'

const DEVICES = 10_000
/** A burst lasts a second: so many times in it a part of the devices sends. */
const TICKS = 100
const TICK_MS = 10
const PER_TICK = DEVICES / TICKS
const STEP_MS = 10_000
/** Bursts of each way, in turns; the first of each only warms up. */
const ROUNDS = 5
const LEVEL = { beyond: 2_000, below: 10 }

const now = () => performance.timeOrigin + performance.now()

/** Milliseconds since each sample was to be handed in. */
interface Delays {
  readonly committed: number[]
  readonly told: number[]
  readonly arrived: number[]
}
const noDelays = (): Delays => ({ committed: [], told: [], arrived: [] })

let step = 0

/** Every device sends once within a second; resolves when all of it is at the sockets, whatever is still being judged. */
async function burst(
  { deps, tenant }: BenchService,
  {
    ids,
    client,
    power,
  }: { readonly ids: readonly string[]; readonly client: Worker; readonly power: number },
): Promise<Delays> {
  step += 1
  const { committed, told, arrived } = noDelays()
  const begun = now()
  const due = (no: number) => begun + Math.floor(no / PER_TICK) * TICK_MS
  const off = deps.bus.on('samples_stored', ({ samples }) => {
    for (const { values } of samples) told.push(now() - due(values['no'] ?? 0))
  })
  const pending: Promise<unknown>[] = []
  for (let tick = 0; tick < TICKS; tick++) {
    const samples = Array.from({ length: PER_TICK }, (_, index): Sample => {
      const no = tick * PER_TICK + index
      const { at, values } = makeSample({ startAt: STORM_HOUR, stepMs: STEP_MS }, no, step)
      return { deviceId: ids[no] ?? '', at, values: { ...values, active_power: power, no } }
    })
    const handed = due(tick * PER_TICK)
    pending.push(
      deps.ingest.submit(tenant.id, samples).then(() => committed.push(...samples.map(() => now() - handed))),
    )
    await sleep(Math.max(0, begun + (tick + 1) * TICK_MS - now()))
  }
  await Promise.all(pending)
  off()
  const times = (await client.ask({ kind: 'times', count: DEVICES })) as [no: number, at: number][]
  for (const [no, at] of times) arrived.push(at - due(no))
  return { committed, told, arrived }
}

const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(0)
const shown = (delays: readonly number[]): string => {
  const sorted = delays.toSorted((a, b) => a - b)
  return `${at(sorted, 0.5)} / ${at(sorted, 0.99)} ms`
}

/** The same burst with a policy that trips for every device, and without any, in turns. */
async function compare(service: BenchService): Promise<Record<'on' | 'off', Delays>> {
  const evaluator = startEvaluator(service.deps)
  const client = startWorker('./socket-client.ts')
  try {
    const devices = await createDevices(service, DEVICES)
    const ids = devices.map(({ id }) => id)
    const keys = devices.map(({ key }) => key)
    await createPolicies(service)
    const sockets = Array.from({ length: DEVICES / DEVICES_EACH }, (_, socket) => watchedBy(socket, ids))
    await client.ask({ kind: 'watch', urls: liveUrls(service, sockets) })
    const all = { on: noDelays(), off: noDelays() }
    for (let round = 0; round < ROUNDS; round++)
      for (const way of round % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
        await watch(service, way === 'on' ? keys : [])
        const delays = await burst(service, { ids, client, power: LEVEL.beyond })
        await evaluator.settle()
        await burst(service, { ids, client, power: LEVEL.below })
        await evaluator.settle()
        if (round === 0) continue
        for (const kind of ['committed', 'told', 'arrived'] as const) all[way][kind].push(...delays[kind])
      }
    return all
  } finally {
    await client.end()
    await evaluator.stop()
  }
}

/** Whether live values wait for alarms while 10,000 devices cross their level within a second. */
export const alarmsLiveBench: Bench = {
  name: 'alarms-live',
  async run(): Promise<readonly Figure[]> {
    const service = await openService(STORM_HOUR + HOUR_MS)
    try {
      const { on, off } = await compare(service)
      const row = (name: string, kind: keyof Delays): Figure => ({
        name: `10,000 devices cross their level within a second: from handed in to ${name}, p50 / p99 (no policies)`,
        measured: shown(on[kind]),
        against: shown(off[kind]),
        ratio: undefined,
        aim: '',
      })
      return [row('the commit', 'committed'), row('the bus', 'told'), row('the socket', 'arrived')]
    } finally {
      await service.stop()
    }
  },
}
