import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCEPTED, type Operator, REJECTED, startCases } from './station-fixture.ts'

let operator: Operator
beforeAll(async () => {
  operator = await startCases()
})
afterAll(() => operator.close())

describe('configuration of a station', () => {
  const KEY = 'MeterValueSampleInterval'

  it('TC_019_1: Retrieve All Configuration Keys', async () => {
    const setup = await operator.openStation()
    const response = {
      configurationKey: [
        { key: KEY, readonly: false, value: '60' },
        { key: 'SupportedFeatureProfiles', readonly: true, value: 'Core,SmartCharging' },
      ],
      unknownKey: [],
    }
    const command = await setup.sendCommand({ action: 'get_configuration' }, ['GetConfiguration', response])
    expect(command).toMatchObject({ state: 'accepted', answer: response })
    expect(command.heard).toEqual({})
  })

  it('TC_019_2: Retrieve Specific Configuration Key', async () => {
    const setup = await operator.openStation()
    const key = 'SupportedFeatureProfiles'
    const response = { configurationKey: [{ key, readonly: true, value: 'Core' }] }
    const order = { action: 'get_configuration', keys: [key] }
    const command = await setup.sendCommand(order, ['GetConfiguration', response])
    expect(command).toMatchObject({ state: 'accepted', answer: response })
    expect(command.heard).toEqual({ key: [key] })
  })

  async function set(key: string, value: string, status: string) {
    const setup = await operator.openStation()
    const order = { action: 'set_configuration', key, value }
    const {
      state,
      answer: response,
      heard: received,
    } = await setup.sendCommand(order, ['ChangeConfiguration', { status }])
    expect([response, received]).toEqual([{ status }, { key, value }])
    return state
  }

  it('TC_021: Change Set Configuration', async () => {
    expect(await set(KEY, '10', 'Accepted')).toBe('accepted')
  })

  it('TC_040_1: Configuration Keys, Not Supported', async () => {
    expect(await set('NoSuchKey', '10', 'NotSupported')).toBe('rejected')
  })

  it('TC_040_2: Configuration Keys, Invalid Value', async () => {
    expect(await set(KEY, '-1', 'Rejected')).toBe('rejected')
  })
})

describe('triggered messages', () => {
  it('TC_054: Trigger Message', async () => {
    const setup = await operator.openStation()
    const transactionId = await setup.start({ timestamp: '2026-11-20T09:28:00Z' })
    const trigger = async (message: string, requestedMessage: string, more: object = {}) => {
      const order = { action: 'trigger_message', message, ...more }
      const { state, heard: received } = await setup.sendCommand(order, ['TriggerMessage', ACCEPTED])
      expect([state, received.requestedMessage]).toEqual(['accepted', requestedMessage])
      return received
    }
    expect(await trigger('meter_values', 'MeterValues', { connector_id: 1 })).toMatchObject({
      connectorId: 1,
    })
    const timestamp = setup.now()
    const meterValue = [{ timestamp, sampledValue: [{ value: '2500', context: 'Trigger' }] }]
    expect(await setup.call('MeterValues', { connectorId: 1, transactionId, meterValue })).toEqual({})
    expect((await setup.session(transactionId)).energy_kwh).toBe('1.500')
    await trigger('heartbeat', 'Heartbeat')
    expect(await setup.call('Heartbeat')).toEqual({ currentTime: timestamp })
    await trigger('status_notification', 'StatusNotification', { connector_id: 1 })
    await setup.status('SuspendedEVSE')
    expect((await setup.readConnector()).status).toBe('SuspendedEVSE')
    await trigger('diagnostics_status_notification', 'DiagnosticsStatusNotification')
    expect(await setup.call('DiagnosticsStatusNotification', { status: 'Idle' })).toEqual({})
    await trigger('firmware_status_notification', 'FirmwareStatusNotification')
    expect(await setup.call('FirmwareStatusNotification', { status: 'Idle' })).toEqual({})
    await trigger('boot_notification', 'BootNotification')
    await setup.boot()
  })

  it('TC_055: Trigger Message, Rejected', async () => {
    const setup = await operator.openStation()
    const order = { action: 'trigger_message', message: 'meter_values', connector_id: 9 }
    const { state, heard: received } = await setup.sendCommand(order, ['TriggerMessage', REJECTED])
    expect([state, received]).toEqual(['rejected', { requestedMessage: 'MeterValues', connectorId: 9 }])
  })
})

describe('authorization cache and data transfer', () => {
  it('TC_061: Clear Authorization Data In Authorization Cache', async () => {
    const setup = await operator.openStation()
    const { state, heard: received } = await setup.sendCommand({ action: 'clear_cache' }, [
      'ClearCache',
      ACCEPTED,
    ])
    expect([state, received]).toEqual(['accepted', {}])
  })

  it('TC_064: Data Transfer To Central System', async () => {
    const setup = await operator.openStation()
    const message = { vendorId: 'com.example', messageId: 'hello', data: 'x' }
    expect(await setup.call('DataTransfer', message)).toEqual({ status: 'UnknownVendorId' })
    expect(await setup.readEvents('data_transfer')).toEqual([
      { vendor_id: 'com.example', message_id: 'hello', data: 'x' },
    ])
  })
})
