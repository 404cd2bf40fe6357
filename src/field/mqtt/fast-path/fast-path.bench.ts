/**
 * Justifies the fast path: processor time of one telemetry message (1 KB, twelve values), from its bytes to the sink
 * that writes columns, by the decoder and by the fast path. Needs neither database nor broker. `npm run bench --
 * mqtt-fast-path`; the whole way to the commit is measured by `npm run bench -- mqtt`.
 */
import type { SampleSink } from '../../../areas/metering/intake-contract/index.ts'
import type { GatewayMessage } from '../../../platform/mqtt/broker-hooks.ts'
import { CANONICAL_NAMES, canonical } from '../dialects/canonical.ts'
import type { GatewayDevices } from '../directory.ts'
import { addSamples, resolveReadings } from '../readings.ts'
import { FastPath } from './fast-path.ts'

const MESSAGES = 20_000
const ROUNDS = 7
const BYTES = 1_000
const DEVICE = '0b9f2a51-0c6f-4a8f-9d3f-0d5f8f6f1a2b'
const START = Date.UTC(2026, 10, 20, 12)

function makePayload(step: number): Buffer {
  const wave = Math.sin(step / 40)
  const values = {
    import_energy: 10_000 + step / 1000,
    export_energy: 200 + step / 2000,
    inductive_energy: 1_000 + step / 4000,
    capacitive_energy: 300 + step / 8000,
    voltage_l1: 230 + Math.round(wave * 10) / 10,
    voltage_l2: 231 + Math.round(wave * 10) / 10,
    voltage_l3: 229 + Math.round(wave * 10) / 10,
    current_l1: 17 + Math.round(wave * 100) / 100,
    current_l2: 18 + Math.round(wave * 100) / 100,
    current_l3: 16 + Math.round(wave * 100) / 100,
    power: 12 + Math.round(wave * 1000) / 1000,
    power_factor: 0.95 + Math.round(wave * 40) / 1000,
  }
  const at = START + step * 1000
  const document = { seq: step, sent_at: at, devices: { [DEVICE]: [{ ts: at, v: values }] }, note: '' }
  document.note = 'x'.repeat(Math.max(0, BYTES - JSON.stringify(document).length))
  return Buffer.from(JSON.stringify(document))
}

const isGone = (): boolean => false
const message = (payload: Buffer): GatewayMessage => ({
  tenantId: 1,
  gatewayId: 'gateway',
  root: '',
  topic: 'telemetry',
  payload,
  isShared: false,
  isGone,
})

const device = { id: DEVICE, key: 1, map: undefined }
const devices: GatewayDevices = { find: () => device }

/** Sums the received values, so that the compiler cannot remove the work. */
class Sum implements SampleSink {
  samples = 0
  values = 0
  add({ values }: Parameters<SampleSink['add']>[0]): void {
    this.samples += 1
    for (const metric in values) this.values += values[metric] ?? 0
  }
  addColumns(...[, , , { mask, values }]: Parameters<SampleSink['addColumns']>): void {
    this.samples += 1
    for (let column = 0; column < values.length; column++) {
      if ((mask & (1 << column)) !== 0) this.values += values[column] ?? 0
    }
  }
}

const memory = { get: () => undefined, set: () => {}, delete: () => {} }

function decodeAll(payloads: readonly Buffer[], sink: Sum): void {
  for (const payload of payloads) {
    const topic = 'telemetry'
    const { readings = [] } = canonical.decode({ topic, payload, receivedAt: START, isShared: false, memory })
    addSamples(resolveReadings(readings, devices, { topic, receivedAt: START }).samples, sink)
  }
}

function makeFastPath(sink: Sum): FastPath {
  return new FastPath({
    ingest: {
      stream(_tenantId, message, waiter) {
        message.addTo(sink)
        waiter.resolve()
      },
    },
    watch: {
      open: () => undefined,
      isOpen: () => true,
      note: () => {},
      acknowledgement: async () => ({ seq: 0, from: null }),
      skews: () => [],
      stop: async () => {},
    },
    directory: { devices: () => devices },
    names: CANONICAL_NAMES,
    fallBack: () => Promise.reject(new Error('nothing falls back here')),
  })
}

function takeAll(fastPath: FastPath, payloads: readonly Buffer[]): void {
  for (const payload of payloads) {
    if (!fastPath.tryTake(message(payload), START)) throw new Error('the fast path declined a message')
  }
}

/** Microseconds of processor time per message. */
function busyUs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / MESSAGES
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

export const fastPathBench = {
  name: 'mqtt-fast-path',
  async run() {
    const payloads = Array.from({ length: MESSAGES }, (_, step) => makePayload(step))
    const [full, fast] = [new Sum(), new Sum()]
    const fastPath = makeFastPath(fast)
    const first = message(makePayload(0))
    const topic = 'telemetry'
    const { payload } = first
    fastPath.learn(first, canonical.decode({ topic, payload, receivedAt: START, isShared: false, memory }))
    const times: { full: number[]; fast: number[] } = { full: [], fast: [] }
    for (let round = 0; round < ROUNDS; round++) {
      times.full.push(busyUs(() => decodeAll(payloads, full)))
      times.fast.push(busyUs(() => takeAll(fastPath, payloads)))
      // The completions of a round are notified before the next one.
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (full.samples !== fast.samples || full.values !== fast.values)
      throw new Error('the two paths disagree')
    const [slow, quick] = [median(times.full), median(times.fast)]
    return [
      {
        name: 'processor time of a telemetry message, bytes to columns (decoder)',
        measured: `${quick.toFixed(1)} µs`,
        against: `${slow.toFixed(1)} µs`,
        ratio: quick / slow,
        aim: '<= 0.5',
      },
    ]
  },
}
