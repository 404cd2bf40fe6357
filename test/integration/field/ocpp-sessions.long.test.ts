import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { makeTag, newTag, openCharging } from '../../support/charging/charging.ts'
import { connectStation, createCharger, startOcppApi } from '../../support/field/ocpp.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** Friday, 12:30 in Turkey. */
const NOW = '2026-11-20T09:30:00Z'
let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startOcppApi({ now: NOW })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const open = () => openCharging(api, tenant)
const kwh = (value: string) => ({ value, unit: 'kWh' })

describe('session', () => {
  it('starts with a transaction id and ends with its energy', async () => {
    const { charger, station, tag, start, stop, session } = await open()
    const response = await start({ at: '2026-11-20T09:00:00Z', meterStart: 1_234_567 })
    expect(response).toEqual({ transactionId: expect.any(Number), idTagInfo: { status: 'Accepted' } })
    const { transactionId } = response
    expect(await session(transactionId)).toMatchObject({
      transaction_number: transactionId,
      ocpp_transaction_id: null,
      charger_id: charger.id,
      device_id: charger.device_id,
      connector_id: 1,
      id_tag: tag,
      authorization_status: 'accepted',
      state: 'active',
      started_at: '2026-11-20T09:00:00.000Z',
      ended_at: null,
      meter_start_wh: 1_234_567,
      energy_kwh: '0.000',
    })
    const end = {
      transactionId,
      at: '2026-11-20T09:20:00Z',
      meterStop: 1_245_000,
      tag,
      reason: 'EVDisconnected',
    }
    expect(await stop(end)).toEqual({ idTagInfo: { status: 'Accepted' } })
    expect(await session(transactionId)).toMatchObject({
      state: 'ended',
      ended_at: '2026-11-20T09:20:00.000Z',
      meter_stop_wh: 1_245_000,
      energy_kwh: '10.433',
      stop_reason: 'EVDisconnected',
      stop_id_tag: tag,
      last_reading_at: '2026-11-20T09:20:00.000Z',
      flags: ['offline'],
    })
    await station.end()
  })

  it('is the same one when its start is repeated, also after its end', async () => {
    const { station, tag, start, stop, sessions } = await open()
    const started = { at: '2026-11-20T09:29:00Z', meterStart: 500 }
    const first = await start(started)
    expect(await start(started)).toEqual(first)
    expect(await start({ ...started, tag: tag.toUpperCase() })).toEqual(first)
    const { transactionId } = first
    await stop({ transactionId, at: NOW, meterStop: 600 })
    expect(await start(started)).toEqual(first)
    expect(await sessions()).toHaveLength(1)
    expect((await start({ ...started, meterStart: 501 })).transactionId).not.toBe(transactionId)
    expect(await sessions()).toHaveLength(2)
    await station.end()
  })

  it('is created once by twenty concurrent identical starts', async () => {
    const { station, start, sessions } = await open()
    station.client.reconfigure({ callConcurrency: 20 } as never)
    const responses = await Promise.all(Array.from({ length: 20 }, () => start({ meterStart: 5 })))
    expect(new Set(responses.map(({ transactionId }) => transactionId)).size).toBe(1)
    expect(await sessions()).toHaveLength(1)
    await station.end()
  })

  it.each([
    ['Invalid', 'invalid', 'unknown_tag', undefined],
    ['Blocked', 'blocked', 'not_authorized', { status: 'blocked' }],
    ['Expired', 'expired', 'not_authorized', { expires_at: '2026-11-20T09:29:59Z' }],
  ])('of a tag that is %s still gets a transaction id and a flag', async (status, word, flag, fields) => {
    const { station, start, session } = await open()
    const tag = fields ? (await makeTag(api, tenant, fields)).tag : newTag()
    expect(await station.call('Authorize', { idTag: tag })).toMatchObject({ idTagInfo: { status } })
    const { transactionId, idTagInfo } = await start({ tag })
    expect([Number.isInteger(transactionId), idTagInfo.status]).toEqual([true, status])
    expect(await session(transactionId)).toMatchObject({
      id_tag: tag,
      state: 'active',
      authorization_status: word,
      flags: [flag],
    })
    await station.end()
  })

  it('returns the expiry and the group of its tag, with whole seconds', async () => {
    const { station, start } = await open()
    const parent = await makeTag(api, tenant)
    const { tag } = await makeTag(api, tenant, { parent_id: parent.id, expires_at: '2026-12-24T10:00:00.5Z' })
    const idTagInfo = { status: 'Accepted', parentIdTag: parent.tag, expiryDate: '2026-12-24T10:00:00Z' }
    expect(await station.call('Authorize', { idTag: tag })).toEqual({ idTagInfo })
    expect(await start({ tag })).toEqual({ transactionId: expect.any(Number), idTagInfo })
    await station.end()
  })

  it('gets ConcurrentTx for a tag that already charges, unless allowed; a repeated start does not', async () => {
    const [one, two] = [await open(), await open()]
    const { tag } = await makeTag(api, tenant)
    expect((await one.start({ tag })).idTagInfo.status).toBe('Accepted')
    expect((await one.start({ tag })).idTagInfo.status).toBe('Accepted')
    const rival = await two.start({ tag })
    expect(rival).toEqual({ transactionId: expect.any(Number), idTagInfo: { status: 'ConcurrentTx' } })
    expect(await two.session(rival.transactionId)).toMatchObject({
      authorization_status: 'concurrent',
      flags: ['not_authorized'],
    })
    // The tag may be presented to end its own session.
    expect(await two.station.call('Authorize', { idTag: tag })).toEqual({
      idTagInfo: { status: 'Accepted' },
    })
    const many = await makeTag(api, tenant, { allows_concurrent: true })
    expect((await one.start({ tag: many.tag, connectorId: 2 })).idTagInfo.status).toBe('Accepted')
    expect((await two.start({ tag: many.tag, connectorId: 2 })).idTagInfo.status).toBe('Accepted')
    await one.station.end()
    await two.station.end()
  })
})

describe('end of a session', () => {
  it('with an unknown transaction is accepted and recorded once', async () => {
    const { station, tag, stop, events, sessions } = await open()
    for (const transactionId of [2_000_000_000, 0, -1]) {
      const end = { transactionId, at: NOW, meterStop: 100 + transactionId, tag }
      for (const _ of [1, 2]) expect(await stop(end)).toEqual({ idTagInfo: { status: 'Accepted' } })
    }
    expect(await stop({ transactionId: 2_000_000_001, at: NOW, meterStop: 1 })).toEqual({})
    const noted = await events('unknown_transaction_ended')
    expect(noted.map(({ details }) => details.transaction_id).sort((a, b) => a - b)).toEqual([
      -1, 0, 2_000_000_000, 2_000_000_001,
    ])
    expect(noted.find(({ details }) => details.transaction_id === 0)).toMatchObject({
      occurred_at: '2026-11-20T09:30:00.000Z',
      details: { transaction_id: 0, meter_stop_wh: 100, id_tag: tag },
    })
    expect(await sessions()).toEqual([])
    await station.end()
  })

  it('of another charger is an unknown transaction', async () => {
    const [one, two] = [await open(), await open()]
    const { transactionId } = await one.start()
    expect(await two.stop({ transactionId, at: NOW, meterStop: 9 })).toEqual({})
    expect(await two.events('unknown_transaction_ended')).toHaveLength(1)
    expect(await one.session(transactionId)).toMatchObject({ state: 'active' })
    await one.station.end()
    await two.station.end()
  })

  it('that is already over is accepted, recorded when it differs, and changes nothing', async () => {
    const { station, start, stop, session, events } = await open()
    const { transactionId } = await start({ meterStart: 100 })
    const end = { transactionId, at: NOW, meterStop: 300, reason: 'Local' }
    for (const _ of [1, 2, 3]) expect(await stop(end)).toEqual({})
    expect(await events('ended_transaction_ended_again')).toEqual([])
    await stop({ ...end, meterStop: 999 })
    await stop({ ...end, meterStop: 999 })
    expect(await events('ended_transaction_ended_again')).toMatchObject([
      { details: { transaction_id: transactionId, meter_stop_wh: 999, reason: 'Local' } },
    ])
    expect(await session(transactionId)).toMatchObject({ meter_stop_wh: 300, energy_kwh: '0.200' })
    await station.end()
  })

  it('with a register below that of the start is stored and flagged, without energy', async () => {
    const { station, start, stop, session } = await open()
    const { transactionId } = await start({ meterStart: 5_000 })
    await stop({ transactionId, at: NOW, meterStop: 4_999 })
    expect(await session(transactionId)).toMatchObject({
      meter_start_wh: 5_000,
      meter_stop_wh: 4_999,
      energy_kwh: null,
      cost_try: null,
      cost_reason: 'no_data',
      flags: ['meter_went_back'],
    })
    await station.end()
  })

  it('is allowed for any tag of the group, and flagged for another tag', async () => {
    const { station, start, stop, session } = await open()
    const parent = await makeTag(api, tenant)
    const [own, groupTag, otherTag] = [
      await makeTag(api, tenant, { parent_id: parent.id }),
      await makeTag(api, tenant, { parent_id: parent.id }),
      await makeTag(api, tenant),
    ]
    const by = async (tag: string, meterStart: number) => {
      const { transactionId, idTagInfo } = await start({ tag: own.tag, meterStart })
      expect(idTagInfo).toEqual({ status: 'Accepted', parentIdTag: parent.tag })
      await stop({ transactionId, at: NOW, meterStop: meterStart + 10, tag })
      return (await session(transactionId)).flags
    }
    expect(await by(groupTag.tag, 1)).toEqual([])
    expect(await by(parent.tag, 2)).toEqual([])
    expect(await by(otherTag.tag, 3)).toEqual(['ended_by_other'])
    await station.end()
  })

  it('that was lost is set to the last reading at the next start, until the real end arrives', async () => {
    const { station, tag, start, stop, meter, session } = await open()
    const lost = await start({ at: '2026-11-20T09:00:00Z', meterStart: 1_000 })
    await meter('2026-11-20T09:10:00Z', [kwh('3.5')], { transactionId: lost.transactionId })
    const next = await start({ at: '2026-11-20T09:29:00Z', meterStart: 8_000 })
    // The same tag: the session without an end does not block it.
    expect(next.idTagInfo.status).toBe('Accepted')
    expect(await session(lost.transactionId)).toMatchObject({
      state: 'ended',
      ended_at: '2026-11-20T09:10:00.000Z',
      meter_stop_wh: 3_500,
      energy_kwh: '2.500',
      flags: ['offline', 'end_not_told'],
    })
    await stop({ transactionId: lost.transactionId, at: '2026-11-20T09:25:00Z', meterStop: 7_900, tag })
    expect(await session(lost.transactionId)).toMatchObject({
      ended_at: '2026-11-20T09:25:00.000Z',
      energy_kwh: '6.900',
      stop_id_tag: tag,
      flags: ['offline'],
    })
    expect(await session(next.transactionId)).toMatchObject({ state: 'active', flags: [] })
    await station.end()
  })
})

describe('session without a received end', () => {
  it('is closed at its last reading on request, releases its tag, and accepts its real end later', async () => {
    const { charger, station, tag, start, stop, meter, session } = await open()
    const { transactionId } = await start({ at: '2026-11-20T09:27:00Z', meterStart: 1_000 })
    await meter('2026-11-20T09:28:00Z', [kwh('2.5')])
    const elsewhere = await open()
    const refused = await elsewhere.start({ tag })
    expect(refused.idTagInfo.status).toBe('ConcurrentTx')
    await elsewhere.stop({
      transactionId: refused.transactionId,
      at: NOW,
      meterStop: 0,
      reason: 'DeAuthorized',
    })
    const { id } = await session(transactionId)
    const close = (token: string) => api.call('POST', `/api/ocpp/sessions/${id}/end`, { token })
    expect((await close(tenant.viewer.token)).status).toBe(403)
    const closed = await close(tenant.operator.token)
    expect([closed.status, closed.body]).toMatchObject([
      200,
      { state: 'ended', ended_at: '2026-11-20T09:28:00.000Z', energy_kwh: '1.500', flags: ['end_not_told'] },
    ])
    expect((await close(tenant.operator.token)).body).toMatchObject({ error_code: 'STATE_CONFLICT' })
    expect((await elsewhere.start({ tag, connectorId: 2 })).idTagInfo.status).toBe('Accepted')
    await stop({ transactionId, at: '2026-11-20T09:29:00Z', meterStop: 3_000 })
    expect(await session(transactionId)).toMatchObject({ energy_kwh: '2.000', flags: [] })
    const deleted = await api.call('DELETE', `/api/ocpp/chargers/${charger.id}`, {
      token: tenant.admin.token,
    })
    expect(deleted.status).toBe(204)
    await station.end()
    await elsewhere.station.end()
  })
})

describe('session of 2.0.1 without a received end', () => {
  it('is closed on request and accepts its real end later', async () => {
    const charger = await createCharger(api, tenant)
    const station = await connectStation(api, charger, { version: '2.0.1' })
    const sendEvent = (eventType: string, seqNo: number, timestamp: string, value: number) =>
      station.call('TransactionEvent', {
        ...{
          eventType,
          seqNo,
          timestamp,
          triggerReason: 'MeterValuePeriodic',
          evse: { id: 1, connectorId: 1 },
        },
        transactionInfo: { transactionId: 'tx-1' },
        meterValue: [{ timestamp, sampledValue: [{ value }] }],
      })
    await sendEvent('Started', 0, '2026-11-20T09:20:00Z', 1_000)
    await sendEvent('Updated', 1, '2026-11-20T09:25:00Z', 1_700)
    const list = await api.call('GET', `/api/ocpp/sessions?charger_id=${charger.id}`, {
      token: tenant.viewer.token,
    })
    const [{ id, state, energy_kwh }] = list.body.items
    expect([state, energy_kwh]).toEqual(['active', '0.700'])
    const closed = await api.call('POST', `/api/ocpp/sessions/${id}/end`, { token: tenant.operator.token })
    expect(closed.body).toMatchObject({ state: 'ended', energy_kwh: '0.700', flags: ['end_not_told'] })
    await sendEvent('Ended', 2, '2026-11-20T09:29:00Z', 2_000)
    const { body } = await api.call('GET', `/api/ocpp/sessions/${id}`, { token: tenant.viewer.token })
    expect(body).toMatchObject({ state: 'ended', energy_kwh: '1.000', flags: [] })
    await station.end()
  })
})

describe('offline session', () => {
  it('is stored at its own time hours later, and leaves the current session unchanged', async () => {
    const { charger, station, start, stop, meter, session } = await open()
    const now = await start({ at: NOW, meterStart: 20_000 })
    const { tag } = await makeTag(api, tenant)
    const late = await start({ tag, at: '2026-11-20T03:00:00Z', meterStart: 1_000 })
    await meter('2026-11-20T03:30:00Z', [kwh('4.25')], { transactionId: late.transactionId })
    const { transactionId } = late
    expect(await session(transactionId)).toMatchObject({ state: 'ended', flags: ['offline', 'end_not_told'] })
    await stop({ transactionId, at: '2026-11-20T04:00:00Z', meterStop: 9_000, tag, reason: 'Local' })
    expect(await session(transactionId)).toMatchObject({
      state: 'ended',
      started_at: '2026-11-20T03:00:00.000Z',
      ended_at: '2026-11-20T04:00:00.000Z',
      energy_kwh: '8.000',
      flags: ['offline'],
    })
    expect(await session(now.transactionId)).toMatchObject({ state: 'active', energy_kwh: '0.000' })
    const { body } = await api.call(
      'GET',
      `/api/measurements/devices/${charger.device_id}/samples?from=2026-11-20T02:00:00Z&to=2026-11-20T05:00:00Z`,
      { token: tenant.viewer.token },
    )
    expect(
      body.map(({ timestamp, values }: Record<string, Record<string, number>>) => [
        timestamp,
        values?.['import_active_energy'],
      ]),
    ).toEqual([
      ['2026-11-20T03:00:00.000Z', 1],
      ['2026-11-20T03:30:00.000Z', 4.25],
      ['2026-11-20T04:00:00.000Z', 9],
    ])
    await station.end()
  })

  it('with a clock that was never set is stored and flagged', async () => {
    const { station, start, stop, session } = await open()
    const { transactionId } = await start({ at: '1970-01-01T00:00:10Z', meterStart: 7 })
    await stop({ transactionId, at: '1970-01-01T01:00:10Z', meterStop: 1_007 })
    expect(await session(transactionId)).toMatchObject({
      started_at: '1970-01-01T00:00:10.000Z',
      energy_kwh: '1.000',
      flags: ['clock_wrong'],
    })
    await station.end()
  })
})

describe('invalid messages of a station', () => {
  it.each([
    ['StartTransaction', { connectorId: 256, idTag: 'x', meterStart: 0, timestamp: NOW }],
    ['StartTransaction', { connectorId: -1, idTag: 'x', meterStart: 0, timestamp: NOW }],
    ['StartTransaction', { connectorId: 1, idTag: 'x', meterStart: 1e300, timestamp: NOW }],
    ['StopTransaction', { transactionId: 1, meterStop: 1e300, timestamp: NOW }],
    ['MeterValues', { connectorId: 1e9, meterValue: [] }],
    ['StatusNotification', { connectorId: 1e9, errorCode: 'NoError', status: 'Available' }],
  ])('in %s %j are rejected with the documented code', async (action, payload) => {
    const { station } = await open()
    await expect(station.call(action, payload)).rejects.toMatchObject({
      rpcErrorCode: 'PropertyConstraintViolation',
    })
    await station.end()
  })

  it('with an out-of-range transaction or reservation id are treated as an unknown one', async () => {
    const { station, start, stop, session } = await open()
    expect(await stop({ transactionId: 1e15, at: NOW, meterStop: 1 })).toEqual({})
    const { transactionId } = await start({ reservationId: -1 })
    expect(await session(transactionId)).toMatchObject({ reservation_number: null, state: 'active' })
    await station.end()
  })
})
