import type { Kwh } from '../../kernel/decimal.ts'
import { HOUR_MS, hoursOf, type Range } from '../../kernel/time.ts'
import { quantitiesOf, roleExpectations, rolesByHour } from './quantities.ts'
import { factsOfRoles, type StoredFact } from './role-sets.ts'
import { chooseValues } from './sources.ts'
import type { AssignmentInput } from './types.ts'

/** An energy of a facility in one hour. */
export interface ExpectedKwh {
  /** Null: unknown. */
  readonly kwh: Kwh | null
  /** Whether a meter of the facility should give it in this hour. */
  readonly isExpected: boolean
}

export interface FacilityHourEnergy {
  readonly hour: number
  readonly production: ExpectedKwh
  readonly consumption: ExpectedKwh
}

export interface FacilityHoursInput {
  readonly facilityIds: readonly string[]
  readonly assignments: readonly AssignmentInput[]
  readonly facts: readonly StoredFact[]
  /** Whole hours. */
  readonly window: Range
}

/**
 * Production and consumption of facilities by hour, whether they are members of a group or not: by the formulas of the
 * method for a facility that produces and consumes, so that what a plant uses itself is consumption.
 */
export function facilityHours(input: FacilityHoursInput): Map<string, readonly FacilityHourEnergy[]> {
  const { facilityIds, assignments, window } = input
  const { facts } = factsOfRoles(input.facts, assignments, window)
  const values = chooseValues(facts, window, () => true)
  const roles = rolesByHour(assignments, window)
  const energyOf = (facilityId: string, hour: number): FacilityHourEnergy => {
    const hourIndex = (hour - window.from) / HOUR_MS
    const inForce = roles.get(facilityId)?.[hourIndex] ?? 0
    const { productionKwh, consumptionKwh } = quantitiesOf({
      roles: inForce,
      values: values.get(facilityId) ?? {},
      hourIndex,
      memberRole: 'mixed',
      hasStorage: false,
    })
    const { production, consumption } = roleExpectations(inForce)
    return {
      hour,
      production: { kwh: productionKwh, isExpected: production },
      consumption: { kwh: consumptionKwh, isExpected: consumption },
    }
  }
  return new Map(facilityIds.map((id) => [id, hoursOf(window).map((hour) => energyOf(id, hour))]))
}
