import { createRPCError } from 'ocpp-rpc'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expireReservations } from '../../../src/areas/charging/index.ts'
import type { TestApi } from '../../support/api.ts'
import { newTag } from '../../support/charging/charging.ts'
import { callsOf, smartCalls } from '../../support/charging/smart-charging.ts'
import { createCharger, startOcppApi, type TestStation } from '../../support/field/ocpp.ts'
import { createPoint, lotoCalls, setUpLoto } from '../../support/safety/loto.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const NOW = '2026-11-20T09:30:00Z'
let api: TestApi
let tenant: TestTenant
let smart: ReturnType<typeof smartCalls>

beforeAll(async () => {
  api = await startOcppApi({ now: NOW })
  tenant = await createTenant(api)
  smart = smartCalls(api, tenant)
})
afterAll(() => api.close())

const inMinutes = (minutes: number) => new Date(api.clock.now() + minutes * 60_000).toISOString()

/** A charger, a tag and a reservation that the station answered with this status. */
async function reserved(
  status: string,
  fields: object = {},
  tagFields: Readonly<Record<string, unknown>> = {},
) {
  const { charger, station } = await smart.connected()
  station.onCall('ReserveNow', () => ({ status }))
  const tag = await smart.tag(tagFields)
  const body = {
    charger_id: charger.id,
    connector_id: 1,
    id_tag: tag.tag,
    expires_at: inMinutes(30),
    ...fields,
  }
  const created = await smart.post('/reservations', body)
  expect(created).toMatchObject({ state: 'pending', session_id: null })
  const path = `/reservations/${created.id}`
  const reservation = await smart.until(path, ({ state }) => state !== 'pending')
  return { charger, station, tag, path, reservation }
}

const start = (station: TestStation, idTag: string, fields: object = {}) =>
  station.call('StartTransaction', {
    connectorId: 1,
    idTag,
    meterStart: 1_000,
    timestamp: new Date(api.clock.now()).toISOString(),
    ...fields,
  })

describe('reservation', () => {
  it('is sent and used by the transaction that names it (TC_046)', async () => {
    const { station, tag, path, reservation } = await reserved('Accepted')
    expect(callsOf(station, 'ReserveNow')).toEqual([
      {
        connectorId: 1,
        expiryDate: inMinutes(30).replace('.000Z', 'Z'),
        idTag: tag.tag,
        reservationId: reservation.reservation_number,
      },
    ])
    expect(reservation).toMatchObject({ state: 'active', reason: null, ended_at: null })
    const { transactionId } = await start(station, tag.tag, { reservationId: reservation.reservation_number })
    const used = await smart.get(path)
    expect(used).toMatchObject({ state: 'used', session_id: expect.any(String) })
    const session = await smart.get(`/sessions/${used.session_id}`)
    expect(session).toMatchObject({
      transaction_number: transactionId,
      reservation_number: reservation.reservation_number,
    })
    // A repeated message uses the reservation only once.
    await start(station, tag.tag, { reservationId: reservation.reservation_number })
    expect(await smart.get(path)).toEqual(used)
    await station.end()
  })

  it('expires by time, in reads at once and permanently by the job (TC_047)', async () => {
    const { station, path, reservation } = await reserved('Accepted', { expires_at: inMinutes(1) })
    const atFirst = api.clock.now()
    api.clock.advance(61_000)
    try {
      expect((await smart.get(path)).state).toBe('expired')
      const { items } = await smart.get('/reservations?state=expired&limit=100')
      expect(items.map(({ id }: { id: string }) => id)).toContain(reservation.id)
      await expireReservations(api.deps)
      expect(await smart.get(path)).toMatchObject({ state: 'expired', ended_at: reservation.expires_at })
      expect((await smart.call('DELETE', path)).status).toBe(409)
    } finally {
      api.clock.set(atFirst)
      await station.end()
    }
  })

  it.each([
    ['TC_048_1', 'Faulted'],
    ['TC_048_2', 'Occupied'],
    ['TC_048_3', 'Unavailable'],
    ['TC_048_4', 'Rejected'],
  ])('is marked with the rejection of the station (%s: %s)', async (_number, word) => {
    const { station, path, reservation } = await reserved(word)
    expect(reservation).toMatchObject({ state: 'rejected', reason: word.toLowerCase() })
    expect(reservation.ended_at).not.toBeNull()
    expect((await smart.call('DELETE', path)).body.error_code).toBe('STATE_CONFLICT')
    await station.end()
  })

  it('of the charge point is used on any connector (TC_049)', async () => {
    const { station, tag, path, reservation } = await reserved('Accepted', { connector_id: 0 })
    expect(callsOf(station, 'ReserveNow')[0].connectorId).toBe(0)
    await start(station, tag.tag.toLowerCase(), { connectorId: 2 })
    expect(await smart.get(path)).toMatchObject({ id: reservation.id, state: 'used' })
    await station.end()
  })

  it('is cancelled once the station confirms it (TC_051)', async () => {
    const { station, path, reservation } = await reserved('Accepted')
    station.onCall('CancelReservation', () => ({ status: 'Accepted' }))
    expect((await smart.call('DELETE', path)).status).toBe(204)
    expect(await smart.until(path, ({ state }) => state === 'cancelled')).toMatchObject({ reason: null })
    expect(callsOf(station, 'CancelReservation')).toEqual([{ reservationId: reservation.reservation_number }])
    expect((await smart.call('DELETE', path)).status).toBe(409)
    await station.end()
  })

  it('that the station does not know ends on cancellation (TC_052)', async () => {
    const { station, path } = await reserved('Accepted')
    station.onCall('CancelReservation', () => ({ status: 'Rejected' }))
    expect((await smart.call('DELETE', path)).status).toBe(204)
    const over = await smart.until(path, ({ state }) => state === 'cancelled')
    expect(over.reason).toBe('unknown_to_station')
    await station.end()
  })

  it('is used by a tag of its group (TC_053) and by no other tag', async () => {
    const group = await smart.tag()
    const { station, path } = await reserved('Accepted', {}, { parent_id: group.id })
    expect(callsOf(station, 'ReserveNow')[0].parentIdTag).toBe(group.tag)
    const otherTag = await smart.tag()
    const { transactionId } = await start(station, otherTag.tag)
    expect((await smart.get(path)).state).toBe('active')
    await station.call('StopTransaction', { transactionId, meterStop: 1_000, timestamp: inMinutes(0) })
    const other = await smart.tag({ parent_id: group.id })
    await start(station, other.tag, { timestamp: inMinutes(1) })
    expect((await smart.get(path)).state).toBe('used')
    await station.end()
  })

  it('counts as used by a session that started in time and is reported after the expiry', async () => {
    const { station, tag, path, reservation } = await reserved('Accepted', { expires_at: inMinutes(10) })
    const at = inMinutes(5)
    const atFirst = api.clock.now()
    api.clock.advance(3_600_000)
    try {
      await expireReservations(api.deps)
      expect((await smart.get(path)).state).toBe('expired')
      await start(station, tag.tag, { timestamp: at, reservationId: reservation.reservation_number })
      expect(await smart.get(path)).toMatchObject({ state: 'used', ended_at: at })
    } finally {
      api.clock.set(atFirst)
      await station.end()
    }
  })

  it('that never reached the station ends at once when it is cancelled', async () => {
    const charger = await createCharger(api, tenant)
    const { tag } = await smart.tag()
    const body = { charger_id: charger.id, connector_id: 1, id_tag: tag, expires_at: inMinutes(30) }
    const { id } = await smart.post('/reservations', body)
    expect((await smart.call('DELETE', `/reservations/${id}`)).status).toBe(204)
    const { items } = await smart.get(`/chargers/${charger.id}/commands`)
    expect(items.map((command: { state: string }) => command.state)).toEqual(['cancelled'])
    expect((await smart.get(`/reservations/${id}`)).state).toBe('cancelled')
  })

  it('is marked as rejected when the station answers with an error', async () => {
    const { charger, station } = await smart.connected()
    station.onCall('ReserveNow', () => {
      throw createRPCError('NotSupported', 'no reservations here')
    })
    const { tag } = await smart.tag()
    const body = { charger_id: charger.id, id_tag: tag, expires_at: inMinutes(30) }
    const { id } = await smart.post('/reservations', body)
    const over = await smart.until(`/reservations/${id}`, ({ state }) => state === 'rejected')
    expect(over.reason).toBe('NotSupported')
    const commands = (await smart.get(`/chargers/${charger.id}/commands?action=reserve`)).items
    expect(commands).toMatchObject([
      { state: 'failed', reason: 'NotSupported', error: 'NotSupported: no reservations here' },
    ])
    await station.end()
  })

  it('is rejected under a lockout of the charger', async () => {
    const { charger, station } = await smart.connected()
    const site = await setUpLoto(api, tenant)
    await lotoCalls(site).inStatus('applied', [
      await createPoint(site, { device_id: charger.device_id, name: charger.cpid }),
    ])
    const { tag } = await smart.tag()
    const response = await smart.call('POST', '/reservations', {
      charger_id: charger.id,
      connector_id: 1,
      id_tag: tag,
      expires_at: inMinutes(30),
    })
    expect([response.status, response.body.error_code]).toEqual([409, 'LOTO_LOCKED_OUT'])
    await station.end()
  })

  it('is rejected for an unknown or too long tag, a past time, and a foreign charger', async () => {
    const { charger, station } = await smart.connected()
    const { tag } = await smart.tag()
    const good = { charger_id: charger.id, connector_id: 1, id_tag: tag, expires_at: inMinutes(30) }
    const code = async (change: object) => {
      const { status, body } = await smart.call('POST', '/reservations', { ...good, ...change })
      return [status, body.error_code ?? body.detail?.[0]?.loc]
    }
    expect(await code({ id_tag: newTag() })).toEqual([422, 'INVALID_REFERENCE'])
    expect(await code({ parent_tag: 'a tag of more than 20 letters' })).toEqual([
      422,
      'BUSINESS_RULE_VIOLATION',
    ])
    expect(await code({ expires_at: inMinutes(-1) })).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    expect(await code({ expires_at: inMinutes(60 * 24 * 31) })).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    expect(await code({ charger_id: tenant.admin.id })).toEqual([422, 'INVALID_REFERENCE'])
    expect(await code({ connector_id: -1 })).toEqual([422, ['body', 'connector_id']])
    const blocked = await smart.tag({ status: 'blocked' })
    expect(await code({ id_tag: blocked.tag })).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    expect(callsOf(station, 'ReserveNow')).toEqual([])
    await station.end()
  })
})

describe('reservation in OCPP 2.0.1', () => {
  it('is sent with the fields of 2.0.1 and ended by the station', async () => {
    const { charger, station } = await smart.connected({ version: '2.0.1' })
    station.onCall('ReserveNow', () => ({ status: 'Accepted' }))
    const group = await smart.tag()
    const { tag } = await smart.tag({ parent_id: group.id })
    const created = await smart.post('/reservations', {
      charger_id: charger.id,
      connector_id: 2,
      id_tag: tag,
      expires_at: inMinutes(30),
    })
    const path = `/reservations/${created.id}`
    await smart.until(path, ({ state }) => state === 'active')
    expect(callsOf(station, 'ReserveNow')).toEqual([
      {
        id: created.reservation_number,
        expiryDateTime: inMinutes(30).replace('.000Z', 'Z'),
        idToken: { idToken: tag, type: 'ISO14443' },
        groupIdToken: { idToken: group.tag, type: 'ISO14443' },
        evseId: 2,
      },
    ])
    const update = { reservationId: created.reservation_number, reservationUpdateStatus: 'Removed' }
    await station.call('ReservationStatusUpdate', update)
    await waitFor(async () => (await smart.get(path)).state === 'cancelled')
    expect((await smart.get(path)).reason).toBe('removed_by_station')
    await station.end()
  })
})
