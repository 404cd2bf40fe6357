import { type Kwh, subtract, ZERO_KWH } from '../../kernel/decimal.ts'
import { freeSlice, type NettedSlice, netSlice } from './match.ts'
import { netMonth } from './monthly.ts'
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
  /** The hours of a window as one slice. */
  readonly month: Slice
  readonly input: Pick<PeriodInput, 'takenElsewhere'>
}

/** Nets the hours of a window as one slice. */
export const netWholeMonth = (
  { scenario, month, input }: WholeMonth,
  openings: ReadonlyMap<string, Kwh>,
): NettedSlice =>
  scenario === 'mesken_monthly' ? netMonth(month) : hourRule(scenario)(month, lessTaken(openings, input))

/**
 * A month has one balance, so energy that other groups take during the month is subtracted from its opening.
 */
function lessTaken(
  openings: ReadonlyMap<string, Kwh>,
  { takenElsewhere = [] }: WholeMonth['input'],
): ReadonlyMap<string, Kwh> {
  const left = new Map(openings)
  for (const { accountId, takenKwh } of takenElsewhere) {
    left.set(accountId, subtract(left.get(accountId) ?? ZERO_KWH, takenKwh))
  }
  return left
}
