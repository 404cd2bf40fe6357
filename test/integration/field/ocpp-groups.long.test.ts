import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startChargingPoll } from '../../../src/areas/charging/stations.ts'
import type { TestApi } from '../../support/api.ts'
import { type Car, Site } from '../../support/charging/power-balancing.ts'
import { callsOf } from '../../support/charging/smart-charging.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let site: Site
beforeAll(async () => {
  api = await Site.startApi()
})
beforeEach(async () => {
  site = await Site.open(api)
})
afterEach(() => site.close())
afterAll(() => api.close())

describe('charging group', () => {
  it('gives every member the minimum and distributes the rest among those that charge', async () => {
    const cars = [await site.car(), await site.car(), await site.car()]
    const [a, b, c] = cars as [Car, Car, Car]
    const { id } = await site.group(11, cars)
    await site.waitForLimits(cars, [1_400, 1_400, 1_400], 11_000)
    const [first] = callsOf(a.station, 'SetChargingProfile')
    expect(first).toEqual({
      connectorId: 0,
      csChargingProfiles: {
        chargingProfileId: 1,
        stackLevel: 0,
        chargingProfilePurpose: 'ChargePointMaxProfile',
        chargingProfileKind: 'Absolute',
        chargingSchedule: {
          startSchedule: '2026-11-19T09:30:00Z',
          chargingRateUnit: 'W',
          chargingSchedulePeriod: [{ startPeriod: 0, limit: 1_400 }],
        },
      },
    })
    // Limits that others have set are cleared first.
    expect(a.station.called[0]).toEqual({
      action: 'ClearChargingProfile',
      payload: { chargingProfilePurpose: 'ChargePointMaxProfile' },
    })
    await a.start()
    await site.waitForLimits(cars, [8_200, 1_400, 1_400], 11_000)
    await b.start()
    await site.waitForLimits(cars, [4_800, 4_800, 1_400], 11_000)
    const shown = await site.settled(id)
    expect(shown).toMatchObject({ limit_kw: 11, may_draw_kw: 11, is_within_limit: true, split: 'equal' })
    const ofA = shown.members.find(({ charger_id }: { charger_id: string }) => charger_id === a.charger.id)
    expect(ofA).toEqual({
      charger_id: a.charger.id,
      max_kw: 22,
      unit: 'W',
      phases: 3,
      state: 'told',
      charging_connectors: 1,
      share_kw: 4.8,
      share_until: '2026-11-20T09:45:00.000Z',
      fallback_kw: 1.4,
      may_draw_kw: 4.8,
    })
    await a.stop()
    await site.waitForLimits([a, c], [1_400, 1_400], 11_000)
    // A limit that was just raised is not raised again at once.
    await site.advanceAndBalance(id, 1_000, cars)
    await site.waitForLimits(cars, [1_400, 8_200, 1_400], 11_000)
  })

  it('raises a limit only after the chargers that are lowered have accepted', async () => {
    const cars = [await site.car(), await site.car()]
    const [a, b] = cars as [Car, Car]
    await site.group(10, cars)
    await site.waitForLimits(cars, [1_400, 1_400], 10_000)
    await a.start()
    await site.waitForLimits(cars, [8_600, 1_400], 10_000)
    let let_go = () => {}
    const held = new Promise<void>((resolve) => {
      let_go = resolve
    })
    a.obeys = async () => {
      await held
      return 'Accepted'
    }
    await b.start()
    await waitFor(() => callsOf(a.station, 'SetChargingProfile').length >= 3, 60_000)
    await sleep(1_000)
    expect(callsOf(b.station, 'SetChargingProfile')).toHaveLength(1)
    let_go()
    await site.waitForLimits(cars, [5_000, 5_000], 10_000)
  })

  it('counts a station that rejects its limit with the old one, and sends the limit again', async () => {
    const cars = [await site.car(), await site.car()]
    const [a, b] = cars as [Car, Car]
    const { id } = await site.group(10, cars)
    await site.waitForLimits(cars, [1_400, 1_400], 10_000)
    await a.start()
    await site.waitForLimits(cars, [8_600, 1_400], 10_000)
    a.obeys = () => 'Rejected'
    await b.start()
    const refused = await site.smart.until(`/charging-groups/${id}`, ({ members }) =>
      members.some(({ state }: { state: string }) => state === 'refused'),
    )
    expect(refused.is_within_limit).toBe(true)
    expect(b.limit).toBe(1_400)
    a.obeys = () => 'Accepted'
    await site.advanceAndBalance(id, 40_000, cars)
    await site.waitForLimits(cars, [5_000, 5_000], 10_000)
  })

  it('reserves the share of a disconnected station until the share expires by itself', async () => {
    const cars = [await site.car(), await site.car()]
    const [a, b] = cars as [Car, Car]
    const { id } = await site.group(10, cars)
    await site.waitForLimits(cars, [1_400, 1_400], 10_000)
    await a.start()
    await site.waitForLimits(cars, [8_600, 1_400], 10_000)
    await a.station.end()
    await site.smart.until(`/charging-groups/${id}`, ({ members }) =>
      members.some(({ state }: { state: string }) => state === 'out_of_touch'),
    )
    await b.start()
    await sleep(1_000)
    expect([a.limit, b.limit]).toEqual([8_600, 1_400])
    // The share has expired; after a margin for the clock of the station, the others may have it.
    await site.advanceAndBalance(id, 15 * 60_000, [b])
    expect([a.limit, b.limit]).toEqual([1_400, 1_400])
    await site.advanceAndBalance(id, 2 * 60_000, [b])
    await site.waitForLimits(cars, [1_400, 8_600], 10_000)
  })

  it('renews an unchanged share before it expires', async () => {
    const cars = [await site.car(), await site.car()]
    const [a] = cars as [Car, Car]
    const { id } = await site.group(10, cars)
    await site.waitForLimits(cars, [1_400, 1_400], 10_000)
    await a.start()
    await site.waitForLimits(cars, [8_600, 1_400], 10_000)
    const before = callsOf(a.station, 'SetChargingProfile').length
    await site.advanceAndBalance(id, 8 * 60_000, cars)
    await waitFor(() => callsOf(a.station, 'SetChargingProfile').length > before, 60_000)
    await site.waitForLimits(cars, [8_600, 1_400], 10_000)
    site.clock.advance(8 * 60_000)
    expect(a.limit).toBe(8_600)
    // A station that boots receives its limit again, in case it has lost it.
    const renewed = callsOf(a.station, 'SetChargingProfile').length
    const boot = { chargePointVendor: 'x', chargePointModel: 'y' }
    await a.station.call('BootNotification', boot)
    await site.advanceAndBalance(id, 1_000, cars)
    await waitFor(() => callsOf(a.station, 'SetChargingProfile').length > renewed, 60_000)
  })

  it('is evaluated by one process at a time', async () => {
    const { deps } = site.api
    const others = [startChargingPoll(deps), startChargingPoll(deps)]
    try {
      const cars = [await site.car(), await site.car()]
      const [a, b] = cars as [Car, Car]
      await site.group(10, cars)
      await site.waitForLimits(cars, [1_400, 1_400], 10_000)
      await a.start()
      await site.waitForLimits(cars, [8_600, 1_400], 10_000)
      expect(callsOf(a.station, 'SetChargingProfile')).toHaveLength(2)
      expect(callsOf(b.station, 'SetChargingProfile')).toHaveLength(1)
    } finally {
      await Promise.all(others.map((other) => other.stop()))
    }
  })

  it('with split by_need gives the power that one car does not use to the others', async () => {
    const cars = [await site.car(), await site.car()]
    const [a, b] = cars as [Car, Car]
    const { id } = await site.group(10, cars, { split: 'by_need' })
    await site.waitForLimits(cars, [1_400, 1_400], 10_000)
    await a.start()
    await b.start()
    await site.waitForLimits(cars, [5_000, 5_000], 10_000)
    await site.advanceAndBalance(id, 60_000, cars)
    await a.draws(1)
    await b.draws(5)
    await site.advanceAndBalance(id, 1_000, cars)
    await site.waitForLimits(cars, [2_000, 8_000], 10_000)
  })

  it('pauses chargers in order of arrival when the minimum is not available for all', async () => {
    const cars = [await site.car(), await site.car(), await site.car()]
    const [a, b, c] = cars as [Car, Car, Car]
    await site.group(3, cars)
    await site.waitForLimits(cars, [0, 0, 0], 3_000)
    await a.start()
    site.clock.advance(1_000)
    await b.start()
    site.clock.advance(1_000)
    await c.start()
    await site.waitForLimits(cars, [1_500, 1_500, 0], 3_000)
    await a.stop()
    await site.waitForLimits(cars, [0, 1_500, 1_500], 3_000)
  })

  it('sends limits in amperes, and limits to stations of OCPP 2.0.1', async () => {
    const old = await site.car()
    const young = await site.car({ version: '2.0.1' })
    await site.group(10, [], {
      members: [
        { charger_id: old.charger.id, max_kw: 22, unit: 'A', phases: 3 },
        { charger_id: young.charger.id, max_kw: 22 },
      ],
      min_kw_per_connector: 4.2,
    })
    await site.waitForLimits([old, young], [6, 4_200], 10_000)
    expect(callsOf(old.station, 'SetChargingProfile')[0].csChargingProfiles.chargingSchedule).toMatchObject({
      chargingRateUnit: 'A',
      chargingSchedulePeriod: [{ startPeriod: 0, limit: 6, numberPhases: 3 }],
    })
    expect(callsOf(young.station, 'SetChargingProfile')[0]).toMatchObject({
      evseId: 0,
      chargingProfile: { id: 1, chargingProfilePurpose: 'ChargingStationMaxProfile' },
    })
  })
})
