import type { PriceRowInput } from '../../../../core/netting/types.ts'
import type { Range } from '../../../../kernel/time.ts'
import type { Queryable } from '../../../../platform/db/rows.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type EnergyRequest, type EnergyResult, readEnergyBulk } from '../../../metering/aggregates/index.ts'
import { findSubregion } from '../../../metering/reactive/index.ts'
import { type NewestValue, type NewestValueQuery, readNewestValues } from '../../../metering/samples/index.ts'
import { approvedPrices } from '../../../netting/tariffs/index.ts'
import { WIDGET_BUCKETS_READ } from '../limits.ts'
import { costRequestsOf, type Tariffs, tariffsOf } from './cost-plan.ts'
import { energyRequestsOf, type Plan, type WidgetSelection } from './plan.ts'
import { bucketsIn, energyKey, inPortionsOf } from './portions.ts'
import { valuesOf } from './realtime-plan.ts'
import { type Slice, slicesYielding } from './slices.ts'
import { countIncidents, type IncidentCount, readTariffs } from './store.ts'

/** A source that could not be read throws for the widgets that use it, and affects no others. */
export interface Sources {
  energy(request: EnergyRequest): EnergyResult | undefined
  /** The consumption of the requested devices together; computed once for all widgets that show it. */
  consumption(requests: readonly EnergyRequest[]): Promise<readonly Slice[]>
  value(request: NewestValueQuery): NewestValue | undefined
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
export function unwrap<T>(settled: Settled<T>): T {
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
  selection: WidgetSelection,
  plans: readonly Plan[],
): Promise<Sources> {
  const { tenant } = readers
  const at = new Date(selection.now)
  const plansOf = (...types: readonly string[]) =>
    plans.filter(({ widget }) => types.includes(widget.widget_type))
  const costs = plansOf('cost_chart', 'cost_numeric')
  const priced = costs.flatMap(({ devices }) => devices.map(({ id }) => id))
  const [tariffs, values, incidents, power] = await Promise.all([
    settle(
      costs.length > 0
        ? readTariffs(tenant, { subregionId: selection.subregionId, deviceIds: [...new Set(priced)], at })
        : Promise.resolve([]),
    ),
    settle(readValues(readers, plans, selection.now)),
    settle(
      plansOf('alarm_summary').length > 0
        ? countIncidents(tenant, selection.subregionId, at)
        : Promise.resolve([]),
    ),
    settle(
      plansOf('reactive_ratio').length > 0
        ? findSubregion(tenant, selection.subregionId, at)
        : Promise.resolve(undefined),
    ),
  ])
  const facilities = 'error' in tariffs ? undefined : tariffsOf(tariffs.value)
  const costRequests = facilities ? costs.flatMap((plan) => costRequestsOf(plan, facilities)) : []
  const [energy, prices] = await Promise.all([
    settle(readEnergies(readers, plans, costRequests)),
    settle(costRequests.length > 0 ? approvedPrices(tenant, rangeAround(costRequests)) : Promise.resolve([])),
  ])
  const energyOf = (request: EnergyRequest) => unwrap(energy).get(energyKey(request))
  const added = new Map<string, Promise<readonly Slice[]>>()
  return {
    energy: energyOf,
    consumption: (requested) => {
      const key = requested.map(energyKey).join()
      const slices =
        added.get(key) ?? slicesYielding(requested, { energyOf, flow: 'consumption', now: selection.now })
      added.set(key, slices)
      return slices
    },
    value: (request) => unwrap(values).get(valueKey(request)),
    tariffs: () => tariffsOf(unwrap(tariffs)),
    prices: () => unwrap(prices),
    incidents: () => unwrap(incidents),
    contractedPower: () => unwrap(power)?.contracted_power_kw ?? null,
  }
}

const rangeAround = (requests: readonly EnergyRequest[]): Range => ({
  from: Math.min(...requests.map(({ range }) => range.from)),
  to: Math.max(...requests.map(({ range }) => range.to)),
})

const BY_BUCKET = ['device_read_rate', 'consumption_chart', 'consumption_numeric', 'reactive_ratio']

async function readEnergies(
  { pool, tenant }: Readers,
  plans: readonly Plan[],
  costRequests: readonly EnergyRequest[],
) {
  const plain = plans.filter(({ widget }) => BY_BUCKET.includes(widget.widget_type)).flatMap(energyRequestsOf)
  const requests = [
    ...new Map([...plain, ...costRequests].map((request) => [energyKey(request), request])).values(),
  ]
  const energies = new Map<string, EnergyResult | undefined>()
  for (const portion of inPortionsOf(requests, WIDGET_BUCKETS_READ, bucketsIn)) {
    const read = await readEnergyBulk(pool, tenant.tenantId, portion)
    for (const [index, request] of portion.entries()) energies.set(energyKey(request), read[index])
  }
  return energies
}

async function readValues({ pool, tenant }: Readers, plans: readonly Plan[], now: number) {
  const requests = plans.flatMap((plan) => valuesOf(plan, now))
  const requested = [...new Map(requests.map((request) => [valueKey(request), request])).values()]
  const read = await readNewestValues(pool, tenant.tenantId, requested)
  return new Map(requested.map((request, index) => [valueKey(request), read[index]]))
}
