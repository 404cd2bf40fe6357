import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestCharger } from '../../support/field/ocpp.ts'
import { at, openSessions, type SessionFixture, sessionEvents } from '../../support/field/ocpp201-sessions.ts'

let setup: SessionFixture
beforeAll(async () => {
  setup = await openSessions()
})
afterAll(() => setup.api.close())

/** Everything stored about a charger, without fields that differ between chargers. */
async function picture(charger: TestCharger) {
  const { pool } = setup.api.deps.database
  const query = async (text: string) => (await pool.query(text, [charger.id])).rows
  const sessions = await query(
    `select s.*, n.name as device_name from charging_session s join device n on n.tenant_id = s.tenant_id and n.id = s.device_id
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

describe('session by TransactionEvents', () => {
  it('is built from its events, from the cable to the end', () =>
    setup.withStation(async ({ charger, station }) => {
      const [started, authorized, charging, periodic, ended] = sessionEvents('T-1')
      const session = async () => (await setup.sessionsOf(charger))[0]
      expect(await station.call('TransactionEvent', { ...started })).toEqual({})
      expect(await session()).toMatchObject({
        state: 'active',
        id_tag: null,
        connector_id: 1,
        device_id: charger.device_id,
        ocpp_transaction_id: 'T-1',
        charging_state: 'EVConnected',
        meter_start_wh: 10_000,
      })
      expect(await station.call('TransactionEvent', { ...authorized })).toEqual({
        idTokenInfo: { status: 'Accepted', groupIdToken: { idToken: 'FLEET', type: 'Central' } },
      })
      await station.call('TransactionEvent', { ...charging })
      await station.call('TransactionEvent', { ...periodic, offline: false })
      expect(await session()).toMatchObject({
        state: 'active',
        id_tag: 'CARD',
        parent_tag: 'FLEET',
        authorization_status: 'accepted',
        charging_state: 'Charging',
        energy_kwh: '1.500',
        flags: [],
      })
      expect(await station.call('TransactionEvent', { ...ended })).toMatchObject({
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
      const { points } = await setup.get(`/api/ocpp/sessions/${over.id}/curve`)
      expect(points.map((point: { energy_kwh: string }) => point.energy_kwh)).toEqual([
        '0.000',
        '1.500',
        '3.250',
      ])
    }))

  it('lists its missing events until they arrive', () =>
    setup.withStation(async ({ charger, station }) => {
      const [started, authorized, charging, periodic, ended] = sessionEvents('T-2')
      const missing = async () => (await setup.sessionsOf(charger))[0].missing_seq_nos
      await station.call('TransactionEvent', { ...ended })
      expect(await missing()).toEqual([0, 1, 2, 3])
      expect((await setup.sessionsOf(charger))[0]).toMatchObject({
        state: 'ended',
        connector_id: 0,
        flags: ['ended_without_start'],
      })
      await station.call('TransactionEvent', { ...charging })
      expect(await missing()).toEqual([0, 1, 3])
      await station.call('TransactionEvent', { ...started })
      await station.call('TransactionEvent', { ...authorized })
      await station.call('TransactionEvent', { ...periodic })
      expect((await setup.sessionsOf(charger))[0]).toMatchObject({
        missing_seq_nos: [],
        connector_id: 1,
        flags: ['offline'],
        energy_kwh: '3.250',
      })
    }))

  it('is the same for any order and repetition of its events', async () => {
    const events = [
      ...sessionEvents('T-A', { evse: { id: 2, connectorId: 1 } }),
      ...sessionEvents('T-B', { evse: { id: 1, connectorId: 1 }, tag: 'OTHER' }),
    ]
    const sendEvents = (order: readonly object[]) =>
      setup.withStation(async ({ charger, station }) => {
        for (const event of order) await station.call('TransactionEvent', event)
        return picture(charger)
      })
    const expected = await sendEvents(events)
    expect(expected.sessions).toHaveLength(2)
    expect(expected.samples).toHaveLength(6)
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 }),
        async (order) => {
          expect(await sendEvents(order)).toEqual(expected)
        },
      ),
      { numRuns: 8 },
    )
  })

  it('arrives hours late and is stored at its own time', () =>
    setup.withStation(async ({ charger, station }) => {
      const late = sessionEvents('T-3').map((event) => ({ ...event, offline: true }))
      for (const event of late) await station.call('TransactionEvent', event)
      expect((await setup.sessionsOf(charger))[0]).toMatchObject({
        started_at: at(0),
        ended_at: at(20),
        flags: ['offline'],
      })
      const samples = await setup.get(
        `/api/measurements/devices/${charger.device_id}/samples?from=2026-11-20T00:00:00Z&limit=10`,
      )
      expect(samples.map(({ timestamp }: { timestamp: string }) => timestamp)).toEqual([
        at(0),
        at(10),
        at(20),
      ])
    }))

  it('is unchanged when all events are repeated', () =>
    setup.withStation(async ({ charger, station }) => {
      const sendEvents = async () => {
        for (const event of sessionEvents('T-4')) await station.call('TransactionEvent', event)
      }
      await sendEvents()
      const before = await picture(charger)
      setup.api.clock.advance(3_600_000)
      await sendEvents()
      expect(await picture(charger)).toEqual(before)
      setup.api.clock.advance(-3_600_000)
    }))
})
