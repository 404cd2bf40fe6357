import { startChargingPoll } from '../../../src/areas/charging/stations.ts'
import type { TestApi } from '../api.ts'
import { type StationOptions, startOcppApi, type TestCharger, type TestStation } from '../field/ocpp.ts'
import { createTenant, type TestTenant } from '../tenants.ts'
import { waitFor } from '../wait-for.ts'
import { smartCalls } from './smart-charging.ts'

const NOW = '2026-11-20T09:30:00Z'

/** A station that follows the profiles it receives, as long as `obeys` accepts them. */
export class Car {
  readonly charger: TestCharger
  readonly station: TestStation
  readonly #site: Site
  /** Its response, which may be delayed. */
  obeys: () => string | Promise<string> = () => 'Accepted'
  profile:
    | { startSchedule: string; chargingSchedulePeriod: { startPeriod: number; limit: number }[] }
    | undefined
  transactionId = 0

  constructor(site: Site, charger: TestCharger, station: TestStation) {
    this.#site = site
    this.charger = charger
    this.station = station
    station.onCall('ClearChargingProfile', () => ({ status: 'Unknown' }))
    station.onCall('SetChargingProfile', async ({ csChargingProfiles, chargingProfile }) => {
      const status = await this.obeys()
      if (status === 'Accepted')
        this.profile = csChargingProfiles?.chargingSchedule ?? chargingProfile.chargingSchedule[0]
      return { status }
    })
  }

  /** The power it is allowed to draw now by its own profile. */
  get limit(): number {
    if (!this.profile) return Number.POSITIVE_INFINITY
    const second = (this.#site.clock.now() - Date.parse(this.profile.startSchedule)) / 1000
    const periods = this.profile.chargingSchedulePeriod.filter(({ startPeriod }) => startPeriod <= second)
    return periods.at(-1)?.limit ?? Number.POSITIVE_INFINITY
  }

  async start(connectorId = 1): Promise<void> {
    const { tag } = await this.#site.smart.tag()
    const payload = { connectorId, idTag: tag, meterStart: 0, timestamp: this.#site.now() }
    this.transactionId = (await this.station.call('StartTransaction', payload)).transactionId
  }

  stop(): Promise<unknown> {
    return this.station.call('StopTransaction', {
      transactionId: this.transactionId,
      meterStop: 10,
      timestamp: this.#site.now(),
    })
  }

  draws(kw: number): Promise<unknown> {
    const value = { value: String(kw), measurand: 'Power.Active.Import', unit: 'kW' }
    return this.station.call('MeterValues', {
      connectorId: 1,
      transactionId: this.transactionId,
      meterValue: [{ timestamp: this.#site.now(), sampledValue: [value] }],
    })
  }
}

/** A tenant with chargers that share the power of a site. */
export class Site {
  readonly api: TestApi
  readonly tenant: TestTenant
  readonly smart: ReturnType<typeof smartCalls>
  readonly #stations: TestStation[] = []

  private constructor(api: TestApi, tenant: TestTenant) {
    this.api = api
    this.tenant = tenant
    this.smart = smartCalls(api, tenant)
  }

  /**
   * The service that the sites of one file share. A second balancing loop polls every 50 ms, so that a test
   * does not wait a second for each step.
   */
  static async startApi(): Promise<TestApi> {
    const api = await startOcppApi({ now: NOW })
    const balancing = startChargingPoll(api.deps, { pollEveryMs: 50 })
    return {
      ...api,
      async close() {
        await balancing.stop()
        await api.close()
      },
    }
  }

  /** Another tenant, at the beginning of the day. */
  static async open(api: TestApi): Promise<Site> {
    api.clock.set(NOW)
    return new Site(api, await createTenant(api))
  }

  get clock() {
    return this.api.clock
  }

  now(): string {
    return new Date(this.clock.now()).toISOString()
  }

  async car(options: StationOptions = {}): Promise<Car> {
    const { charger, station } = await this.smart.connected(options)
    this.#stations.push(station)
    return new Car(this, charger, station)
  }

  group(limit_kw: number, cars: readonly Car[], fields: object = {}) {
    return this.smart.post('/charging-groups', {
      name: `site of ${cars.length} chargers, ${limit_kw} kW`,
      limit_kw,
      members: cars.map(({ charger }) => ({ charger_id: charger.id, max_kw: 22 })),
      ...fields,
    })
  }

  /** Waits until the limits are these, in watts; the sum never exceeds the limit meanwhile. */
  waitForLimits(cars: readonly Car[], watts: readonly number[], limitW: number): Promise<void> {
    return waitFor(() => {
      const limits = cars.map(({ limit }) => limit)
      const sum = limits.reduce((a, b) => a + b, 0)
      if (sum > limitW && sum !== Number.POSITIVE_INFINITY)
        throw new Error(`${limits.join(' + ')} W is above the limit`)
      return limits.every((limit, index) => limit === watts[index])
    }, 60_000)
  }

  /**
   * Advances the clock, waits until no request is pending and every connected station is known, then balances
   * the group.
   */
  async advanceAndBalance(id: string, ms: number, cars: readonly Car[]): Promise<void> {
    const isUnderWay = ({ state }: { state: string }) => state === 'being_told'
    await this.smart.until(`/charging-groups/${id}`, ({ members }) => !members.some(isUnderWay))
    this.clock.advance(ms)
    const at = this.now()
    for (const { charger, station } of cars) {
      await station.call('Heartbeat')
      await this.smart.until(`/chargers/${charger.id}`, ({ last_message_at }) => last_message_at >= at)
    }
    this.clock.advance(31_000)
  }

  /** The group, once every charger follows its last profile. */
  settled(id: string) {
    return this.smart.until(`/charging-groups/${id}`, ({ members }) =>
      members.every(({ state }: { state: string }) => state === 'told'),
    )
  }

  async close(): Promise<void> {
    await Promise.all(this.#stations.map((station) => station.end()))
  }
}
