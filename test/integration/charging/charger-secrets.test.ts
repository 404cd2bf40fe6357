import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { connectStation, createCharger, startOcppApi, type TestCharger } from '../../support/field/ocpp.ts'
import { openStation } from '../../support/field/ocpp201.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startOcppApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

/** Everything stored of the messages of a station. */
async function keptOf({ id }: TestCharger): Promise<string> {
  const stored: string[] = []
  for (const table of ['charger_command', 'charger_event', 'charger_variable']) {
    const sql = `select json_agg(t)::text as rows from ${table} t where charger_id = $1`
    const { rows } = await api.deps.database.pool.query(sql, [id])
    stored.push(String(rows[0].rows))
  }
  return stored.join('\n')
}

const order = (charger: TestCharger, body: object) =>
  api.call('POST', `/api/ocpp/chargers/${charger.id}/commands?wait=20`, { token: tenant.admin.token, body })

describe('a password in a report of a station', () => {
  it('is removed from a stored configuration (1.6), and the rest is kept', async () => {
    const charger = await createCharger(api, tenant)
    const station = await connectStation(api, charger)
    station.onCall('GetConfiguration', () => ({
      configurationKey: [
        { key: 'AuthorizationKey', readonly: false, value: charger.password },
        { key: 'HeartbeatInterval', readonly: false, value: '300' },
      ],
    }))
    const { body } = await order(charger, { action: 'get_configuration' })
    expect(body.answer).toEqual({
      configurationKey: [
        { key: 'AuthorizationKey', readonly: false },
        { key: 'HeartbeatInterval', readonly: false, value: '300' },
      ],
    })
    expect(await keptOf(charger)).not.toContain(charger.password)
    await station.end()
  })

  it('is removed from variables (2.0.1) in any message', async () => {
    const charger = await createCharger(api, tenant)
    const station = await openStation(api, charger)
    const { password } = charger
    const address = { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } }
    station.onCall = () => ({
      getVariableResult: [{ ...address, attributeStatus: 'Accepted', attributeValue: password }],
    })
    const command = await order(charger, {
      action: 'get_configuration',
      keys: ['SecurityCtrlr.BasicAuthPassword'],
    })
    expect(command.body).toMatchObject({ state: 'accepted' })
    const at = new Date(api.clock.now()).toISOString()
    const report = { ...address, variableAttribute: [{ value: password }] }
    await station.call('NotifyReport', { requestId: 1, generatedAt: at, seqNo: 0, reportData: [report] })
    // Rejected, and stored as far as possible.
    await station.send('NotifyReport', { requestId: 'x', generatedAt: at, seqNo: 0, reportData: [report] })
    const happened = { trigger: 'Delta', eventNotificationType: 'CustomMonitor', eventId: 1, timestamp: at }
    const eventData = [{ ...happened, ...address, actualValue: password }]
    await station.call('NotifyEvent', { generatedAt: at, seqNo: 0, eventData })
    const stored = await keptOf(charger)
    for (const word of ['message_refused', 'BasicAuthPassword', '"variable"']) expect(stored).toContain(word)
    expect(stored).not.toContain(password)
    await station.end()
  })
})
