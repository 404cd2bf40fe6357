import { type CounterQuality, qualityOfSum } from '../../../core/netting/counter/quality.ts'
import { found } from '../../../kernel/errors.ts'
import { REGISTERS, type Register } from '../../../kernel/metrics.ts'
import { iso, parseInstant, periodOf, periodStart, type Range } from '../../../kernel/time.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { EnergyBucket } from '../aggregates/index.ts'
import {
  type DeviceEnergy,
  inKilo,
  qualityOfRegister,
  rangeOf,
  readEnergy,
  readMeteredDevice,
  sum,
} from '../aggregates/index.ts'
import { METERING_TEXTS } from '../messages.ts'
import { bucketCount, type Interval } from '../rollup/index.ts'
import { REACTIVE_METERS_MAX } from './limits.ts'
import {
  evaluateRatios,
  limitsOf,
  REACTIVE_RULE_SOURCE,
  type ReactiveEnergy,
  type ReactiveLimits,
} from './reactive-limits.ts'
import type { ReactiveQuery, ReactiveRatio } from './schema.ts'
import {
  findMeter,
  findSubregion,
  listMainMeters,
  listTopLevelMeters,
  type Meter,
  type MeterLocation,
} from './store.ts'

const bitOf = (register: Register): number => 1 << REGISTERS.indexOf(register)
const registerIndex = (register: Register): number => REGISTERS.indexOf(register)
const REACTIVE_BITS = bitOf('inductive_reactive_energy') | bitOf('capacitive_reactive_energy')

interface Amount extends ReactiveEnergy {
  readonly start: number
  readonly isEstimated: boolean
  readonly quality: CounterQuality
}

/**
 * The ratios of a meter or a subregion. 404 when it is unknown, 422 unless exactly one of the two is given.
 */
export async function readReactiveRatio(
  pool: Queryable,
  tenant: TenantDb,
  { query, now }: { readonly query: ReactiveQuery; readonly now: number },
): Promise<ReactiveRatio> {
  const { interval } = query
  const range = rangeOf({ ...defaultToMonth(query, now), interval, now })
  const { location, meters } = await findMeters(tenant, query, { range, now })
  const contractedPowerKw = query.contracted_power_kw ?? location.contracted_power_kw
  const amounts: MeterAmounts[] = []
  for (const meter of meters) {
    amounts.push(await readMeter(pool, tenant.tenantId, { meter, query: { interval, range }, now }))
  }
  const deviceId = query.device_id?.toLowerCase() ?? null
  return toReactiveRatio({
    deviceId,
    interval,
    range,
    location: { ...location, contracted_power_kw: contractedPowerKw },
    meters: amounts,
  })
}

export interface RatioInput {
  /** The requested range. */
  readonly deviceId: string | null
  readonly interval: Interval
  readonly range: Range
  readonly location: MeterLocation
  readonly meters: readonly MeterAmounts[]
}

/** Builds the response from the amounts of its meters. */
export function toReactiveRatio({ deviceId, interval, range, location, meters }: RatioInput): ReactiveRatio {
  const limits = limitsOf(location.contracted_power_kw)
  const counted = meters.filter(({ hasReactive }) => hasReactive)
  const rows = sumMeters(counted)
  const isGapless = rows.length === bucketCount(interval, range)
  return {
    device_id: deviceId,
    subregion_id: location.subregion_id,
    interval,
    start: iso(range.from),
    end: iso(range.to),
    contracted_power_kw: location.contracted_power_kw,
    limits: { ...limits, source: REACTIVE_RULE_SOURCE },
    total: toFigures(sumAmounts(rows, isGapless), limits),
    data: rows.map((row) => ({ timestamp: iso(row.start), ...toFigures(row, limits) })),
    meters: meters.map(({ meter, hasReactive }) => ({
      device_id: meter.id,
      device_name: meter.name,
      has_reactive: hasReactive,
    })),
  }
}

/** The default range begins with the month that it ends in, because a month is billed. */
function defaultToMonth({ start, end }: ReactiveQuery, now: number) {
  const last = (end === undefined ? now : (parseInstant(end)?.at ?? now)) - 1
  return { start: start ?? iso(periodStart(periodOf(last))), end }
}

interface MeterSelection {
  readonly location: MeterLocation
  readonly meters: readonly Meter[]
}

async function findMeters(
  tenant: TenantDb,
  { device_id, subregion_id }: ReactiveQuery,
  { range, now }: { readonly range: Range; readonly now: number },
): Promise<MeterSelection> {
  const at = new Date(now)
  if (device_id !== undefined && subregion_id === undefined) {
    const device = found('device', await findMeter(tenant, device_id, at))
    return { location: device, meters: [device] }
  }
  if (device_id !== undefined || subregion_id === undefined)
    throw invalidInput(['query', 'device_id'], METERING_TEXTS.DEVICE_OR_SUBREGION())
  const location = found('subregion', await findSubregion(tenant, subregion_id, at))
  const limit = REACTIVE_METERS_MAX
  const assigned = await listMainMeters(tenant, subregion_id, { range, limit })
  const meters =
    assigned.length > 0 ? assigned : await listTopLevelMeters(tenant, subregion_id, { at, limit })
  return { location, meters }
}

export interface MeterAmounts {
  readonly meter: Meter
  readonly hasReactive: boolean
  readonly amounts: readonly Amount[]
}

async function readMeter(
  pool: Queryable,
  tenantId: number,
  {
    meter,
    query,
    now,
  }: { readonly meter: Meter; readonly query: Parameters<typeof readEnergy>[2]; readonly now: number },
): Promise<MeterAmounts> {
  // A meter that was deleted meanwhile has no amounts.
  const head = await readMeteredDevice(pool, tenantId, meter.id)
  const options = { interval: query.interval, now }
  if (!head) return toMeterAmounts(meter, undefined, options)
  return toMeterAmounts(meter, await readEnergy(pool, head, query), options)
}

/** The amounts of a meter; none when the meter was deleted (`energy` undefined). */
export function toMeterAmounts(
  meter: Meter,
  energy: DeviceEnergy | undefined,
  options: { readonly interval: Interval; readonly now: number },
): MeterAmounts {
  const { buckets, registers } = energy ?? { buckets: [], registers: 0 }
  const needed = registers & (REACTIVE_BITS | bitOf('import_active_energy'))
  return {
    meter,
    hasReactive: (registers & REACTIVE_BITS) !== 0,
    amounts: buckets.map((bucket) => toAmount(bucket, { ...options, needed })),
  }
}

function toAmount(
  bucket: EnergyBucket,
  { needed, ...options }: { readonly interval: Interval; readonly now: number; readonly needed: number },
): Amount {
  const { start, energies, readBits } = bucket
  const energyOf = (register: Register): number | null => energies[registerIndex(register)] ?? null
  const known = energies.reduce<number>(
    (bits, energy, location) => (energy === null ? bits : bits | (1 << location)),
    0,
  )
  return {
    start,
    active: energyOf('import_active_energy'),
    inductive: energyOf('inductive_reactive_energy'),
    capacitive: energyOf('capacitive_reactive_energy'),
    isEstimated: (known & needed & ~readBits) !== 0,
    quality: qualityOfSum(
      [...REGISTERS.keys()]
        .filter((register) => (needed & (1 << register)) !== 0)
        .map((register) => qualityOfRegister(bucket, { ...options, register, isEstimated: false })),
    ),
  }
}

/** Sums all meters bucket by bucket, ascending. */
function sumMeters(meters: readonly MeterAmounts[]): Amount[] {
  const byStart = new Map<number, Amount[]>()
  for (const amount of meters.flatMap(({ amounts }) => amounts)) {
    const list = byStart.get(amount.start)
    if (list) list.push(amount)
    else byStart.set(amount.start, [amount])
  }
  return [...byStart]
    .map(([start, list]) => ({ ...sumAmounts(list, list.length === meters.length), start }))
    .sort((a, b) => a.start - b.start)
}

/** `isWhole`: no bucket, or no meter, is without an amount. */
const sumAmounts = (list: readonly Amount[], isWhole: boolean): Amount => ({
  start: 0,
  active: sum(list.map(({ active }) => active)),
  inductive: sum(list.map(({ inductive }) => inductive)),
  capacitive: sum(list.map(({ capacitive }) => capacitive)),
  isEstimated: list.some(({ isEstimated }) => isEstimated),
  quality: qualityOfSum([...list.map(({ quality }) => quality), ...(isWhole ? [] : (['missing'] as const))]),
})

const toFigures = (amount: Amount, limits: ReactiveLimits) => ({
  active_energy_kwh: inKilo(amount.active),
  inductive_reactive_energy_kvarh: inKilo(amount.inductive),
  capacitive_reactive_energy_kvarh: inKilo(amount.capacitive),
  ...evaluateRatios(amount, limits),
  is_estimated: amount.isEstimated,
  data_quality: amount.quality,
})
