import { randomUUID } from 'node:crypto'
import type { ApiResponse, TestApi } from '../api.ts'
import { connectStation, createCharger, type TestCharger, type TestStation } from '../field/ocpp.ts'
import type { Json } from '../json.ts'
import type { TestTenant } from '../tenants.ts'

/** The messages of a session of a station, in OCPP 1.6. */
export interface Start {
  readonly tag?: string
  readonly connectorId?: number
  readonly at?: string
  readonly meterStart?: number
  readonly reservationId?: number
}
export interface Stop {
  readonly transactionId: number
  readonly at: string
  readonly meterStop: number
  readonly tag?: string
  readonly reason?: string
  readonly transactionData?: readonly object[]
}

/** A charger of OCPP 1.6 with its open socket, and its sessions as the API shows them. */
export interface ChargingFixture {
  readonly charger: TestCharger
  readonly station: TestStation
  start(start?: Start): Promise<Json>
  stop(stop: Stop): Promise<Json>
  /** Meter values of one instant; without `transactionId` the message has none. */
  meter(
    at: string,
    sampledValue: readonly object[],
    more?: { connectorId?: number; transactionId?: number },
  ): Promise<Json>
  /** The session of an OCPP 1.6 transaction, with its detail. */
  session(transactionId: number, query?: string): Promise<Json>
  /** All sessions of the charger, oldest first. */
  sessions(query?: string): Promise<Json[]>
  events(type: string): Promise<Json[]>
}

export const newTag = (): string => randomUUID().slice(0, 18)

export async function makeTag(
  api: TestApi,
  tenant: TestTenant,
  body: Readonly<Record<string, unknown>> = {},
): Promise<{ id: string; tag: string }> {
  const response = await api.call('POST', '/api/ocpp/id-tags', {
    token: tenant.admin.token,
    body: { tag: newTag(), ...body },
  })
  if (response.status !== 201) throw new Error(response.text)
  return response.body
}

const bodyOf = ({ status, text, body }: ApiResponse): Json => {
  if (status !== 200) throw new Error(text)
  return body
}

/** A separate, connected charger with a tag that may charge. */
export async function openCharging(
  api: TestApi,
  tenant: TestTenant,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<ChargingFixture & { readonly tag: string }> {
  const charger = await createCharger(api, tenant, fields)
  const { tag } = await makeTag(api, tenant)
  return { ...(await connectCharging(api, tenant, charger, tag)), tag }
}

async function connectCharging(
  api: TestApi,
  tenant: TestTenant,
  charger: TestCharger,
  ownTag: string,
): Promise<ChargingFixture> {
  const station = await connectStation(api, charger)
  const get = async (path: string) => bodyOf(await api.call('GET', path, { token: tenant.viewer.token }))
  const sessions = async (query = '') =>
    (await get(`/api/ocpp/sessions?charger_id=${charger.id}&sort_order=asc${query}`)).items
  return {
    charger,
    station,
    start: ({ tag = ownTag, connectorId = 1, at = new Date(api.clock.now()).toISOString(), ...more } = {}) =>
      station.call('StartTransaction', {
        connectorId,
        idTag: tag,
        timestamp: at,
        meterStart: more.meterStart ?? 0,
        ...(more.reservationId !== undefined && { reservationId: more.reservationId }),
      }),
    stop: ({ at, tag, ...rest }) =>
      station.call('StopTransaction', { ...rest, timestamp: at, ...(tag !== undefined && { idTag: tag }) }),
    meter: (timestamp, sampledValue, { connectorId = 1, ...more } = {}) =>
      station.call('MeterValues', { connectorId, ...more, meterValue: [{ timestamp, sampledValue }] }),
    sessions,
    async session(transactionId, query = '') {
      const found = (await sessions()).find(
        ({ transaction_number }: Json) => transaction_number === transactionId,
      )
      return get(`/api/ocpp/sessions/${found?.id}${query}`)
    },
    events: async (type) => (await get(`/api/ocpp/chargers/${charger.id}/events?event_type=${type}`)).items,
  }
}
