import { afterEach, describe, expect, it } from 'vitest'
import { LOOPBACK_GUARD } from '../../../test/support/field/loopback-guard.ts'
import { type MapOptions, type MapRegister, mapDocument } from '../../../test/support/field/modbus-map.ts'
import {
  framed,
  type ReceivedRequest,
  respondWithException,
  respondWithWords,
  serveModbus,
  spanOf,
  type TestServer,
  wordsPdu,
} from '../../../test/support/field/modbus-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { planDeviceReads } from '../../areas/equipment/gateways/index.ts'
import type { Sample } from '../../areas/metering/intake-contract/index.ts'
import { openRegisterMap } from '../../core/register-map/read.ts'
import { ERROR_TEXTS } from '../../kernel/error-texts.ts'
import { AppError } from '../../kernel/errors.ts'
import { makeLog } from '../../platform/observability/log.ts'
import { makeMetrics } from '../../platform/observability/metrics.ts'
import { makeClock } from '../../platform/runtime/clock.ts'
import { Line, type LineConfig } from './line.ts'
import type { SlaveConfig } from './slave.ts'

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.stop()
})

function slave(unit: number, registers: readonly MapRegister[], options: MapOptions = {}): SlaveConfig {
  const opened = openRegisterMap(
    mapDocument(registers, { ...options, groups: { normal: 100, fast: 100, slow: 100 } }),
  )
  // Shorter periods than a map may have, so that the test is fast.
  const groups = Object.entries(options.groups ?? { normal: 30 })
  const pollGroups = new Map(groups.map(([name, periodMs]) => [name, { name, periodMs }]))
  const map = opened && { ...opened, pollGroups }
  const reads = planDeviceReads({ slaveId: unit, templateId: 'template', map }, {})
  if ('problem' in reads) throw new Error(reads.problem.code)
  return { ...reads, deviceId: `device ${unit}`, offlineThresholdS: 3600, digest: `${unit}` }
}

const POWER = [{ key: 'active_power', address: 10, metric: 'active_power', unit: 'W' }]

/**
 * All instants are distinct: a delayed round and the next one, with the short periods of a test, may lie in
 * one millisecond.
 */
function risingNow(): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, Date.now())
    return last
  }
}

interface Polled {
  readonly samples: Sample[]
  readonly line: Line
  of(unit: number): Sample[]
}

async function serve(handle: (request: ReceivedRequest) => void, port?: number): Promise<TestServer> {
  const server = await serveModbus(handle, port)
  open.push(server)
  return server
}

function poll(
  port: number,
  slaves: readonly SlaveConfig[],
  submit: (samples: readonly Sample[]) => Promise<unknown> = async () => {},
): Polled {
  const samples: Sample[] = []
  const order: LineConfig = { tenantId: 1, gatewayId: 'gateway', host: '127.0.0.1', port, slaves }
  const line = new Line(order, {
    clock: makeClock(risingNow()),
    log: makeLog('silent'),
    metrics: makeMetrics().modbus,
    guard: LOOPBACK_GUARD,
    random: () => 0.5,
    async submit(batch) {
      await submit(batch)
      samples.push(...batch)
    },
  })
  open.push(line)
  return { samples, line, of: (unit) => samples.filter(({ deviceId }) => deviceId === `device ${unit}`) }
}

const honest = (request: ReceivedRequest) =>
  respondWithWords(request, (address, unit) => unit * 100 + address)

describe('Line', () => {
  it('reads each slave on the time grid of its groups, and converts units', async () => {
    const server = await serve(honest)
    const groups = { fast: 20, slow: 200 }
    const registers = [
      { key: 'p', address: 10, metric: 'active_power', unit: 'W', poll_group: 'fast' },
      { key: 'u', address: 20, metric: 'voltage', unit: 'V', poll_group: 'slow', scale: 0.1 },
    ]
    const polled = poll(server.port, [slave(1, registers, { groups }), slave(2, registers, { groups })])
    await waitFor(() => polled.of(2).length >= 12)
    const values = polled.of(2).map((sample) => sample.values)
    expect(values).toContainEqual({ active_power: 0.21 })
    expect(values).toContainEqual({ voltage: 22 })
    const countOf = (metric: string) => polled.of(1).filter(({ values: read }) => metric in read).length
    // Not ten times as often: a busy machine skips rounds of the fast group.
    await waitFor(() => countOf('active_power') > countOf('voltage') + 12)
    expect(polled.line.report()).toMatchObject({
      isOnline: true,
      report: { devices: 2, good: 2, troubled: [] },
    })
    expect(server.connections).toBe(1)
  })

  it('polls healthy slaves on time beside silent ones and ones that send garbage', async () => {
    const asks = new Map<number, number>()
    const server = await serve((request) => {
      asks.set(request.unit, (asks.get(request.unit) ?? 0) + 1)
      if (request.unit <= 20) honest(request)
      else if (request.unit > 25) request.socket.write(Buffer.from('no modbus at all, whatever it is'))
    })
    const units = Array.from({ length: 28 }, (_, index) => index + 1)
    const polled = poll(
      server.port,
      // The healthy ones have time to respond, however busy this machine is.
      units.map((unit) => slave(unit, POWER, unit <= 20 ? { defaults: { timeout_ms: 5_000 } } : {})),
    )
    await waitFor(() => polled.of(1).length >= 15)
    for (const unit of units.slice(0, 20)) expect([unit, polled.of(unit).length >= 10]).toEqual([unit, true])
    for (const unit of units.slice(20)) expect(polled.of(unit)).toEqual([])
    // Fifteen rounds of the healthy ones; the dead ones were requested a few times each.
    for (const unit of units.slice(20)) expect(asks.get(unit)).toBeLessThan(6)
    const { report } = polled.line.report()
    expect(report.good).toBe(20)
    expect(report.troubled.map(({ state }) => state)).toEqual(Array(8).fill('down'))
  })

  it('lets a slow slave wait for the fast ones, and starves none', async () => {
    const server = await serve((request) => {
      if (request.unit === 9) setTimeout(() => honest(request), 70)
      else honest(request)
    })
    const polled = poll(
      server.port,
      [1, 2, 3, 9].map((unit) => slave(unit, POWER, { defaults: { timeout_ms: 5_000 } })),
    )
    await waitFor(() => polled.of(9).length >= 4)
    for (const unit of [1, 2, 3]) expect(polled.of(unit).length).toBeGreaterThanOrEqual(polled.of(9).length)
  })

  it('isolates a rejected register and reads its neighbours', async () => {
    const server = await serve((request) => {
      const { address, count } = spanOf(request)
      if (address <= 13 && 13 < address + count) respondWithException(request, 2)
      else honest(request)
    })
    const metrics = ['voltage_l1', 'voltage_l2', 'voltage_l3', 'voltage', 'current']
    const registers = metrics.map((metric, index) => ({ key: `r${index}`, address: 10 + index, metric }))
    const polled = poll(server.port, [slave(1, registers)])
    await waitFor(() => polled.of(1).length >= 3)
    expect(polled.of(1)[0]?.values).toEqual({
      voltage_l1: 110,
      voltage_l2: 111,
      voltage_l3: 112,
      current: 114,
    })
    expect(polled.line.report().report.troubled).toMatchObject([{ state: 'good', refused: ['r3'] }])
    const request = server.requests.length
    await waitFor(() => polled.of(1).length >= 6)
    // From the second round on the rejected register is not requested any more.
    const later = server.requests.slice(request).map((one) => spanOf(one))
    expect(later.some(({ address, count }) => address <= 13 && 13 < address + count)).toBe(false)
  })

  it('reports a slave that refuses every register', async () => {
    const server = await serve((request) => respondWithException(request, 2))
    const registers = [
      { key: 'a', address: 10, metric: 'voltage' },
      { key: 'b', address: 14, metric: 'current' },
    ]
    const polled = poll(server.port, [slave(1, registers)])
    const report = () => polled.line.report().report
    await waitFor(() => report().troubled[0]?.refused.length === 2)
    expect(report()).toMatchObject({
      good: 0,
      troubled: [{ state: 'refused', error: expect.stringContaining('refuses every register') }],
    })
    expect(polled.samples).toEqual([])
  })

  it('splits off a gap that does not exist', async () => {
    const server = await serve((request) => {
      const { address, count } = spanOf(request)
      if (address <= 12 && 12 < address + count) respondWithException(request, 2)
      else honest(request)
    })
    const registers = [
      { key: 'a', address: 10, metric: 'voltage' },
      { key: 'b', address: 14, metric: 'current' },
    ]
    const polled = poll(server.port, [slave(1, registers)])
    await waitFor(() => polled.of(1).length >= 1)
    expect(polled.of(1)[0]?.values).toEqual({ voltage: 110, current: 114 })
    expect(polled.line.report().report.troubled).toEqual([])
  })

  it('retries before it marks a slave as silent, and detects when it responds again', async () => {
    let isAway = false
    let lost = 0
    const server = await serve((request) => {
      if (isAway || lost-- > 0) return
      honest(request)
    })
    const polled = poll(server.port, [slave(1, POWER, { defaults: { timeout_ms: 30 } })])
    await waitFor(() => polled.of(1).length >= 1)
    lost = 1
    await waitFor(() => lost < 0 && polled.of(1).length >= 3)
    await waitFor(() => polled.line.report().report.good === 1)
    isAway = true
    await waitFor(() => polled.line.report().report.good === 0)
    expect(polled.line.report().report.troubled).toMatchObject([
      { state: 'down', error: 'no answer in time' },
    ])
    isAway = false
    await waitFor(() => polled.line.report().report.good === 1)
  })

  it('continues after a restart of the gateway', async () => {
    const first = await serve(honest)
    const polled = poll(first.port, [slave(1, POWER), slave(2, POWER)])
    await waitFor(() => polled.of(2).length >= 2)
    await first.stop()
    await waitFor(() => !polled.line.report().isOnline)
    const before = polled.of(2).length
    await serve(honest, first.port)
    await waitFor(() => polled.of(2).length >= before + 2)
    expect(polled.line.report()).toMatchObject({ isOnline: true })
  })

  it('omits unavailable values and changes within the deadband', async () => {
    let round = 0
    const server = await serve((request) => {
      round += 1
      respondWithWords(request, (address) => [0x8000, 500 + (round % 2), round][address - 10] ?? 0)
    })
    const registers = [
      { key: 'a', address: 10, type: 'i16', metric: 'temperature', na_values: ['0x8000'] },
      { key: 'b', address: 11, metric: 'voltage', deadband: 5 },
      { key: 'c', address: 12, metric: 'current' },
    ]
    const polled = poll(server.port, [slave(1, registers)])
    await waitFor(() => polled.of(1).length >= 4)
    expect(polled.of(1).map(({ values }) => Object.keys(values))).toEqual([
      ['voltage', 'current'],
      ...polled
        .of(1)
        .slice(1)
        .map(() => ['current']),
    ])
  })

  it('closes the connection between rounds where the map requires it', async () => {
    const server = await serve(honest)
    const polled = poll(server.port, [slave(1, POWER, { defaults: { keep_connection: false } })])
    await waitFor(() => polled.of(1).length >= 3)
    expect(server.connections).toBeGreaterThanOrEqual(3)
  })

  it('applies back-pressure while nothing can be stored, and loses nothing that was read', async () => {
    let isStored = false
    const server = await serve(honest)
    const registers = [{ key: 'p', address: 10, metric: 'active_power' }]
    const options = { groups: { normal: 10 }, defaults: { timeout_ms: 5_000 } }
    const slaves = Array.from({ length: 50 }, (_, unit) => slave(unit, registers, options))
    const polled = poll(server.port, slaves, async () => {
      if (!isStored) throw new AppError(503, 'SERVICE_OVERLOADED', ERROR_TEXTS.DATABASE_UNREACHABLE())
    })
    await waitFor(() => server.requests.length >= 2_000, 20_000)
    // Nothing is requested any more while the outbox is full, however often the loop runs.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    const request = server.requests.length
    expect(request).toBe(2_000)
    isStored = true
    await waitFor(() => polled.samples.length > request)
    const seen = new Set(polled.samples.map(({ deviceId, at }) => `${deviceId} ${at}`))
    expect(seen.size).toBe(polled.samples.length)
  })

  it('is not blocked by a deleted device', async () => {
    const server = await serve(honest)
    const polled = poll(server.port, [slave(1, POWER), slave(2, POWER)], async (samples) => {
      if (samples.some(({ deviceId }) => deviceId === 'device 2'))
        throw new AppError(422, 'VALIDATION_ERROR', ERROR_TEXTS.RECORD_NOT_FOUND({ what: 'device' }))
    })
    await waitFor(() => polled.of(1).length >= 3)
    expect(polled.of(2)).toEqual([])
  })

  it('applies other slaves and another address', async () => {
    const first = await serve(honest)
    const second = await serve(honest)
    const polled = poll(first.port, [slave(1, POWER)])
    await waitFor(() => polled.of(1).length >= 1)
    const order = { tenantId: 1, gatewayId: 'gateway', host: '127.0.0.1', port: second.port }
    polled.line.update({ ...order, slaves: [slave(2, POWER)] })
    await waitFor(() => polled.of(2).length >= 2)
    expect(second.requests.every(({ unit }) => unit === 2)).toBe(true)
  })

  it('treats exceptions 10 and 11 of the gateway as silence', async () => {
    const server = await serve((request) =>
      request.unit === 2 ? respondWithException(request, 11) : honest(request),
    )
    const polled = poll(server.port, [slave(1, POWER), slave(2, POWER)])
    await waitFor(() => polled.of(1).length >= 3)
    expect(polled.line.report()).toMatchObject({ isOnline: true, report: { good: 1 } })
  })

  it('never uses a response of one slave for that of another', async () => {
    // Unit 2 responds only when unit 1 is requested next: its late response comes first.
    let late: (() => void) | undefined
    const server = await serve((request) => {
      if (request.unit === 2) {
        late = () => request.socket.write(framed(request.transaction, 2, wordsPdu(3, [6666])))
        return
      }
      late?.()
      late = undefined
      honest(request)
    })
    const polled = poll(server.port, [slave(1, POWER), slave(2, POWER, { defaults: { timeout_ms: 30 } })])
    await waitFor(() => polled.of(1).length >= 5)
    expect(polled.of(2)).toEqual([])
    expect(new Set(polled.of(1).map(({ values }) => values['active_power']))).toEqual(new Set([0.11]))
  })
})
