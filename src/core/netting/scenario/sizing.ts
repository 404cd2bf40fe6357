import { add, type Kwh, subtract, type Try, total, ZERO_KWH } from '../../../kernel/decimal.ts'
import { sumOfKnown } from '../figures.ts'
import { BillCache } from './bills.ts'
import { type ComputedBase, computeScenario, evaluateBase } from './compute.ts'
import { type SizingFigures, type SizingRun, sizingRunOf } from './sizing-run.ts'
import type { AddBattery, Change, ScenarioBase } from './types.ts'

export interface SizingPoint extends SizingFigures {
  /** The size, in the unit of the change. */
  readonly size: bigint
  /** Balance less that of the base; null where a part of the energy has no price. */
  readonly benefitTry: Try | null
}

export interface Sizing {
  readonly base: SizingFigures
  /** In the order of the sizes. */
  readonly points: readonly SizingPoint[]
  /** The smallest size with energy over the limit; undefined where the limit is enough for every size. */
  readonly bindingSize: bigint | undefined
}

/** A scenario of which one change has a size. */
export interface SizingPlan {
  readonly changes: readonly Change[]
  /** Position of the change whose size varies. */
  readonly changeIndex: number
  /**
   * Millionths for the factor of `scale_plant`, `scale_load` and of the profile of a measured facility; W for the
   * national solar series; Wh of capacity for a battery, whose power keeps its ratio to the capacity.
   */
  readonly sizes: readonly bigint[]
}

/** The change with another size; undefined for a change that has none. */
function withSize(change: Change, size: bigint): Change | undefined {
  switch (change.type) {
    case 'scale_plant':
    case 'scale_load':
      return { ...change, factor: size }
    case 'add_battery':
      return { ...change, capacityKwh: size as Kwh, powerKwh: scaledPower(change, size) }
    case 'add_plant':
    case 'add_load': {
      const { profile } = change
      if (profile.kind === 'facility') return { ...change, profile: { ...profile, factor: size } }
      return profile.kind === 'national_solar'
        ? { ...change, profile: { ...profile, powerW: size } }
        : undefined
    }
    default:
      return undefined
  }
}

const scaledPower = ({ capacityKwh, powerKwh }: AddBattery, size: bigint): Kwh =>
  (capacityKwh === 0n ? powerKwh : (powerKwh * size) / capacityKwh) as Kwh

export type SizingBase = ComputedBase<SizingRun>

/**
 * Prepares a base for sizings. The engine nets each run in full; of its rows only those are priced that count in the
 * balance, and neither hashes, warnings nor rows by hour and facility are made. The bills of consumers that a size does
 * not change are those of the base.
 */
export function prepareSizing(base: ScenarioBase): SizingBase {
  const bills = new BillCache()
  return evaluateBase(base, {
    run: (input, interval) => sizingRunOf(input, interval, bills),
    usageOf: ({ usage }) => usage,
  })
}

/** Computes a scenario for each size; each point has the figures of the scenario alone. Throws ScenarioFault. */
export function computeSizing(base: SizingBase, plan: SizingPlan, onPoint?: () => void): Sizing {
  const ofBase = sumRuns([...base.runs.values()])
  const points = plan.sizes.map((size) => {
    const point = computePoint(base, plan, size)
    onPoint?.()
    const { balanceTry } = point
    const isKnown = balanceTry !== null && ofBase.balanceTry !== null
    return { size, ...point, benefitTry: isKnown ? subtract(balanceTry, ofBase.balanceTry) : null }
  })
  const binding = points.filter(({ overLimitKwh }) => (overLimitKwh ?? 0n) > 0n).map(({ size }) => size)
  const bindingSize = binding.reduce<bigint | undefined>(
    (least, size) => (least === undefined || size < least ? size : least),
    undefined,
  )
  return { base: ofBase, points, bindingSize }
}

/** The changes of a point. */
export const changesOfPoint = ({ changes, changeIndex }: Omit<SizingPlan, 'sizes'>, size: bigint): Change[] =>
  changes.map((change, index) => (index === changeIndex ? (withSize(change, size) ?? change) : change))

const computePoint = (base: SizingBase, plan: SizingPlan, size: bigint): SizingFigures =>
  sumRuns(computeScenario(base, changesOfPoint(plan, size)).runs)

/** The sums of the base. */
export const figuresOfBase = (base: SizingBase): SizingFigures => sumRuns([...base.runs.values()])

/** The sums with changes, and their batteries. */
export function figuresOfChanges(base: SizingBase, changes: readonly Change[]) {
  const { runs, batteries } = computeScenario(base, changes)
  return { figures: sumRuns(runs), batteries }
}

function sumRuns(runs: readonly SizingRun[]): SizingFigures {
  const sum = (field: 'productionKwh' | 'consumptionKwh' | 'matchedKwh' | 'boughtKwh' | 'paidKwh') =>
    sumOfKnown(runs.map((run) => run[field]))
  const first = runs.flatMap((run) => run.firstOverLimitHour ?? [])
  return {
    productionKwh: sum('productionKwh'),
    consumptionKwh: sum('consumptionKwh'),
    matchedKwh: sum('matchedKwh'),
    boughtKwh: sum('boughtKwh'),
    paidKwh: sum('paidKwh'),
    overLimitKwh: sumOfKnown(runs.map((run) => run.overLimitKwh)),
    freeKwh: sumOfKnown(runs.map((run) => run.freeKwh)),
    limitUsedKwh: runs.reduce((used, run) => add(used, run.limitUsedKwh), ZERO_KWH),
    balanceTry: runs.some((run) => run.balanceTry === null)
      ? null
      : total(runs.flatMap((run) => run.balanceTry ?? [])),
    firstOverLimitHour: first.length === 0 ? undefined : Math.min(...first),
  }
}
