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
async function limit(world: StationFixture, body: object) {
  world.respondTo('SetChargingProfile', ACCEPTED)
  const made = await operator.post(`${world.path}/charging-profiles`, { schedule: SCHEDULE, ...body })
  const path = `/charging-profiles/${made.id}`
  const { profile_number } = await operator.until(path, ({ state }) => state === 'active')
  return { path, number: profile_number, heard: world.callsReceived('SetChargingProfile').at(-1) }
}

const cleared = (path: string) => operator.until(path, ({ state }) => state === 'cleared')

describe('central smart charging', () => {
  it('TC_056: Central Smart Charging, Tx Default Profile', async () => {
    const world = await operator.openStation()
    const { number, heard } = await limit(world, { connector_id: 1, purpose: 'tx_default' })
    expect(heard).toEqual({
      connectorId: 1,
      csChargingProfiles: {
        chargingProfileId: number,
        stackLevel: 0,
        chargingProfilePurpose: 'TxDefaultProfile',
        chargingProfileKind: 'Absolute',
        chargingSchedule: { ...SAID, startSchedule: NOW },
      },
    })
    await world.authorize()
    await world.stop(await world.start(), 'Local')
  })

  it('TC_057: Central Smart Charging, Tx Profile', async () => {
    const world = await operator.openStation()
    await world.authorize()
    const transactionId = await world.start()
    const { id: session_id } = await world.session(transactionId)
    const { path, heard } = await limit(world, { purpose: 'tx', session_id })
    expect(heard).toMatchObject({
      connectorId: 1,
      csChargingProfiles: { transactionId, chargingProfilePurpose: 'TxProfile', chargingSchedule: SAID },
    })
    await world.stop(transactionId, 'Local')
    expect((await operator.get(path)).state).toBe('over')
  })

  it('TC_059: Remote Start Transaction With Charging Profile', async () => {
    const world = await operator.openStation()
    const order = {
      action: 'remote_start',
      id_tag: world.tag,
      connector_id: 1,
      charging_profile: { kind: 'relative', schedule: SCHEDULE },
    }
    const { id, state, heard } = await world.sendCommand(order, ['RemoteStartTransaction', ACCEPTED])
    expect(state).toBe('accepted')
    expect(heard).toEqual({
      idTag: world.tag,
      connectorId: 1,
      chargingProfile: {
        chargingProfileId: expect.any(Number),
        stackLevel: 0,
        chargingProfilePurpose: 'TxProfile',
        chargingProfileKind: 'Relative',
        chargingSchedule: SAID,
      },
    })
    await world.authorize()
    await world.status('Preparing')
    const transactionId = await world.start()
    expect((await world.session(transactionId)).command_id).toBe(id)
  })
})

describe('composite schedules and cleared profiles', () => {
  it('TC_066: Get Composite Schedule', async () => {
    const world = await operator.openStation()
    await limit(world, { purpose: 'charge_point_max' })
    await limit(world, { connector_id: 1, purpose: 'tx_default' })
    await world.start()
    const answer = {
      ...ACCEPTED,
      connectorId: 1,
      scheduleStart: NOW,
      chargingSchedule: { ...SAID, duration: 300 },
    }
    world.respondTo('GetCompositeSchedule', answer)
    const ask = { connector_id: 1, duration_seconds: 300, unit: 'A' }
    const command = await operator.post(`${world.path}/composite-schedule?wait=30`, ask, 202)
    expect(command).toMatchObject({ state: 'accepted', answer })
    expect(world.callsReceived('GetCompositeSchedule')).toEqual([
      { connectorId: 1, duration: 300, chargingRateUnit: 'A' },
    ])
  })

  it('TC_067: Clear Charging Profile', async () => {
    const world = await operator.openStation()
    const [first, second] = [
      await limit(world, { connector_id: 1, purpose: 'tx_default' }),
      await limit(world, { connector_id: 1, purpose: 'tx_default', stack_level: 1 }),
    ]
    world.respondTo('ClearChargingProfile', ACCEPTED)
    expect((await operator.call('DELETE', first.path)).status).toBe(204)
    await cleared(first.path)
    expect((await operator.get(second.path)).state).toBe('active')
    const fitting = { connector_id: 1, purpose: 'tx_default', stack_level: 1 }
    await operator.post(`${world.path}/charging-profiles/clear?wait=30`, fitting, 202)
    await cleared(second.path)
    expect(world.callsReceived('ClearChargingProfile')).toEqual([
      { id: first.number },
      { connectorId: 1, chargingProfilePurpose: 'TxDefaultProfile', stackLevel: 1 },
    ])
  })
})
