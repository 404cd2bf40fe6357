import { idsOf, namesOf } from './members.ts'
import type { EligibilityInput, Rule, Verdict } from './types.ts'

/** Limit transfer: each of the year was made with the contracted power confirmed. A warning only. */
export const r010: Rule = { code: 'R010', severity: 'warning', isBlocking: false, check }

function check({ members, transfers, today }: EligibilityInput): Verdict {
  const year = Number(today.slice(0, 4))
  if (transfers.length === 0) return { status: 'pass', message: `No limit was transferred in ${year}.` }
  const unconfirmed = transfers.filter((transfer) => !transfer.isConfirmed)
  if (unconfirmed.length === 0) {
    return {
      status: 'pass',
      message: `All limit transfers of ${year} had the contracted power confirmed.`,
    }
  }
  const touched = new Set(unconfirmed.map((transfer) => transfer.facilityId))
  const facilities = members.filter((member) => touched.has(member.facilityId))
  return {
    status: 'fail',
    reasonCode: 'CONTRACTED_POWER_NOT_CONFIRMED',
    message: `Limit was transferred in ${year} without confirmed contracted power: ${namesOf(facilities)}.`,
    details: {
      year,
      facility_ids: idsOf(facilities),
      movement_ids: unconfirmed.map((transfer) => transfer.movementId).sort(),
    },
  }
}
