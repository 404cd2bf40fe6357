import { type Kwh, subtract, ZERO_KWH } from '../../kernel/decimal.ts'
import type { LocalDate } from '../../kernel/time.ts'
import { freeSlice, type NettedSlice, netSlice } from './match.ts'
import { monthSlice, netMonth } from './monthly.ts'
import type { Slice } from './slices.ts'
import type { PeriodInput, Scenario } from './types.ts'

export type NettingRule = (slice: Slice, balances: ReadonlyMap<string, Kwh>) => NettedSlice

/** How a slice is netted: homes have no limit; blocked production is free, however it is netted. */
export function hourRule(scenario: Scenario): NettingRule {
  switch (scenario) {
    case 'standard_hourly':
      return netSlice
    case 'mesken_monthly':
      return (slice) => ({ ...netSlice(slice), bedelliReason: 'mesken_monthly' })
    case 'invalid_group_bedelsiz':
      return (slice) => freeSlice(slice, 'group_conditions_not_met')
  }
}

export interface WholeMonth {
  readonly scenario: Scenario
  readonly slices: readonly Slice[]
  readonly input: PeriodInput
  /** The date that chooses the prices. */
  readonly date: LocalDate
}

/** Nets the hours of a window as one slice. */
export const netWholeMonth = (
  { scenario, slices, input, date }: WholeMonth,
  openings: ReadonlyMap<string, Kwh>,
): NettedSlice =>
  scenario === 'mesken_monthly'
    ? netMonth(slices, input, date)
    : hourRule(scenario)(monthSlice(slices, input, date), lessTaken(openings, input))

/**
 * A month has one balance, so energy that other groups take during the month is subtracted from its opening.
 */
function lessTaken(
  openings: ReadonlyMap<string, Kwh>,
  { takenElsewhere = [] }: PeriodInput,
): ReadonlyMap<string, Kwh> {
  const left = new Map(openings)
  for (const { accountId, takenKwh } of takenElsewhere) {
    left.set(accountId, subtract(left.get(accountId) ?? ZERO_KWH, takenKwh))
  }
  return left
}
