import { idsOf, namesOf } from './members.ts'
import type { EligibilityInput, Rule, Verdict } from './types.ts'

const CONFIRMED: readonly string[] = ['grid_operator_confirmed', 'lum_reported']

/**
 * Official notification: the grid operator confirmed the group, and every member is metered. A warning only.
 */
export const r013: Rule = { code: 'R013', severity: 'warning', isBlocking: false, dependsOnAct: true, check }

function check({ groupStatus, members, facilityIdsWithMainMeter }: EligibilityInput): Verdict {
  const metered = new Set(facilityIdsWithMainMeter)
  const unmetered = members.filter((member) => !metered.has(member.facilityId))
  const isConfirmed = CONFIRMED.includes(groupStatus)
  if (isConfirmed && unmetered.length === 0) {
    return { status: 'pass', message: 'The grid operator confirmed the group; every member is metered.' }
  }
  const found = [
    ...(isConfirmed ? [] : [`The grid operator has not confirmed the group (${groupStatus}).`]),
    ...(unmetered.length === 0 ? [] : [`No meter in a main role: ${namesOf(unmetered)}.`]),
  ]
  return {
    status: 'fail',
    reasonCode: isConfirmed ? 'MAIN_METER_MISSING' : 'EK1_NOT_CONFIRMED',
    message: found.join(' '),
    details: { group_status: groupStatus, facility_ids: idsOf(unmetered) },
  }
}
