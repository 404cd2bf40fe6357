import { consumersOf, idsOf, isResidential, namesOf } from './members.ts'
import type { EligibilityInput, Rule, Verdict } from './types.ts'

/** Limit account: every consumer of a group that is not residential has one for the current year. */
export const r007: Rule = { code: 'R007', severity: 'error', isBlocking: true, check }

function check(input: EligibilityInput): Verdict {
  const consumers = consumersOf(input)
  const year = Number(input.today.slice(0, 4))
  if (consumers.length === 0) return { status: 'not_applicable', message: 'No member consumes.' }
  if (isResidential(input)) {
    return { status: 'not_applicable', message: 'A residential group is netted without a limit.' }
  }
  const owners = new Set(input.facilityIdsWithAccount)
  const missing = consumers.filter((member) => !owners.has(member.facilityId))
  if (missing.length === 0) {
    return { status: 'pass', message: `Every consuming facility has a limit account for ${year}.` }
  }
  return {
    status: 'fail',
    reasonCode: 'LIMIT_ACCOUNT_MISSING',
    message: `No limit account for ${year}: ${namesOf(missing)}.`,
    details: { year, facility_ids: idsOf(missing) },
  }
}
