import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { openCharging } from '../../support/charging/charging.ts'
import { createCharger, startOcppApi } from '../../support/field/ocpp.ts'
import { openStation } from '../../support/field/ocpp201.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = '2026-11-20T09:30:00Z'
const FUTURE = '2099-01-01T00:00:00Z'
const NEVER_SET = '1970-01-01T00:00:10Z'
let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startOcppApi({ now: NOW })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

describe('a station whose clock was wrong before', () => {
  it('updates the connector status again as soon as the clock is right', async () => {
    const { charger, station } = await openCharging(api, tenant)
    const sendStatus = (status: string, timestamp: string) =>
      station.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status, timestamp })
    const shown = async () => {
      const { body } = await api.call('GET', `/api/ocpp/chargers/${charger.id}`, {
        token: tenant.viewer.token,
      })
      return body.status
    }
    for (const wrong of [FUTURE, '1970-01-02T00:00:00Z', NEVER_SET]) await sendStatus('Faulted', wrong)
    expect(await shown()).toBe('Faulted')
    await sendStatus('Available', NOW)
    expect(await shown()).toBe('Available')
    // An old timestamp does not describe the current state.
    for (const old of ['2026-11-20T09:00:00Z', NEVER_SET]) await sendStatus('Faulted', old)
    expect(await shown()).toBe('Available')
    await station.end()
  })

  it.each([FUTURE, NEVER_SET])('starts a new session after a session of %s', async (wrong) => {
    const { station, start, stop, session } = await openCharging(api, tenant)
    const wrongSession = await start({ at: wrong, meterStart: 10 })
    expect(await session(wrongSession.transactionId)).toMatchObject({
      state: 'active',
      flags: ['clock_wrong'],
    })
    await stop({ transactionId: wrongSession.transactionId, at: wrong, meterStop: 20 })
    const next = await start({ at: NOW, meterStart: 20 })
    expect(await session(next.transactionId)).toMatchObject({ state: 'active', flags: [] })
    await station.end()
  })

  it.each([FUTURE, NEVER_SET])(
    'that lost the end of a session of %s does not block its tag',
    async (wrong) => {
      const { station, start, session } = await openCharging(api, tenant)
      await start({ at: '2026-11-20T09:00:00Z' })
      const wrongSession = await start({ at: wrong, meterStart: 10 })
      expect(wrongSession.idTagInfo.status).toBe('Accepted')
      const next = await start({ at: NOW, meterStart: 20 })
      expect(next.idTagInfo.status).toBe('Accepted')
      expect(await session(wrongSession.transactionId)).toMatchObject({
        state: 'ended',
        flags: ['clock_wrong', 'end_not_told'],
      })
      await station.end()
    },
  )

  it.each([FUTURE, NEVER_SET])('starts a new session after a session of %s, in OCPP 2.0.1', async (wrong) => {
    const charger = await createCharger(api, tenant)
    const station = await openStation(api, charger)
    const begin = (transactionId: string, timestamp: string) =>
      station.call('TransactionEvent', {
        ...{ eventType: 'Started', timestamp, triggerReason: 'CablePluggedIn', seqNo: 0 },
        transactionInfo: { transactionId },
        evse: { id: 1, connectorId: 1 },
      })
    const states = async () => {
      const path = `/api/ocpp/sessions?charger_id=${charger.id}`
      const { body } = await api.call('GET', path, { token: tenant.viewer.token })
      return Object.fromEntries(
        body.items.map((one: Record<string, string>) => [one['ocpp_transaction_id'], one['state']]),
      )
    }
    await begin('before', '2026-11-20T09:00:00Z')
    await begin('odd', wrong)
    expect(await states()).toEqual({ before: 'ended', odd: 'active' })
    await begin('after', NOW)
    expect(await states()).toEqual({ before: 'ended', odd: 'ended', after: 'active' })
    await station.end()
  })
})
