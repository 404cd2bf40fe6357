import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../support/api.ts'
import { connectStation, createCharger, startOcppApi } from '../support/ocpp.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'

let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startOcppApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

describe('a station', () => {
  it('that knows its password is let in and answered', async () => {
    const charger = await createCharger(api, tenant)
    const station = await connectStation(api, charger)
    const answer = await station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
    expect(answer).toMatchObject({ status: 'Accepted', interval: 300 })
    expect(await station.call('Heartbeat')).toMatchObject({ currentTime: expect.any(String) })
    await station.end()
  })
})
