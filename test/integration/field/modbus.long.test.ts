import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Poller, startPoller } from '../../../src/field/modbus/index.ts'
import { toJson } from '../../../src/platform/db/json-columns.ts'
import { makeClock } from '../../../src/platform/runtime/clock.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { type MapOptions, type MapRegister, mapDocument } from '../../support/field/modbus-map.ts'
import { respondWithWords, serveModbus, type TestServer } from '../../support/field/modbus-server.ts'
import {
  type FaultySlaves,
  hasPymodbus,
  type PymodbusServer,
  startPymodbus,
} from '../../support/field/pymodbus.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({ now: new Date().toISOString() })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await api.deps.database.kysely.updateTable('gateway').set({ host: null }).execute()
})

/** Polls on the real clock, because the lines do not use the clock of the test. */
function poll(): Poller {
  const poller = startPoller({ ...api.deps, clock: makeClock(Date.now) }, { beatMs: 100, reloadMs: 100 })
  ends.push(() => poller.stop())
  return poller
}

async function serve(word: (address: number, unit: number) => number, port?: number): Promise<TestServer> {
  const server = await serveModbus((request) => respondWithWords(request, word), port)
  ends.push(() => server.stop())
  return server
}

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: tenant.admin.token, ...(body !== undefined && { body }) })

async function createTemplate(registers: readonly MapRegister[], options?: MapOptions): Promise<string> {
  const { id } = await api.deps.database.kysely
    .insertInto('device_template')
    .values({
      ...{
        tenant_id: tenant.id,
        name: randomUUID(),
        device_type: 'energy_analyzer',
        protocols: ['modbus_tcp'],
      },
      register_map: toJson(mapDocument(registers, options)),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function createGateway(port: number): Promise<string> {
  const body = { name: randomUUID(), gateway_type: 'modbus', host: '127.0.0.1', port }
  return (await call('POST', '/api/gateways', body)).body.id
}

interface Meter {
  readonly id: string
  readonly unit: number
}

async function createMeter(gatewayId: string, unit: number, templateId: string): Promise<Meter> {
  const body = { name: randomUUID(), device_type: 'energy_analyzer', device_source: 'modbus' }
  const bound = { gateway_id: gatewayId, slave_id: unit, template_id: templateId }
  return { id: (await call('POST', '/api/devices', { ...body, ...bound })).body.id, unit }
}

async function samplesOf({ id }: Meter): Promise<{ at: string; values: Record<string, number> }[]> {
  const { rows } = await sql<{ at: string; values: Record<string, number> }>`
    select m.ts::text as at, jsonb_strip_nulls(jsonb_build_object(
      'active_power', m.active_power, 'import_active_energy', m.import_active_energy,
      'voltage', m.voltage, 'current', m.current)) as values
    from measurement m join device d on d.tenant_id = m.tenant_id and d.key = m.device_key
    where d.id = ${id} order by m.ts`.execute(api.deps.database.kysely)
  return rows
}
const countOf = async (meter: Meter): Promise<number> => (await samplesOf(meter)).length

/** Passes bytes on to a server and counts the requests, which have twelve bytes each. */
async function startRelay(to: number): Promise<{ port: number; requests: () => number }> {
  let bytes = 0
  const server = createServer((socket) => {
    const upstream = connect(to, '127.0.0.1')
    socket.on('data', ({ length }) => {
      bytes += length
    })
    for (const end of [socket, upstream]) end.on('error', () => {})
    socket.pipe(upstream).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => void server.close())
  return { port: (server.address() as AddressInfo).port, requests: () => bytes / 12 }
}

const POWER = [{ key: 'p', address: 10, metric: 'active_power' }]

describe.skipIf(!hasPymodbus)(
  'fifty slaves behind one gateway, served by pymodbus (python3-pymodbus)',
  () => {
    let server: PymodbusServer | undefined
    const start = async (faults: FaultySlaves): Promise<PymodbusServer> => {
      server = await startPymodbus(faults)
      return server
    }
    afterEach(() => server?.kill())

    const units = Array.from({ length: 50 }, (_, index) => index + 1)
    const DEAD = [3, 17, 18]
    const SLOW = [5, 19]
    const GARBAGE = [9, 40]
    const healthy = units.filter((unit) => ![...DEAD, ...SLOW, ...GARBAGE].includes(unit))
    const registers = [
      ...POWER,
      { key: 'u', address: 190, metric: 'voltage' },
      // These registers do not exist: they are read together with their neighbour first and left out later.
      { key: 'missing', address: 200, metric: 'current' },
      {
        ...{ key: 'e', address: 1040, type: 'f32', metric: 'import_active_energy', unit: 'kWh' },
        ...{ kind: 'cumulative_counter', function: 4 },
      },
    ]

    it('keep their poll period and exact values beside dead, slow and garbage-sending slaves', async () => {
      const { port } = await start({ dead: DEAD, slow: SLOW, garbage: GARBAGE })
      const template = await createTemplate(registers, {
        defaults: { timeout_ms: 1_000, max_gap: 20 },
        groups: { normal: 500 },
      })
      const gateway = await createGateway(port)
      const meters = await Promise.all(units.map((unit) => createMeter(gateway, unit, template)))
      poll()
      const first = meters[0] as Meter
      const polling = async () =>
        (await call('GET', `/api/gateways/${gateway}/rawconfig/preview`)).body.polling
      // After the first round, all healthy slaves are polled in the same period.
      await waitFor(async () => (await polling())?.good === healthy.length + SLOW.length, 120_000)
      const counts = await Promise.all(meters.map(async (meter) => [meter, await countOf(meter)] as const))
      const before = new Map(counts)
      await waitFor(async () => (await countOf(first)) >= (before.get(first) ?? 0) + 4, 120_000)
      for (const meter of meters) {
        const samples = await samplesOf(meter)
        if (healthy.includes(meter.unit)) {
          const rounds = samples.length - (before.get(meter) ?? 0)
          expect([meter.unit, rounds >= 2]).toEqual([meter.unit, true])
          for (const { values } of samples) {
            expect(values).toEqual({
              active_power: (meter.unit * 1000 + 10) % 65_536,
              voltage: (meter.unit * 1000 + 190) % 65_536,
              import_active_energy: (meter.unit + 5) * 1e6,
            })
          }
        } else if (!SLOW.includes(meter.unit)) expect([meter.unit, samples]).toEqual([meter.unit, []])
      }
      const { troubled }: { troubled: { device_id: string; state: string }[] } = await polling()
      const silent = meters.filter(({ unit }) => [...DEAD, ...GARBAGE].includes(unit)).map(({ id }) => id)
      const down = troubled.filter(({ state }) => state === 'down').map(({ device_id }) => device_id)
      expect(down).toEqual(expect.arrayContaining(silent))
      expect(troubled).toContainEqual({
        device_id: first.id,
        state: 'good',
        error: null,
        refused: ['missing'],
      })
      expect((await call('GET', `/api/gateways/${gateway}`)).body).toMatchObject({ is_online: true })
      expect((await call('GET', `/api/devices/${first.id}`)).body).toMatchObject({ is_online: true })
    })

    it('are asked as often as the preview of the worst case says, when they refuse registers', async () => {
      const { port } = await start({})
      const relay = await startRelay(port)
      // 199 exists, 200 to 206 do not: every request of several of them is refused. 195 is read across a gap.
      const refusing = [195, 199, 200, 201, 202, 203, 204, 205, 206].map((address) => ({
        ...{ key: `r${address}`, address, metric: `m${address}` },
      }))
      const template = await createTemplate(refusing, {
        defaults: { timeout_ms: 5_000 },
        groups: { normal: 3_600_000 },
      })
      const gateway = await createGateway(relay.port)
      const meter = await createMeter(gateway, 1, template)
      const preview = async () => (await call('GET', `/api/gateways/${gateway}/rawconfig/preview`)).body
      const [block] = (await preview()).devices[0].blocks
      expect([block.count, block.worst_case_requests]).toEqual([12, 17])
      poll()
      await waitFor(async () => (await countOf(meter)) > 0, 60_000)
      expect(relay.requests()).toBe(block.worst_case_requests)
      await waitFor(async () => (await preview()).polling?.troubled[0]?.refused.length === 7, 60_000)
    })

    it('are read again after the server was killed and restarted', async () => {
      const { port, kill } = await start({})
      const template = await createTemplate(POWER, { groups: { normal: 100 } })
      const gateway = await createGateway(port)
      const meter = await createMeter(gateway, 50, template)
      poll()
      await waitFor(async () => (await countOf(meter)) >= 2)
      await kill()
      await waitFor(async () => !(await call('GET', `/api/gateways/${gateway}`)).body.is_online)
      const before = await countOf(meter)
      await start({ port })
      await waitFor(async () => (await countOf(meter)) >= before + 2)
      await waitFor(async () => (await call('GET', `/api/gateways/${gateway}`)).body.is_online)
    })
  },
)

describe('Modbus poller', () => {
  it('applies changes of gateways, devices and templates, and a sync, without a restart', async () => {
    const server = await serve((address, unit) => unit * 100 + address)
    const template = await createTemplate(POWER, { groups: { normal: 100 } })
    const gateway = await createGateway(server.port)
    const meter = await createMeter(gateway, 1, template)
    poll()
    await waitFor(async () => (await countOf(meter)) >= 1)
    await call('PUT', `/api/devices/${meter.id}`, { slave_id: 2 })
    await waitFor(async () => (await samplesOf(meter)).at(-1)?.values['active_power'] === 210)
    await api.deps.database.kysely
      .updateTable('device_template')
      .set({
        register_map: toJson(
          mapDocument([{ ...POWER[0], key: 'p', address: 20 }], { groups: { normal: 100 } }),
        ),
      })
      .where('id', '=', template)
      .execute()
    await call('POST', `/api/gateways/${gateway}/rawconfig/sync`)
    await waitFor(async () => (await samplesOf(meter)).at(-1)?.values['active_power'] === 220)
    const other = await serve(() => 7)
    await call('PUT', `/api/gateways/${gateway}`, { port: other.port })
    await waitFor(async () => (await samplesOf(meter)).at(-1)?.values['active_power'] === 7)
    await call('DELETE', `/api/devices/${meter.id}`)
    await call('DELETE', `/api/gateways/${gateway}`)
    await waitFor(async () => {
      const request = other.requests.length
      await new Promise((resolve) => setTimeout(resolve, 250))
      return other.requests.length === request
    })
  })

  it('stores the values read and releases the gateways when it stops', async () => {
    const server = await serve(() => 5)
    const meter = await createMeter(
      await createGateway(server.port),
      1,
      await createTemplate(POWER, { groups: { normal: 100 } }),
    )
    const poller = poll()
    await waitFor(() => server.requests.length >= 3)
    await poller.stop()
    const request = server.requests.length
    const stored = await countOf(meter)
    expect([request - 1, request]).toContain(stored)
    const leases = await api.deps.database.kysely.selectFrom('modbus_lease').select('holder').execute()
    expect(leases).toEqual([])
  })

  const PROCESS = fileURLToPath(new URL('../../support/field/poller-process.ts', import.meta.url))
  const holderOf = async (gateway: string) =>
    (
      await api.deps.database.kysely
        .selectFrom('modbus_lease')
        .select('holder')
        .where('gateway_id', '=', gateway)
        .executeTakeFirst()
    )?.holder

  it('polls each gateway from one process; after kill -9 another process takes over', async () => {
    const server = await serve(() => 5)
    const gateway = await createGateway(server.port)
    const meter = await createMeter(gateway, 1, await createTemplate(POWER, { groups: { normal: 100 } }))
    const url = String(api.deps.database.pool.options.connectionString)
    const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', PROCESS, url], {
      stdio: 'inherit',
    })
    ends.push(async () => child.kill('SIGKILL'))
    await waitFor(async () => (await countOf(meter)) >= 1, 60_000)
    const holder = await holderOf(gateway)
    poll()
    const stored = await countOf(meter)
    await waitFor(async () => (await countOf(meter)) >= stored + 5)
    expect(await holderOf(gateway)).toBe(holder)
    expect(server.connections).toBe(1)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    const before = await countOf(meter)
    await waitFor(async () => (await countOf(meter)) >= before + 3)
    expect(await holderOf(gateway)).not.toBe(holder)
    expect(server.connections).toBe(2)
  })
})
