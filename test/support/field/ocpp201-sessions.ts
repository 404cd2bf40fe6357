import { expect } from 'vitest'
import type { TestApi } from '../api.ts'
import { createTenant, type TestTenant } from '../tenants.ts'
import { createCharger, startOcppApi, type TestCharger } from './ocpp.ts'
import { type BareStation, openStation } from './ocpp201.ts'

export const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 6, minute)).toISOString()
export const token = (idToken: string) => ({ idToken, type: 'ISO14443' })
export const reading = (minute: number, wh: number, context = 'Sample.Periodic') => ({
  timestamp: at(minute),
  sampledValue: [
    { value: wh, context, unitOfMeasure: { unit: 'Wh' } },
    { value: 11_000, context, measurand: 'Power.Active.Import' },
  ],
})

/** The events of a whole session as a station sends them, with their numbers. */
export const sessionEvents = (
  transactionId: string,
  { evse = { id: 1, connectorId: 1 }, tag = 'CARD' } = {},
) => [
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

interface ConnectedStation {
  readonly charger: TestCharger
  readonly station: BareStation
}

/**
 * A service with the id tags of these sessions: CARD, OTHER and THIRD of one group, a STRANGER, and one that
 * is BLOCKED.
 */
export async function openSessions() {
  const api: TestApi = await startOcppApi()
  const tenant: TestTenant = await createTenant(api)
  const tag = (body: object) =>
    api.call('POST', '/api/ocpp/id-tags', { token: tenant.admin.token, body: { ...body } })
  const fleet = await tag({ tag: 'FLEET' })
  for (const name of ['CARD', 'OTHER', 'THIRD']) await tag({ tag: name, parent_id: fleet.body.id })
  await tag({ tag: 'STRANGER' })
  await tag({ tag: 'BLOCKED', status: 'blocked' })

  const get = async (path: string) => {
    const response = await api.call('GET', path, { token: tenant.admin.token })
    expect(response.status, response.text).toBe(200)
    return response.body
  }
  return {
    api,
    tenant,
    get,
    sessionsOf: async ({ id }: TestCharger) =>
      (await get(`/api/ocpp/sessions?charger_id=${id}&sort_order=asc`)).items,
    /** Runs work with a charger whose station is connected. */
    async withStation<T>(work: (plugged: ConnectedStation) => Promise<T>): Promise<T> {
      const charger = await createCharger(api, tenant)
      const station = await openStation(api, charger)
      try {
        return await work({ charger, station })
      } finally {
        await station.end()
      }
    },
  }
}
export type SessionFixture = Awaited<ReturnType<typeof openSessions>>
