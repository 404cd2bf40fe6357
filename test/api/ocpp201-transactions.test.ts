import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schedule } from '../../src/jobs/schedule.ts'
import type { TestApi } from '../support/api.ts'
import { createCharger, startOcppApi, type TestCharger } from '../support/ocpp.ts'
import { type BareStation, openStation } from '../support/ocpp201.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'
import { perform } from '../support/timetable.ts'
import { waitFor } from '../support/wait-for.ts'

let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startOcppApi()
  tenant = await createTenant(api)
  const tag = (body: object) =>
    api.call('POST', '/api/ocpp/id-tags', { token: tenant.admin.token, body: { ...body } })
  const fleet = await tag({ tag: 'FLEET' })
  for (const name of ['CARD', 'OTHER', 'THIRD']) await tag({ tag: name, parent_id: fleet.body.id })
  await tag({ tag: 'STRANGER' })
  await tag({ tag: 'BLOCKED', status: 'blocked' })
})
afterAll(() => api.close())

interface Plugged {
  readonly charger: TestCharger
  readonly station: BareStation
}

/** A charger with its station connected, for the time of the work. */
async function withStation<T>(work: (plugged: Plugged) => Promise<T>): Promise<T> {
  const charger = await createCharger(api, tenant)
  const station = await openStation(api, charger)
  try {
    return await work({ charger, station })
  } finally {
    await station.end()
  }
}

const get = async (path: string) => {
  const answer = await api.call('GET', path, { token: tenant.admin.token })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const sessionsOf = async ({ id }: TestCharger) =>
  (await get(`/api/ocpp/sessions?charger_id=${id}&sort_order=asc`)).items
const byConnector = (a: { connector_id: number }, b: { connector_id: number }) =>
  a.connector_id - b.connector_id

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 6, minute)).toISOString()
const token = (idToken: string) => ({ idToken, type: 'ISO14443' })
const reading = (minute: number, wh: number, context = 'Sample.Periodic') => ({
  timestamp: at(minute),
  sampledValue: [
    { value: wh, context, unitOfMeasure: { unit: 'Wh' } },
    { value: 11_000, context, measurand: 'Power.Active.Import' },
  ],
})

/** Whole sessions as a station tells them: every event with its number. */
const sessionEvents = (transactionId: string, { evse = { id: 1, connectorId: 1 }, tag = 'CARD' } = {}) => [
  {
    eventType: 'Started',
    timestamp: at(0),
    triggerReason: 'CablePluggedIn',
    seqNo: 0,
    transactionInfo: { transactionId, chargingState: 'EVConnected' },
    evse,
    meterValue: [reading(0, 10_000, 'Transaction.Begin')],
  },
  {
    eventType: 'Updated',
    timestamp: at(1),
    triggerReason: 'Authorized',
    seqNo: 1,
    transactionInfo: { transactionId },
    idToken: token(tag),
  },
  {
    eventType: 'Updated',
    timestamp: at(2),
    triggerReason: 'ChargingStateChanged',
    seqNo: 2,
    transactionInfo: { transactionId, chargingState: 'Charging' },
  },
  {
    eventType: 'Updated',
    timestamp: at(10),
    triggerReason: 'MeterValuePeriodic',
    seqNo: 3,
    offline: true,
    transactionInfo: { transactionId },
    meterValue: [reading(10, 11_500)],
  },
  {
    eventType: 'Ended',
    timestamp: at(20),
    triggerReason: 'StopAuthorized',
    seqNo: 4,
    transactionInfo: { transactionId, stoppedReason: 'Local', chargingState: 'EVConnected' },
    idToken: token(tag),
    meterValue: [reading(20, 13_250.4, 'Transaction.End')],
  },
]

/** Everything that is kept of a charger, without what is another's for each charger. */
async function picture(charger: TestCharger) {
  const { pool } = api.deps.database
  const query = async (text: string) => (await pool.query(text, [charger.id])).rows
  const sessions = await query(
    `select s.*, n.name as device_name from charging_session s join device n on n.id = s.device_id
     where charger_id = $1 order by ocpp_transaction_id`,
  )
  const samples = await query(
    `select d.name, m.ts, m.import_active_energy, m.active_power from measurement m
     join device d on d.tenant_id = m.tenant_id and d.key = m.device_key where d.id in (select device_id from charger where id = $1 union
       select device_id from charger_connector where charger_id = $1) order by d.name, m.ts`,
  )
  const text = JSON.stringify({
    sessions: sessions.map(({ id, transaction_number, charger_id, device_id, ...session }) => session),
    samples,
  })
  return JSON.parse(text.replaceAll(charger.cpid, 'CS'))
}

describe('a session', () => {
  it('is told by its events, from the cable to the end', () =>
    withStation(async ({ charger, station }) => {
      const [started, authorized, charging, periodic, ended] = sessionEvents('T-1')
      const session = async () => (await sessionsOf(charger))[0]
      expect(await station.ask('TransactionEvent', { ...started })).toEqual({})
      expect(await session()).toMatchObject({
        state: 'active',
        id_tag: null,
        connector_id: 1,
        device_id: charger.device_id,
        ocpp_transaction_id: 'T-1',
        charging_state: 'EVConnected',
        meter_start_wh: 10_000,
      })
      expect(await station.ask('TransactionEvent', { ...authorized })).toEqual({
        idTokenInfo: { status: 'Accepted', groupIdToken: { idToken: 'FLEET', type: 'Central' } },
      })
      await station.ask('TransactionEvent', { ...charging })
      await station.ask('TransactionEvent', { ...periodic, offline: false })
      expect(await session()).toMatchObject({
        state: 'active',
        id_tag: 'CARD',
        parent_tag: 'FLEET',
        authorization_status: 'accepted',
        charging_state: 'Charging',
        energy_kwh: '1.500',
        flags: [],
      })
      expect(await station.ask('TransactionEvent', { ...ended })).toMatchObject({
        idTokenInfo: { status: 'Accepted' },
      })
      const over = await session()
      expect(over).toMatchObject({
        state: 'ended',
        started_at: at(0),
        ended_at: at(20),
        meter_stop_wh: 13_250,
        energy_kwh: '3.250',
        stop_reason: 'Local',
        stop_id_tag: 'CARD',
        charging_state: 'EVConnected',
        missing_seq_nos: [],
        flags: [],
      })
      const { points } = await get(`/api/ocpp/sessions/${over.id}/curve`)
      expect(points.map((point: { energy_kwh: string }) => point.energy_kwh)).toEqual([
        '0.000',
        '1.500',
        '3.250',
      ])
    }))

  it('says which of its events are missing until they come', () =>
    withStation(async ({ charger, station }) => {
      const [started, authorized, charging, periodic, ended] = sessionEvents('T-2')
      const missing = async () => (await sessionsOf(charger))[0].missing_seq_nos
      await station.ask('TransactionEvent', { ...ended })
      expect(await missing()).toEqual([0, 1, 2, 3])
      expect((await sessionsOf(charger))[0]).toMatchObject({
        state: 'ended',
        connector_id: 0,
        flags: ['ended_without_start'],
      })
      await station.ask('TransactionEvent', { ...charging })
      expect(await missing()).toEqual([0, 1, 3])
      await station.ask('TransactionEvent', { ...started })
      await station.ask('TransactionEvent', { ...authorized })
      await station.ask('TransactionEvent', { ...periodic })
      expect((await sessionsOf(charger))[0]).toMatchObject({
        missing_seq_nos: [],
        connector_id: 1,
        flags: ['offline'],
        energy_kwh: '3.250',
      })
    }))

  it('is the same whatever the order of its events and however often they come', async () => {
    const events = [
      ...sessionEvents('T-A', { evse: { id: 2, connectorId: 1 } }),
      ...sessionEvents('T-B', { evse: { id: 1, connectorId: 1 }, tag: 'OTHER' }),
    ]
    const tell = (order: readonly object[]) =>
      withStation(async ({ charger, station }) => {
        for (const event of order) await station.ask('TransactionEvent', event)
        return picture(charger)
      })
    const expected = await tell(events)
    expect(expected.sessions).toHaveLength(2)
    expect(expected.samples).toHaveLength(6)
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 }),
        async (order) => {
          expect(await tell(order)).toEqual(expected)
        },
      ),
      { numRuns: 8 },
    )
  })

  it('arrives hours late and lands at its own time', () =>
    withStation(async ({ charger, station }) => {
      const late = sessionEvents('T-3').map((event) => ({ ...event, offline: true }))
      for (const event of late) await station.ask('TransactionEvent', event)
      expect((await sessionsOf(charger))[0]).toMatchObject({
        started_at: at(0),
        ended_at: at(20),
        flags: ['offline'],
      })
      const samples = await get(
        `/api/measurements/devices/${charger.device_id}/samples?from=2026-11-20T00:00:00Z&limit=10`,
      )
      expect(samples.map(({ timestamp }: { timestamp: string }) => timestamp)).toEqual([
        at(0),
        at(10),
        at(20),
      ])
    }))

  it('told again as a whole changes nothing', () =>
    withStation(async ({ charger, station }) => {
      const tell = async () => {
        for (const event of sessionEvents('T-4')) await station.ask('TransactionEvent', event)
      }
      await tell()
      const before = await picture(charger)
      api.clock.advance(3_600_000)
      await tell()
      expect(await picture(charger)).toEqual(before)
      api.clock.advance(-3_600_000)
    }))
})

describe('who charges', () => {
  const started = (transactionId: string, idToken: string, evseId: number) => ({
    ...sessionEvents(transactionId)[0],
    evse: { id: evseId, connectorId: 1 },
    idToken: token(idToken),
  })

  it('an unknown or blocked tag has its session, which says so', () =>
    withStation(async ({ charger, station }) => {
      const status = async (event: object) =>
        (await station.ask('TransactionEvent', event)).idTokenInfo.status
      expect(await status(started('U-1', 'NOBODY', 1))).toBe('Unknown')
      expect(await status(started('U-2', 'BLOCKED', 2))).toBe('Blocked')
      const sessions = (await sessionsOf(charger)).sort(byConnector)
      expect(sessions).toMatchObject([
        { authorization_status: 'invalid', flags: ['unknown_tag'] },
        { authorization_status: 'blocked', flags: ['not_authorized'] },
      ])
    }))

  it('a tag charges once at a time, and its own session told again is not in its way', () =>
    withStation(async ({ station }) => {
      const first = started('V-1', 'THIRD', 1)
      const status = async (event: object) =>
        (await station.ask('TransactionEvent', event)).idTokenInfo.status
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
      await station.ask('TransactionEvent', end('V-2'))
      expect(await status(started('V-3', 'THIRD', 1))).toBe('Accepted')
      await station.ask('TransactionEvent', end('V-3'))
    }))

  it('somebody of another group who ends it is noted', () =>
    withStation(async ({ charger, station }) => {
      const [first, , , , last] = sessionEvents('W-1', { tag: 'STRANGER' })
      await station.ask('TransactionEvent', { ...first, idToken: token('CARD') })
      await station.ask('TransactionEvent', { ...last, seqNo: 1 })
      expect((await sessionsOf(charger))[0]).toMatchObject({
        id_tag: 'CARD',
        stop_id_tag: 'STRANGER',
        flags: ['ended_by_other'],
      })
    }))

  it('nobody has to be asked at a station with a button', () =>
    withStation(async ({ charger, station }) => {
      const [first] = sessionEvents('X-1')
      const answer = await station.ask('TransactionEvent', {
        ...first,
        idToken: { idToken: '', type: 'NoAuthorization' },
      })
      expect(answer).toEqual({ idTokenInfo: { status: 'Accepted' } })
      expect((await sessionsOf(charger))[0]).toMatchObject({ id_tag: null, authorization_status: 'accepted' })
    }))
})

describe('a reservation', () => {
  const reserve = async (charger: TestCharger, idTag: string) => {
    const body = {
      charger_id: charger.id,
      connector_id: 1,
      id_tag: idTag,
      expires_at: '2026-11-20T12:00:00Z',
    }
    const answer = await api.call('POST', '/api/ocpp/reservations', { token: tenant.admin.token, body })
    expect(answer.status, answer.text).toBeLessThan(300)
    const read = () => get(`/api/ocpp/reservations/${answer.body.id}`)
    await waitFor(async () => (await read()).state === 'active')
    return { number: answer.body.reservation_number as number, read }
  }

  it.each([
    ['by its number', true],
    ['by the tag', false],
  ])('is used %s', (_, isNamed) =>
    withStation(async ({ charger, station }) => {
      const { number, read } = await reserve(charger, 'CARD')
      expect(station.called).toMatchObject([
        { action: 'ReserveNow', payload: { id: number, evseId: 1, idToken: token('CARD') } },
      ])
      const timestamp = new Date(api.clock.now()).toISOString()
      for (const { meterValue, ...event } of sessionEvents(`S-${isNamed}`)) {
        const told = { ...event, timestamp, ...(isNamed && { reservationId: number }) }
        await station.ask('TransactionEvent', told)
      }
      const [session] = await sessionsOf(charger)
      expect(session).toMatchObject({ reservation_number: number, state: 'ended' })
      expect(await read()).toMatchObject({ state: 'used', session_id: session.id })
    }),
  )

  it('is gone when the station says so', () =>
    withStation(async ({ charger, station }) => {
      const { number, read } = await reserve(charger, 'OTHER')
      const gone = { reservationId: number, reservationUpdateStatus: 'Removed' }
      expect(await station.ask('ReservationStatusUpdate', gone)).toEqual({})
      expect(await read()).toMatchObject({ state: 'cancelled' })
    }))
})

describe('what stations forget or get wrong', () => {
  it('a session whose end was never told is over when the next one begins on its EVSE', () =>
    withStation(async ({ charger, station }) => {
      const [first, , , periodic] = sessionEvents('Y-1')
      await station.ask('TransactionEvent', { ...first })
      await station.ask('TransactionEvent', { ...periodic, offline: false })
      const [next] = sessionEvents('Y-2')
      await station.ask('TransactionEvent', { ...next, timestamp: at(30), meterValue: [reading(30, 12_000)] })
      const [lost, running] = await sessionsOf(charger)
      expect(lost).toMatchObject({
        state: 'ended',
        ended_at: at(10),
        meter_stop_wh: 11_500,
        flags: ['end_not_told'],
      })
      expect(running).toMatchObject({ state: 'active' })
      const [, , , , end] = sessionEvents('Y-1')
      await station.ask('TransactionEvent', { ...end })
      expect((await sessionsOf(charger))[0]).toMatchObject({ ended_at: at(20), flags: [] })
    }))

  it('an EVSE that is never named: the readings are the station’s when all has been told', () =>
    withStation(async ({ charger, station }) => {
      const samples = () =>
        get(`/api/measurements/devices/${charger.device_id}/samples?from=2026-11-20T00:00:00Z&limit=10`)
      for (const { evse, ...event } of sessionEvents('Z-1') as { evse?: object }[]) {
        await station.ask('TransactionEvent', event)
        if (!('eventType' in event) || event.eventType !== 'Ended') expect(await samples()).toEqual([])
      }
      expect(await samples()).toHaveLength(3)
      expect((await sessionsOf(charger))[0]).toMatchObject({ connector_id: 0, energy_kwh: '3.250' })
    }))

  it('an EVSE that is not named although more was to come: the readings wait for a day, and no longer', () =>
    withStation(async ({ charger, station }) => {
      const [, , , periodic] = sessionEvents('Z-2')
      await station.ask('TransactionEvent', { ...periodic })
      const samples = () =>
        get(`/api/measurements/devices/${charger.device_id}/samples?from=2026-11-20T00:00:00Z&limit=10`)
      const job = schedule(api.deps).find(({ name }) => name === 'store-left-readings')
      if (!job) throw new Error('there is no such job')
      const runAfter = (ms: number) => perform(api, { job, slot: api.clock.now() + ms })
      await runAfter(23 * 3_600_000)
      expect(await samples()).toEqual([])
      await runAfter(25 * 3_600_000)
      expect(await samples()).toMatchObject([{ timestamp: at(10), values: { import_active_energy: 11.5 } }])
    }))

  it('numbers beyond what is one are refused, and leave no trace', () =>
    withStation(async ({ charger, station }) => {
      const [event] = sessionEvents('Q-1')
      for (const wrong of [
        { seqNo: -1 },
        { seqNo: 2 ** 31 },
        { evse: { id: 300 } },
        { reservationId: -5 },
        { transactionInfo: { transactionId: 'x'.repeat(37) } },
        { timestamp: '2026-02-30T00:00:00Z' },
      ]) {
        const { error } = await station.say('TransactionEvent', { ...event, ...wrong })
        expect(error?.code).toBe('PropertyConstraintViolation')
      }
      expect(await sessionsOf(charger)).toEqual([])
    }))

  it('a reading that cannot be one does not stand in the way of its event', () =>
    withStation(async ({ charger, station }) => {
      const [event] = sessionEvents('R-1')
      const sampledValue = [
        { value: -5 },
        { value: 1e300, measurand: 'Voltage' },
        { value: 3, measurand: 'Energy.Active.Import.Register', unitOfMeasure: { unit: 'furlong' } },
      ]
      await station.ask('TransactionEvent', { ...event, meterValue: [{ timestamp: at(0), sampledValue }] })
      expect((await sessionsOf(charger))[0]).toMatchObject({ state: 'active', meter_start_wh: null })
    }))

  it('two sockets of a station that tell the same at the same time make one session', async () => {
    const charger = await createCharger(api, tenant)
    const transactionId = randomUUID()
    const told = sessionEvents(transactionId)
    const stations = [await openStation(api, charger), await openStation(api, charger)]
    // The newest socket wins, so the answers of the older one may be lost with it.
    await Promise.allSettled(
      stations.flatMap((station) => told.map((event) => station.ask('TransactionEvent', event))),
    )
    for (const event of told) await stations[1]?.ask('TransactionEvent', event)
    expect(await sessionsOf(charger)).toMatchObject([{ state: 'ended', energy_kwh: '3.250' }])
    for (const station of stations) await station.end()
  })
})
