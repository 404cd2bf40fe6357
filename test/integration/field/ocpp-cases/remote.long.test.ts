import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCEPTED, type Operator, REJECTED, type StationFixture, startCases } from './station-fixture.ts'

let operator: Operator
beforeAll(async () => {
  operator = await startCases()
})
afterAll(() => operator.close())

const start = (setup: StationFixture, response = ACCEPTED) =>
  setup.sendCommand({ action: 'remote_start', id_tag: setup.tag, connector_id: 1 }, [
    'RemoteStartTransaction',
    response,
  ])

describe('remote start', () => {
  it('TC_010: Remote Start Charging Session, Cable Plugged In First', async () => {
    const setup = await operator.openStation()
    await setup.status('Preparing')
    const { id, state, heard: received } = await start(setup)
    expect([state, received]).toEqual(['accepted', { idTag: setup.tag, connectorId: 1 }])
    await setup.authorize()
    const transactionId = await setup.start()
    expect((await setup.session(transactionId)).command_id).toBe(id)
    await setup.stop(transactionId, 'Local')
  })

  it('TC_011_1: Remote Start Charging Session, Remote Start First', async () => {
    const setup = await operator.openStation()
    const { id } = await start(setup)
    await setup.authorize()
    await setup.status('Preparing')
    const transactionId = await setup.start()
    expect((await setup.session(transactionId)).command_id).toBe(id)
    await setup.stop(transactionId, 'Local')
  })

  it('TC_011_2: Remote Start Charging Session, Timeout', async () => {
    const setup = await operator.openStation()
    expect((await start(setup)).state).toBe('accepted')
    await setup.authorize()
    await setup.status('Preparing')
    await setup.status('Available')
    expect(await setup.readConnector()).toMatchObject({ status: 'Available' })
    expect(await setup.readSessions()).toEqual([])
  })

  it('TC_026: Remote Start Charging Session, Rejected', async () => {
    const setup = await operator.openStation()
    await setup.authorize()
    await setup.start()
    expect(await start(setup, REJECTED)).toMatchObject({ state: 'rejected', answer: REJECTED })
    expect(await setup.readSessions()).toHaveLength(1)
  })
})

describe('remote stop', () => {
  it('TC_012: Remote Stop Charging Session', async () => {
    const setup = await operator.openStation()
    await setup.authorize()
    const transactionId = await setup.start()
    const { id: session_id } = await setup.session(transactionId)
    const {
      id,
      state,
      heard: received,
    } = await setup.sendCommand({ action: 'remote_stop', session_id }, ['RemoteStopTransaction', ACCEPTED])
    expect([state, received]).toEqual(['accepted', { transactionId }])
    await setup.stop(transactionId, 'Remote')
    expect((await setup.session(transactionId)).stop_command_id).toBe(id)
  })

  it('TC_028: Remote Stop Transaction, Rejected', async () => {
    const setup = await operator.openStation()
    await setup.authorize()
    const transactionId = await setup.start()
    const unknown = { action: 'remote_stop', transaction_id: transactionId + 1 }
    const { state, heard: received } = await setup.sendCommand(unknown, ['RemoteStopTransaction', REJECTED])
    expect([state, received]).toEqual(['rejected', { transactionId: transactionId + 1 }])
    expect((await setup.session(transactionId)).state).toBe('active')
  })
})

describe('reset', () => {
  async function reset(type: string, status: string) {
    const setup = await operator.openStation()
    await setup.boot()
    const { state, heard: received } = await setup.sendCommand({ action: 'reset', type }, ['Reset', ACCEPTED])
    expect([state, received]).toEqual(['accepted', { type: status }])
    await setup.reboot()
    expect(await setup.readConnector()).toMatchObject({ status: 'Available' })
  }

  it('TC_013: Hard Reset', () => reset('hard', 'Hard'))

  it('TC_014: Soft Reset', () => reset('soft', 'Soft'))
})

describe('unlocking a connector', () => {
  const unlock = async (setup: StationFixture, status: string, connectorId = 1) => {
    const order = { action: 'unlock', connector_id: connectorId }
    const {
      state,
      answer: response,
      heard: received,
    } = await setup.sendCommand(order, ['UnlockConnector', { status }])
    expect([response, received]).toEqual([{ status }, { connectorId }])
    return state
  }

  it('TC_017_1: Unlock Connector, No Transaction, Not Fixed Cable', async () => {
    expect(await unlock(await operator.openStation(), 'Unlocked')).toBe('accepted')
  })

  it('TC_017_2: Unlock Connector, No Transaction, Fixed Cable', async () => {
    expect(await unlock(await operator.openStation(), 'NotSupported')).toBe('rejected')
  })

  it('TC_018_1: Unlock Connector, With Charging Session', async () => {
    const setup = await operator.openStation()
    await setup.authorize()
    const transactionId = await setup.start()
    expect(await unlock(setup, 'Unlocked')).toBe('accepted')
    await setup.stop(transactionId, 'UnlockCommand')
  })

  it('TC_030: Unlock Connector, Unlock Failure', async () => {
    const setup = await operator.openStation()
    expect(await unlock(setup, 'UnlockFailed')).toBe('rejected')
    await setup.status('Faulted', 1, 'ConnectorLockFailure')
    expect(await setup.readConnector()).toMatchObject({ error_code: 'ConnectorLockFailure' })
  })

  it('TC_031: Unlock Connector, Unknown Connector', async () => {
    expect(await unlock(await operator.openStation(), 'NotSupported', 9)).toBe('rejected')
  })
})
