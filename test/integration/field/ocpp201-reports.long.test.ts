import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { createCharger, startOcppApi, type TestCharger } from '../../support/field/ocpp.ts'
import { type BareStation, openStation } from '../../support/field/ocpp201.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const MINUTE = 60_000
const AT = '2026-11-20T09:00:00Z'

let api: TestApi
let tenant: TestTenant
let charger: TestCharger
let station: BareStation

beforeAll(async () => {
  api = await startOcppApi()
})
afterAll(() => api.close())
// The clock advances from test to test, and tokens expire.
beforeEach(async () => {
  tenant = await createTenant(api)
  charger = await createCharger(api, tenant)
  station = await openStation(api, charger)
})
afterEach(() => station.end())

const call = async (method: string, path: string, body?: object) => {
  const response = await api.call(method, `/api/ocpp/chargers/${charger.id}${path}`, {
    token: tenant.admin.token,
    body,
  })
  expect(response.status, response.text).toBeLessThan(300)
  return response.body
}
const reports = async (query = '') => (await call('GET', `/reports${query}`)).items
const order = async (body: object, response: object = { status: 'Accepted' }): Promise<number> => {
  station.onCall = () => response
  const command = await call('POST', '/commands?wait=30', body)
  expect(command.state).toBe('accepted')
  return command.number
}

const part = (requestId: number, seqNo: number, tbc: boolean) => ({ requestId, seqNo, tbc, generatedAt: AT })

/** The request for a report of each kind, and a part of it. */
const KINDS = [
  ['variables', { action: 'get_base_report' }, 'NotifyReport', {}],
  ['variables', { action: 'get_report', criteria: ['problem'] }, 'NotifyReport', {}],
  [
    'customer_information',
    { action: 'customer_information', id_tag: 'A' },
    'NotifyCustomerInformation',
    { data: 'd' },
  ],
] as const

describe.each(KINDS)('a report of %s, requested by %j', (kind, body, message, more) => {
  const send = (requestId: number, seqNo: number, tbc: boolean) =>
    station.call(message, { ...part(requestId, seqNo, tbc), ...more })

  it('is incomplete when nothing arrives for ten minutes, and complete when the rest arrives later', async () => {
    const number = await order(body)
    expect(await reports()).toMatchObject([
      { kind, request_id: number, parts: [], state: 'receiving', reason: null, generated_at: null },
    ])
    api.clock.advance(10 * MINUTE - 1)
    expect(await reports()).toMatchObject([{ state: 'receiving' }])
    api.clock.advance(1)
    expect(await reports(`?request_id=${number}&kind=${kind}`)).toMatchObject([
      { state: 'incomplete', reason: 'nothing_came', is_complete: false },
    ])
    await send(number, 0, false)
    expect(await reports()).toMatchObject([
      {
        parts: [0],
        state: 'complete',
        reason: null,
        is_complete: true,
        generated_at: '2026-11-20T09:00:00.000Z',
      },
    ])
  })

  it('states whether its end or another part is missing', async () => {
    const number = await order(body)
    await send(number, 0, true)
    api.clock.advance(9 * MINUTE)
    await send(number, 1, true)
    api.clock.advance(9 * MINUTE)
    expect(await reports()).toMatchObject([{ parts: [0, 1], state: 'receiving' }])
    // A repeated part changes nothing.
    await send(number, 1, true)
    api.clock.advance(MINUTE)
    expect(await reports()).toMatchObject([{ state: 'incomplete', reason: 'end_missing' }])
    await send(number, 3, false)
    expect(await reports()).toMatchObject([{ state: 'receiving', last_part: 3 }])
    api.clock.advance(10 * MINUTE)
    expect(await reports()).toMatchObject([{ state: 'incomplete', reason: 'parts_missing' }])
    await send(number, 2, true)
    expect(await reports()).toMatchObject([{ state: 'complete', reason: null }])
  })
})

describe('reports', () => {
  it('of charging profiles have no part numbers: the last one completes them', async () => {
    const number = await order({ action: 'get_charging_profiles' })
    const send = (tbc: boolean) =>
      station.call('ReportChargingProfiles', {
        ...{ requestId: number, chargingLimitSource: 'CSO', evseId: 1, tbc },
        chargingProfile: [
          {
            ...{ id: 4, stackLevel: 0, chargingProfilePurpose: 'TxDefaultProfile' },
            chargingProfileKind: 'Absolute',
            chargingSchedule: [
              { id: 3, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
            ],
          },
        ],
      })
    await send(true)
    api.clock.advance(10 * MINUTE)
    expect(await reports()).toMatchObject([
      { kind: 'charging_profiles', state: 'incomplete', reason: 'nothing_came' },
    ])
    await send(false)
    expect(await reports()).toMatchObject([{ state: 'complete', generated_at: null }])
  })

  it('of monitors are stored with their parts, also without a request', async () => {
    await station.call('NotifyMonitoringReport', part(7, 0, true))
    await station.call('NotifyReport', part(7, 0, false))
    api.clock.advance(10 * MINUTE)
    expect(await reports('?kind=monitoring')).toMatchObject([
      { request_id: 7, state: 'incomplete', reason: 'end_missing' },
    ])
    expect(await reports('?kind=variables')).toMatchObject([{ request_id: 7, state: 'complete' }])
  })

  it('that are empty, rejected or not requested are not waited for', async () => {
    await order({ action: 'get_report', criteria: ['problem'] }, { status: 'EmptyResultSet' })
    await order({ action: 'get_charging_profiles' }, { status: 'NoProfiles' })
    await order({ action: 'customer_information', id_tag: 'A', report: false, clear: true })
    station.onCall = () => ({ status: 'NotSupported' })
    expect(await call('POST', '/commands?wait=30', { action: 'get_base_report' })).toMatchObject({
      state: 'rejected',
    })
    expect(await reports()).toEqual([])
  })
})
