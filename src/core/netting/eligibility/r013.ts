import type { Message } from '../../../kernel/messages.ts'
import { idsOf, namesOf } from './members.ts'
import { RULE_TEXTS } from './messages.ts'
import type { EligibilityInput, EligibilityMember, Rule, Verdict } from './types.ts'

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
    return { status: 'pass', message: RULE_TEXTS.R013_PASS() }
  }
  return {
    status: 'fail',
    reasonCode: isConfirmed ? 'MAIN_METER_MISSING' : 'EK1_NOT_CONFIRMED',
    message: findingOf({ isConfirmed, groupStatus, unmetered }),
    details: { group_status: groupStatus, facility_ids: idsOf(unmetered) },
  }
}

interface Finding {
  readonly isConfirmed: boolean
  readonly groupStatus: string
  readonly unmetered: readonly EligibilityMember[]
}

function findingOf({ isConfirmed, groupStatus, unmetered }: Finding): Message {
  const facilities = namesOf(unmetered)
  if (isConfirmed) return RULE_TEXTS.R013_MAIN_METER_MISSING({ facilities })
  const status = { group_status: groupStatus }
  return unmetered.length === 0
    ? RULE_TEXTS.R013_EK1_NOT_CONFIRMED(status)
    : RULE_TEXTS.R013_EK1_NOT_CONFIRMED_AND_METER_MISSING({ ...status, facilities })
}
