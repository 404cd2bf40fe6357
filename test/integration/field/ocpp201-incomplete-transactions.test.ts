import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schedule } from '../../../src/jobs/schedule.ts'
import { createCharger, type TestCharger } from '../../support/field/ocpp.ts'
import { openStation } from '../../support/field/ocpp201.ts'
import {
  at,
  openSessions,
  reading,
  type SessionFixture,
  sessionEvents,
  token,
} from '../../support/field/ocpp201-sessions.ts'
import { perform } from '../../support/jobs/timetable.ts'
import { waitFor } from '../../support/wait-for.ts'

let setup: SessionFixture
beforeAll(async () => {
  setup = await openSessions()
})
afterAll(() => setup.api.close())

const byConnector = (a: { connector_id: number }, b: { connector_id: number }) =>
  a.connector_id - b.connector_id

describe('authorization of sessions', () => {
  const started = (transactionId: string, idToken: string, evseId: number) => ({
    ...sessionEvents(transactionId)[0],
    evse: { id: evseId, connectorId: 1 },
    idToken: token(idToken),
  })

  it('flags the session of an unknown or blocked tag', () =>
    setup.withStation(async ({ charger, station }) => {
      const status = async (event: object) =>
        (await station.call('TransactionEvent', event)).idTokenInfo.status
      expect(await status(started('U-1', 'NOBODY', 1))).toBe('Unknown')
      expect(await status(started('U-2', 'BLOCKED', 2))).toBe('Blocked')
      const sessions = (await setup.sessionsOf(charger)).sort(byConnector)
      expect(sessions).toMatchObject([
        { authorization_status: 'invalid', flags: ['unknown_tag'] },
        { authorization_status: 'blocked', flags: ['not_authorized'] },
      ])
    }))

  it('allows one session per tag, and a repeated session does not conflict with itself', () =>
    setup.withStation(async ({ station }) => {
      const first = started('V-1', 'THIRD', 1)
      const status = async (event: object) =>
        (await station.call('TransactionEvent', event)).idTokenInfo.status
      expect(await status(first)).toBe('Accepted')
      expect(await status(first)).toBe('Accepted')
      const second = started('V-2', 'third', 2)
      expect(await status(second)).toBe('ConcurrentTx')
      expect(await status(second)).toBe('ConcurrentTx')
      const end = (transactionId: string) => ({
        ...sessionEvents(transactionId, { tag: 'THIRD' })[4],
        seqNo: 1,
      })
      expect(await status(end('V-1'))).toBe('Accepted')
      await station.call('TransactionEvent', end('V-2'))
      expect(await status(started('V-3', 'THIRD', 1))).toBe('Accepted')
      await station.call('TransactionEvent', end('V-3'))
    }))

  it('records an end by a tag of another group', () =>
    setup.withStation(async ({ charger, station }) => {
      const [first, , , , last] = sessionEvents('W-1', { tag: 'STRANGER' })
      await station.call('TransactionEvent', { ...first, idToken: token('CARD') })
      await station.call('TransactionEvent', { ...last, seqNo: 1 })
      expect((await setup.sessionsOf(charger))[0]).toMatchObject({
        id_tag: 'CARD',
        stop_id_tag: 'STRANGER',
        flags: ['ended_by_other'],
      })
    }))

  it('requires no tag at a station that starts with a button', () =>
    setup.withStation(async ({ charger, station }) => {
      const [first] = sessionEvents('X-1')
      const response = await station.call('TransactionEvent', {
        ...first,
        idToken: { idToken: '', type: 'NoAuthorization' },
      })
      expect(response).toEqual({ idTokenInfo: { status: 'Accepted' } })
      expect((await setup.sessionsOf(charger))[0]).toMatchObject({
        id_tag: null,
        authorization_status: 'accepted',
      })
    }))
})

describe('reservation in a TransactionEvent', () => {
  const reserve = async (charger: TestCharger, idTag: string) => {
    const body = {
      charger_id: charger.id,
      connector_id: 1,
      id_tag: idTag,
      expires_at: '2026-11-20T12:00:00Z',
    }
    const response = await setup.api.call('POST', '/api/ocpp/reservations', {
      token: setup.tenant.admin.token,
      body,
    })
    expect(response.status, response.text).toBeLessThan(300)
    const read = () => setup.get(`/api/ocpp/reservations/${response.body.id}`)
    await waitFor(async () => (await read()).state === 'active')
    return { number: response.body.reservation_number as number, read }
  }

  it.each([
    ['by its number', true],
    ['by the tag', false],
  ])('is used %s', (_, isNamed) =>
    setup.withStation(async ({ charger, station }) => {
      const { number, read } = await reserve(charger, 'CARD')
      expect(station.called).toMatchObject([
        { action: 'ReserveNow', payload: { id: number, evseId: 1, idToken: token('CARD') } },
      ])
      const timestamp = new Date(setup.api.clock.now()).toISOString()
      for (const { meterValue, ...event } of sessionEvents(`S-${isNamed}`)) {
        const payload = { ...event, timestamp, ...(isNamed && { reservationId: number }) }
        await station.call('TransactionEvent', payload)
      }
      const [session] = await setup.sessionsOf(charger)
      expect(session).toMatchObject({ reservation_number: number, state: 'ended' })
      expect(await read()).toMatchObject({ state: 'used', session_id: session.id })
    }),
  )

  it('ends when the station reports it', () =>
    setup.withStation(async ({ charger, station }) => {
      const { number, read } = await reserve(charger, 'OTHER')
      const removed = { reservationId: number, reservationUpdateStatus: 'Removed' }
      expect(await station.call('ReservationStatusUpdate', removed)).toEqual({})
      expect(await read()).toMatchObject({ state: 'cancelled' })
    }))
})

describe('incomplete or wrong TransactionEvents', () => {
  it('a session without a received end ends when the next one starts on its EVSE', () =>
    setup.withStation(async ({ charger, station }) => {
      const [first, , , periodic] = sessionEvents('Y-1')
      await station.call('TransactionEvent', { ...first })
      await station.call('TransactionEvent', { ...periodic, offline: false })
      const [next] = sessionEvents('Y-2')
      await station.call('TransactionEvent', {
        ...next,
        timestamp: at(30),
        meterValue: [reading(30, 12_000)],
      })
      const [lost, running] = await setup.sessionsOf(charger)
      expect(lost).toMatchObject({
        state: 'ended',
        ended_at: at(10),
        meter_stop_wh: 11_500,
        flags: ['end_not_told'],
      })
      expect(running).toMatchObject({ state: 'active' })
      const [, , , , end] = sessionEvents('Y-1')
      await station.call('TransactionEvent', { ...end })
      expect((await setup.sessionsOf(charger))[0]).toMatchObject({ ended_at: at(20), flags: [] })
    }))

  it('readings without an EVSE belong to the station when the session is complete', () =>
    setup.withStation(async ({ charger, station }) => {
      const samples = () =>
        setup.get(`/api/measurements/devices/${charger.device_id}/samples?from=2026-11-20T00:00:00Z&limit=10`)
      for (const { evse, ...event } of sessionEvents('Z-1') as { evse?: object }[]) {
        await station.call('TransactionEvent', event)
        if (!('eventType' in event) || event.eventType !== 'Ended') expect(await samples()).toEqual([])
      }
      expect(await samples()).toHaveLength(3)
      expect((await setup.sessionsOf(charger))[0]).toMatchObject({ connector_id: 0, energy_kwh: '3.250' })
    }))

  it('readings without an EVSE are stored after a day when the session stays incomplete', () =>
    setup.withStation(async ({ charger, station }) => {
      const [, , , periodic] = sessionEvents('Z-2')
      await station.call('TransactionEvent', { ...periodic })
      const samples = () =>
        setup.get(`/api/measurements/devices/${charger.device_id}/samples?from=2026-11-20T00:00:00Z&limit=10`)
      const job = schedule(setup.api.deps).find(({ name }) => name === 'store-left-readings')
      if (!job) throw new Error('there is no such job')
      const runAfter = (ms: number) => perform(setup.api, { job, slot: setup.api.clock.now() + ms })
      await runAfter(23 * 3_600_000)
      expect(await samples()).toEqual([])
      await runAfter(25 * 3_600_000)
      expect(await samples()).toMatchObject([{ timestamp: at(10), values: { import_active_energy: 11.5 } }])
    }))

  it('out-of-range numbers are rejected and leave nothing behind', () =>
    setup.withStation(async ({ charger, station }) => {
      const [event] = sessionEvents('Q-1')
      for (const wrong of [
        { seqNo: -1 },
        { seqNo: 2 ** 31 },
        { evse: { id: 300 } },
        { reservationId: -5 },
        { transactionInfo: { transactionId: 'x'.repeat(37) } },
        { timestamp: '2026-02-30T00:00:00Z' },
      ]) {
        const { error } = await station.send('TransactionEvent', { ...event, ...wrong })
        expect(error?.code).toBe('PropertyConstraintViolation')
      }
      expect(await setup.sessionsOf(charger)).toEqual([])
    }))

  it('an unreadable reading does not prevent the storage of its event', () =>
    setup.withStation(async ({ charger, station }) => {
      const [event] = sessionEvents('R-1')
      const sampledValue = [
        { value: -5 },
        { value: 1e300, measurand: 'Voltage' },
        { value: 3, measurand: 'Energy.Active.Import.Register', unitOfMeasure: { unit: 'furlong' } },
      ]
      await station.call('TransactionEvent', { ...event, meterValue: [{ timestamp: at(0), sampledValue }] })
      expect((await setup.sessionsOf(charger))[0]).toMatchObject({ state: 'active', meter_start_wh: null })
    }))

  it('the same events on two sockets of a station at the same time make one session', async () => {
    const charger = await createCharger(setup.api, setup.tenant)
    const transactionId = randomUUID()
    const sentEvents = sessionEvents(transactionId)
    const stations = [await openStation(setup.api, charger), await openStation(setup.api, charger)]
    // The newest socket replaces the older one, whose responses may be lost.
    await Promise.allSettled(
      stations.flatMap((station) => sentEvents.map((event) => station.call('TransactionEvent', event))),
    )
    for (const event of sentEvents) await stations[1]?.call('TransactionEvent', event)
    expect(await setup.sessionsOf(charger)).toMatchObject([{ state: 'ended', energy_kwh: '3.250' }])
    for (const station of stations) await station.end()
  })
})
