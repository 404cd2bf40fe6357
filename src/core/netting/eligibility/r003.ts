import { consumersOf, idsOf, knownAboneGroups, listed, namesOf } from './members.ts'
import type { EligibilityInput, Rule, Verdict } from './types.ts'

/**
 * Same subscriber group (abone_grubu) of all consumers. An unknown one leaves it open, which does not block.
 */
export const r003: Rule = { code: 'R003', severity: 'error', isBlocking: true, check }

function check(input: EligibilityInput): Verdict {
  const consumers = consumersOf(input)
  if (consumers.length === 0) return { status: 'not_applicable', message: 'No member consumes.' }
  const known = knownAboneGroups(input)
  if (known.length > 1) {
    const parts = known.map(
      (aboneGrubu) =>
        `${aboneGrubu}: ${namesOf(consumers.filter((member) => member.aboneGrubu === aboneGrubu))}`,
    )
    return {
      status: 'fail',
      reasonCode: 'ABONE_GRUBU_DIFFERS',
      message: `The consuming facilities are of different subscriber groups (${parts.join('; ')}).`,
      details: {
        abone_grubu: known,
        facilities: consumers.map(({ facilityId, aboneGrubu }) => ({
          facility_id: facilityId,
          abone_grubu: aboneGrubu,
        })),
      },
    }
  }
  const unknown = consumers.filter((member) => member.aboneGrubu === null)
  if (unknown.length > 0) {
    return {
      status: 'not_checked',
      severity: 'warning',
      isBlocking: false,
      reasonCode: 'ABONE_GRUBU_UNKNOWN',
      message: `The subscriber group is unknown of ${namesOf(unknown)}.`,
      details: { facility_ids: idsOf(unknown) },
    }
  }
  return { status: 'pass', message: `All consuming facilities are of the subscriber group ${listed(known)}.` }
}
