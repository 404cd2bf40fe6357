import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSitePower } from '../../src/modules/chargers/index.ts'
import type { TestApi } from '../support/api.ts'
import { type StationOptions, startOcppApi, type TestCharger, type TestStation } from '../support/ocpp.ts'
import { callsOf, smartCalls } from '../support/smart-charging.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'
import { waitFor } from '../support/wait-for.ts'

const NOW = '2026-11-20T09:30:00Z'
let api: TestApi | undefined
let tenant: TestTenant
let smart: ReturnType<typeof smartCalls>
let stations: TestStation[] = []

beforeEach(async () => {
  api ??= await startOcppApi({ now: NOW })
  api.clock.set(NOW)
  tenant = await createTenant(api)
  smart = smartCalls(api, tenant)
})
afterEach(async () => {
  await Promise.all(stations.map((station) => station.end()))
  stations = []
})
afterAll(() => api?.close())

const clock = () => (api as TestApi).clock
const now = () => new Date(clock().now()).toISOString()

/** A station that follows the profiles it is told, as long as `obeys` says so. */
class Car {
  readonly charger: TestCharger
  readonly station: TestStation
  /** How it answers; the answer may wait. */
  obeys: () => string | Promise<string> = () => 'Accepted'
  profile:
    | { startSchedule: string; chargingSchedulePeriod: { startPeriod: number; limit: number }[] }
    | undefined
  transactionId = 0

  constructor(charger: TestCharger, station: TestStation) {
    this.charger = charger
    this.station = station
    stations.push(station)
    station.onCall('ClearChargingProfile', () => ({ status: 'Unknown' }))
    station.onCall('SetChargingProfile', async ({ csChargingProfiles, chargingProfile }) => {
      const status = await this.obeys()
      if (status === 'Accepted')
        this.profile = csChargingProfiles?.chargingSchedule ?? chargingProfile.chargingSchedule[0]
      return { status }
    })
  }

  static async open(options: StationOptions = {}): Promise<Car> {
    const { charger, station } = await smart.connected(options)
    return new Car(charger, station)
  }

  /** What it may draw now, by its own profile. */
  get limit(): number {
    if (!this.profile) return Number.POSITIVE_INFINITY
    const second = (clock().now() - Date.parse(this.profile.startSchedule)) / 1000
    const periods = this.profile.chargingSchedulePeriod.filter(({ startPeriod }) => startPeriod <= second)
    return periods.at(-1)?.limit ?? Number.POSITIVE_INFINITY
  }

  async start(connectorId = 1): Promise<void> {
    const { tag } = await smart.tag()
    const told = { connectorId, idTag: tag, meterStart: 0, timestamp: now() }
    this.transactionId = (await this.station.call('StartTransaction', told)).transactionId
  }

  stop(): Promise<unknown> {
    return this.station.call('StopTransaction', {
      transactionId: this.transactionId,
      meterStop: 10,
      timestamp: now(),
    })
  }

  draws(kw: number): Promise<unknown> {
    const value = { value: String(kw), measurand: 'Power.Active.Import', unit: 'kW' }
    return this.station.call('MeterValues', {
      connectorId: 1,
      transactionId: this.transactionId,
      meterValue: [{ timestamp: now(), sampledValue: [value] }],
    })
  }
}

const group = (limit_kw: number, cars: readonly Car[], fields: object = {}) =>
  smart.post('/charging-groups', {
    name: `site of ${cars.length} chargers, ${limit_kw} kW`,
    limit_kw,
    members: cars.map(({ charger }) => ({ charger_id: charger.id, max_kw: 22 })),
    ...fields,
  })

/** Waits until each may draw this, in watts; never is the sum above the limit on the way there. */
async function comeTo(cars: readonly Car[], watts: readonly number[], limitW: number): Promise<void> {
  await waitFor(() => {
    const limits = cars.map(({ limit }) => limit)
    const sum = limits.reduce((a, b) => a + b, 0)
    if (sum > limitW && sum !== Number.POSITIVE_INFINITY)
      throw new Error(`${limits.join(' + ')} W is above the limit`)
    return limits.every((limit, place) => limit === watts[place])
  }, 60_000)
}

/** Lets time pass: nothing is under way, whoever is connected is heard of, and then the group is looked at. */
async function pass(id: string, ms: number, cars: readonly Car[]): Promise<void> {
  const isUnderWay = ({ state }: { state: string }) => state === 'being_told'
  await smart.until(`/charging-groups/${id}`, ({ members }) => !members.some(isUnderWay))
  clock().advance(ms)
  const at = now()
  for (const { charger, station } of cars) {
    await station.call('Heartbeat')
    await smart.until(`/chargers/${charger.id}`, ({ last_message_at }) => last_message_at >= at)
  }
  clock().advance(31_000)
}

const told = (id: string) =>
  smart.until(`/charging-groups/${id}`, ({ members }) =>
    members.every(({ state }: { state: string }) => state === 'told'),
  )

describe('a group of chargers', { timeout: 180_000 }, () => {
  it('lets everybody begin with the minimum, and shares the rest among those who charge', async () => {
    const cars = [await Car.open(), await Car.open(), await Car.open()]
    const [a, b, c] = cars as [Car, Car, Car]
    const { id } = await group(11, cars)
    await comeTo(cars, [1_400, 1_400, 1_400], 11_000)
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
    // Whatever limit somebody else had set is taken away first.
    expect(a.station.called[0]).toEqual({
      action: 'ClearChargingProfile',
      payload: { chargingProfilePurpose: 'ChargePointMaxProfile' },
    })
    await a.start()
    await comeTo(cars, [8_200, 1_400, 1_400], 11_000)
    await b.start()
    await comeTo(cars, [4_800, 4_800, 1_400], 11_000)
    const shown = await told(id)
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
    await comeTo([a, c], [1_400, 1_400], 11_000)
    // What was raised a moment ago is not raised again at once.
    await pass(id, 1_000, cars)
    await comeTo(cars, [1_400, 8_200, 1_400], 11_000)
  })

  it('raises nobody before those have accepted who make the room', async () => {
    const cars = [await Car.open(), await Car.open()]
    const [a, b] = cars as [Car, Car]
    await group(10, cars)
    await comeTo(cars, [1_400, 1_400], 10_000)
    await a.start()
    await comeTo(cars, [8_600, 1_400], 10_000)
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
    await sleep(2_500)
    expect(callsOf(b.station, 'SetChargingProfile')).toHaveLength(1)
    let_go()
    await comeTo(cars, [5_000, 5_000], 10_000)
  })

  it('counts a station that refuses with what it had, and asks it again', async () => {
    const cars = [await Car.open(), await Car.open()]
    const [a, b] = cars as [Car, Car]
    const { id } = await group(10, cars)
    await comeTo(cars, [1_400, 1_400], 10_000)
    await a.start()
    await comeTo(cars, [8_600, 1_400], 10_000)
    a.obeys = () => 'Rejected'
    await b.start()
    const refused = await smart.until(`/charging-groups/${id}`, ({ members }) =>
      members.some(({ state }: { state: string }) => state === 'refused'),
    )
    expect(refused.is_within_limit).toBe(true)
    expect(b.limit).toBe(1_400)
    a.obeys = () => 'Accepted'
    await pass(id, 40_000, cars)
    await comeTo(cars, [5_000, 5_000], 10_000)
  })

  it('leaves a station out of touch its share until that has lapsed by itself', async () => {
    const cars = [await Car.open(), await Car.open()]
    const [a, b] = cars as [Car, Car]
    const { id } = await group(10, cars)
    await comeTo(cars, [1_400, 1_400], 10_000)
    await a.start()
    await comeTo(cars, [8_600, 1_400], 10_000)
    await a.station.end()
    await smart.until(`/charging-groups/${id}`, ({ members }) =>
      members.some(({ state }: { state: string }) => state === 'out_of_touch'),
    )
    await b.start()
    await sleep(2_500)
    expect([a.limit, b.limit]).toEqual([8_600, 1_400])
    // Its share has lapsed; a little later, whatever its clock says, the others may have it.
    await pass(id, 15 * 60_000, [b])
    expect([a.limit, b.limit]).toEqual([1_400, 1_400])
    await pass(id, 2 * 60_000, [b])
    await comeTo(cars, [1_400, 8_600], 10_000)
  })

  it('renews a share before it lapses, as it was', async () => {
    const cars = [await Car.open(), await Car.open()]
    const [a] = cars as [Car, Car]
    const { id } = await group(10, cars)
    await comeTo(cars, [1_400, 1_400], 10_000)
    await a.start()
    await comeTo(cars, [8_600, 1_400], 10_000)
    const before = callsOf(a.station, 'SetChargingProfile').length
    await pass(id, 8 * 60_000, cars)
    await waitFor(() => callsOf(a.station, 'SetChargingProfile').length > before, 60_000)
    await comeTo(cars, [8_600, 1_400], 10_000)
    clock().advance(8 * 60_000)
    expect(a.limit).toBe(8_600)
    // One that starts anew hears it again, in case it has forgotten it.
    const renewed = callsOf(a.station, 'SetChargingProfile').length
    const boot = { chargePointVendor: 'x', chargePointModel: 'y' }
    await a.station.call('BootNotification', boot)
    await pass(id, 1_000, cars)
    await waitFor(() => callsOf(a.station, 'SetChargingProfile').length > renewed, 60_000)
  })

  it('is looked at by one process at a time', async () => {
    const { deps } = api as TestApi
    const others = [startSitePower(deps), startSitePower(deps)]
    try {
      const cars = [await Car.open(), await Car.open()]
      const [a, b] = cars as [Car, Car]
      await group(10, cars)
      await comeTo(cars, [1_400, 1_400], 10_000)
      await a.start()
      await comeTo(cars, [8_600, 1_400], 10_000)
      expect(callsOf(a.station, 'SetChargingProfile')).toHaveLength(2)
      expect(callsOf(b.station, 'SetChargingProfile')).toHaveLength(1)
    } finally {
      await Promise.all(others.map((other) => other.stop()))
    }
  })

  it('gives by need what a car leaves', async () => {
    const cars = [await Car.open(), await Car.open()]
    const [a, b] = cars as [Car, Car]
    const { id } = await group(10, cars, { split: 'by_need' })
    await comeTo(cars, [1_400, 1_400], 10_000)
    await a.start()
    await b.start()
    await comeTo(cars, [5_000, 5_000], 10_000)
    await pass(id, 60_000, cars)
    await a.draws(1)
    await b.draws(5)
    await pass(id, 1_000, cars)
    await comeTo(cars, [2_000, 8_000], 10_000)
  })

  it('pauses by order of arrival when the minimum is not there for all', async () => {
    const cars = [await Car.open(), await Car.open(), await Car.open()]
    const [a, b, c] = cars as [Car, Car, Car]
    await group(3, cars)
    await comeTo(cars, [0, 0, 0], 3_000)
    await a.start()
    clock().advance(1_000)
    await b.start()
    clock().advance(1_000)
    await c.start()
    await comeTo(cars, [1_500, 1_500, 0], 3_000)
    await a.stop()
    await comeTo(cars, [0, 1_500, 1_500], 3_000)
  })

  it('tells amperes, and stations of OCPP 2.0.1', async () => {
    const old = await Car.open()
    const young = await Car.open({ version: '2.0.1' })
    await group(10, [], {
      members: [
        { charger_id: old.charger.id, max_kw: 22, unit: 'A', phases: 3 },
        { charger_id: young.charger.id, max_kw: 22 },
      ],
      min_kw_per_connector: 4.2,
    })
    await comeTo([old, young], [6, 4_200], 10_000)
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

describe('the chargers of a group', { timeout: 180_000 }, () => {
  it('are in one group, take no other limit of the whole, and are told when they have left', async () => {
    const cars = [await Car.open(), await Car.open()]
    const [a, b] = cars as [Car, Car]
    const { id } = await group(10, cars)
    await comeTo(cars, [1_400, 1_400], 10_000)
    const second = await smart.call('POST', '/charging-groups', {
      name: 'another',
      limit_kw: 5,
      members: [{ charger_id: a.charger.id, max_kw: 22 }],
    })
    expect([second.status, second.body.error_code]).toEqual([409, 'CHARGER_IN_GROUP'])
    const schedule = { unit: 'W', periods: [{ start_second: 0, limit: 20_000 }] }
    const profiles = `/chargers/${a.charger.id}/charging-profiles`
    const limit = await smart.call('POST', profiles, { purpose: 'charge_point_max', schedule })
    expect(limit.body.error_code).toBe('CHARGER_IN_GROUP')
    expect((await smart.call('POST', `${profiles}/clear`, {})).body.error_code).toBe('CHARGER_IN_GROUP')
    await smart.post(profiles, { purpose: 'tx_default', schedule })

    const left = await smart.call('PUT', `/charging-groups/${id}`, {
      limit_kw: 4,
      members: [{ charger_id: b.charger.id, max_kw: 22 }],
    })
    expect(left.body.members.map(({ charger_id }: { charger_id: string }) => charger_id)).toEqual([
      b.charger.id,
    ])
    await waitFor(
      () => callsOf(a.station, 'ClearChargingProfile').some(({ id: number }) => number === 1),
      30_000,
    )
    await b.start()
    await comeTo([b], [4_000], 4_000)
    expect((await smart.call('DELETE', `/charging-groups/${id}`)).status).toBe(204)
    await waitFor(
      () => callsOf(b.station, 'ClearChargingProfile').some(({ id: number }) => number === 1),
      30_000,
    )
    expect((await smart.call('GET', `/charging-groups/${id}`)).status).toBe(404)
  })

  it('are listed, changed and refused', async () => {
    const car = await Car.open()
    const made = await group(10, [car])
    const list = await smart.get('/charging-groups')
    expect(list).toMatchObject({ total: 1, items: [{ id: made.id, member_count: 1, limit_kw: 10 }] })
    const code = async (change: object) => {
      const { status, body } = await smart.call('POST', '/charging-groups', {
        name: 'new',
        limit_kw: 10,
        ...change,
      })
      return [status, body.error_code ?? body.detail?.[0]?.loc]
    }
    expect(await code({ name: made.name })).toEqual([409, 'DUPLICATE_ENTRY'])
    expect(await code({ limit_kw: 0 })).toEqual([422, ['body', 'limit_kw']])
    expect(await code({ subregion_id: tenant.admin.id })).toEqual([422, 'INVALID_REFERENCE'])
    const stranger = { charger_id: tenant.admin.id, max_kw: 5 }
    expect(await code({ members: [stranger] })).toEqual([422, 'INVALID_REFERENCE'])
    const twice = { charger_id: car.charger.id, max_kw: 5 }
    expect(await code({ members: [twice, twice] })).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    const renamed = await smart.call('PUT', `/charging-groups/${made.id}`, {
      name: 'renamed',
      split: 'by_need',
    })
    expect(renamed.body).toMatchObject({ name: 'renamed', split: 'by_need', limit_kw: 10 })
    // A charger that is removed has left its group.
    await smart.call('DELETE', `/chargers/${car.charger.id}`)
    expect((await smart.get(`/charging-groups/${made.id}`)).members).toEqual([])
  })
})
