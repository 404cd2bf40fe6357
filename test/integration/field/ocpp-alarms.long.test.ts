import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTokens } from '../../../src/platform/auth/jwt.ts'
import type { TestApi } from '../../support/api.ts'
import {
  connectStation,
  createCharger,
  startOcppApi,
  type TestCharger,
  type TestStation,
} from '../../support/field/ocpp.ts'
import { type BareStation, openStation } from '../../support/field/ocpp201.ts'
import { startSecondProcess } from '../../support/process/second-process.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startOcppApi({ now: '2026-11-20T10:00:00Z' })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const call = async (method: string, path: string) => {
  // The current time: the test advances the clock beyond the lifetime of a token.
  const tokens = makeTokens({ secretKey: api.deps.config.secretKey, clock: api.clock })
  const token = tokens.issue('access', { id: tenant.admin.id, tenantUid: tenant.uid })
  const response = await api.call(method, path, { token })
  expect(response.status, response.text).toBeLessThan(300)
  return response.body
}

interface Incident {
  readonly id: string
  readonly status: string
  readonly severity: string
  readonly message: string
  readonly payload: Readonly<Record<string, unknown>>
}
async function incidents({ id }: TestCharger): Promise<Incident[]> {
  const { items } = await call('GET', '/api/alarms/incidents?limit=200')
  return items.filter(({ payload }: Incident) => payload['charger_id'] === id)
}
const statuses = async (charger: TestCharger) =>
  (await incidents(charger)).map(({ status }) => status).toSorted()
const events = async ({ id }: TestCharger, type: string) =>
  (await call('GET', `/api/ocpp/chargers/${id}/events?event_type=${type}`)).items

describe('critical security event', () => {
  const sendEvent = (station: BareStation, type: string, minute: number, techInfo?: string) =>
    station.call('SecurityEventNotification', {
      type,
      timestamp: new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString(),
      ...(techInfo !== undefined && { techInfo }),
    })

  it('opens one alarm for each charger and type until it is closed', async () => {
    const charger = await createCharger(api, tenant, { name: 'Car park 7' })
    const station = await openStation(api, charger, '1.6')
    await sendEvent(station, 'TamperDetectionActivated', 1, 'the lid')
    await sendEvent(station, 'TamperDetectionActivated', 2, 'the lid again')
    await sendEvent(station, 'StartupOfTheDevice', 3)
    // The station repeats the message, as after a lost response.
    await sendEvent(station, 'TamperDetectionActivated', 2, 'the lid again')
    const opened = await incidents(charger)
    expect(opened).toHaveLength(2)
    const incidentOfType = (type: string) => opened.find(({ payload }) => payload['type'] === type)
    const [tamper, startup] = [
      incidentOfType('TamperDetectionActivated'),
      incidentOfType('StartupOfTheDevice'),
    ]
    expect(tamper).toMatchObject({
      severity: 'critical',
      status: 'active',
      device_id: null,
      policy_name: 'ocpp_security_event',
      message: 'Car park 7 reports TamperDetectionActivated: the lid again',
      payload: {
        ...{ charger_id: charger.id, device_id: charger.device_id, cpid: charger.cpid, name: 'Car park 7' },
        ...{ type: 'TamperDetectionActivated', tech_info: 'the lid again' },
        occurred_at: '2026-11-20T09:02:00.000Z',
      },
    })
    expect(startup).toMatchObject({ severity: 'info', payload: { type: 'StartupOfTheDevice' } })
    expect(await events(charger, 'security')).toHaveLength(3)

    await call('POST', `/api/alarms/incidents/${tamper?.id}/ack`)
    await call('POST', `/api/alarms/incidents/${tamper?.id}/close`)
    await sendEvent(station, 'TamperDetectionActivated', 2, 'the lid again')
    expect(await statuses(charger)).toEqual(['active', 'closed'])
    await sendEvent(station, 'TamperDetectionActivated', 4)
    expect(await statuses(charger)).toEqual(['active', 'active', 'closed'])
    // The incident of a deleted charger is closed.
    await call('DELETE', `/api/ocpp/chargers/${charger.id}`)
    expect(await statuses(charger)).toEqual(['closed', 'closed', 'closed'])
    await station.end()
  })

  it('is defined by the protocol version of the station, and other events open no alarm', async () => {
    const open = async (version: '1.6' | '2.0.1') => {
      const charger = await createCharger(api, tenant)
      const station = await openStation(api, charger, version)
      const types = [
        'InvalidMessages',
        'InvalidFirmwareSignature',
        'SecurityLogWasCleared',
        'MaintenanceLoginFailed',
        'toString',
        'VendorOwnThing',
      ]
      for (const type of types) await sendEvent(station, type, 1)
      await station.end()
      expect(await events(charger, 'security')).toHaveLength(types.length)
      return (await incidents(charger)).map(({ payload }) => payload['type']).toSorted()
    }
    expect(await open('1.6')).toEqual(['SecurityLogWasCleared'])
    expect(await open('2.0.1')).toEqual([
      'InvalidFirmwareSignature',
      'MaintenanceLoginFailed',
      'SecurityLogWasCleared',
    ])
  })
})

describe('two stations with the same identity', () => {
  /** Connects repeatedly without closing: the newest connection replaces the older one. */
  async function connectRepeatedly(
    charger: TestCharger,
    urls: readonly string[],
    times: number,
  ): Promise<TestStation> {
    let newest = await connectStation(api, charger)
    for (let turn = 0; turn < times; turn += 1) {
      const before = newest
      newest = await connectStation(api, charger, { url: urls[turn % urls.length] ?? api.url })
      expect(await before.closed()).toMatchObject({ code: 1008 })
    }
    return newest
  }
  /** A socket that is still closing would count as replaced. */
  const disconnect = async (charger: TestCharger, station: TestStation) => {
    await station.end()
    await waitFor(async () => {
      const sql = 'select connection_id from charger where id = $1'
      return (await api.deps.database.pool.query(sql, [charger.id])).rows[0].connection_id === null
    })
  }
  const contested = async (charger: TestCharger, takeovers: number) => {
    await waitFor(async () => {
      const { rows } = await api.deps.database.pool.query('select takeovers from charger where id = $1', [
        charger.id,
      ])
      return rows[0].takeovers === takeovers
    })
    const { contested_at } = await call('GET', `/api/ocpp/chargers/${charger.id}`)
    return { contested_at, incidents: await incidents(charger) }
  }

  it('are reported once, in one process and across two', async () => {
    const other = await startSecondProcess(api)
    try {
      const charger = await createCharger(api, tenant, { name: 'Twin' })
      let station = await connectRepeatedly(charger, [api.url], 4)
      expect(await contested(charger, 4)).toEqual({ contested_at: null, incidents: [] })
      await disconnect(charger, station)
      // A station that disconnects first replaces nothing.
      station = await connectRepeatedly(charger, [other.url], 1)
      const seen = await contested(charger, 5)
      expect(seen.contested_at).toBe('2026-11-20T10:00:00.000Z')
      expect(seen.incidents).toMatchObject([
        {
          severity: 'warning',
          policy_name: 'ocpp_connection_contested',
          message:
            'Twin: its connection was taken over 5 times within 15 minutes; two stations may have its identity',
          payload: { takeovers: 5, addresses: ['127.0.0.1'] },
        },
      ])
      await disconnect(charger, station)
      station = await connectRepeatedly(charger, [api.url], 3)
      expect((await contested(charger, 8)).incidents).toHaveLength(1)
      expect(await events(charger, 'connection_contested')).toHaveLength(1)
      // The newest connection holds the station.
      expect(await station.call('Heartbeat')).toHaveProperty('currentTime')
      await station.end()
    } finally {
      await other.close()
    }
  })

  it('are not reported for a station that reconnects now and then', async () => {
    const charger = await createCharger(api, tenant)
    for (let turn = 0; turn < 3; turn += 1) {
      const station = await connectRepeatedly(charger, [api.url], 3)
      expect((await contested(charger, 3)).contested_at).toBeNull()
      await disconnect(charger, station)
      api.clock.advance(15 * 60_000)
    }
  })
})
