import { createRPCError } from 'ocpp-rpc'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandFixture, setUpCommands, WAIT } from '../../support/charging/charger-commands.ts'

let fixture: CommandFixture
beforeAll(async () => {
  fixture = await setUpCommands()
})
afterAll(() => fixture.api.close())

type Case = readonly [body: object, action: string, payload: object, answer: object, state: string]

const IN_16: readonly Case[] = [
  [
    { action: 'remote_start', id_tag: 'TAG' },
    'RemoteStartTransaction',
    { idTag: 'TAG' },
    { status: 'Accepted' },
    'accepted',
  ],
  [
    { action: 'remote_start', id_tag: 'TAG', connector_id: 2 },
    'RemoteStartTransaction',
    { idTag: 'TAG', connectorId: 2 },
    { status: 'Rejected' },
    'rejected',
  ],
  [
    { action: 'remote_stop', transaction_id: 17 },
    'RemoteStopTransaction',
    { transactionId: 17 },
    { status: 'Rejected' },
    'rejected',
  ],
  [{ action: 'reset' }, 'Reset', { type: 'Soft' }, { status: 'Accepted' }, 'accepted'],
  [{ action: 'reset', type: 'hard' }, 'Reset', { type: 'Hard' }, { status: 'Rejected' }, 'rejected'],
  [
    { action: 'unlock', connector_id: 1 },
    'UnlockConnector',
    { connectorId: 1 },
    { status: 'Unlocked' },
    'accepted',
  ],
  [
    { action: 'unlock', connector_id: 9 },
    'UnlockConnector',
    { connectorId: 9 },
    { status: 'NotSupported' },
    'rejected',
  ],
  [
    { action: 'change_availability', type: 'inoperative' },
    'ChangeAvailability',
    { connectorId: 0, type: 'Inoperative' },
    { status: 'Scheduled' },
    'accepted',
  ],
  [
    { action: 'change_availability', type: 'operative', connector_id: 1 },
    'ChangeAvailability',
    { connectorId: 1, type: 'Operative' },
    { status: 'Rejected' },
    'rejected',
  ],
  [
    { action: 'get_configuration' },
    'GetConfiguration',
    {},
    { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '300' }], unknownKey: [] },
    'accepted',
  ],
  [
    { action: 'get_configuration', keys: ['SupportedFeatureProfiles', 'Nonsense'] },
    'GetConfiguration',
    { key: ['SupportedFeatureProfiles', 'Nonsense'] },
    { unknownKey: ['Nonsense'] },
    'accepted',
  ],
  [
    { action: 'set_configuration', key: 'MeterValueSampleInterval', value: '10' },
    'ChangeConfiguration',
    { key: 'MeterValueSampleInterval', value: '10' },
    { status: 'RebootRequired' },
    'accepted',
  ],
  [
    { action: 'set_configuration', key: 'Nonsense', value: '' },
    'ChangeConfiguration',
    { key: 'Nonsense', value: '' },
    { status: 'NotSupported' },
    'rejected',
  ],
  [{ action: 'clear_cache' }, 'ClearCache', {}, { status: 'Accepted' }, 'accepted'],
  [
    { action: 'trigger_message', message: 'meter_values', connector_id: 1 },
    'TriggerMessage',
    { requestedMessage: 'MeterValues', connectorId: 1 },
    { status: 'NotImplemented' },
    'rejected',
  ],
  [
    { action: 'extended_trigger_message', message: 'sign_charging_station_certificate' },
    'ExtendedTriggerMessage',
    { requestedMessage: 'SignChargePointCertificate' },
    { status: 'Accepted' },
    'accepted',
  ],
  [
    { action: 'data_transfer', vendor_id: 'tr.example', message_id: 'm', data: { a: [1, 'ş'] } },
    'DataTransfer',
    { vendorId: 'tr.example', messageId: 'm', data: '{"a":[1,"ş"]}' },
    { status: 'Accepted', data: 'text' },
    'accepted',
  ],
]

const IN_201: readonly Case[] = [
  [
    { action: 'remote_start', id_tag: 'TAG', connector_id: 2 },
    'RequestStartTransaction',
    { idToken: { idToken: 'TAG', type: 'ISO14443' }, evseId: 2, remoteStartId: expect.any(Number) },
    { status: 'Accepted' },
    'accepted',
  ],
  [
    { action: 'remote_stop', transaction_id: 'a-b-c' },
    'RequestStopTransaction',
    { transactionId: 'a-b-c' },
    { status: 'Accepted' },
    'accepted',
  ],
  [{ action: 'reset' }, 'Reset', { type: 'OnIdle' }, { status: 'Scheduled' }, 'accepted'],
  [
    { action: 'unlock', connector_id: 1 },
    'UnlockConnector',
    { evseId: 1, connectorId: 1 },
    { status: 'OngoingAuthorizedTransaction' },
    'rejected',
  ],
  [
    { action: 'change_availability', type: 'inoperative', connector_id: 2 },
    'ChangeAvailability',
    { operationalStatus: 'Inoperative', evse: { id: 2 } },
    { status: 'Accepted' },
    'accepted',
  ],
  [
    { action: 'set_configuration', key: 'OCPPCommCtrlr.HeartbeatInterval', value: '60' },
    'SetVariables',
    {
      setVariableData: [
        {
          component: { name: 'OCPPCommCtrlr' },
          variable: { name: 'HeartbeatInterval' },
          attributeValue: '60',
        },
      ],
    },
    {
      setVariableResult: [
        {
          attributeStatus: 'Rejected',
          component: { name: 'OCPPCommCtrlr' },
          variable: { name: 'HeartbeatInterval' },
        },
      ],
    },
    'rejected',
  ],
  [{ action: 'clear_cache' }, 'ClearCache', {}, { status: 'Rejected' }, 'rejected'],
  [
    { action: 'get_base_report', report: 'summary' },
    'GetBaseReport',
    { requestId: expect.any(Number), reportBase: 'SummaryInventory' },
    { status: 'Accepted' },
    'accepted',
  ],
]

describe.each([
  ['1.6', IN_16],
  ['2.0.1', IN_201],
] as const)('a command to a station of OCPP %s', (version, cases) => {
  it('is encoded for its version and ends with the response', async () => {
    const { charger, station } = await fixture.connected({ version })
    for (const [body, action, payload, response, state] of cases) {
      station.onCall(action, () => response)
      const created = await fixture.order(charger, body, WAIT)
      expect(created.status, created.text).toBe(202)
      expect(station.called.at(-1)).toEqual({ action, payload })
      const { action: ours_, ...request } = body as { action: string }
      expect(created.body).toMatchObject({ action: ours_, request, state, answer: response, error: null })
      expect(created.body.sent_at).not.toBeNull()
      expect((await fixture.as('GET', `/${charger.id}/commands/${created.body.id}`)).body).toEqual(
        created.body,
      )
    }
    const listed = await fixture.as('GET', `/${charger.id}/commands?limit=100`)
    expect(listed.body.total).toBe(cases.length)
    const numbers = listed.body.items.map(({ number }: { number: number }) => number)
    expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => b - a))
    await station.end()
  })

  it('fails with the error of the station, and when its version has no such command', async () => {
    const { charger, station } = await fixture.connected({ version })
    station.onCall('ClearCache', () => {
      throw createRPCError('NotSupported', 'no cache here')
    })
    const refused = await fixture.order(charger, { action: 'clear_cache' }, WAIT)
    expect(refused.body).toMatchObject({ state: 'failed', answer: null })
    expect(refused.body.error).toMatch(/^NotSupported/)
    const missing = { '1.6': { action: 'get_base_report' }, '2.0.1': { action: 'get_configuration' } }
    const failed = await fixture.order(charger, missing[version], WAIT)
    expect(failed.body).toMatchObject({ state: 'failed', answer: null })
    expect(failed.body.error).toContain(`OCPP ${version}`)
    expect(station.called).toHaveLength(1)
    await station.end()
  })
})
