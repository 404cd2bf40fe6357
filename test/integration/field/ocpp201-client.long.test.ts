import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import {
  connectStation,
  createCharger,
  startOcppApi,
  type TestCharger,
  type TestStation,
} from '../../support/field/ocpp.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let charger: TestCharger
let station: TestStation

beforeAll(async () => {
  api = await startOcppApi()
  tenant = await createTenant(api)
  charger = await createCharger(api, tenant)
  station = await connectStation(api, charger, { version: '2.0.1' })
})
afterAll(async () => {
  await station.end()
  await api.close()
})

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString()
const post = (path: string, body: object) => api.call('POST', path, { token: tenant.admin.token, body })
const command = async (body: object) =>
  (await post(`/api/ocpp/chargers/${charger.id}/commands?wait=30`, body)).body

/**
 * The client of `ocpp-rpc` checks every message and every response against the schemas, in both directions.
 */
describe('third-party station client', () => {
  it('charges a car with a remote start and a remote stop', async () => {
    await post('/api/ocpp/id-tags', { tag: 'CARD' })
    const boot = await station.call('BootNotification', {
      reason: 'PowerUp',
      chargingStation: { model: 'M', vendorName: 'V' },
    })
    expect(boot).toMatchObject({ status: 'Accepted', interval: 300 })
    await station.call('StatusNotification', {
      timestamp: at(0),
      connectorStatus: 'Available',
      evseId: 1,
      connectorId: 1,
    })
    expect(await station.call('Authorize', { idToken: { idToken: 'CARD', type: 'ISO14443' } })).toMatchObject(
      { idTokenInfo: { status: 'Accepted' } },
    )

    station.onCall('RequestStartTransaction', () => ({ status: 'Accepted' }))
    const start = await command({ action: 'remote_start', id_tag: 'CARD', connector_id: 1 })
    expect(start.state).toBe('accepted')
    let seqNo = 0
    const sendEvent = (eventType: string, minute: number, more: object = {}) =>
      station.call('TransactionEvent', {
        eventType,
        timestamp: at(minute),
        seqNo: seqNo++,
        triggerReason: 'RemoteStart',
        transactionInfo: { transactionId: 'T-1', remoteStartId: start.number },
        evse: { id: 1, connectorId: 1 },
        meterValue: [{ timestamp: at(minute), sampledValue: [{ value: 1_000 * minute }] }],
        ...more,
      })
    const started = await sendEvent('Started', 1, { idToken: { idToken: 'CARD', type: 'ISO14443' } })
    expect(started).toEqual({ idTokenInfo: { status: 'Accepted' } })
    expect(await sendEvent('Updated', 5)).toEqual({})
    await station.call('MeterValues', {
      evseId: 1,
      meterValue: [{ timestamp: at(6), sampledValue: [{ value: 6_000 }] }],
    })
    const list = `/api/ocpp/sessions?charger_id=${charger.id}`
    const session = async () => (await api.call('GET', list, { token: tenant.admin.token })).body.items[0]
    expect(await session()).toMatchObject({ state: 'active', command_id: start.id, energy_kwh: '5.000' })

    station.onCall('RequestStopTransaction', ({ transactionId }) => ({
      status: transactionId === 'T-1' ? 'Accepted' : 'Rejected',
    }))
    const stop = await command({ action: 'remote_stop', session_id: (await session()).id })
    expect(stop.state).toBe('accepted')
    await sendEvent('Ended', 10, {
      triggerReason: 'RemoteStop',
      transactionInfo: { transactionId: 'T-1', stoppedReason: 'Remote' },
    })
    expect(await session()).toMatchObject({
      state: 'ended',
      energy_kwh: '9.000',
      stop_reason: 'Remote',
      flags: [],
    })
  })

  it.each([
    ['Reset', { action: 'reset', type: 'hard' }, {}],
    ['UnlockConnector', { action: 'unlock', connector_id: 1 }, { status: 'Unlocked' }],
    ['ChangeAvailability', { action: 'change_availability', type: 'operative' }, {}],
    ['ClearCache', { action: 'clear_cache' }, {}],
    ['TriggerMessage', { action: 'trigger_message', message: 'heartbeat' }, {}],
    ['DataTransfer', { action: 'data_transfer', vendor_id: 'v', data: 'text' }, {}],
    ['GetBaseReport', { action: 'get_base_report', report: 'summary' }, {}],
    ['GetReport', { action: 'get_report', criteria: ['active'] }, {}],
    [
      'GetTransactionStatus',
      { action: 'get_transaction_status', transaction_id: 'T-1' },
      { messagesInQueue: true },
    ],
    ['CustomerInformation', { action: 'customer_information', customer_identifier: 'x' }, {}],
    ['GetChargingProfiles', { action: 'get_charging_profiles' }, { status: 'NoProfiles' }],
    [
      'SetNetworkProfile',
      { action: 'set_network_profile', slot: 0, url: 'wss://a/b', security_profile: 3 },
      {},
    ],
  ])('receives %s in a form that fits the schema', async (action, body, response) => {
    station.onCall(action, () =>
      'messagesInQueue' in response ? response : { status: 'Accepted', ...response },
    )
    expect(await command(body)).toMatchObject({ state: 'accepted' })
    expect(station.called.at(-1)?.action).toBe(action)
  })

  it('reads and sets its variables', async () => {
    const address = { component: { name: 'SampledDataCtrlr' }, variable: { name: 'TxUpdatedInterval' } }
    station.onCall('GetVariables', ({ getVariableData }) => ({
      getVariableResult: getVariableData.map((asked: object) => ({
        ...asked,
        attributeStatus: 'Accepted',
        attributeValue: '30',
      })),
    }))
    station.onCall('SetVariables', ({ setVariableData }) => ({
      setVariableResult: setVariableData.map(({ component, variable }: typeof address) => ({
        component,
        variable,
        attributeStatus: 'Accepted',
      })),
    }))
    const key = 'SampledDataCtrlr.TxUpdatedInterval'
    expect(await command({ action: 'get_configuration', keys: [key] })).toMatchObject({ state: 'accepted' })
    expect(await command({ action: 'set_configuration', key, value: '60' })).toMatchObject({
      state: 'accepted',
    })
    const { body } = await api.call('GET', `/api/ocpp/chargers/${charger.id}/variables`, {
      token: tenant.admin.token,
    })
    expect(body.items).toMatchObject([{ key, value: '60' }])
  })

  it('reports its device model', async () => {
    await station.call('NotifyReport', {
      requestId: 1,
      generatedAt: at(20),
      seqNo: 0,
      reportData: [
        {
          component: { name: 'Connector', evse: { id: 1, connectorId: 1 } },
          variable: { name: 'ConnectorType' },
          variableAttribute: [{ value: 'cType2', mutability: 'ReadOnly' }],
        },
      ],
    })
    await station.call('NotifyEvent', {
      generatedAt: at(21),
      seqNo: 0,
      eventData: [
        {
          eventId: 1,
          timestamp: at(21),
          trigger: 'Alerting',
          actualValue: 'true',
          eventNotificationType: 'HardWiredMonitor',
          component: { name: 'EVSE', evse: { id: 1 } },
          variable: { name: 'Problem' },
        },
      ],
    })
    expect(await station.call('DataTransfer', { vendorId: 'v' })).toEqual({ status: 'UnknownVendorId' })
    expect(await station.call('Heartbeat')).toMatchObject({ currentTime: '2026-11-20T09:30:00Z' })
  })
})
