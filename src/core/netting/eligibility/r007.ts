import { consumersOf, idsOf, isResidential, namesOf } from './members.ts'
import { RULE_TEXTS } from './messages.ts'
import type { EligibilityInput, Rule, Verdict } from './types.ts'

/** Limit account: every consumer of a group that is not residential has one for the current year. */
export const r007: Rule = { code: 'R007', severity: 'error', isBlocking: true, check }

function check(input: EligibilityInput): Verdict {
  const consumers = consumersOf(input)
  const year = Number(input.today.slice(0, 4))
  if (consumers.length === 0) return { status: 'not_applicable', message: RULE_TEXTS.NO_MEMBER_CONSUMES() }
  if (isResidential(input)) {
    return { status: 'not_applicable', message: RULE_TEXTS.R007_RESIDENTIAL() }
  }
  const owners = new Set(input.facilityIdsWithAccount)
  const missing = consumers.filter((member) => !owners.has(member.facilityId))
  if (missing.length === 0) {
    return { status: 'pass', message: RULE_TEXTS.R007_PASS({ year }) }
  }
  return {
    status: 'fail',
    reasonCode: 'LIMIT_ACCOUNT_MISSING',
    message: RULE_TEXTS.R007_LIMIT_ACCOUNT_MISSING({ year, facilities: namesOf(missing) }),
    details: { year, facility_ids: idsOf(missing) },
  }
}
