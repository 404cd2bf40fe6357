import { setTimeout as sleep } from 'node:timers/promises'
import { type LiveEvaluation, startLiveEvaluation } from '../../src/areas/alarms/evaluation/index.ts'
import type { Sample } from '../../src/areas/metering/intake-contract/index.ts'
import { HOUR_MS } from '../../src/kernel/time.ts'
import { sized } from '../support/effort.ts'
import { liveUrls } from '../support/live-subscriptions.ts'
import { makeSample } from '../support/samples.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median } from '../support/types.ts'
import { startWorker, type Worker } from '../support/worker.ts'
import { createPolicies, STORM_HOUR, watch } from './alarms.ts'

const DEVICES = sized(10_000, 4_000)
const SHOWN = DEVICES.toLocaleString('en')
/** A burst lasts a second, in this number of ticks; in each a part of the devices sends. */
const TICKS = 100
const TICK_MS = 10
const PER_TICK = DEVICES / TICKS
/**
 * Background devices, which exceed no threshold, send evenly during and after the burst: 1,000 samples a
 * second.
 */
const OTHERS = 500
const OTHERS_PER_TICK = 10
/**
 * Without policies there is no end of the incidents to wait for: the background devices are measured for this
 * time.
 */
const AFTER_MS = sized(4_000, 2_000)
/** Devices of a socket: fewer than 1,000 sockets in total, as many as four users may have. */
const WATCHED_EACH = 11
const STEP_MS = 10_000
/** Rounds of both variants, alternating; the first only warms up. */
const ROUNDS = sized(5, 2)
const LEVEL = { beyond: 2_000, below: 10 }
const SHARES = [0.5, 0.99]

const now = () => performance.timeOrigin + performance.now()

/** Milliseconds since each sample was due to be submitted. */
interface Delays {
  readonly committed: number[]
  readonly published: number[]
  readonly arrived: number[]
  /** Samples of background devices, submitted after the burst. */
  readonly afterwards: number[]
}
const KINDS = ['committed', 'published', 'arrived', 'afterwards'] as const
const noDelays = (): Delays => ({ committed: [], published: [], arrived: [], afterwards: [] })

interface Field {
  readonly service: BenchService
  readonly ids: readonly string[]
  readonly others: readonly string[]
  readonly client: Worker
}

let step = 0
let sentByOthers = 0

function samplesOf({ ids, others }: Field, tick: number, power: number): Sample[] {
  const base = { startAt: STORM_HOUR, stepMs: STEP_MS }
  const samples: Sample[] = []
  for (let no = tick * PER_TICK; no < (tick + 1) * PER_TICK && no < DEVICES; no++) {
    const { at, values } = makeSample(base, no, step)
    samples.push({ deviceId: ids[no] ?? '', at, values: { ...values, active_power: power, no } })
  }
  for (let index = 0; index < OTHERS_PER_TICK; index++) {
    const no = DEVICES + tick * OTHERS_PER_TICK + index
    const { values } = makeSample(base, no, step)
    sentByOthers += 1
    const at = STORM_HOUR + sentByOthers
    samples.push({
      ...{ deviceId: others[sentByOthers % OTHERS] ?? '', at },
      values: { ...values, active_power: LEVEL.below, no },
    })
  }
  return samples
}

const tickOf = (no: number): number =>
  no < DEVICES ? Math.floor(no / PER_TICK) : Math.floor((no - DEVICES) / OTHERS_PER_TICK)

/**
 * Every device sends once within a second, the background devices until it is over; resolves when all samples
 * are at the sockets.
 */
async function burst(
  field: Field,
  { power, isOver }: { readonly power: number; readonly isOver: () => boolean },
): Promise<Delays> {
  const { deps, tenant } = field.service
  step += 1
  const delays = noDelays()
  const started = now()
  const due = (no: number) => started + tickOf(no) * TICK_MS
  const off = deps.bus.on('samples_stored', ({ samples }) => {
    for (const { values } of samples) {
      const no = values['no'] ?? 0
      if (no < DEVICES) delays.published.push(now() - due(no))
    }
  })
  const pending: Promise<unknown>[] = []
  let tick = 0
  for (; tick < TICKS || !isOver(); tick++) {
    const samples = samplesOf(field, tick, power)
    const handed = started + tick * TICK_MS
    const stored = deps.ingest.submit(tenant.id, samples)
    if (tick < TICKS)
      pending.push(stored.then(() => delays.committed.push(...samples.map(() => now() - handed))))
    else pending.push(stored)
    await sleep(Math.max(0, started + (tick + 1) * TICK_MS - now()))
  }
  await Promise.all(pending)
  off()
  const count = DEVICES + tick * OTHERS_PER_TICK
  const times = await field.client.ask<[no: number, at: number][]>({ kind: 'times', count })
  for (const [no, at] of times) {
    if (no < DEVICES) delays.arrived.push(at - due(no))
    else if (tickOf(no) >= TICKS) delays.afterwards.push(at - due(no))
  }
  return delays
}

const percentile = (delays: readonly number[], share: number): number => {
  const sorted = delays.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const after = (ms: number): (() => boolean) => {
  const until = now() + ms
  return () => now() > until
}

/** Every device exceeds its threshold; the incidents are counted when all samples are evaluated. */
async function storm(field: Field, evaluator: LiveEvaluation): Promise<{ delays: Delays; seconds: number }> {
  const { deps } = field.service
  const started = now()
  let opened = 0
  let lastAt = started
  const off = deps.bus.on('incidents_opened', ({ incidents }) => {
    opened += incidents.length
    lastAt = now()
  })
  const delays = await burst(field, { power: LEVEL.beyond, isOver: () => opened >= DEVICES })
  off()
  await evaluator.settle()
  if (opened !== DEVICES) throw new Error(`${opened} incidents instead of ${DEVICES}`)
  await burst(field, { power: LEVEL.below, isOver: after(0) })
  await evaluator.settle()
  return { delays, seconds: (lastAt - started) / 1000 }
}

interface Compared {
  readonly on: Delays
  readonly off: Delays
  /** Until the last incident was notified. */
  readonly seconds: number
}

/** The same burst with a policy that trips for every device, and without any, alternating. */
async function compare(service: BenchService): Promise<Compared> {
  const evaluator = startLiveEvaluation(service.deps)
  const client = startWorker('./socket-client.ts')
  try {
    const devices = await createDevices(service, DEVICES + OTHERS)
    const ids = devices.map(({ id }) => id)
    const keys = devices.map(({ key }) => key)
    await createPolicies(service)
    const sockets = Array.from({ length: Math.ceil(ids.length / WATCHED_EACH) }, (_, socket) =>
      ids.slice(socket * WATCHED_EACH, (socket + 1) * WATCHED_EACH),
    )
    await client.ask({ kind: 'watch', urls: liveUrls(service, sockets) })
    const field = { service, ids: ids.slice(0, DEVICES), others: ids.slice(DEVICES), client }
    const all = { on: noDelays(), off: noDelays() }
    const seconds: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      for (const way of round % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
        await watch(service, way === 'on' ? keys : [])
        const { delays, seconds: took } =
          way === 'on'
            ? await storm(field, evaluator)
            : { delays: await burst(field, { power: LEVEL.below, isOver: after(AFTER_MS) }), seconds: 0 }
        const shown = KINDS.map((kind) =>
          SHARES.map((share) => percentile(delays[kind], share).toFixed(0)).join('/'),
        )
        process.stderr.write(`  ${way}: ${shown.join(', ')} ms\n`)
        if (round === 0) continue
        if (way === 'on') seconds.push(took)
        for (const kind of KINDS) for (const delay of delays[kind]) all[way][kind].push(delay)
      }
    }
    return { ...all, seconds: median(seconds) }
  } finally {
    await client.end()
    await evaluator.stop()
  }
}

/**
 * Whether alarms delay live values while all devices exceed their threshold within a second, and
 * afterwards.
 */
export const alarmsLiveBench: Bench = {
  name: 'alarms-live',
  async run(): Promise<readonly Figure[]> {
    const service = await openService(STORM_HOUR + HOUR_MS)
    try {
      const { on, off, seconds } = await compare(service)
      const rows = (name: string, kind: keyof Delays): Figure[] =>
        SHARES.map((share) => ({
          name: `${name}, p${share * 100} (no policies)`,
          measured: `${percentile(on[kind], share).toFixed(0)} ms`,
          against: `${percentile(off[kind], share).toFixed(0)} ms`,
          ratio: percentile(on[kind], share) / percentile(off[kind], share),
          aim: '<= 1.25',
        }))
      return [
        ...rows(`alarm storm of ${SHOWN} devices in a second: sample submitted to committed`, 'committed'),
        ...rows(
          `alarm storm of ${SHOWN} devices in a second: sample submitted to published on the bus`,
          'published',
        ),
        ...rows(
          `alarm storm of ${SHOWN} devices in a second: sample submitted to received on a live socket`,
          'arrived',
        ),
        ...rows(
          'live samples of other devices while incidents are written: submitted to received on a socket',
          'afterwards',
        ),
        {
          name: `${SHOWN} devices exceed their threshold: until the last incident is notified`,
          measured: `${seconds.toFixed(1)} s`,
          ...{ against: '', ratio: undefined, aim: '' },
        },
      ]
    } finally {
      await service.stop()
    }
  },
}
