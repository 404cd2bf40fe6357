import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { makeTag, openCharging } from '../../support/charging/charging.ts'
import { connectStation, createCharger, startOcppApi } from '../../support/field/ocpp.ts'
import { openStation } from '../../support/field/ocpp201.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startOcppApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const as = (method: string, path: string, body?: object) =>
  api.call(method, `/api/ocpp${path}`, { token: tenant.admin.token, body })

describe('one tag at many chargers concurrently', () => {
  it('charges at only one of them, with any mix of versions', async () => {
    const { tag } = await makeTag(api, tenant)
    const chargers = await Promise.all(Array.from({ length: 8 }, () => createCharger(api, tenant)))
    const timestamp = new Date(api.clock.now()).toISOString()
    const stations = await Promise.all(
      chargers.map(async (charger, index) => {
        if (index % 2 === 0) {
          const station = await connectStation(api, charger)
          const start = { connectorId: 1, idTag: tag, meterStart: 0, timestamp }
          return {
            end: () => station.end(),
            begin: async () => (await station.call('StartTransaction', start)).idTagInfo.status,
          }
        }
        const station = await openStation(api, charger)
        const start = {
          ...{ eventType: 'Started', timestamp, triggerReason: 'Authorized', seqNo: 0 },
          transactionInfo: { transactionId: charger.cpid.slice(0, 36) },
          evse: { id: 1, connectorId: 1 },
          idToken: { idToken: tag, type: 'ISO14443' },
        }
        return {
          end: () => station.end(),
          begin: async () => (await station.call('TransactionEvent', start)).idTokenInfo.status,
        }
      }),
    )
    const responses = await Promise.all(stations.map(({ begin }) => begin()))
    expect(responses.toSorted()).toEqual(['Accepted', ...Array.from({ length: 7 }, () => 'ConcurrentTx')])
    for (const { end } of stations) await end()
  })
})

describe('a tag that was rejected at one charger', () => {
  it('charges at another once it is allowed, although the rejected session never ended', async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => openCharging(api, tenant)))
    if (!one || !two || !three) throw new Error('three were opened')
    const { tag } = one
    const first = await one.start({ tag })
    expect((await two.start({ tag })).idTagInfo.status).toBe('ConcurrentTx')
    const at = new Date(api.clock.now()).toISOString()
    await one.stop({ transactionId: first.transactionId, at, meterStop: 5 })
    expect((await three.start({ tag })).idTagInfo.status).toBe('Accepted')
    for (const { station } of [one, two, three]) await station.end()
  })
})

describe('a charger that is deleted', () => {
  it('starts no session although its socket is still open for a moment', async () => {
    const { charger, station, start } = await openCharging(api, tenant)
    expect((await as('DELETE', `/chargers/${charger.id}`)).status).toBe(204)
    await expect(start()).rejects.toThrow()
    expect((await as('GET', `/sessions?charger_id=${charger.id}`)).body.items).toEqual([])
    expect(await station.closed()).toMatchObject({ code: 1008 })
    await expect(connectStation(api, charger)).rejects.toMatchObject({ code: 401 })
  })

  it('loses its reservations', async () => {
    const { charger, station, tag } = await openCharging(api, tenant)
    station.onCall('ReserveNow', () => ({ status: 'Accepted' }))
    const reserve = () =>
      as('POST', '/reservations', {
        ...{ charger_id: charger.id, connector_id: 1, id_tag: tag },
        expires_at: new Date(api.clock.now() + 3_600_000).toISOString(),
      })
    const { body: stored } = await reserve()
    const read = async (id: string) => (await as('GET', `/reservations/${id}`)).body
    await waitFor(async () => (await read(stored.id)).state === 'active')
    expect((await as('DELETE', `/chargers/${charger.id}`)).status).toBe(204)
    expect(await read(stored.id)).toMatchObject({ state: 'cancelled', reason: 'charger_removed' })
    expect((await read(stored.id)).ended_at).not.toBeNull()
    await station.end()
  })
})
