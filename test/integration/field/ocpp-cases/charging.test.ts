import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTag, newTag } from '../../../support/charging/charging.ts'
import { ACCEPTED, type Operator, type StationFixture, startCases } from './station-fixture.ts'

let operator: Operator
beforeAll(async () => {
  operator = await startCases()
})
afterAll(() => operator.close())

const configure = async (world: StationFixture, key: string, value: string) => {
  const order = { action: 'set_configuration', key, value }
  const { state, heard } = await world.sendCommand(order, ['ChangeConfiguration', ACCEPTED])
  expect([state, heard]).toEqual(['accepted', { key, value }])
}

describe('start of a station', () => {
  it('TC_001: Cold Boot Charge Point', async () => {
    const world = await operator.openStation()
    await world.boot({ firmwareVersion: '1.0', chargePointSerialNumber: 'S-1' })
    await world.status('Available', 2)
    expect(await world.readCharger()).toMatchObject({
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
    const world = await operator.openStation()
    await world.status('Preparing')
    await world.authorize()
    const transactionId = await world.start()
    await world.authorize()
    await world.stop(transactionId, 'Local')
  })

  it('TC_004_1: Regular Charging Session, Identification First', async () => {
    const world = await operator.openStation()
    await world.authorize()
    await world.status('Preparing')
    const transactionId = await world.start()
    await world.authorize()
    await world.stop(transactionId, 'Local')
  })

  it('TC_004_2: Regular Charging Session, Identification First, Connection Timeout', async () => {
    const world = await operator.openStation()
    await configure(world, 'ConnectionTimeOut', '5')
    await world.authorize()
    await world.status('Preparing')
    await world.status('Available')
    expect(await world.readConnector()).toMatchObject({ status: 'Available' })
    expect(await world.readSessions()).toEqual([])
  })

  it('TC_005_1: EVSide Disconnected, Stop Transaction And Unlock', async () => {
    const world = await operator.openStation()
    await configure(world, 'StopTransactionOnEVSideDisconnect', 'true')
    await configure(world, 'UnlockConnectorOnEVSideDisconnect', 'true')
    await world.authorize()
    await world.status('Preparing')
    const transactionId = await world.start()
    await world.status('SuspendedEV')
    await world.stop(transactionId, 'EVDisconnected')
  })

  it('TC_007: Regular Start Charging Session, Cached Id', async () => {
    const world = await operator.openStation()
    await configure(world, 'LocalPreAuthorize', 'true')
    await world.status('Preparing')
    await world.stop(await world.start(), 'Local')
  })
})

describe('rejected tags', () => {
  async function refused(idTag: string, status: string) {
    const world = await operator.openStation()
    await world.status('Preparing')
    expect((await world.call('Authorize', { idTag })).idTagInfo).toMatchObject({ status })
    await world.status('Available')
    expect(await world.readSessions()).toEqual([])
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
    const world = await operator.openStation()
    await world.status('Preparing')
    await world.authorize()
    await world.status('Faulted', 1, 'ConnectorLockFailure')
    expect(await world.readConnector()).toMatchObject({
      status: 'Faulted',
      error_code: 'ConnectorLockFailure',
    })
    expect((await world.readCharger()).status).toBe('Faulted')
    expect(await world.readSessions()).toEqual([])
  })
})

describe('power failure and lost connection', () => {
  const EARLIER = '2026-11-20T08:00:00Z'

  /** Runs work while the connection is lost; the station reports it after the reconnect. */
  async function back() {
    const world = await operator.openStation()
    await world.boot()
    await world.disconnect()
    await world.connect()
    return world
  }

  it('TC_032_1: Power Failure Boot, Stop Transactions', async () => {
    const world = await operator.openStation()
    await world.authorize()
    const transactionId = await world.start()
    await world.reboot()
    await world.stop(transactionId, 'PowerLoss')
  })

  it('TC_037_1: Offline Start Transaction, Valid Id Tag', async () => {
    const world = await back()
    const transactionId = await world.start({ timestamp: EARLIER })
    expect(await world.session(transactionId)).toMatchObject({
      started_at: '2026-11-20T08:00:00.000Z',
      id_tag: world.tag,
      flags: ['offline'],
    })
  })

  it('TC_037_3: Offline Start Transaction, Invalid Id Tag, Stop On Invalid True', async () => {
    const world = await back()
    await configure(world, 'StopTransactionOnInvalidId', 'true')
    const start = { connectorId: 1, idTag: newTag(), meterStart: 5, timestamp: EARLIER }
    const { transactionId, idTagInfo } = await world.call('StartTransaction', start)
    expect(idTagInfo).toEqual({ status: 'Invalid' })
    await world.status('Charging')
    const stop = { transactionId, meterStop: 5, timestamp: world.now(), reason: 'DeAuthorized' }
    expect(await world.call('StopTransaction', stop)).toEqual({})
    await world.status('Finishing')
    await world.status('Available')
    expect(await world.session(transactionId)).toMatchObject({
      state: 'ended',
      stop_reason: 'DeAuthorized',
      flags: ['unknown_tag', 'offline'],
    })
  })

  it('TC_039: Offline Transaction', async () => {
    const world = await back()
    const start = { connectorId: 1, idTag: world.tag, meterStart: 1_000, timestamp: '2026-11-20T07:00:00Z' }
    const { transactionId, idTagInfo } = await world.call('StartTransaction', start)
    expect(idTagInfo).toEqual(ACCEPTED)
    const stop = { transactionId, idTag: world.tag, meterStop: 3_000, timestamp: EARLIER, reason: 'Local' }
    expect(await world.call('StopTransaction', stop)).toEqual({ idTagInfo: ACCEPTED })
    await world.status('Available')
    expect(await world.session(transactionId)).toMatchObject({
      state: 'ended',
      started_at: '2026-11-20T07:00:00.000Z',
      ended_at: '2026-11-20T08:00:00.000Z',
      energy_kwh: '2.000',
    })
  })
})
