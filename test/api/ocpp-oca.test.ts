import { createRPCError } from 'ocpp-rpc'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../support/api.ts'
import { makeTag, newTag, openCharging } from '../support/charging.ts'
import { connectStation, startOcppApi, type TestStation } from '../support/ocpp.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'

/**
 * Cases of the Open Charge Alliance for a central system of OCPP 1.6J, by their numbers: what the station does, as the
 * specification has it. Others stand with what they are about: TC_042 to TC_059 and TC_066, TC_067 in ocpp-local-list,
 * ocpp-reservations and ocpp-profiles, and those of firmware, files, passwords and certificates in the tests of that name.
 */
const NOW = '2026-11-20T09:30:00Z'
let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startOcppApi({ now: NOW })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

async function open() {
  const world = await openCharging(api, tenant)
  const { charger } = world
  let { station } = world
  const get = async (path: string) =>
    (await api.call('GET', `/api/ocpp/chargers/${charger.id}${path}`, { token: tenant.viewer.token })).body
  return {
    ...world,
    get,
    call: (action: string, payload: object = {}) => station.call(action, payload),
    status: (status: string, connectorId = 1, errorCode = 'NoError') =>
      station.call('StatusNotification', { connectorId, status, errorCode, timestamp: NOW }),
    /** What people see of the connector. */
    shown: async () => (await get('')).connectors[0],
    /** Has the station told to do something; it answers so. Resolves with the command's record. */
    async order(body: object, [action, answer]: readonly [string, object | Error]) {
      station.onCall(action, () => {
        if (answer instanceof Error) throw answer
        return answer
      })
      const path = `/api/ocpp/chargers/${charger.id}/commands?wait=30`
      const placed = await api.call('POST', path, { token: tenant.operator.token, body })
      if (placed.status !== 202) throw new Error(placed.text)
      return { ...placed.body, sent: station.called.at(-1) }
    },
    async reconnect(): Promise<TestStation> {
      await station.end()
      station = await connectStation(api, charger)
      return station
    },
    close: () => station.end(),
  }
}
type World = Awaited<ReturnType<typeof open>>

const ACCEPTED = { status: 'Accepted' }
const authorized = async ({ call, tag }: World) =>
  expect(await call('Authorize', { idTag: tag })).toEqual({ idTagInfo: ACCEPTED })

/** Begins a session in the way that every case with charging does. */
async function charge(world: World, meterStart = 1_000): Promise<number> {
  const { call, status, tag } = world
  const answer = await call('StartTransaction', { connectorId: 1, idTag: tag, meterStart, timestamp: NOW })
  expect(answer).toEqual({ transactionId: expect.any(Number), idTagInfo: ACCEPTED })
  await status('Charging')
  expect((await world.session(answer.transactionId)).state).toBe('active')
  return answer.transactionId
}

/** Ends it and leaves the connector free. */
async function leave(world: World, transactionId: number, reason: string): Promise<void> {
  const { call, status, tag } = world
  const end = { transactionId, idTag: tag, meterStop: 6_000, timestamp: NOW, reason }
  expect(await call('StopTransaction', end)).toEqual({ idTagInfo: ACCEPTED })
  await status('Finishing')
  await status('Available')
  expect(await world.session(transactionId)).toMatchObject({
    state: 'ended',
    energy_kwh: '5.000',
    stop_reason: reason,
    flags: [],
  })
}

describe('starting and charging', () => {
  it('TC_001: Cold Boot Charge Point', async () => {
    const world = await open()
    const boot = { chargePointVendor: 'Vendor', chargePointModel: 'Model', firmwareVersion: '1.0' }
    expect(await world.call('BootNotification', boot)).toEqual({
      status: 'Accepted',
      currentTime: NOW,
      interval: expect.any(Number),
    })
    for (const connectorId of [0, 1, 2]) expect(await world.status('Available', connectorId)).toEqual({})
    expect(await world.call('Heartbeat')).toEqual({ currentTime: NOW })
    expect(await world.get('')).toMatchObject({
      firmware_version: '1.0',
      status: 'Available',
      connectors: [
        { connector_id: 1, status: 'Available' },
        { connector_id: 2, status: 'Available' },
      ],
    })
    await world.close()
  })

  it('TC_003: Regular Charging Session, Plugin First', async () => {
    const world = await open()
    await world.status('Preparing')
    await authorized(world)
    await leave(world, await charge(world), 'Local')
    await world.close()
  })

  it('TC_004_1: Regular Charging Session, Identification First', async () => {
    const world = await open()
    await authorized(world)
    await world.status('Preparing')
    await leave(world, await charge(world), 'Local')
    await world.close()
  })

  it('TC_004_2: Regular Charging Session, Identification First, Connection Timeout', async () => {
    const world = await open()
    await authorized(world)
    await world.status('Preparing')
    await world.status('Available')
    expect([(await world.shown()).status, await world.sessions()]).toEqual(['Available', []])
    await world.close()
  })

  it('TC_005_1: EVSide Disconnected, Stop Transaction And Unlock', async () => {
    const world = await open()
    await authorized(world)
    const transactionId = await charge(world)
    await world.status('SuspendedEV')
    await leave(world, transactionId, 'EVDisconnected')
    await world.close()
  })

  it('TC_007: Regular Start Charging Session, Cached Id', async () => {
    const world = await open()
    await world.status('Preparing')
    await leave(world, await charge(world), 'Local')
    await world.close()
  })

  it.each([
    ['TC_023_1', 'Invalid', undefined],
    ['TC_023_2', 'Expired', { expires_at: '2026-11-19T00:00:00Z' }],
    ['TC_023_3', 'Blocked', { status: 'blocked' }],
  ])('%s: Start Charging Session, Authorize %s', async (_, status, fields) => {
    const world = await open()
    await world.status('Preparing')
    const idTag = fields ? (await makeTag(api, tenant, fields)).tag : newTag()
    expect((await world.call('Authorize', { idTag })).idTagInfo.status).toBe(status)
    await world.status('Available')
    expect(await world.sessions()).toEqual([])
    await world.close()
  })

  it('TC_024: Start Charging Session, Lock Failure', async () => {
    const world = await open()
    await authorized(world)
    await world.status('Faulted', 1, 'ConnectorLockFailure')
    expect(await world.shown()).toMatchObject({ status: 'Faulted', error_code: 'ConnectorLockFailure' })
    expect(await world.sessions()).toEqual([])
    await world.close()
  })
})

describe('remote start and stop', () => {
  const start = (world: World, answer = ACCEPTED) =>
    world.order({ action: 'remote_start', id_tag: world.tag, connector_id: 1 }, [
      'RemoteStartTransaction',
      answer,
    ])

  it('TC_010: Remote Start Charging Session, Cable Plugged In First', async () => {
    const world = await open()
    await world.status('Preparing')
    const command = await start(world)
    expect(command).toMatchObject({
      state: 'accepted',
      sent: { payload: { idTag: world.tag, connectorId: 1 } },
    })
    await authorized(world)
    const transactionId = await charge(world)
    expect((await world.session(transactionId)).command_id).toBe(command.id)
    await leave(world, transactionId, 'Local')
    await world.close()
  })

  it('TC_011_1: Remote Start Charging Session, Remote Start First', async () => {
    const world = await open()
    const command = await start(world)
    await authorized(world)
    await world.status('Preparing')
    const transactionId = await charge(world)
    expect((await world.session(transactionId)).command_id).toBe(command.id)
    await leave(world, transactionId, 'Local')
    await world.close()
  })

  it('TC_011_2: Remote Start Charging Session, Timeout', async () => {
    const world = await open()
    expect((await start(world)).state).toBe('accepted')
    await world.status('Preparing')
    await world.status('Available')
    expect(await world.sessions()).toEqual([])
    await world.close()
  })

  it('TC_012: Remote Stop Charging Session', async () => {
    const world = await open()
    const transactionId = await charge(world)
    const { id } = await world.session(transactionId)
    const command = await world.order({ action: 'remote_stop', session_id: id }, [
      'RemoteStopTransaction',
      ACCEPTED,
    ])
    expect(command).toMatchObject({ state: 'accepted', sent: { payload: { transactionId } } })
    await leave(world, transactionId, 'Remote')
    expect((await world.session(transactionId)).stop_command_id).toBe(command.id)
    await world.close()
  })

  it('TC_026: Remote Start Charging Session, Rejected', async () => {
    const world = await open()
    expect((await start(world, { status: 'Rejected' })).state).toBe('rejected')
    await world.close()
  })

  it('TC_028: Remote Stop Transaction, Rejected', async () => {
    const world = await open()
    const transactionId = await charge(world)
    const command = await world.order({ action: 'remote_stop', transaction_id: transactionId + 1 }, [
      'RemoteStopTransaction',
      { status: 'Rejected' },
    ])
    expect(command.state).toBe('rejected')
    expect((await world.session(transactionId)).state).toBe('active')
    await world.close()
  })
})

describe('without power and without a connection', () => {
  it('TC_032_1: Power Failure Boot, Stop Transactions', async () => {
    const world = await open()
    const transactionId = await charge(world)
    await world.reconnect()
    const boot = { chargePointVendor: 'Vendor', chargePointModel: 'Model' }
    expect((await world.call('BootNotification', boot)).status).toBe('Accepted')
    await leave(world, transactionId, 'PowerLoss')
    await world.close()
  })

  it('TC_037_1: Offline Start Transaction, Valid Id Tag', async () => {
    const world = await open()
    await world.reconnect()
    const begun = { connectorId: 1, idTag: world.tag, meterStart: 5, timestamp: '2026-11-20T08:00:00Z' }
    const { transactionId, idTagInfo } = await world.call('StartTransaction', begun)
    await world.status('Charging')
    expect([idTagInfo, (await world.session(transactionId)).started_at]).toEqual([
      ACCEPTED,
      '2026-11-20T08:00:00.000Z',
    ])
    await world.close()
  })

  it('TC_037_3: Offline Start Transaction, Invalid Id Tag, Stop On Invalid True', async () => {
    const world = await open()
    await world.reconnect()
    const begun = { connectorId: 1, idTag: newTag(), meterStart: 5, timestamp: '2026-11-20T08:00:00Z' }
    const { transactionId, idTagInfo } = await world.call('StartTransaction', begun)
    expect(idTagInfo).toEqual({ status: 'Invalid' })
    const end = { transactionId, meterStop: 5, timestamp: NOW, reason: 'DeAuthorized' }
    expect(await world.call('StopTransaction', end)).toEqual({})
    expect(await world.session(transactionId)).toMatchObject({
      state: 'ended',
      stop_reason: 'DeAuthorized',
      flags: ['unknown_tag', 'offline'],
    })
    await world.close()
  })

  it('TC_039: Offline Transaction', async () => {
    const world = await open()
    await world.reconnect()
    const begun = { connectorId: 1, idTag: world.tag, meterStart: 1_000, timestamp: '2026-11-20T07:00:00Z' }
    const { transactionId } = await world.call('StartTransaction', begun)
    const end = { transactionId, meterStop: 3_000, timestamp: '2026-11-20T08:00:00Z', idTag: world.tag }
    expect(await world.call('StopTransaction', end)).toEqual({ idTagInfo: ACCEPTED })
    expect(await world.session(transactionId)).toMatchObject({
      started_at: '2026-11-20T07:00:00.000Z',
      ended_at: '2026-11-20T08:00:00.000Z',
      energy_kwh: '2.000',
    })
    await world.close()
  })
})

interface Told {
  readonly title: string
  readonly body: object
  /** As the station hears it. */
  readonly call: readonly [action: string, payload: object]
  /** A word is the status. */
  readonly answer: object | string
  readonly state: string
}

const KNOWN = { key: 'MeterValueSampleInterval', readonly: false, value: '60' }
const UNLOCK = { action: 'unlock', connector_id: 1 }
const KEYS = { action: 'get_configuration' }
const SET = { action: 'set_configuration', key: KNOWN.key, value: '10' }
const TRIGGER = { action: 'trigger_message', message: 'heartbeat' }
const unlocked: Told['call'] = ['UnlockConnector', { connectorId: 1 }]
const changed: Told['call'] = ['ChangeConfiguration', { key: KNOWN.key, value: '10' }]
const triggered: Told['call'] = ['TriggerMessage', { requestedMessage: 'Heartbeat' }]

const TOLD: readonly Told[] = [
  {
    title: 'TC_013: Hard Reset',
    body: { action: 'reset', type: 'hard' },
    call: ['Reset', { type: 'Hard' }],
    answer: 'Accepted',
    state: 'accepted',
  },
  {
    title: 'TC_014: Soft Reset',
    body: { action: 'reset', type: 'soft' },
    call: ['Reset', { type: 'Soft' }],
    answer: 'Accepted',
    state: 'accepted',
  },
  {
    title: 'TC_017_1: Unlock Connector, No Transaction, Not Fixed Cable',
    ...{ body: UNLOCK, call: unlocked, answer: 'Unlocked', state: 'accepted' },
  },
  {
    title: 'TC_017_2: Unlock Connector, No Transaction, Fixed Cable',
    ...{ body: UNLOCK, call: unlocked, answer: 'NotSupported', state: 'rejected' },
  },
  {
    title: 'TC_030: Unlock Connector, Unlock Failure',
    ...{ body: UNLOCK, call: unlocked, answer: 'UnlockFailed', state: 'rejected' },
  },
  {
    title: 'TC_031: Unlock Connector, Unknown Connector',
    body: { ...UNLOCK, connector_id: 9 },
    call: ['UnlockConnector', { connectorId: 9 }],
    answer: 'NotSupported',
    state: 'rejected',
  },
  {
    title: 'TC_019_1: Retrieve All Configuration Keys',
    body: KEYS,
    call: ['GetConfiguration', {}],
    answer: { configurationKey: [KNOWN], unknownKey: [] },
    state: 'accepted',
  },
  {
    title: 'TC_019_2: Retrieve Specific Configuration Key',
    body: { ...KEYS, keys: [KNOWN.key] },
    call: ['GetConfiguration', { key: [KNOWN.key] }],
    answer: { configurationKey: [KNOWN] },
    state: 'accepted',
  },
  {
    title: 'TC_021: Change Set Configuration',
    ...{ body: SET, call: changed, answer: 'Accepted', state: 'accepted' },
  },
  {
    title: 'TC_040_1: Configuration Keys, Not Supported',
    ...{ body: SET, call: changed, answer: 'NotSupported', state: 'rejected' },
  },
  {
    title: 'TC_040_2: Configuration Keys, Invalid Value',
    body: { ...SET, value: '-1' },
    call: ['ChangeConfiguration', { key: KNOWN.key, value: '-1' }],
    answer: 'Rejected',
    state: 'rejected',
  },
  {
    title: 'TC_054: Trigger Message',
    ...{ body: TRIGGER, call: triggered, answer: 'Accepted', state: 'accepted' },
  },
  {
    title: 'TC_055: Trigger Message, Rejected',
    ...{ body: TRIGGER, call: triggered, answer: 'Rejected', state: 'rejected' },
  },
  {
    title: 'TC_061: Clear Authorization Data In Authorization Cache',
    body: { action: 'clear_cache' },
    call: ['ClearCache', {}],
    answer: 'Accepted',
    state: 'accepted',
  },
]

describe('commands', () => {
  it.each(TOLD)('$title', async ({ body, call: [action, payload], answer, state }) => {
    const world = await open()
    const said = typeof answer === 'string' ? { status: answer } : answer
    const command = await world.order(body, [action, said])
    expect(command).toMatchObject({ state, answer: said })
    expect(command.sent).toEqual({ action, payload })
    await world.close()
  })

  it('TC_018_1: Unlock Connector, With Charging Session', async () => {
    const world = await open()
    const transactionId = await charge(world)
    expect((await world.order(UNLOCK, ['UnlockConnector', { status: 'Unlocked' }])).state).toBe('accepted')
    await leave(world, transactionId, 'UnlockCommand')
    await world.close()
  })

  it('TC_064: Data Transfer To Central System', async () => {
    const world = await open()
    const message = { vendorId: 'com.example', messageId: 'hello', data: 'x' }
    expect(await world.call('DataTransfer', message)).toEqual({ status: 'UnknownVendorId' })
    expect(await world.events('data_transfer')).toMatchObject([{ details: { vendor_id: 'com.example' } }])
    await world.close()
  })

  it('that the station does not know end with its error', async () => {
    const world = await open()
    const error = createRPCError('NotImplemented')
    expect(await world.order({ action: 'clear_cache' }, ['ClearCache', error])).toMatchObject({
      state: 'failed',
      answer: null,
    })
    await world.close()
  })
})
