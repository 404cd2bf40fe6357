import { consumersOf, idsOf, knownAboneGroups, namesOf } from './members.ts'
import { RULE_TEXTS } from './messages.ts'
import type { EligibilityInput, Rule, Verdict } from './types.ts'

/**
 * Same subscriber group (abone_grubu) of all consumers. An unknown one leaves it open, which does not block.
 */
export const r003: Rule = { code: 'R003', severity: 'error', isBlocking: true, check }

function check(input: EligibilityInput): Verdict {
  const consumers = consumersOf(input)
  if (consumers.length === 0) return { status: 'not_applicable', message: RULE_TEXTS.NO_MEMBER_CONSUMES() }
  const known = knownAboneGroups(input)
  if (known.length > 1) {
    const parts = known
      .map((aboneGrubu) =>
        RULE_TEXTS.R003_PART({
          abone_grubu: aboneGrubu,
          facilities: namesOf(consumers.filter((member) => member.aboneGrubu === aboneGrubu)),
        }),
      )
      .reduceRight((rest, first) => RULE_TEXTS.R003_PARTS({ first, rest }))
    return {
      status: 'fail',
      reasonCode: 'ABONE_GRUBU_DIFFERS',
      message: RULE_TEXTS.R003_ABONE_GRUBU_DIFFERS({ parts }),
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
      message: RULE_TEXTS.R003_ABONE_GRUBU_UNKNOWN({ facilities: namesOf(unknown) }),
      details: { facility_ids: idsOf(unknown) },
    }
  }
  return { status: 'pass', message: RULE_TEXTS.R003_PASS({ abone_grubu: known }) }
}
