import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { callsOf, smartCalls } from '../../support/charging/smart-charging.ts'
import { type StationOptions, startOcppApi, type TestStation } from '../../support/field/ocpp.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

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

/** A station that answers profiles with this status. */
async function obedient(status = 'Accepted', options: StationOptions = {}) {
  const { charger, station } = await smart.connected(options)
  station.onCall('SetChargingProfile', () => ({ status }))
  station.onCall('ClearChargingProfile', () => ({ status: 'Accepted' }))
  const path = `/chargers/${charger.id}/charging-profiles`
  const settled = (id: string, state: string) =>
    smart.until(`/charging-profiles/${id}`, (profile) => profile.state === state)
  return { charger, station, path, settled }
}

const SCHEDULE = { unit: 'A', periods: [{ start_second: 0, limit: 16 }] }
const start = async (station: TestStation, fields: object = {}) => {
  const { tag } = await smart.tag()
  const startFields = { connectorId: 1, idTag: tag, meterStart: 0, timestamp: NOW, ...fields }
  return station.call('StartTransaction', startFields)
}

describe('charging profile', () => {
  it('limits sessions by default (TC_056)', async () => {
    const { charger, station, path, settled } = await obedient()
    const created = await smart.post(path, {
      connector_id: 1,
      purpose: 'tx_default',
      stack_level: 2,
      kind: 'recurring',
      recurrency: 'daily',
      valid_from: '2026-11-20T00:00:00+03:00',
      valid_to: '2026-12-01T00:00:00+03:00',
      schedule: {
        unit: 'A',
        start_at: '2026-11-20T00:00:00+03:00',
        duration_seconds: 86_400,
        min_rate: 6,
        periods: [
          { start_second: 0, limit: 16.19, phases: 1 },
          { start_second: 28_800, limit: 6 },
        ],
      },
    })
    expect(created).toMatchObject({ state: 'pending', purpose: 'tx_default', session_id: null })
    await settled(created.id, 'active')
    expect(callsOf(station, 'SetChargingProfile')).toEqual([
      {
        connectorId: 1,
        csChargingProfiles: {
          chargingProfileId: created.profile_number,
          stackLevel: 2,
          chargingProfilePurpose: 'TxDefaultProfile',
          chargingProfileKind: 'Recurring',
          recurrencyKind: 'Daily',
          validFrom: '2026-11-19T21:00:00Z',
          validTo: '2026-11-30T21:00:00Z',
          chargingSchedule: {
            duration: 86_400,
            startSchedule: '2026-11-19T21:00:00Z',
            chargingRateUnit: 'A',
            minChargingRate: 6,
            chargingSchedulePeriod: [
              { startPeriod: 0, limit: 16.1, numberPhases: 1 },
              { startPeriod: 28_800, limit: 6 },
            ],
          },
        },
      },
    ])
    const { items } = await smart.get(`/chargers/${charger.id}/charging-profiles?state=active`)
    expect(items.map(({ id }: { id: string }) => id)).toEqual([created.id])
    await station.end()
  })

  it('limits one session and ends with it (TC_057)', async () => {
    const { charger, station, path, settled } = await obedient()
    const { transactionId } = await start(station)
    const { items } = await smart.get(`/sessions?charger_id=${charger.id}`)
    const created = await smart.post(path, { purpose: 'tx', session_id: items[0].id, schedule: SCHEDULE })
    await settled(created.id, 'active')
    expect(callsOf(station, 'SetChargingProfile')[0]).toMatchObject({
      connectorId: 1,
      csChargingProfiles: {
        transactionId,
        chargingProfilePurpose: 'TxProfile',
        chargingProfileKind: 'Absolute',
        chargingSchedule: { startSchedule: '2026-11-20T09:30:00Z' },
      },
    })
    await station.call('StopTransaction', { transactionId, meterStop: 10, timestamp: NOW })
    await settled(created.id, 'over')
    const late = await smart.call('POST', path, {
      purpose: 'tx',
      session_id: items[0].id,
      schedule: SCHEDULE,
    })
    expect([late.status, late.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    await station.end()
  })

  it('is sent with a remote start (TC_059)', async () => {
    const { charger, station } = await obedient()
    station.onCall('RemoteStartTransaction', () => ({ status: 'Accepted' }))
    const { tag } = await smart.tag()
    const command = await smart.post(
      `/chargers/${charger.id}/commands?wait=30`,
      {
        action: 'remote_start',
        id_tag: tag,
        connector_id: 1,
        charging_profile: { kind: 'relative', schedule: { ...SCHEDULE, unit: 'W' } },
      },
      202,
    )
    expect(command.state).toBe('accepted')
    expect(callsOf(station, 'RemoteStartTransaction')).toEqual([
      {
        idTag: tag,
        connectorId: 1,
        chargingProfile: {
          chargingProfileId: command.request.charging_profile.profile_number,
          stackLevel: 0,
          chargingProfilePurpose: 'TxProfile',
          chargingProfileKind: 'Relative',
          chargingSchedule: {
            chargingRateUnit: 'W',
            chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }],
          },
        },
      },
    ])
    await station.end()
  })

  it('is combined with others into a composite schedule (TC_066)', async () => {
    const { charger, station } = await obedient()
    const composite = {
      status: 'Accepted',
      connectorId: 1,
      scheduleStart: '2026-11-20T09:30:00Z',
      chargingSchedule: {
        duration: 300,
        chargingRateUnit: 'W',
        chargingSchedulePeriod: [{ startPeriod: 0, limit: 3_600 }],
      },
    }
    station.onCall('GetCompositeSchedule', () => composite)
    const ask = { connector_id: 1, duration_seconds: 300, unit: 'W' }
    const command = await smart.post(`/chargers/${charger.id}/composite-schedule?wait=30`, ask, 202)
    expect(command).toMatchObject({ state: 'accepted', answer: composite })
    expect(callsOf(station, 'GetCompositeSchedule')).toEqual([
      { connectorId: 1, duration: 300, chargingRateUnit: 'W' },
    ])
    await station.end()
  })

  it('is cleared singly or by filter (TC_067)', async () => {
    const { charger, station, path, settled } = await obedient()
    const make = async (stack_level: number) =>
      (await smart.post(path, { purpose: 'tx_default', stack_level, schedule: SCHEDULE })).id
    const [first, second, third] = [await make(0), await make(1), await make(2)]
    await settled(third, 'active')
    expect((await smart.call('DELETE', `/charging-profiles/${first}`)).status).toBe(204)
    const { profile_number } = await settled(first, 'cleared')
    expect((await smart.call('DELETE', `/charging-profiles/${first}`)).status).toBe(409)
    const clear = { purpose: 'tx_default', stack_level: 1 }
    await smart.post(`/chargers/${charger.id}/charging-profiles/clear?wait=30`, clear, 202)
    await settled(second, 'cleared')
    expect((await smart.get(`/charging-profiles/${third}`)).state).toBe('active')
    expect(callsOf(station, 'ClearChargingProfile')).toEqual([
      { id: profile_number },
      { chargingProfilePurpose: 'TxDefaultProfile', stackLevel: 1 },
    ])
    // Unknown to the station: it is not active any more either.
    station.onCall('ClearChargingProfile', () => ({ status: 'Unknown' }))
    await smart.call('DELETE', `/charging-profiles/${third}`)
    await settled(third, 'cleared')
    await station.end()
  })

  it('replaces an older one of the same purpose, level and connector', async () => {
    const { station, path, settled } = await obedient()
    const body = { purpose: 'charge_point_max', schedule: SCHEDULE }
    const first = await smart.post(path, body)
    const other = await smart.post(path, { purpose: 'tx_default', schedule: SCHEDULE })
    await settled(other.id, 'active')
    const second = await smart.post(path, body)
    await settled(second.id, 'active')
    expect((await smart.get(`/charging-profiles/${first.id}`)).state).toBe('replaced')
    expect((await smart.get(`/charging-profiles/${other.id}`)).state).toBe('active')
    await station.end()
  })

  it('is sent once for one Idempotency-Key', async () => {
    const { charger, station, path, settled } = await obedient()
    const request = {
      token: tenant.operator.token,
      body: { purpose: 'tx_default', schedule: SCHEDULE },
      headers: { 'idempotency-key': `profile of ${charger.cpid}`.replaceAll(' ', '-') },
    }
    const first = await api.call('POST', `/api/ocpp${path}`, request)
    const again = await api.call('POST', `/api/ocpp${path}`, request)
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    await settled(first.body.id, 'active')
    expect(callsOf(station, 'SetChargingProfile')).toHaveLength(1)
    await station.end()
  })

  it('is marked as rejected when the station rejects it', async () => {
    const { station, path, settled } = await obedient('NotSupported')
    const { id } = await smart.post(path, { purpose: 'tx_default', schedule: SCHEDULE })
    expect((await settled(id, 'rejected')).reason).toBe('notsupported')
    await station.end()
  })

  it('is rejected when its fields contradict each other', async () => {
    const { station, path } = await obedient()
    const good = { purpose: 'tx_default', schedule: SCHEDULE }
    const code = async (change: object) => {
      const { status, body } = await smart.call('POST', path, { ...good, ...change })
      return [status, body.error_code ?? body.detail?.[0]?.loc]
    }
    const broken = [422, 'BUSINESS_RULE_VIOLATION']
    expect(await code({ purpose: 'charge_point_max', connector_id: 1 })).toEqual(broken)
    expect(await code({ purpose: 'tx' })).toEqual(broken)
    expect(await code({ purpose: 'tx', session_id: tenant.admin.id })).toEqual([422, 'INVALID_REFERENCE'])
    expect(await code({ kind: 'recurring' })).toEqual(broken)
    expect(await code({ recurrency: 'daily' })).toEqual(broken)
    expect(await code({ valid_to: '2026-11-19T00:00:00Z' })).toEqual(broken)
    expect(await code({ kind: 'relative', schedule: { ...SCHEDULE, start_at: NOW } })).toEqual(broken)
    const periods = (...starts: number[]) => ({
      schedule: { unit: 'W', periods: starts.map((start_second) => ({ start_second, limit: 1 })) },
    })
    expect(await code(periods(1))).toEqual(broken)
    expect(await code(periods(0, 60, 60))).toEqual(broken)
    expect(await code({ schedule: { unit: 'kW', periods: [] } })).toEqual([422, ['body', 'schedule', 'unit']])
    expect(callsOf(station, 'SetChargingProfile')).toEqual([])
    await station.end()
  })
})

describe('charging profile in OCPP 2.0.1', () => {
  it('is sent with the fields of 2.0.1', async () => {
    const { station, path, settled } = await obedient('Accepted', { version: '2.0.1' })
    const created = await smart.post(path, { purpose: 'charge_point_max', schedule: SCHEDULE })
    await settled(created.id, 'active')
    expect(callsOf(station, 'SetChargingProfile')).toEqual([
      {
        evseId: 0,
        chargingProfile: {
          id: created.profile_number,
          stackLevel: 0,
          chargingProfilePurpose: 'ChargingStationMaxProfile',
          chargingProfileKind: 'Absolute',
          chargingSchedule: [
            {
              id: created.profile_number,
              startSchedule: '2026-11-20T09:30:00Z',
              chargingRateUnit: 'A',
              chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }],
            },
          ],
        },
      },
    ])
    await smart.call('POST', `${path}/clear?wait=30`, { connector_id: 0 })
    await settled(created.id, 'cleared')
    expect(callsOf(station, 'ClearChargingProfile')[0]).toEqual({ chargingProfileCriteria: { evseId: 0 } })
    await station.end()
  })
})
