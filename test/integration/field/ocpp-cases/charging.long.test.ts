import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTag, newTag } from '../../../support/charging/charging.ts'
import { ACCEPTED, type Operator, type StationFixture, startCases } from './station-fixture.ts'

let operator: Operator
beforeAll(async () => {
  operator = await startCases()
})
afterAll(() => operator.close())

const configure = async (setup: StationFixture, key: string, value: string) => {
  const order = { action: 'set_configuration', key, value }
  const { state, heard: received } = await setup.sendCommand(order, ['ChangeConfiguration', ACCEPTED])
  expect([state, received]).toEqual(['accepted', { key, value }])
}

describe('start of a station', () => {
  it('TC_001: Cold Boot Charge Point', async () => {
    const setup = await operator.openStation()
    await setup.boot({ firmwareVersion: '1.0', chargePointSerialNumber: 'S-1' })
    await setup.status('Available', 2)
    expect(await setup.readCharger()).toMatchObject({
      vendor: 'Vendor',
      model: 'Model',
      serial_number: 'S-1',
      firmware_version: '1.0',
      status: 'Available',
      is_online: true,
      connectors: [
        { connector_id: 1, status: 'Available', error_code: 'NoError' },
        { connector_id: 2, status: 'Available', error_code: 'NoError' },
      ],
    })
  })
})

describe('regular session', () => {
  it('TC_003: Regular Charging Session, Plugin First', async () => {
    const setup = await operator.openStation()
    await setup.status('Preparing')
    await setup.authorize()
    const transactionId = await setup.start()
    await setup.authorize()
    await setup.stop(transactionId, 'Local')
  })

  it('TC_004_1: Regular Charging Session, Identification First', async () => {
    const setup = await operator.openStation()
    await setup.authorize()
    await setup.status('Preparing')
    const transactionId = await setup.start()
    await setup.authorize()
    await setup.stop(transactionId, 'Local')
  })

  it('TC_004_2: Regular Charging Session, Identification First, Connection Timeout', async () => {
    const setup = await operator.openStation()
    await configure(setup, 'ConnectionTimeOut', '5')
    await setup.authorize()
    await setup.status('Preparing')
    await setup.status('Available')
    expect(await setup.readConnector()).toMatchObject({ status: 'Available' })
    expect(await setup.readSessions()).toEqual([])
  })

  it('TC_005_1: EVSide Disconnected, Stop Transaction And Unlock', async () => {
    const setup = await operator.openStation()
    await configure(setup, 'StopTransactionOnEVSideDisconnect', 'true')
    await configure(setup, 'UnlockConnectorOnEVSideDisconnect', 'true')
    await setup.authorize()
    await setup.status('Preparing')
    const transactionId = await setup.start()
    await setup.status('SuspendedEV')
    await setup.stop(transactionId, 'EVDisconnected')
  })

  it('TC_007: Regular Start Charging Session, Cached Id', async () => {
    const setup = await operator.openStation()
    await configure(setup, 'LocalPreAuthorize', 'true')
    await setup.status('Preparing')
    await setup.stop(await setup.start(), 'Local')
  })
})

describe('rejected tags', () => {
  async function refused(idTag: string, status: string) {
    const setup = await operator.openStation()
    await setup.status('Preparing')
    expect((await setup.call('Authorize', { idTag })).idTagInfo).toMatchObject({ status })
    await setup.status('Available')
    expect(await setup.readSessions()).toEqual([])
  }
  const tagWith = async (fields: Readonly<Record<string, unknown>>) =>
    (await makeTag(operator.api, operator.tenant, fields)).tag

  it('TC_023_1: Start Charging Session, Authorize Invalid', () => refused(newTag(), 'Invalid'))

  it('TC_023_2: Start Charging Session, Authorize Expired', async () => {
    await refused(await tagWith({ expires_at: '2026-11-19T00:00:00Z' }), 'Expired')
  })

  it('TC_023_3: Start Charging Session, Authorize Blocked', async () => {
    await refused(await tagWith({ status: 'blocked' }), 'Blocked')
  })

  it('TC_024: Start Charging Session, Lock Failure', async () => {
    const setup = await operator.openStation()
    await setup.status('Preparing')
    await setup.authorize()
    await setup.status('Faulted', 1, 'ConnectorLockFailure')
    expect(await setup.readConnector()).toMatchObject({
      status: 'Faulted',
      error_code: 'ConnectorLockFailure',
    })
    expect((await setup.readCharger()).status).toBe('Faulted')
    expect(await setup.readSessions()).toEqual([])
  })
})

describe('power failure and lost connection', () => {
  const EARLIER = '2026-11-20T08:00:00Z'

  /** Runs work while the connection is lost; the station reports it after the reconnect. */
  async function back() {
    const setup = await operator.openStation()
    await setup.boot()
    await setup.disconnect()
    await setup.connect()
    return setup
  }

  it('TC_032_1: Power Failure Boot, Stop Transactions', async () => {
    const setup = await operator.openStation()
    await setup.authorize()
    const transactionId = await setup.start()
    await setup.reboot()
    await setup.stop(transactionId, 'PowerLoss')
  })

  it('TC_037_1: Offline Start Transaction, Valid Id Tag', async () => {
    const setup = await back()
    const transactionId = await setup.start({ timestamp: EARLIER })
    expect(await setup.session(transactionId)).toMatchObject({
      started_at: '2026-11-20T08:00:00.000Z',
      id_tag: setup.tag,
      flags: ['offline'],
    })
  })

  it('TC_037_3: Offline Start Transaction, Invalid Id Tag, Stop On Invalid True', async () => {
    const setup = await back()
    await configure(setup, 'StopTransactionOnInvalidId', 'true')
    const start = { connectorId: 1, idTag: newTag(), meterStart: 5, timestamp: EARLIER }
    const { transactionId, idTagInfo } = await setup.call('StartTransaction', start)
    expect(idTagInfo).toEqual({ status: 'Invalid' })
    await setup.status('Charging')
    const stop = { transactionId, meterStop: 5, timestamp: setup.now(), reason: 'DeAuthorized' }
    expect(await setup.call('StopTransaction', stop)).toEqual({})
    await setup.status('Finishing')
    await setup.status('Available')
    expect(await setup.session(transactionId)).toMatchObject({
      state: 'ended',
      stop_reason: 'DeAuthorized',
      flags: ['unknown_tag', 'offline'],
    })
  })

  it('TC_039: Offline Transaction', async () => {
    const setup = await back()
    const start = { connectorId: 1, idTag: setup.tag, meterStart: 1_000, timestamp: '2026-11-20T07:00:00Z' }
    const { transactionId, idTagInfo } = await setup.call('StartTransaction', start)
    expect(idTagInfo).toEqual(ACCEPTED)
    const stop = { transactionId, idTag: setup.tag, meterStop: 3_000, timestamp: EARLIER, reason: 'Local' }
    expect(await setup.call('StopTransaction', stop)).toEqual({ idTagInfo: ACCEPTED })
    await setup.status('Available')
    expect(await setup.session(transactionId)).toMatchObject({
      state: 'ended',
      started_at: '2026-11-20T07:00:00.000Z',
      ended_at: '2026-11-20T08:00:00.000Z',
      energy_kwh: '2.000',
    })
  })
})
