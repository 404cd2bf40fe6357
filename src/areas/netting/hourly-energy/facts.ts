import { qualityOf } from '../../../core/netting/counter/quality.ts'
import type { DataQuality, FactSource, MeasurementRole } from '../../../core/netting/types.ts'
import { at } from '../../../kernel/checked.ts'
import { type Kwh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { HOUR_MS, type Range } from '../../../kernel/time.ts'
import { type Contribution, sumHour } from './meter.ts'
import { FORMULAS, KWH_COLUMNS, type KwhColumn } from './roles.ts'

/** One row of hourly_energy; a column that is not the role's is null. */
export interface Fact {
  readonly hour: number
  readonly source: FactSource
  readonly role: MeasurementRole
  readonly kwh: Readonly<Partial<Record<KwhColumn, Kwh | null>>>
  readonly quality: DataQuality
  readonly completenessPct: number
}

const factKey = ({ hour, source, role }: Pick<Fact, 'hour' | 'source' | 'role'>): string =>
  `${hour}|${source}|${role}`

export interface RoleFacts {
  readonly facts: Fact[]
  /** Hours of which less than half is covered. */
  readonly lowHours: number[]
}

/**
 * Computes the facts of one facility and role: a zeus_meter row for each measured hour, and a row with source
 * missing for each other hour, unless another source has measured it. Hours in which the role is not in force
 * have no row.
 */
export function factsOfRole(
  role: MeasurementRole,
  contributions: readonly Contribution[],
  { range, isMeasuredElsewhere }: { range: Range; isMeasuredElsewhere: (hour: number) => boolean },
): RoleFacts {
  const facts: Fact[] = []
  const lowHours: number[] = []
  for (let hour = range.from, index = 0; hour < range.to; hour += HOUR_MS, index += 1) {
    if (!contributions.some(({ inForceMs }) => at(inForceMs, index) > 0)) continue
    const { fact, isLow } = measuredFact(role, contributions, { hour, index })
    if (isLow) lowHours.push(hour)
    if (fact) facts.push(fact)
    else if (!isMeasuredElsewhere(hour)) facts.push(missingFact(role, hour))
  }
  return { facts, lowHours }
}

export const missingFact = (role: MeasurementRole, hour: number): Fact => ({
  hour,
  source: 'missing',
  role,
  kwh: {},
  quality: 'missing',
  completenessPct: 0,
})

/**
 * Builds the fact of a measured hour. The column with the lowest completeness determines the quality of the
 * row.
 */
function measuredFact(
  role: MeasurementRole,
  contributions: readonly Contribution[],
  { hour, index }: { hour: number; index: number },
): { fact: Fact | undefined; isLow: boolean } {
  const kwh: Partial<Record<KwhColumn, Kwh | null>> = {}
  let completenessPct = 100
  let isKnown = false
  let isSuspect = false
  for (const { column } of FORMULAS[role]) {
    const sum = sumHour(contributions, column, index)
    kwh[column] = sum.energy
    completenessPct = Math.min(completenessPct, sum.completenessPct)
    isKnown ||= sum.energy !== null
    isSuspect ||= sum.isSuspect
  }
  if (!isKnown) return { fact: undefined, isLow: false }
  const { quality, isLow } = qualityOf({ energy: ZERO_KWH, completenessPct, hasReading: true, isSuspect })
  return { fact: { hour, source: 'zeus_meter', role, kwh, quality, completenessPct }, isLow }
}

/** The writes that make the table contain exactly the built facts. */
export interface FactChanges {
  readonly upserts: Fact[]
  readonly removals: Fact[]
}

/**
 * Compares the built facts with the stored ones. A changed row becomes `corrected`, also when a measurement
 * replaces a row with source missing. An equal row is not written.
 */
export function compareFacts(built: readonly Fact[], existing: readonly Fact[]): FactChanges {
  const known = new Map(existing.map((fact) => [factKey(fact), fact]))
  const builtKeys = new Set(built.map(factKey))
  const upserts: Fact[] = []
  for (const fact of built) {
    const before = known.get(factKey(fact))
    if (before && isSameFact(fact, before)) continue
    const replaced = before ?? known.get(factKey({ ...fact, source: otherSource(fact) }))
    upserts.push(replaced && fact.source !== 'missing' ? { ...fact, quality: 'corrected' } : fact)
  }
  return { upserts, removals: existing.filter((fact) => !builtKeys.has(factKey(fact))) }
}

const otherSource = ({ source }: Fact): FactSource => (source === 'missing' ? 'zeus_meter' : 'missing')

const isSameFact = (fact: Fact, before: Fact): boolean =>
  fact.completenessPct === before.completenessPct &&
  (fact.quality === before.quality || before.quality === 'corrected') &&
  KWH_COLUMNS.every((column) => (fact.kwh[column] ?? null) === (before.kwh[column] ?? null))
