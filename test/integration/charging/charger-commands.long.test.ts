import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CHARGERS,
  type CommandFixture,
  setUpCommands,
  WAIT,
} from '../../support/charging/charger-commands.ts'
import { connectStation, type TestCharger } from '../../support/field/ocpp.ts'
import { createPoint, lotoCalls, setUpLoto } from '../../support/safety/loto.ts'
import { waitFor } from '../../support/wait-for.ts'

let fixture: CommandFixture
beforeAll(async () => {
  fixture = await setUpCommands()
})
afterAll(() => fixture.api.close())

/** Inserts a session as the database would hold it. */
async function startSession(charger: TestCharger, transaction: string | null = null) {
  const { rows } = await fixture.api.deps.database.pool.query(
    `insert into charging_session (tenant_id, charger_id, ocpp_transaction_id, connector_id, device_id, authorization_status,
       started_at, created_at, updated_at) values ($1, $2, $3, 1, $4, 'accepted', $5, $5, $5)
     returning id, transaction_number`,
    [fixture.ours.id, charger.id, transaction, charger.device_id, new Date(fixture.api.clock.now())],
  )
  return rows[0] as { id: string; transaction_number: number }
}

describe('charger command', () => {
  it('waits for its station and is sent in order, one at a time', async () => {
    const charger = await fixture.create()
    const words = ['one', 'two', 'three']
    const ids: string[] = []
    for (const vendor_id of words) {
      const created = await fixture.order(charger, { action: 'data_transfer', vendor_id })
      expect(created.body).toMatchObject({ state: 'pending', sent_at: null, answer: null })
      ids.push(created.body.id)
    }
    expect((await fixture.order(charger, { action: 'clear_cache' }, '?wait=1')).body.state).toBe('pending')
    const station = await connectStation(fixture.api, charger)
    let open = 0
    station.onCall('DataTransfer', async () => {
      open += 1
      expect(open).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 20))
      open -= 1
      return { status: 'Accepted' }
    })
    station.onCall('ClearCache', () => ({ status: 'Accepted' }))
    await waitFor(async () => (await fixture.stateOf(charger, ids[2] ?? '')) === 'accepted')
    await waitFor(() => station.called.length === 4)
    expect(station.called.slice(0, 3).map(({ payload }) => payload.vendorId)).toEqual(words)
    await station.end()
  })

  it('expires when its station did not connect in time', async () => {
    const charger = await fixture.create()
    const created = await fixture.order(charger, { action: 'clear_cache', expires_in_s: 1 })
    fixture.api.clock.advance(1000)
    await waitFor(async () => (await fixture.stateOf(charger, created.body.id)) === 'expired')
    const station = await connectStation(fixture.api, charger)
    station.onCall('ClearCache', () => ({ status: 'Accepted' }))
    expect((await fixture.order(charger, { action: 'clear_cache' }, WAIT)).body.state).toBe('accepted')
    expect(station.called).toHaveLength(1)
    await station.end()
  })

  it('times out when the connection ends before its response', async () => {
    const { charger, station } = await fixture.connected()
    station.onCall('Reset', () => new Promise(() => {}))
    const created = await fixture.order(charger, { action: 'reset' })
    await waitFor(() => station.called.length === 1)
    expect(await fixture.stateOf(charger, created.body.id)).toBe('sent')
    await station.end()
    await waitFor(async () => (await fixture.stateOf(charger, created.body.id)) === 'timed_out')
    const errorIn = async (language: string) => {
      const headers = { 'accept-language': language }
      return (await fixture.as('GET', `/${charger.id}/commands/${created.body.id}`, { headers })).body.error
    }
    expect(await errorIn('en')).toBe('the station has gone')
    expect(await errorIn('tr')).toBe('istasyonun bağlantısı kesildi')
  })

  it('can be cancelled while it is pending, and not after it was sent', async () => {
    const { charger, station } = await fixture.connected()
    let response = (_: object): void => {}
    station.onCall('Reset', () => new Promise((resolve) => (response = resolve)))
    station.onCall('ClearCache', () => ({ status: 'Accepted' }))
    const sent = await fixture.order(charger, { action: 'reset' })
    await waitFor(() => station.called.length === 1)
    const waiting = await fixture.order(charger, { action: 'clear_cache' })
    const cancel = (id: string) => fixture.as('POST', `/${charger.id}/commands/${id}/cancel`)
    const refused = await cancel(sent.body.id)
    expect([refused.status, refused.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    expect((await cancel(waiting.body.id)).body).toMatchObject({ state: 'cancelled', sent_at: null })
    expect((await cancel(waiting.body.id)).status).toBe(409)
    response({ status: 'Accepted' })
    await waitFor(async () => (await fixture.stateOf(charger, sent.body.id)) === 'accepted')
    expect((await cancel(sent.body.id)).status).toBe(409)
    const other = await fixture.create()
    expect((await fixture.as('GET', `/${other.id}/commands/${sent.body.id}`)).status).toBe(404)
    expect((await fixture.as('POST', `/${other.id}/commands/${sent.body.id}/cancel`)).status).toBe(404)
    await station.end()
  })

  it('is enqueued once for one Idempotency-Key', async () => {
    const charger = await fixture.create()
    const rest = { body: { action: 'clear_cache' }, headers: { 'Idempotency-Key': randomUUID() } }
    const first = await fixture.as('POST', `/${charger.id}/commands`, rest)
    expect((await fixture.as('POST', `/${charger.id}/commands`, rest)).text).toBe(first.text)
    expect((await fixture.as('GET', `/${charger.id}/commands`)).body.total).toBe(1)
  })

  it.each([
    [{}, 'action'],
    [{ action: 'dance' }, 'action'],
    [{ action: 'set_password' }, 'action'],
    [{ action: 'remote_start' }, 'id_tag'],
    [{ action: 'remote_start', id_tag: 'x'.repeat(37) }, 'id_tag'],
    [{ action: 'remote_start', id_tag: 'x', connector_id: 0 }, 'connector_id'],
    [{ action: 'remote_stop' }, 'session_id'],
    [{ action: 'remote_stop', session_id: 'x' }, 'session_id'],
    [{ action: 'reset', type: 'operative' }, 'type'],
    [{ action: 'unlock' }, 'connector_id'],
    [{ action: 'change_availability' }, 'type'],
    [{ action: 'get_configuration', keys: 'x' }, 'keys'],
    [{ action: 'set_configuration', key: 'x', value: 5 }, 'value'],
    [{ action: 'trigger_message', message: 'Heartbeat' }, 'message'],
    [{ action: 'data_transfer' }, 'vendor_id'],
    [{ action: 'clear_cache', expires_in_s: 0 }, 'expires_in_s'],
  ])('is rejected with the name of the invalid field: %j', async (body, field) => {
    const charger = await fixture.create()
    const response = await fixture.order(charger, body)
    expect(response.status).toBe(422)
    expect(response.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toContain(`body.${field}`)
  })

  it('is rejected with the allowed values of an enumeration', async () => {
    const charger = await fixture.create()
    const { body } = await fixture.order(charger, { action: 'trigger_message', message: 'Heartbeat' })
    expect(body.detail).toMatchObject([
      { loc: ['body', 'message'], msg: expect.stringContaining(': boot_notification, heartbeat, ') },
    ])
  })

  it('stores no field that its action does not have', async () => {
    const charger = await fixture.create()
    const created = await fixture.order(charger, {
      action: 'reset',
      type: 'hard',
      connector_id: 4,
      password: 'x',
    })
    expect(created.body.request).toEqual({ type: 'hard' })
  })

  it('is rejected while a hundred are open', async () => {
    const charger = await fixture.create()
    await fixture.api.deps.database.pool.query(
      `insert into charger_command (tenant_id, charger_id, action, request, created_at, expires_at)
       select $1, $2, 'clear_cache', '{}', $3, $3::timestamptz + interval '1 hour' from generate_series(1, 100)`,
      [fixture.ours.id, charger.id, new Date(fixture.api.clock.now())],
    )
    const response = await fixture.order(charger, { action: 'clear_cache' })
    expect([response.status, response.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    await fixture.as('DELETE', `/${charger.id}`)
  })

  it('can be created by an operator and read by a viewer', async () => {
    const charger = await fixture.create()
    const path = `${CHARGERS}/${charger.id}/commands`
    const viewer = { token: fixture.ours.viewer.token }
    expect((await fixture.api.call('GET', path, viewer)).status).toBe(200)
    expect((await fixture.api.call('POST', path, { ...viewer, body: { action: 'reset' } })).status).toBe(403)
  })

  it.each([
    ['1.6', null],
    ['2.0.1', 'station-made-id'],
  ] as const)('stops a session of OCPP %s by our id', async (version, transaction) => {
    const { charger, station } = await fixture.connected({ version })
    const session = await startSession(charger, transaction)
    const action = version === '1.6' ? 'RemoteStopTransaction' : 'RequestStopTransaction'
    station.onCall(action, () => ({ status: 'Accepted' }))
    const created = await fixture.order(charger, { action: 'remote_stop', session_id: session.id }, WAIT)
    const transactionId = transaction ?? session.transaction_number
    expect(created.body).toMatchObject({
      state: 'accepted',
      request: { session_id: session.id, transaction_id: transactionId },
    })
    expect(station.called).toEqual([{ action, payload: { transactionId } }])
    const other = await fixture.create()
    const foreign = await fixture.order(other, { action: 'remote_stop', session_id: session.id })
    expect(foreign.body).toMatchObject({ error_code: 'INVALID_REFERENCE' })
    await fixture.api.deps.database.pool.query(
      "update charging_session set state = 'ended', ended_at = started_at where id = $1",
      [session.id],
    )
    const over = await fixture.order(charger, { action: 'remote_stop', session_id: session.id })
    expect([over.status, over.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    await station.end()
  })
})

describe('a connected charger', () => {
  it('is listed online with its last heartbeat until its socket closes', async () => {
    const { charger, station } = await fixture.connected()
    await station.call('BootNotification', { chargePointVendor: 'Vestel', chargePointModel: 'EVC04' })
    await station.call('Heartbeat')
    const listed = async () => (await fixture.as('GET', `?cpid=${charger.cpid}`)).body.items[0]
    await waitFor(async () => (await listed()).last_heartbeat !== null)
    expect(await listed()).toMatchObject({
      is_online: true,
      ocpp_version: '1.6',
      vendor: 'Vestel',
      model: 'EVC04',
      last_heartbeat: new Date(fixture.api.clock.now()).toISOString(),
    })
    await station.end()
    await waitFor(async () => !(await listed()).is_online)
    expect((await listed()).disconnected_at).not.toBeNull()
  })
})

describe('a charger under a lockout', () => {
  const MOVING = [
    { action: 'remote_start', id_tag: 'TAG' },
    { action: 'remote_start', id_tag: 'TAG', connector_id: 1 },
    { action: 'reset' },
    { action: 'unlock', connector_id: 1 },
    { action: 'change_availability', type: 'operative' },
  ]
  const HARMLESS = [
    { action: 'remote_stop', transaction_id: 1 },
    { action: 'change_availability', type: 'inoperative' },
    { action: 'get_configuration' },
    { action: 'trigger_message', message: 'heartbeat' },
  ]

  async function lockedOut() {
    const charger = await fixture.create()
    const site = await setUpLoto(fixture.api, fixture.ours)
    const calls = lotoCalls(site)
    const lockOut = async (device_id: string) =>
      calls.inStatus('applied', [await createPoint(site, { device_id, name: randomUUID() })])
    return { charger, lockOut, release: (session: string) => calls.transition(session, 'release') }
  }

  it('cannot be started, and can always be stopped', async () => {
    const { charger, lockOut, release } = await lockedOut()
    const session = await lockOut(charger.device_id)
    for (const body of MOVING) {
      const response = await fixture.order(charger, body)
      expect(response.status, JSON.stringify(body)).toBe(409)
      expect(response.body).toMatchObject({ error_code: 'LOTO_LOCKED_OUT', device_ids: [charger.device_id] })
    }
    for (const body of HARMLESS) expect((await fixture.order(charger, body)).status).toBe(202)
    expect((await release(session)).status).toBe(200)
    for (const body of MOVING) expect((await fixture.order(charger, body)).status).toBe(202)
  })

  it('rejects only the commands that could energize the locked-out connector', async () => {
    const { charger, lockOut } = await lockedOut()
    const station = await connectStation(fixture.api, charger)
    await station.call('BootNotification', { chargePointVendor: 'v', chargePointModel: 'm' })
    const status = { connectorId: 2, errorCode: 'NoError', status: 'Available' }
    await station.call('StatusNotification', {
      ...status,
      timestamp: new Date(fixture.api.clock.now()).toISOString(),
    })
    const { connectors } = (await fixture.as('GET', `/${charger.id}`)).body
    await lockOut(connectors[0].device_id)
    station.onCall('RemoteStartTransaction', () => ({ status: 'Accepted' }))
    const start = (rest: object) =>
      fixture.order(charger, { action: 'remote_start', id_tag: 'TAG', ...rest }, WAIT)
    expect((await start({ connector_id: 2 })).status).toBe(409)
    expect((await start({})).status).toBe(409)
    expect((await start({ connector_id: 1 })).body.state).toBe('accepted')
    await station.end()
  })

  it('is not sent a command that is already pending', async () => {
    const { charger, lockOut } = await lockedOut()
    const waiting = await fixture.order(charger, { action: 'remote_start', id_tag: 'TAG' })
    const harmless = await fixture.order(charger, { action: 'clear_cache' })
    await lockOut(charger.device_id)
    const responses = { ClearCache: () => ({ status: 'Accepted' }) }
    const station = await connectStation(fixture.api, charger, { responses })
    await waitFor(async () => (await fixture.stateOf(charger, harmless.body.id)) === 'accepted')
    expect((await fixture.as('GET', `/${charger.id}/commands/${waiting.body.id}`)).body).toMatchObject({
      state: 'cancelled',
      error: 'LOTO_LOCKED_OUT',
      sent_at: null,
    })
    expect(station.called.map(({ action }) => action)).toEqual(['ClearCache'])
    await station.end()
  })
})
