import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import {
  connectStation,
  createCharger,
  startOcppApi,
  type TestCharger,
  type TestStation,
} from '../../support/field/ocpp.ts'
import { untilLocked } from '../../support/lock-waits.ts'
import { startSecondProcess } from '../../support/process/second-process.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const BOOT = { chargePointVendor: 'V', chargePointModel: 'M' }
const BOOTED = { status: 'Accepted', interval: 300 }

/** A connection to the server's own database, for statements about the service's database. */
async function asOperator(api: TestApi, work: (operator: pg.Client, database: string) => Promise<void>) {
  const server = new URL(api.deps.database.pool.options.connectionString ?? '')
  const database = server.pathname.slice(1)
  server.pathname = '/postgres'
  const operator = new pg.Client({ connectionString: server.href })
  await operator.connect()
  try {
    await work(operator, database)
  } finally {
    await operator.end()
  }
}

/** Locks the row of the charger, so that a message that changes it has to wait. */
async function holdCharger(api: TestApi, charger: TestCharger): Promise<() => Promise<void>> {
  const client = await api.deps.database.pool.connect()
  const { rows } = await client.query('select tenant_id from charger where id = $1', [charger.id])
  await client.query('begin')
  await client.query('select 1 from charger where tenant_id = $1 and id = $2 for update', [
    rows[0].tenant_id,
    charger.id,
  ])
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

const handled = async (api: TestApi): Promise<string> =>
  (await api.deps.metrics.registry.getSingleMetricAsString('netsaat_ocpp_messages_total')) ?? ''

describe('while the database is unreachable', () => {
  it('no message is answered, the socket is closed, and the repeated messages are stored later', async () => {
    const api = await startOcppApi()
    try {
      const charger = await createCharger(api, await createTenant(api))
      const station = await connectStation(api, charger)
      // The socket opens before the connection is stored: a response shows that nothing of that is pending.
      expect(await station.call('Heartbeat')).toHaveProperty('currentTime')
      await asOperator(api, async (operator, database) => {
        await operator.query(`alter database ${database} connection limit 0`)
        await operator.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user',
          [database],
        )
        await expect(station.call('BootNotification', BOOT)).rejects.toThrow('disconnected')
        expect(await station.closed()).toMatchObject({ code: 1013 })
        await expect(connectStation(api, charger)).rejects.toMatchObject({ code: 503 })
        await operator.query(`alter database ${database} connection limit -1`)
      })
      const again = await connectStation(api, charger)
      expect(await again.call('BootNotification', BOOT)).toMatchObject(BOOTED)
      expect(await handled(api)).toContain('action="BootNotification",outcome="sent_away"} 1')
      await again.end()
    } finally {
      await api.close()
    }
  })
})

describe('graceful stop', () => {
  it('sends the pending response and closes with 1012', async () => {
    const api = await startOcppApi()
    const charger = await createCharger(api, await createTenant(api))
    const station = await connectStation(api, charger, { version: '2.0.1' })
    const boot = { reason: 'PowerUp', chargingStation: { model: 'M', vendorName: 'V' } }
    // The socket opens before the connection is stored: a response shows that nothing of that is pending.
    expect(await station.call('BootNotification', boot)).toMatchObject(BOOTED)
    const release = await holdCharger(api, charger)
    const response = station.call('BootNotification', boot)
    await untilLocked(api.deps.database)
    const stopped = api.close()
    await release()
    expect(await response).toMatchObject(BOOTED)
    expect(await station.closed()).toMatchObject({ code: 1012 })
    await stopped
  })
})

describe('connected station', () => {
  let api: TestApi
  let tenant: TestTenant
  let charger: TestCharger
  let station: TestStation

  beforeAll(async () => {
    api = await startOcppApi()
    tenant = await createTenant(api)
    charger = await createCharger(api, tenant)
    station = await connectStation(api, charger)
  })
  afterAll(async () => {
    await station.end()
    await api.close()
  })

  const token = () => tenant.operator.token
  const path = (rest = '') => `/api/ocpp/chargers/${charger.id}${rest}`
  const sendCommand = async (body: object, call = api.call) => {
    const placed = await call('POST', path('/commands'), { token: token(), body })
    expect(placed.status).toBe(202)
    return placed.body.id as string
  }
  const stateOf = async (id: string): Promise<string> =>
    (await api.call('GET', path(`/commands/${id}`), { token: token() })).body.state

  it('receives one command at a time, in order', async () => {
    let release = (_answer: object) => {}
    station.onCall('ClearCache', () => new Promise<object>((resolve) => (release = resolve)))
    station.onCall('TriggerMessage', () => ({ status: 'NotImplemented' }))
    const first = await sendCommand({ action: 'clear_cache' })
    const second = await sendCommand({ action: 'trigger_message', message: 'heartbeat' })
    await waitFor(() => station.called.length === 1)
    expect(await stateOf(first)).toBe('sent')
    expect(await stateOf(second)).toBe('pending')
    // Its own messages are answered meanwhile.
    expect(await station.call('Heartbeat')).toHaveProperty('currentTime')
    expect(station.called.map(({ action }) => action)).toEqual(['ClearCache'])
    release({ status: 'Accepted' })
    await waitFor(async () => (await stateOf(second)) === 'rejected')
    expect(await stateOf(first)).toBe('accepted')
    expect(station.called.map(({ action }) => action)).toEqual(['ClearCache', 'TriggerMessage'])
  })

  it('receives a command that another process accepted', async () => {
    station.onCall('ClearCache', () => ({ status: 'Accepted' }))
    const other = await startSecondProcess(api)
    const response = await fetch(`${other.url}${path('/commands')}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'clear_cache' }),
    })
    const { id } = (await response.json()) as { id: string }
    await waitFor(async () => (await stateOf(id)) === 'accepted')
    await other.close()
  })

  it('receives commands that were created while it was disconnected', async () => {
    await station.end()
    const id = await sendCommand({ action: 'clear_cache' })
    // The command may arrive before the call that connects returns.
    const responses = { ClearCache: () => ({ status: 'Rejected' }) }
    station = await connectStation(api, charger, { responses })
    await waitFor(async () => (await stateOf(id)) === 'rejected')
  })

  it('that does not know a command or disconnects before its response ends the command', async () => {
    const unknown = await sendCommand({ action: 'clear_cache' })
    station.onCall('ClearCache', () => {
      throw new Error('not here')
    })
    await waitFor(async () => (await stateOf(unknown)) === 'failed')
    station.onCall('ClearCache', () => new Promise<object>(() => {}))
    const before = station.called.length
    const lost = await sendCommand({ action: 'clear_cache' })
    await waitFor(() => station.called.length > before)
    await station.end()
    await waitFor(async () => (await stateOf(lost)) === 'timed_out')
    station = await connectStation(api, charger)
  })

  it('does not count as online for ever without contact, as after a killed process', async () => {
    const isOnline = async () => (await api.call('GET', path(), { token: token() })).body.is_online
    await station.call('Heartbeat')
    await waitFor(isOnline)
    api.clock.advance(200_000)
    await waitFor(async () => !(await isOnline()))
    await station.call('Heartbeat')
    await waitFor(isOnline)
  })
})
