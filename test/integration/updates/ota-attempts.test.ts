import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectGateway, nextMessage } from '../../support/field/mqtt.ts'
import { createPoint, lotoCalls, setUpLoto } from '../../support/safety/loto.ts'
import { createTenant } from '../../support/tenants.ts'
import { MINUTE_MS, type OtaFixture, startOtaFixture, UPDATES } from '../../support/updates/ota.ts'

let ota: OtaFixture
beforeAll(async () => {
  ota = await startOtaFixture('ota-attempts')
})
afterAll(() => ota.close())

describe('a device that is locked out while it downloads its file', () => {
  it('gets no more of it until the lockout ends, and that time does not count', async () => {
    const gateway = await ota.newGateway()
    const device = await ota.newSwitch(gateway, 'at work')
    const client = await connectGateway(ota.api.mqttPort, gateway)
    await client.subscribeAsync(['cmd/+', 'ota/+/chunk/+'], { qos: 1 })
    const notification = nextMessage(client, (topic) => topic.startsWith('cmd/'))
    const startedAt = ota.api.clock.now()
    const inMinutes = (minutes: number) => new Date(startedAt + minutes * MINUTE_MS).toISOString()
    const order = {
      gateway_id: gateway.id,
      firmware_version_id: ota.first.id,
      deadline: inMinutes(4),
      retries: 0,
    }
    const { id } = (await ota.call('POST', UPDATES, order)).body
    const { url } = JSON.parse((await notification).payload.toString())
    const chunk = async () => {
      const response = nextMessage(client, (topic) => topic.includes('/chunk/') && !topic.endsWith('request'))
      await client.publishAsync(`ota/${id}/chunk/request`, '{"offset":0,"size":100}', { qos: 1 })
      return (await response).topic.split('/chunk/')[1]
    }
    expect(await chunk()).toBe('0')
    expect((await ota.read(id)).status).toBe('downloading')

    ota.api.clock.advance(MINUTE_MS)
    const setup = await setUpLoto(ota.api, ota.tenant)
    const calls = lotoCalls(setup)
    const session = await calls.inStatus('applied', [await createPoint(setup, { device_id: device })])
    expect(await chunk()).toBe('error')
    const refused = await fetch(ota.api.url + url)
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { error_code: 'LOTO_LOCKED_OUT', device_ids: [device] },
    ])
    ota.api.clock.advance(5 * MINUTE_MS)
    await ota.watch()
    expect(await ota.read(id)).toMatchObject({ status: 'downloading', deadline_at: inMinutes(9) })
    expect((await calls.transition(session, 'release')).status).toBe(200)
    expect(await chunk()).toBe('0')
    const again = nextMessage(client, (topic) => topic.startsWith('cmd/'))
    await client.publishAsync('ota/ask', '', { qos: 1 })
    const fresh = JSON.parse((await again).payload.toString())
    expect((await fetch(ota.api.url + fresh.url)).status).toBe(200)
    ota.api.clock.advance(2 * MINUTE_MS)
    await ota.watch()
    expect((await ota.read(id)).status).toBe('downloading')
    ota.api.clock.advance(MINUTE_MS)
    await ota.watch()
    expect(await ota.read(id)).toMatchObject({
      status: 'failed',
      error: 'the device did not finish the download in time',
    })
    await client.endAsync()
  })
})

describe('a device that fails under a lockout', () => {
  it('rolls back after the lockout ends', async () => {
    const gateway = await ota.newGateway()
    const device = await ota.newSwitch(gateway, 'failing')
    const order = { gateway_id: gateway.id, rollback_on_failure: true }
    const old = (await ota.call('POST', UPDATES, { ...order, firmware_version_id: ota.first.id })).body
    await ota.report(gateway, old.id, { state: 'succeeded' })
    const { id } = (await ota.call('POST', UPDATES, { ...order, firmware_version_id: ota.second.id })).body
    await ota.report(gateway, id, { state: 'installing' })
    const setup = await setUpLoto(ota.api, ota.tenant)
    const calls = lotoCalls(setup)
    const session = await calls.inStatus('applied', [await createPoint(setup, { device_id: device })])
    await ota.report(gateway, id, { state: 'failed', error: 'it does not start' })
    const back = async () => {
      const { items } = (await ota.call('GET', `${UPDATES}?gateway_id=${gateway.id}`)).body
      return items.find((one: { rollback_of: string | null }) => one.rollback_of === id)
    }
    expect(await back()).toMatchObject({ status: 'queued', rollback_of: id, version: '1.0.0' })
    await ota.report(gateway, (await back()).id, { state: 'downloading', progress_pct: 50 })
    await ota.watch()
    expect(await back()).toMatchObject({ status: 'queued', progress_pct: 0 })
    const byHand = await ota.call('POST', `${UPDATES}/${old.id}/rollback`)
    expect([byHand.status, byHand.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    expect((await calls.transition(session, 'release')).status).toBe(200)
    await ota.watch()
    expect((await back()).status).toBe('notified')
  })
})

describe('a report of an earlier attempt', () => {
  async function secondAttempt() {
    const gateway = await ota.newGateway()
    const deadline = new Date(ota.api.clock.now() + 6 * MINUTE_MS).toISOString()
    const order = { gateway_id: gateway.id, firmware_version_id: ota.first.id, deadline, retries: 1 }
    const { id } = (await ota.call('POST', UPDATES, order)).body
    const before = ota.api.clock.now() + MINUTE_MS
    ota.api.clock.advance(6 * MINUTE_MS)
    await ota.watch()
    expect(await ota.read(id)).toMatchObject({ status: 'notified', attempt: 2 })
    return { gateway, id, before }
  }

  it('does not end the current attempt', async () => {
    const { gateway, id, before } = await secondAttempt()
    await ota.report(gateway, id, { state: 'failed', attempt: 1 })
    await ota.report(gateway, id, { state: 'downloading', progress_pct: 70, attempt: 1 })
    await ota.report(gateway, id, { state: 'failed', sent_at: new Date(before).toISOString() })
    expect(await ota.read(id)).toMatchObject({ status: 'notified', attempt: 2, progress_pct: 0 })
    await ota.report(gateway, id, { state: 'downloading', attempt: 3 })
    await ota.report(gateway, id, { state: 'downloading', attempt: 'two' })
    await ota.report(gateway, id, { state: 'downloading', sent_at: 'yesterday' })
    const deadLetters = await ota.api.call('GET', `/api/gateways/dead-letters?gateway_id=${gateway.id}`, {
      token: ota.tenant.admin.token,
    })
    const reasons = deadLetters.body.items.map(({ reason }: { reason: string }) => reason)
    expect(reasons.toSorted()).toEqual(['bad_time', 'unknown_update', 'wrong_shape'])
    await ota.report(gateway, id, { state: 'failed', error: 'no room', attempt: 2 })
    expect(await ota.read(id)).toMatchObject({ status: 'failed', error: 'no room', attempt: 2 })
  })

  it('is recognized by its time when a device sends no attempt number', async () => {
    const { gateway, id, before } = await secondAttempt()
    // The device is notified again; the time of its report may lie before that.
    const notifiedAt = ota.api.clock.now()
    ota.api.clock.advance(5 * MINUTE_MS)
    await ota.watch()
    const client = await connectGateway(ota.api.mqttPort, gateway)
    const state = (ts: number, fw_state: string) =>
      client.publishAsync('v1/devices/me/telemetry', JSON.stringify({ ts, values: { fw_state } }), { qos: 1 })
    await state(before, 'FAILED')
    expect((await ota.read(id)).status).toBe('notified')
    await state(before, 'DOWNLOADING')
    expect((await ota.read(id)).status).toBe('downloading')
    await state(notifiedAt, 'FAILED')
    expect((await ota.read(id)).status).toBe('failed')
    await client.endAsync()
  })
})

it('updates of a deactivated tenant wait for its reactivation', async () => {
  const deadline = new Date(ota.api.clock.now() + 4 * MINUTE_MS).toISOString()
  const { id } = (await ota.start(await ota.newGateway(), ota.first, { deadline, retries: 0 })).body
  const { superuser } = await createTenant(ota.api)
  const setActive = (isActive: boolean, token = superuser.token) =>
    ota.api.call('PATCH', `/api/v1/admin/tenants/${ota.tenant.uid}`, {
      token,
      body: { is_active: isActive },
    })
  const { pool } = ota.api.deps.database
  // The token of the tenant expires meanwhile.
  const readRow = async () => {
    const rows = await pool.query(
      'select to_jsonb(u) as row from ota_update u where tenant_id = $1 and id = $2',
      [...[ota.tenant.id, id]],
    )
    return rows.rows[0].row
  }
  const before = await readRow()
  expect((await setActive(false)).status).toBe(200)
  ota.api.clock.advance(6 * MINUTE_MS)
  await ota.watch()
  expect(await readRow()).toEqual(before)
  const { superuser: fresh } = await createTenant(ota.api)
  await setActive(true, fresh.token)
  await ota.watch()
  expect((await readRow()).status).toBe('failed')
})
