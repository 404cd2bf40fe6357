import { idsOf, namesOf } from './members.ts'
import { RULE_TEXTS } from './messages.ts'
import type { EligibilityInput, Rule, Verdict } from './types.ts'

/** Limit transfer: each of the year was made with the contracted power confirmed. A warning only. */
export const r010: Rule = { code: 'R010', severity: 'warning', isBlocking: false, check }

function check({ members, transfers, today }: EligibilityInput): Verdict {
  const year = Number(today.slice(0, 4))
  if (transfers.length === 0) return { status: 'pass', message: RULE_TEXTS.R010_NO_TRANSFER({ year }) }
  const unconfirmed = transfers.filter((transfer) => !transfer.isConfirmed)
  if (unconfirmed.length === 0) {
    return {
      status: 'pass',
      message: RULE_TEXTS.R010_PASS({ year }),
    }
  }
  const touched = new Set(unconfirmed.map((transfer) => transfer.facilityId))
  const facilities = members.filter((member) => touched.has(member.facilityId))
  return {
    status: 'fail',
    reasonCode: 'CONTRACTED_POWER_NOT_CONFIRMED',
    message: RULE_TEXTS.R010_CONTRACTED_POWER_NOT_CONFIRMED({ year, facilities: namesOf(facilities) }),
    details: {
      year,
      facility_ids: idsOf(facilities),
      movement_ids: unconfirmed.map((transfer) => transfer.movementId).sort(),
    },
  }
}
