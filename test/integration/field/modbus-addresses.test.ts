import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Poller, startPoller } from '../../../src/field/modbus/index.ts'
import { toJson } from '../../../src/platform/db/json-columns.ts'
import { makeClock } from '../../../src/platform/runtime/clock.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { mapDocument } from '../../support/field/modbus-map.ts'
import { respondWithWords, serveModbus, type TestServer } from '../../support/field/modbus-server.ts'
import { type SecondProcess, startSecondProcess } from '../../support/process/second-process.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A TCP server that counts its connections; `greet` decides what a client gets. */
async function serveTcp(greet: (socket: Socket) => void) {
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    greet(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
type TcpServer = Awaited<ReturnType<typeof serveTcp>>

/** The networks of the field, without loopback. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

let database: TcpServer
let api: TestApi
let strict: SecondProcess
let tenant: TestTenant
let template: string
beforeAll(async () => {
  // It stands for the database of the service: it counts who connects to it.
  database = await serveTcp(() => {})
  api = await startApi({
    now: new Date().toISOString(),
    config: {
      databaseUrl: `postgresql://netsaat@127.0.0.1:${database.port}/netsaat`,
      fieldAllowedNetworks: ['127.0.0.0/8'],
    },
  })
  strict = await startSecondProcess(api, { fieldAllowedNetworks: PRIVATE })
  tenant = await createTenant(api)
  const row = await api.deps.database.kysely
    .insertInto('device_template')
    .values({
      ...{ tenant_id: tenant.id, name: 'meter', device_type: 'energy_analyzer', protocols: ['modbus_tcp'] },
      register_map: toJson(
        mapDocument([{ key: 'p', address: 10, metric: 'active_power' }], {
          groups: { normal: 100 },
          defaults: { timeout_ms: 200 },
        }),
      ),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  template = row.id
})
afterAll(async () => {
  await strict.close()
  await api.close()
  await database.stop()
})

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: tenant.admin.token, ...(body !== undefined && { body }) })

const callStrict = async (method: string, path: string, body: unknown) => {
  const response = await fetch(strict.url + path, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tenant.admin.token}` },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

const gatewayBody = (host: string, port = 502) => ({
  name: randomUUID(),
  gateway_type: 'modbus',
  host,
  port,
})

/** A gateway with one device; the host is stored directly, as it was before the setting was narrowed. */
async function createPolled(host: string, port: number): Promise<string> {
  const { id } = (await call('POST', '/api/gateways', { ...gatewayBody('placeholder.invalid', port) })).body
  const device = { name: randomUUID(), device_type: 'energy_analyzer', device_source: 'modbus' }
  await call('POST', '/api/devices', { ...device, gateway_id: id, slave_id: 1, template_id: template })
  await api.deps.database.kysely
    .updateTable('gateway')
    .set({ host })
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .execute()
  return id
}

/** Everything that a tenant reads about the polling of a gateway, without ids and times. */
async function readBack(id: string) {
  const preview = (await call('GET', `/api/gateways/${id}/rawconfig/preview`)).body
  const { is_online, last_seen } = (await call('GET', `/api/gateways/${id}`)).body
  const incidents = await call('GET', '/api/alarms/incidents')
  const polling = preview.polling && {
    ...preview.polling,
    troubled: preview.polling.troubled.map((one: object) => ({ ...one, device_id: 'device' })),
  }
  return { polling, warnings: preview.warnings, is_online, last_seen, incidents: incidents.body.total }
}

describe('a gateway with a literal address', () => {
  it.each([
    '127.0.0.1',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '0.0.0.0',
    '::',
    '169.254.169.254',
    '::ffff:169.254.169.254',
    'fe80::1',
    'fe80::1%eth0',
    '224.0.0.1',
    'fd00:ec2::254',
    '100.100.100.200',
    '8.8.8.8',
  ])('%s is refused at creation and update with 422 that names the setting', async (host) => {
    const created = await callStrict('POST', '/api/gateways', gatewayBody(host))
    expect([created.status, created.text]).toEqual([422, expect.stringContaining('FIELD_ALLOWED_NETWORKS')])
    const { id } = JSON.parse((await callStrict('POST', '/api/gateways', gatewayBody('10.1.2.3'))).text)
    const updated = await callStrict('PUT', `/api/gateways/${id}`, { host })
    expect([updated.status, updated.text]).toEqual([422, expect.stringContaining('FIELD_ALLOWED_NETWORKS')])
    expect((await call('GET', `/api/gateways/${id}`)).body.host).toBe('10.1.2.3')
  })

  it('of a private network, or a host name, is accepted', async () => {
    for (const host of ['10.1.2.3', '192.168.7.20', 'fd12:3456::7', 'plc.example.com', 'localhost'])
      expect((await callStrict('POST', '/api/gateways', gatewayBody(host))).status).toBe(201)
  })

  it('of a gateway on a message broker is not connected to and may be any', async () => {
    const body = { name: randomUUID(), gateway_type: 'mqtt', host: '127.0.0.1' }
    expect((await callStrict('POST', '/api/gateways', body)).status).toBe(201)
  })
})

describe('polling', () => {
  it('gives a tenant the same result for every port that is not Modbus, and for refused addresses', async () => {
    const closed = await serveTcp(() => {})
    const closedPort = closed.port
    await closed.stop()
    const banner = await serveTcp((socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    const http = await serveTcp((socket) =>
      socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    )
    const silent = await serveTcp(() => {})
    const modbus: TestServer = await serveModbus((asked) => respondWithWords(asked, () => 7))
    const own = Number(new URL(api.url).port)
    const targets: readonly (readonly [string, number])[] = [
      ['127.0.0.1', closedPort],
      ['127.0.0.1', banner.port],
      ['127.0.0.1', http.port],
      ['127.0.0.1', silent.port],
      ['127.0.0.1', database.port],
      ['localhost', database.port],
      ['127.0.0.1', own],
      ['169.254.169.254', 80],
      ['::ffff:169.254.169.254', 80],
      ['0.0.0.0', banner.port],
      ['10.255.255.1', 502],
      ['no-such-host.invalid', 502],
    ]
    const gateways = await Promise.all(targets.map(([host, port]) => createPolled(host, port)))
    const good = await createPolled('localhost', modbus.port)
    const poller: Poller = startPoller(
      { ...api.deps, clock: makeClock(Date.now) },
      { beatMs: 100, reloadMs: 100 },
    )
    try {
      await waitFor(async () => (await readBack(good)).polling?.good === 1, 60_000)
      await waitFor(() => [banner, http, silent].every(({ connections }) => connections() > 0), 60_000)
      // Some reports later than the last failure.
      const polledAt = async () =>
        (await call('GET', `/api/gateways/${good}/rawconfig/preview`)).body.polling_at
      const first = await polledAt()
      await waitFor(async () => Date.parse(await polledAt()) > Date.parse(first) + 1_000, 60_000)
      const results = await Promise.all(gateways.map(readBack))
      for (const [index, result] of results.entries())
        expect([targets[index], result]).toEqual([targets[index], results[0]])
      expect(results[0]?.polling).toMatchObject({ devices: 1, good: 0, troubled: [{ device_id: 'device' }] })
      expect(results[0]).toMatchObject({ is_online: false, last_seen: null })
      expect(database.connections()).toBe(0)
    } finally {
      await poller.stop()
      await Promise.all([banner, http, silent, modbus].map((server) => server.stop()))
    }
  })

  it('never connects to loopback that the setting does not name, also by a host name', async () => {
    await api.deps.database.kysely
      .updateTable('gateway')
      .set({ host: null })
      .where('tenant_id', '=', tenant.id)
      .execute()
    const modbus = await serveModbus((asked) => respondWithWords(asked, () => 7))
    const names = await Promise.all(
      ['localhost', '127.1', '2130706433', '::ffff:127.0.0.1', '0.0.0.0'].map((host) =>
        createPolled(host, modbus.port),
      ),
    )
    const poller = startPoller({ ...strict.deps, clock: makeClock(Date.now) }, { beatMs: 100, reloadMs: 100 })
    try {
      for (const id of names) await waitFor(async () => (await readBack(id)).polling !== null, 60_000)
      const refusals = () =>
        strict.logged.filter(({ msg }) => msg === 'the address of a Modbus gateway is not allowed')
      await waitFor(() => refusals().length >= names.length, 60_000)
      expect(modbus.connections).toBe(0)
      expect(refusals()[0]?.['setting']).toBe('FIELD_ALLOWED_NETWORKS')
    } finally {
      await poller.stop()
      await modbus.stop()
    }
  })
})
