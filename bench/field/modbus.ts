import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { fieldGuard, planDeviceReads } from '../../src/areas/equipment/gateways/index.ts'
import type { Sample } from '../../src/areas/metering/intake-contract/index.ts'
import { openRegisterMap } from '../../src/core/register-map/read.ts'
import { Line, type LineDeps } from '../../src/field/modbus/line.ts'
import type { SlaveConfig } from '../../src/field/modbus/slave.ts'
import { makeClock } from '../../src/platform/runtime/clock.ts'
import { mapDocument } from '../../test/support/field/modbus-map.ts'
import { sized } from '../support/effort.ts'
import type { SlavesReady } from '../support/modbus-slaves.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median } from '../support/types.ts'
import { startWorker } from '../support/worker.ts'

const SLAVES = 50
/** Thirty values of two registers in one block, and thirty in a second block. */
const VALUES = 60
const BLOCKS = [
  { address: 0, count: 60 },
  { address: 1000, count: 60 },
]
const REGISTERS = BLOCKS.reduce((sum, { count }) => sum + count, 0)
const ROUNDS = sized(3, 2)
const ROUND_MS = sized(4_000, 1_500)
/** The bare loop varies less: nothing of it is stored. */
const BARE_ROUND_MS = sized(4_000, 500)
const PERIOD_MS = 1_000
const JITTER_MS = sized(15_000, 4_000)

const document = mapDocument(
  Array.from({ length: VALUES }, (_, index) => ({
    key: `r${index}`,
    address: index < 30 ? index * 2 : 1000 + (index - 30) * 2,
    type: 'f32',
    metric: index === 0 ? 'active_power' : index === 1 ? 'voltage' : `m${index}`,
  })),
  { defaults: { timeout_ms: 5_000 }, groups: { normal: PERIOD_MS } },
)

function slavesOf(deviceIds: readonly string[], periodMs: number): SlaveConfig[] {
  const opened = openRegisterMap(document)
  const map = opened && { ...opened, pollGroups: new Map([['normal', { name: 'normal', periodMs }]]) }
  return deviceIds.map((deviceId, index) => {
    const reads = planDeviceReads({ slaveId: index + 1, templateId: 'bench', map }, {})
    if ('problem' in reads) throw new Error(reads.problem.code)
    return { ...reads, deviceId, offlineThresholdS: 3600, digest: '' }
  })
}

/**
 * The minimal client for the same reads: a socket, prepared requests, and the bytes of each response counted.
 */
async function openBare(port: number) {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const requests = Array.from({ length: SLAVES }, (_, slave) =>
    BLOCKS.map(({ address, count }) => {
      const bytes = Buffer.from([0, 1, 0, 0, 0, 6, slave + 1, 3, 0, 0, 0, 0])
      bytes.writeUInt16BE(address, 8)
      bytes.writeUInt16BE(count, 10)
      return { bytes, due: 9 + count * 2 }
    }),
  )
  let wanted = 0
  let arrived = () => {}
  socket.on('data', (chunk) => {
    wanted -= chunk.length
    if (wanted <= 0) arrived()
  })
  const ask = ({ bytes, due }: { bytes: Buffer; due: number }) =>
    new Promise<void>((resolve) => {
      wanted = due
      arrived = resolve
      socket.write(bytes)
    })
  return {
    /** Reads every slave once; calls `note` before each read. */
    async round(note: (slave: number) => void = () => {}) {
      for (const [slave, blocks] of requests.entries()) {
        note(slave)
        for (const block of blocks) await ask(block)
      }
    },
    close: () => socket.destroy(),
  }
}
type Bare = Awaited<ReturnType<typeof openBare>>

async function bareRate(bare: Bare): Promise<number> {
  const started = performance.now()
  let rounds = 0
  for (; performance.now() - started < BARE_ROUND_MS; rounds++) await bare.round()
  return (rounds * SLAVES * REGISTERS * 1000) / (performance.now() - started)
}

interface PollTarget {
  readonly service: BenchService
  readonly port: number
  readonly deviceIds: readonly string[]
}

/** Polls for a while; returns the number of committed samples and the time until all were committed. */
async function pollFor(
  { service, port, deviceIds }: PollTarget,
  { periodMs, forMs }: { readonly periodMs: number; readonly forMs: number },
) {
  const { deps, tenant } = service
  const samples: Sample[] = []
  const lineDeps: LineDeps = {
    clock: makeClock(Date.now),
    log: deps.log,
    metrics: deps.metrics.modbus,
    guard: fieldGuard(deps),
    async submit(batch) {
      await deps.ingest.submit(tenant.id, batch)
      samples.push(...batch)
    },
  }
  const order = { tenantId: tenant.id, gatewayId: 'bench', host: '127.0.0.1', port }
  const started = performance.now()
  const line = new Line({ ...order, slaves: slavesOf(deviceIds, periodMs) }, lineDeps)
  await setTimeout(forMs)
  await line.stop()
  return { samples, tookMs: performance.now() - started }
}

async function polledRate(target: PollTarget): Promise<number> {
  const { samples, tookMs } = await pollFor(target, { periodMs: 1, forMs: ROUND_MS })
  return (samples.length * REGISTERS * 1000) / tookMs
}

/** The deviation of the intervals between each slave's readings from the period, in milliseconds. */
function deviations(instants: ReadonlyMap<unknown, number[]>): number[] {
  const all: number[] = []
  for (const list of instants.values())
    for (let index = 2; index < list.length; index++)
      all.push(Math.abs((list[index] ?? 0) - (list[index - 1] ?? 0) - PERIOD_MS))
  return all.sort((a, b) => a - b)
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

function noteInto(instants: Map<unknown, number[]>, key: unknown, at: number): void {
  const list = instants.get(key) ?? []
  list.push(at)
  instants.set(key, list)
}

async function bareJitter(bare: Bare): Promise<number[]> {
  const instants = new Map<unknown, number[]>()
  const first = Math.ceil(Date.now() / PERIOD_MS) * PERIOD_MS
  for (let due = first; due < first + JITTER_MS; due += PERIOD_MS) {
    await setTimeout(Math.max(0, due - Date.now()))
    await bare.round((slave) => noteInto(instants, slave, Date.now()))
  }
  return deviations(instants)
}

async function polledJitter(target: PollTarget): Promise<number[]> {
  const instants = new Map<unknown, number[]>()
  const { samples } = await pollFor(target, { periodMs: PERIOD_MS, forMs: JITTER_MS })
  for (const { deviceId, at } of samples) noteInto(instants, deviceId, at)
  return deviations(instants)
}

const perSecond = (rate: number): string => `${Math.round(rate / 1000)} k registers/s`
const jitterText = (sorted: readonly number[]): string =>
  `p50 ${quantile(sorted, 0.5).toFixed(0)} ms, p99 ${quantile(sorted, 0.99).toFixed(0)} ms, max ${quantile(sorted, 1).toFixed(0)} ms`

async function measure(service: BenchService, port: number): Promise<Figure[]> {
  const devices = await createDevices(service, SLAVES)
  const target = { service, port, deviceIds: devices.map(({ id }) => id) }
  const bare = await openBare(port)
  const rates: { bare: number; polled: number }[] = []
  for (let round = 0; round < ROUNDS + 1; round++) {
    const pair = { bare: await bareRate(bare), polled: await polledRate(target) }
    if (round > 0) rates.push(pair)
  }
  const [bareMs, polledMs] = [await bareJitter(bare), await polledJitter(target)]
  bare.close()
  return [
    {
      name: `Modbus, ${SLAVES} slaves, read to commit (bare loop over the same blocks without decoding)`,
      measured: perSecond(median(rates.map(({ polled }) => polled))),
      against: perSecond(median(rates.map((pair) => pair.bare))),
      ratio: median(rates.map((pair) => pair.polled / pair.bare)),
      aim: '>= 0.3',
    },
    {
      name: `Modbus, ${SLAVES} slaves, 1 s poll group, deviation from the period (bare loop on the same time grid)`,
      measured: jitterText(polledMs),
      against: jitterText(bareMs),
      ratio: undefined,
      aim: '',
    },
  ]
}

/**
 * Fifty slaves behind one port, in a separate process; the values read go through ingest and are committed.
 */
export const modbusBench: Bench = {
  name: 'modbus',
  async run() {
    const service = await openService(Date.now())
    const slaves = startWorker('./modbus-slaves.ts')
    try {
      const { port } = await slaves.ask<SlavesReady>({})
      return await measure(service, port)
    } finally {
      await slaves.end()
      await service.stop()
    }
  },
}
