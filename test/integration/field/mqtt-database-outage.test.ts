import pg from 'pg'
import { expect, it } from 'vitest'
import { startApi } from '../../support/api.ts'
import { connectGateway, createDevice, createGateway, telemetry } from '../../support/field/mqtt.ts'
import { createTenant } from '../../support/tenants.ts'

it('the broker forwards messages of every kind while the database is unreachable', async () => {
  const api = await startApi({ mqtt: true })
  const connectionString = api.deps.database.pool.options.connectionString ?? ''
  const server = new URL(connectionString)
  const database = server.pathname.slice(1)
  server.pathname = '/postgres'
  const operator = new pg.Client({ connectionString: server.href })
  await operator.connect()
  try {
    const tenant = await createTenant(api)
    const gateway = await createGateway(api, tenant, 'roof')
    const meter = await createDevice(api, tenant, { name: 'meter', gatewayId: gateway.id })
    const client = await connectGateway(api.mqttPort, gateway)
    await operator.query(`alter database ${database} connection limit 0`)
    await operator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user',
      [database],
    )
    // None of these needs the database, although the devices are looked up: a failing look-up ends no
    // session.
    await client.publishAsync('telemetry', JSON.stringify({ devices: {} }), { qos: 1 })
    let isStored = false
    const point = { ts: api.clock.now(), v: { voltage: 230 } }
    const message = telemetry('meter', [point], { seq: 1, sent_at: new Date(api.clock.now()).toISOString() })
    const sending = [
      client.publishAsync('telemetry', message, { qos: 1 }),
      client.publishAsync('telemetry', 'poison', { qos: 1 }),
      client.publishAsync('status', 'online', { qos: 1 }),
      client.publishAsync('hello', '', { qos: 1 }),
    ]
    const stored = Promise.all(sending).then(() => {
      isStored = true
    })
    expect((await api.call('GET', '/api/devices', { token: tenant.viewer.token })).status).toBe(503)
    expect(isStored).toBe(false)
    await operator.query(`alter database ${database} connection limit -1`)
    await stored
    const path = `/api/measurements/devices/${meter}/samples?from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z`
    expect((await api.call('GET', path, { token: tenant.viewer.token })).body).toHaveLength(1)
    await client.endAsync()
  } finally {
    await operator.end()
    await api.close()
  }
})
