import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCEPTED, NOW, type Operator, type StationFixture, startCases } from './station-fixture.ts'

let operator: Operator
beforeAll(async () => {
  operator = await startCases()
})
afterAll(() => operator.close())

const SCHEDULE = { unit: 'A', periods: [{ start_second: 0, limit: 6 }] }
const SAID = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 6 }] }

/** A profile that the station has accepted, with the payload it received. */
async function limit(setup: StationFixture, body: object) {
  setup.respondTo('SetChargingProfile', ACCEPTED)
  const created = await operator.post(`${setup.path}/charging-profiles`, { schedule: SCHEDULE, ...body })
  const path = `/charging-profiles/${created.id}`
  const { profile_number } = await operator.until(path, ({ state }) => state === 'active')
  return { path, number: profile_number, heard: setup.callsReceived('SetChargingProfile').at(-1) }
}

const cleared = (path: string) => operator.until(path, ({ state }) => state === 'cleared')

describe('central smart charging', () => {
  it('TC_056: Central Smart Charging, Tx Default Profile', async () => {
    const setup = await operator.openStation()
    const { number, heard: received } = await limit(setup, { connector_id: 1, purpose: 'tx_default' })
    expect(received).toEqual({
      connectorId: 1,
      csChargingProfiles: {
        chargingProfileId: number,
        stackLevel: 0,
        chargingProfilePurpose: 'TxDefaultProfile',
        chargingProfileKind: 'Absolute',
        chargingSchedule: { ...SAID, startSchedule: NOW },
      },
    })
    await setup.authorize()
    await setup.stop(await setup.start(), 'Local')
  })

  it('TC_057: Central Smart Charging, Tx Profile', async () => {
    const setup = await operator.openStation()
    await setup.authorize()
    const transactionId = await setup.start()
    const { id: session_id } = await setup.session(transactionId)
    const { path, heard: received } = await limit(setup, { purpose: 'tx', session_id })
    expect(received).toMatchObject({
      connectorId: 1,
      csChargingProfiles: { transactionId, chargingProfilePurpose: 'TxProfile', chargingSchedule: SAID },
    })
    await setup.stop(transactionId, 'Local')
    expect((await operator.get(path)).state).toBe('over')
  })

  it('TC_059: Remote Start Transaction With Charging Profile', async () => {
    const setup = await operator.openStation()
    const order = {
      action: 'remote_start',
      id_tag: setup.tag,
      connector_id: 1,
      charging_profile: { kind: 'relative', schedule: SCHEDULE },
    }
    const {
      id,
      state,
      heard: received,
    } = await setup.sendCommand(order, ['RemoteStartTransaction', ACCEPTED])
    expect(state).toBe('accepted')
    expect(received).toEqual({
      idTag: setup.tag,
      connectorId: 1,
      chargingProfile: {
        chargingProfileId: expect.any(Number),
        stackLevel: 0,
        chargingProfilePurpose: 'TxProfile',
        chargingProfileKind: 'Relative',
        chargingSchedule: SAID,
      },
    })
    await setup.authorize()
    await setup.status('Preparing')
    const transactionId = await setup.start()
    expect((await setup.session(transactionId)).command_id).toBe(id)
  })
})

describe('composite schedules and cleared profiles', () => {
  it('TC_066: Get Composite Schedule', async () => {
    const setup = await operator.openStation()
    await limit(setup, { purpose: 'charge_point_max' })
    await limit(setup, { connector_id: 1, purpose: 'tx_default' })
    await setup.start()
    const response = {
      ...ACCEPTED,
      connectorId: 1,
      scheduleStart: NOW,
      chargingSchedule: { ...SAID, duration: 300 },
    }
    setup.respondTo('GetCompositeSchedule', response)
    const ask = { connector_id: 1, duration_seconds: 300, unit: 'A' }
    const command = await operator.post(`${setup.path}/composite-schedule?wait=30`, ask, 202)
    expect(command).toMatchObject({ state: 'accepted', answer: response })
    expect(setup.callsReceived('GetCompositeSchedule')).toEqual([
      { connectorId: 1, duration: 300, chargingRateUnit: 'A' },
    ])
  })

  it('TC_067: Clear Charging Profile', async () => {
    const setup = await operator.openStation()
    const [first, second] = [
      await limit(setup, { connector_id: 1, purpose: 'tx_default' }),
      await limit(setup, { connector_id: 1, purpose: 'tx_default', stack_level: 1 }),
    ]
    setup.respondTo('ClearChargingProfile', ACCEPTED)
    expect((await operator.call('DELETE', first.path)).status).toBe(204)
    await cleared(first.path)
    expect((await operator.get(second.path)).state).toBe('active')
    const fitting = { connector_id: 1, purpose: 'tx_default', stack_level: 1 }
    await operator.post(`${setup.path}/charging-profiles/clear?wait=30`, fitting, 202)
    await cleared(second.path)
    expect(setup.callsReceived('ClearChargingProfile')).toEqual([
      { id: first.number },
      { connectorId: 1, chargingProfilePurpose: 'TxDefaultProfile', stackLevel: 1 },
    ])
  })
})
