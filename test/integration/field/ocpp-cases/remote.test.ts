import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCEPTED, type Operator, REJECTED, type StationFixture, startCases } from './station-fixture.ts'

let operator: Operator
beforeAll(async () => {
  operator = await startCases()
})
afterAll(() => operator.close())

const start = (world: StationFixture, answer = ACCEPTED) =>
  world.sendCommand({ action: 'remote_start', id_tag: world.tag, connector_id: 1 }, [
    'RemoteStartTransaction',
    answer,
  ])

describe('remote start', () => {
  it('TC_010: Remote Start Charging Session, Cable Plugged In First', async () => {
    const world = await operator.openStation()
    await world.status('Preparing')
    const { id, state, heard } = await start(world)
    expect([state, heard]).toEqual(['accepted', { idTag: world.tag, connectorId: 1 }])
    await world.authorize()
    const transactionId = await world.start()
    expect((await world.session(transactionId)).command_id).toBe(id)
    await world.stop(transactionId, 'Local')
  })

  it('TC_011_1: Remote Start Charging Session, Remote Start First', async () => {
    const world = await operator.openStation()
    const { id } = await start(world)
    await world.authorize()
    await world.status('Preparing')
    const transactionId = await world.start()
    expect((await world.session(transactionId)).command_id).toBe(id)
    await world.stop(transactionId, 'Local')
  })

  it('TC_011_2: Remote Start Charging Session, Timeout', async () => {
    const world = await operator.openStation()
    expect((await start(world)).state).toBe('accepted')
    await world.authorize()
    await world.status('Preparing')
    await world.status('Available')
    expect(await world.readConnector()).toMatchObject({ status: 'Available' })
    expect(await world.readSessions()).toEqual([])
  })

  it('TC_026: Remote Start Charging Session, Rejected', async () => {
    const world = await operator.openStation()
    await world.authorize()
    await world.start()
    expect(await start(world, REJECTED)).toMatchObject({ state: 'rejected', answer: REJECTED })
    expect(await world.readSessions()).toHaveLength(1)
  })
})

describe('remote stop', () => {
  it('TC_012: Remote Stop Charging Session', async () => {
    const world = await operator.openStation()
    await world.authorize()
    const transactionId = await world.start()
    const { id: session_id } = await world.session(transactionId)
    const { id, state, heard } = await world.sendCommand({ action: 'remote_stop', session_id }, [
      'RemoteStopTransaction',
      ACCEPTED,
    ])
    expect([state, heard]).toEqual(['accepted', { transactionId }])
    await world.stop(transactionId, 'Remote')
    expect((await world.session(transactionId)).stop_command_id).toBe(id)
  })

  it('TC_028: Remote Stop Transaction, Rejected', async () => {
    const world = await operator.openStation()
    await world.authorize()
    const transactionId = await world.start()
    const unknown = { action: 'remote_stop', transaction_id: transactionId + 1 }
    const { state, heard } = await world.sendCommand(unknown, ['RemoteStopTransaction', REJECTED])
    expect([state, heard]).toEqual(['rejected', { transactionId: transactionId + 1 }])
    expect((await world.session(transactionId)).state).toBe('active')
  })
})

describe('reset', () => {
  async function reset(type: string, said: string) {
    const world = await operator.openStation()
    await world.boot()
    const { state, heard } = await world.sendCommand({ action: 'reset', type }, ['Reset', ACCEPTED])
    expect([state, heard]).toEqual(['accepted', { type: said }])
    await world.reboot()
    expect(await world.readConnector()).toMatchObject({ status: 'Available' })
  }

  it('TC_013: Hard Reset', () => reset('hard', 'Hard'))

  it('TC_014: Soft Reset', () => reset('soft', 'Soft'))
})

describe('unlocking a connector', () => {
  const unlock = async (world: StationFixture, status: string, connectorId = 1) => {
    const order = { action: 'unlock', connector_id: connectorId }
    const { state, answer, heard } = await world.sendCommand(order, ['UnlockConnector', { status }])
    expect([answer, heard]).toEqual([{ status }, { connectorId }])
    return state
  }

  it('TC_017_1: Unlock Connector, No Transaction, Not Fixed Cable', async () => {
    expect(await unlock(await operator.openStation(), 'Unlocked')).toBe('accepted')
  })

  it('TC_017_2: Unlock Connector, No Transaction, Fixed Cable', async () => {
    expect(await unlock(await operator.openStation(), 'NotSupported')).toBe('rejected')
  })

  it('TC_018_1: Unlock Connector, With Charging Session', async () => {
    const world = await operator.openStation()
    await world.authorize()
    const transactionId = await world.start()
    expect(await unlock(world, 'Unlocked')).toBe('accepted')
    await world.stop(transactionId, 'UnlockCommand')
  })

  it('TC_030: Unlock Connector, Unlock Failure', async () => {
    const world = await operator.openStation()
    expect(await unlock(world, 'UnlockFailed')).toBe('rejected')
    await world.status('Faulted', 1, 'ConnectorLockFailure')
    expect(await world.readConnector()).toMatchObject({ error_code: 'ConnectorLockFailure' })
  })

  it('TC_031: Unlock Connector, Unknown Connector', async () => {
    expect(await unlock(await operator.openStation(), 'NotSupported', 9)).toBe('rejected')
  })
})
