import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { createCharger, startOcppApi, type TestCharger } from '../../support/field/ocpp.ts'
import { type BareStation, openStation } from '../../support/field/ocpp201.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let charger: TestCharger
let station: BareStation

beforeAll(async () => {
  api = await startOcppApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())
beforeEach(async () => {
  charger = await createCharger(api, tenant)
  station = await openStation(api, charger)
})
afterEach(() => station.end())

const call = (method: string, path: string, body?: object) =>
  api.call(method, `/api/ocpp/chargers/${charger.id}${path}`, { token: tenant.admin.token, body })

/** The record after the response of the station. */
async function command(body: object) {
  const response = await call('POST', '/commands?wait=30', body)
  expect(response.status, response.text).toBe(202)
  return response.body
}
const variables = async () => (await call('GET', '/variables')).body.items

describe('commands to a 2.0.1 station', () => {
  const accepted = { status: 'Accepted' }
  /**
   * The command of the API, the request that the station receives, and its response where that is not
   * Accepted.
   */
  type Case = [string, object, string, object | ((number: number) => object), object?]
  const cases: readonly Case[] = [
    [
      'remote_start',
      { id_tag: 'CARD', connector_id: 2 },
      'RequestStartTransaction',
      (number) => ({ remoteStartId: number, idToken: { idToken: 'CARD', type: 'ISO14443' }, evseId: 2 }),
    ],
    ['remote_stop', { transaction_id: 'T-1' }, 'RequestStopTransaction', { transactionId: 'T-1' }],
    [
      'get_transaction_status',
      { transaction_id: 'T-1' },
      'GetTransactionStatus',
      { transactionId: 'T-1' },
      { messagesInQueue: false, ongoingIndicator: true },
    ],
    ['reset', {}, 'Reset', { type: 'OnIdle' }, { status: 'Scheduled' }],
    ['reset', { type: 'hard' }, 'Reset', { type: 'Immediate' }],
    ['unlock', { connector_id: 1 }, 'UnlockConnector', { evseId: 1, connectorId: 1 }, { status: 'Unlocked' }],
    [
      'unlock',
      { connector_id: 1, evse_connector_id: 2 },
      'UnlockConnector',
      { evseId: 1, connectorId: 2 },
      { status: 'Unlocked' },
    ],
    [
      'change_availability',
      { type: 'operative', connector_id: 2, evse_connector_id: 1 },
      'ChangeAvailability',
      { operationalStatus: 'Operative', evse: { id: 2, connectorId: 1 } },
    ],
    [
      'change_availability',
      { type: 'inoperative', connector_id: 2 },
      'ChangeAvailability',
      { operationalStatus: 'Inoperative', evse: { id: 2 } },
    ],
    ['change_availability', { type: 'operative' }, 'ChangeAvailability', { operationalStatus: 'Operative' }],
    ['clear_cache', {}, 'ClearCache', {}],
    [
      'trigger_message',
      { message: 'status_notification', connector_id: 1 },
      'TriggerMessage',
      { requestedMessage: 'StatusNotification', evse: { id: 1, connectorId: 1 } },
    ],
    [
      'trigger_message',
      { message: 'transaction_event' },
      'TriggerMessage',
      { requestedMessage: 'TransactionEvent' },
    ],
    [
      'data_transfer',
      { vendor_id: 'org.example', message_id: 'm', data: { a: [1] } },
      'DataTransfer',
      { vendorId: 'org.example', messageId: 'm', data: { a: [1] } },
    ],
    [
      'get_base_report',
      {},
      'GetBaseReport',
      (number) => ({ requestId: number, reportBase: 'FullInventory' }),
    ],
    [
      'get_report',
      { keys: ['EVSE@1', 'EVSE@2.Power'], criteria: ['problem'] },
      'GetReport',
      (number) => ({
        requestId: number,
        componentVariable: [
          { component: { name: 'EVSE', evse: { id: 1 } } },
          { component: { name: 'EVSE', evse: { id: 2 } }, variable: { name: 'Power' } },
        ],
        componentCriteria: ['Problem'],
      }),
      { status: 'EmptyResultSet' },
    ],
    [
      'customer_information',
      { id_tag: 'CARD', clear: true },
      'CustomerInformation',
      (number) => ({
        requestId: number,
        report: true,
        clear: true,
        idToken: { idToken: 'CARD', type: 'ISO14443' },
      }),
    ],
    [
      'get_charging_profiles',
      { connector_id: 1, purpose: 'tx_default', profile_numbers: [4] },
      'GetChargingProfiles',
      (number) => ({
        requestId: number,
        evseId: 1,
        chargingProfile: { chargingProfilePurpose: 'TxDefaultProfile', chargingProfileId: [4] },
      }),
      { status: 'NoProfiles' },
    ],
    [
      'set_network_profile',
      { slot: 1, url: 'wss://csms.example/ocpp/2.0.1', security_profile: 2, interface: 'wireless0' },
      'SetNetworkProfile',
      {
        configurationSlot: 1,
        connectionData: {
          ocppVersion: 'OCPP20',
          ocppTransport: 'JSON',
          ocppCsmsUrl: 'wss://csms.example/ocpp/2.0.1',
          messageTimeout: 30,
          securityProfile: 2,
          ocppInterface: 'Wireless0',
        },
      },
    ],
  ]

  it.each(cases)('%s %o', async (...[action, request, ocppAction, payload, response = accepted]) => {
    station.onCall = () => response
    const record = await command({ action, ...request })
    expect(record).toMatchObject({ action, state: 'accepted', answer: response })
    expect(station.called).toEqual([
      { action: ocppAction, payload: typeof payload === 'function' ? payload(record.number) : payload },
    ])
  })

  it.each([
    ['remote_start', { id_tag: 'CARD' }, { status: 'Rejected' }],
    ['unlock', { connector_id: 1 }, { status: 'OngoingAuthorizedTransaction' }],
    ['get_base_report', {}, { status: 'NotSupported' }],
    ['trigger_message', { message: 'heartbeat' }, { status: 'NotImplemented' }],
    ['set_network_profile', { slot: 0, url: 'ws://a', security_profile: 1 }, { status: 'Failed' }],
  ])('%s can be rejected', async (action, request, response) => {
    station.onCall = () => response
    expect(await command({ action, ...request })).toMatchObject({ state: 'rejected', answer: response })
  })

  it.each([
    [{ status: 'Rejected' }, 'Rejected'],
    [
      { status: 'Rejected', statusInfo: { reasonCode: 'TxInProgress', additionalInfo: 'x'.repeat(500) } },
      'TxInProgress',
    ],
  ])('a rejection has a short reason and the whole response in its answer (%#)', async (response, reason) => {
    station.onCall = () => response
    expect(await command({ action: 'clear_cache' })).toMatchObject({
      state: 'rejected',
      reason,
      answer: response,
    })
  })

  it('an accepted command has no reason', async () => {
    station.onCall = () => ({ status: 'Accepted' })
    expect(await command({ action: 'clear_cache' })).toMatchObject({ state: 'accepted', reason: null })
  })

  it('a malformed response ends the command as failed', async () => {
    station.onCall = () => ({ status: 'Perhaps' })
    expect(await command({ action: 'clear_cache' })).toMatchObject({ state: 'failed', answer: null })
  })

  it('a command without an equivalent in 2.0.1 fails with the reason, and nothing is sent', async () => {
    for (const body of [
      { action: 'get_configuration' },
      { action: 'set_configuration', key: 'HeartbeatInterval', value: '60' },
      { action: 'trigger_message', message: 'diagnostics_status_notification' },
    ]) {
      const record = await command(body)
      expect(record).toMatchObject({ state: 'failed', error: expect.stringContaining('OCPP 2.0.1') })
    }
    expect(station.called).toEqual([])
  })
})

describe('variables', () => {
  const component = { name: 'OCPPCommCtrlr' }
  const variable = { name: 'HeartbeatInterval' }

  it('that are read or set are stored in the device model', async () => {
    station.onCall = () => ({
      getVariableResult: [
        { attributeStatus: 'Accepted', attributeValue: '300', component, variable },
        { attributeStatus: 'UnknownVariable', component, variable: { name: 'Nothing' } },
      ],
    })
    const keys = ['OCPPCommCtrlr.HeartbeatInterval', 'OCPPCommCtrlr.Nothing']
    expect(await command({ action: 'get_configuration', keys })).toMatchObject({ state: 'accepted' })
    expect(station.called[0]).toEqual({
      action: 'GetVariables',
      payload: {
        getVariableData: [
          { component, variable },
          { component, variable: { name: 'Nothing' } },
        ],
      },
    })
    expect(await variables()).toMatchObject([{ key: 'OCPPCommCtrlr.HeartbeatInterval', value: '300' }])

    const response = (attributeStatus: string) => ({
      setVariableResult: [{ attributeStatus, component, variable }],
    })
    const set = (value: string) =>
      command({ action: 'set_configuration', key: 'OCPPCommCtrlr.HeartbeatInterval', value })
    station.onCall = () => response('Accepted')
    api.clock.advance(1_000)
    expect(await set('60')).toMatchObject({ state: 'accepted' })
    expect(station.called.at(-1)?.payload).toEqual({
      setVariableData: [{ component, variable, attributeValue: '60' }],
    })
    expect(await variables()).toMatchObject([{ value: '60' }])
    station.onCall = () => response('RebootRequired')
    expect(await set('61')).toMatchObject({ state: 'accepted' })
    station.onCall = () => response('Rejected')
    expect(await set('62')).toMatchObject({ state: 'rejected' })
    expect(await variables()).toMatchObject([{ value: '60' }])
  })

  it('are requested in a report with the number of its command', async () => {
    const { number } = await command({ action: 'get_base_report', report: 'configuration' })
    await station.call('NotifyReport', {
      requestId: number,
      generatedAt: '2026-11-20T09:00:00Z',
      seqNo: 0,
      reportData: [{ component, variable, variableAttribute: [{ value: '10' }] }],
    })
    expect((await call('GET', '/reports')).body.items).toMatchObject([
      { request_id: number, is_complete: true },
    ])
  })

  it('for passwords are sent by a separate command and never stored', async () => {
    const refused = await call('POST', '/commands', {
      action: 'set_configuration',
      key: 'SecurityCtrlr.BasicAuthPassword',
      value: 'a password of 16+',
    })
    expect(refused.status).toBe(422)
    station.onCall = (_action, { setVariableData: [{ component: of, variable: which }] }) => ({
      setVariableResult: [{ attributeStatus: 'Accepted', component: of, variable: which }],
    })
    const response = await call('POST', '/password', { push: true })
    expect(response.status, response.text).toBe(200)
    const { password } = response.body
    const ended = async () => (await call('GET', '/commands')).body.items[0].state
    await expect.poll(ended).toBe('accepted')
    expect(station.called).toEqual([
      {
        action: 'SetVariables',
        payload: {
          setVariableData: [
            {
              component: { name: 'SecurityCtrlr' },
              variable: { name: 'BasicAuthPassword' },
              attributeValue: password,
            },
          ],
        },
      },
    ])
    await station.end()
    station = await openStation(api, { ...charger, password })
    expect(await station.call('Heartbeat', {})).toBeDefined()
  })
})

describe('remote start', () => {
  const started = (more: object = {}) => ({
    eventType: 'Started',
    timestamp: '2026-11-20T09:00:00Z',
    triggerReason: 'RemoteStart',
    seqNo: 0,
    transactionInfo: { transactionId: 'R-1' },
    evse: { id: 1, connectorId: 1 },
    idToken: { idToken: 'CARD', type: 'ISO14443' },
    ...more,
  })
  const session = async () =>
    (await api.call('GET', `/api/ocpp/sessions?charger_id=${charger.id}`, { token: tenant.admin.token })).body
      .items[0]

  it('is linked by its number to the session it starts', async () => {
    const { id, number } = await command({ action: 'remote_start', id_tag: 'CARD', connector_id: 1 })
    await station.call(
      'TransactionEvent',
      started({ transactionInfo: { transactionId: 'R-1', remoteStartId: number } }),
    )
    expect(await session()).toMatchObject({ command_id: id, id_tag: 'CARD' })
  })

  it('gives its tag to a session whose events name none', async () => {
    const { number } = await command({ action: 'remote_start', id_tag: 'CARD', connector_id: 1 })
    const transactionInfo = { transactionId: 'R-2', remoteStartId: number }
    const event = (more: object) => started({ idToken: undefined, transactionInfo, ...more })
    await station.call('TransactionEvent', event({}))
    expect(await session()).toMatchObject({ id_tag: 'CARD', authorization_status: 'accepted', flags: [] })
    // The tag that ends the session is not the one that started it.
    const idToken = { idToken: 'OTHER', type: 'ISO14443' }
    await station.call('TransactionEvent', event({ eventType: 'Ended', seqNo: 1, idToken }))
    expect(await session()).toMatchObject({ id_tag: 'CARD', stop_id_tag: 'OTHER' })
  })

  it('gives its tag to the transaction that the cable had started without one', async () => {
    const transactionInfo = { transactionId: 'R-3' }
    const cable = { triggerReason: 'CablePluggedIn', idToken: undefined, transactionInfo }
    await station.call('TransactionEvent', started(cable))
    station.onCall = () => ({ status: 'Accepted', transactionId: 'R-3' })
    await command({ action: 'remote_start', id_tag: 'CARD', connector_id: 1 })
    expect(await session()).toMatchObject({ id_tag: 'CARD' })
    await station.call('TransactionEvent', started({ ...cable, eventType: 'Updated', seqNo: 1 }))
    expect(await session()).toMatchObject({ id_tag: 'CARD' })
  })

  it('is linked to the transaction that the cable had started', async () => {
    await station.call('TransactionEvent', started({ triggerReason: 'CablePluggedIn' }))
    station.onCall = () => ({ status: 'Accepted', transactionId: 'R-1' })
    const { id } = await command({ action: 'remote_start', id_tag: 'CARD', connector_id: 1 })
    expect(await session()).toMatchObject({ command_id: id })
    const { id: sessionId } = await session()
    station.onCall = () => ({ status: 'Accepted' })
    await command({ action: 'remote_stop', session_id: sessionId })
    expect(station.called.at(-1)).toEqual({
      action: 'RequestStopTransaction',
      payload: { transactionId: 'R-1' },
    })
  })
})
