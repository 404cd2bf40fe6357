import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expireReservations } from '../../../../src/areas/charging/index.ts'
import { makeTag } from '../../../support/charging/charging.ts'
import { ACCEPTED, type Operator, REJECTED, type StationFixture, startCases } from './station-fixture.ts'

let operator: Operator
beforeAll(async () => {
  operator = await startCases()
})
afterAll(() => operator.close())

const IN_HALF_AN_HOUR = '2026-11-20T10:00:00Z'

/** Reserves a connector, to which the station responds with the status; resolves with the reservation. */
async function reserve(setup: StationFixture, status: string, more: object = {}) {
  setup.respondTo('ReserveNow', { status })
  const body = { charger_id: setup.charger.id, connector_id: 1, id_tag: setup.tag, ...more }
  const { id } = await operator.post('/reservations', { expires_at: IN_HALF_AN_HOUR, ...body })
  const path = `/reservations/${id}`
  const reservation = await operator.until(path, ({ state }) => state !== 'pending')
  return {
    path,
    reservation,
    number: reservation.reservation_number,
    heard: setup.callsReceived('ReserveNow').at(-1),
  }
}

/** The holder of the reservation starts a session. */
async function use(setup: StationFixture, reservationId: number, path: string, more: object = {}) {
  await setup.status('Preparing')
  const transactionId = await setup.start({ reservationId, ...more })
  const { id } = await setup.session(transactionId)
  expect(await operator.get(path)).toMatchObject({ state: 'used', session_id: id })
}

describe('reservation', () => {
  it('TC_046: Reservation Of Connector, Transaction', async () => {
    const setup = await operator.openStation()
    const { path, reservation, number, heard: received } = await reserve(setup, 'Accepted')
    expect(reservation).toMatchObject({ state: 'active', reason: null })
    expect(received).toEqual({
      connectorId: 1,
      expiryDate: IN_HALF_AN_HOUR,
      idTag: setup.tag,
      reservationId: number,
    })
    await setup.status('Reserved')
    expect(await setup.readConnector()).toMatchObject({ status: 'Reserved' })
    await setup.authorize()
    await use(setup, number, path)
  })

  it('TC_047: Reservation Of Connector, Expire', async () => {
    const setup = await operator.openStation()
    const { path, reservation } = await reserve(setup, 'Accepted', { expires_at: '2026-11-20T09:31:00Z' })
    await setup.status('Reserved')
    const { clock, deps } = operator.api
    const before = clock.now()
    clock.advance(61_000)
    try {
      await setup.status('Available')
      await expireReservations(deps)
      expect(await operator.get(path)).toMatchObject({ state: 'expired', ended_at: reservation.expires_at })
      expect(await setup.readConnector()).toMatchObject({ status: 'Available' })
    } finally {
      clock.set(before)
    }
  })

  async function refused(status: string, connector: string) {
    const setup = await operator.openStation()
    await setup.status(connector, 1, connector === 'Faulted' ? 'OtherError' : 'NoError')
    const { reservation } = await reserve(setup, status)
    expect(reservation).toMatchObject({ state: 'rejected', reason: status.toLowerCase(), session_id: null })
    expect(await setup.readConnector()).toMatchObject({ status: connector })
  }

  it('TC_048_1: Reservation Of Connector, Faulted', () => refused('Faulted', 'Faulted'))

  it('TC_048_2: Reservation Of Connector, Occupied', () => refused('Occupied', 'Preparing'))

  it('TC_048_3: Reservation Of Connector, Unavailable', () => refused('Unavailable', 'Unavailable'))

  it('TC_048_4: Reservation Of Connector, Rejected', () => refused('Rejected', 'Available'))

  it('TC_049: Reservation Of Charge Point, Transaction', async () => {
    const setup = await operator.openStation()
    const { path, number, heard: received } = await reserve(setup, 'Accepted', { connector_id: 0 })
    expect(received).toMatchObject({ connectorId: 0, reservationId: number })
    await setup.status('Reserved')
    await setup.authorize()
    await use(setup, number, path)
  })
})

describe('cancelled reservation', () => {
  const cancel = async (setup: StationFixture, path: string, response: object) => {
    setup.respondTo('CancelReservation', response)
    expect((await operator.call('DELETE', path)).status).toBe(204)
    return operator.until(path, ({ state }) => state === 'cancelled')
  }

  it('TC_051: Cancel Reservation', async () => {
    const setup = await operator.openStation()
    const { path, number } = await reserve(setup, 'Accepted')
    await setup.status('Reserved')
    expect(await cancel(setup, path, ACCEPTED)).toMatchObject({ reason: null })
    expect(setup.callsReceived('CancelReservation')).toEqual([{ reservationId: number }])
    await setup.status('Available')
    expect(await setup.readConnector()).toMatchObject({ status: 'Available' })
  })

  it('TC_052: Cancel Reservation, Rejected', async () => {
    const setup = await operator.openStation()
    const { path, number } = await reserve(setup, 'Accepted')
    // The station reports that it has no reservation with that id.
    expect(await cancel(setup, path, REJECTED)).toMatchObject({ reason: 'unknown_to_station' })
    expect(setup.callsReceived('CancelReservation')).toEqual([{ reservationId: number }])
  })
})

describe('reservation for a group', () => {
  it('TC_053: Use Reserved Connector With Parent Id Tag', async () => {
    const setup = await operator.openStation()
    const { api, tenant } = operator
    const group = await makeTag(api, tenant)
    const [first, second] = [
      await makeTag(api, tenant, { parent_id: group.id }),
      await makeTag(api, tenant, { parent_id: group.id }),
    ]
    const { path, number, heard: received } = await reserve(setup, 'Accepted', { id_tag: first.tag })
    expect(received).toMatchObject({ idTag: first.tag, parentIdTag: group.tag })
    await setup.status('Reserved')
    const { idTagInfo } = await setup.call('Authorize', { idTag: second.tag })
    expect(idTagInfo).toEqual({ status: 'Accepted', parentIdTag: group.tag })
    await use(setup, number, path, { idTag: second.tag })
  })
})
