import type { PriceRowInput } from '../../../../core/netting/types.ts'
import type { Range } from '../../../../kernel/time.ts'
import type { Queryable } from '../../../../platform/db/rows.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type EnergyRequest, type EnergyResult, readEnergyBulk } from '../../../metering/aggregates/index.ts'
import { findSubregion } from '../../../metering/reactive/index.ts'
import { type NewestValue, type NewestValueQuery, readNewestValues } from '../../../metering/samples/index.ts'
import { approvedPrices } from '../../../netting/tariffs/index.ts'
import { WIDGET_BUCKETS_READ } from '../limits.ts'
import { costWishesOf, type Tariffs, tariffsOf } from './cost-plan.ts'
import { type Plan, type Screen, wishesOf } from './plan.ts'
import { bucketsIn, energyKey, inPortionsOf } from './portions.ts'
import { valuesOf } from './realtime-plan.ts'
import { type Slice, slicesInTurns } from './slices.ts'
import { countIncidents, type IncidentCount, readTariffs } from './store.ts'

/** A source that could not be read fails whoever asks it, and nobody else. */
export interface Sources {
  energy(wish: EnergyRequest): EnergyResult | undefined
  /** What the devices of the wishes consumed together: added up once, however many widgets show it. */
  consumption(wishes: readonly EnergyRequest[]): Promise<readonly Slice[]>
  value(wish: NewestValueQuery): NewestValue | undefined
  tariffs(): Tariffs
  prices(): readonly PriceRowInput[]
  incidents(): readonly IncidentCount[]
  /** kW. */
  contractedPower(): number | null
}

type Settled<T> = { readonly value: T } | { readonly error: unknown }
/** The outcome of a read that must not fail its neighbours. */
export const settle = async <T>(work: Promise<T>): Promise<Settled<T>> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
/** What was read; throws what went wrong. */
export function take<T>(settled: Settled<T>): T {
  if ('error' in settled) throw settled.error
  return settled.value
}

const valueKey = ({ deviceKey, metric, from }: NewestValueQuery) => `${deviceKey} ${from} ${metric}`

interface Readers {
  readonly pool: Queryable
  readonly tenant: TenantDb
}

/** Reads, once and together, what the plans need; what none of them needs is not read. */
export async function readSources(
  readers: Readers,
  screen: Screen,
  plans: readonly Plan[],
): Promise<Sources> {
  const { tenant } = readers
  const at = new Date(screen.now)
  const of = (...types: readonly string[]) => plans.filter(({ widget }) => types.includes(widget.widget_type))
  const costs = of('cost_chart', 'cost_numeric')
  const priced = costs.flatMap(({ devices }) => devices.map(({ id }) => id))
  const [tariffs, values, incidents, power] = await Promise.all([
    settle(
      costs.length > 0
        ? readTariffs(tenant, { subregionId: screen.subregionId, deviceIds: [...new Set(priced)], at })
        : Promise.resolve([]),
    ),
    settle(readValues(readers, plans, screen.now)),
    settle(
      of('alarm_summary').length > 0 ? countIncidents(tenant, screen.subregionId, at) : Promise.resolve([]),
    ),
    settle(
      of('reactive_ratio').length > 0
        ? findSubregion(tenant, screen.subregionId, at)
        : Promise.resolve(undefined),
    ),
  ])
  const facilities = 'error' in tariffs ? undefined : tariffsOf(tariffs.value)
  const costWishes = facilities ? costs.flatMap((plan) => costWishesOf(plan, facilities)) : []
  const [energy, prices] = await Promise.all([
    settle(readEnergies(readers, plans, costWishes)),
    settle(costWishes.length > 0 ? approvedPrices(tenant, around(costWishes)) : Promise.resolve([])),
  ])
  const energyOf = (wish: EnergyRequest) => take(energy).get(energyKey(wish))
  const added = new Map<string, Promise<readonly Slice[]>>()
  return {
    energy: energyOf,
    consumption: (asked) => {
      const key = asked.map(energyKey).join()
      const slices = added.get(key) ?? slicesInTurns(asked, energyOf, 'consumption')
      added.set(key, slices)
      return slices
    },
    value: (wish) => take(values).get(valueKey(wish)),
    tariffs: () => tariffsOf(take(tariffs)),
    prices: () => take(prices),
    incidents: () => take(incidents),
    contractedPower: () => take(power)?.contracted_power_kw ?? null,
  }
}

const around = (wishes: readonly EnergyRequest[]): Range => ({
  from: Math.min(...wishes.map(({ range }) => range.from)),
  to: Math.max(...wishes.map(({ range }) => range.to)),
})

const BY_BUCKET = ['device_read_rate', 'consumption_chart', 'consumption_numeric', 'reactive_ratio']

async function readEnergies(
  { pool, tenant }: Readers,
  plans: readonly Plan[],
  costWishes: readonly EnergyRequest[],
) {
  const plain = plans.filter(({ widget }) => BY_BUCKET.includes(widget.widget_type)).flatMap(wishesOf)
  const wishes = [...new Map([...plain, ...costWishes].map((wish) => [energyKey(wish), wish])).values()]
  const energies = new Map<string, EnergyResult | undefined>()
  for (const portion of inPortionsOf(wishes, WIDGET_BUCKETS_READ, bucketsIn)) {
    const read = await readEnergyBulk(pool, tenant.tenantId, portion)
    for (const [place, wish] of portion.entries()) energies.set(energyKey(wish), read[place])
  }
  return energies
}

async function readValues({ pool, tenant }: Readers, plans: readonly Plan[], now: number) {
  const wishes = plans.flatMap((plan) => valuesOf(plan, now))
  const asked = [...new Map(wishes.map((wish) => [valueKey(wish), wish])).values()]
  const read = await readNewestValues(pool, tenant.tenantId, asked)
  return new Map(asked.map((wish, place) => [valueKey(wish), read[place]]))
}
