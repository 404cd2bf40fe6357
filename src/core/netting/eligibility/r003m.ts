import { consumersOf, idsOf, knownAboneGroups, namesOf } from './members.ts'
import { RULE_TEXTS } from './messages.ts'
import type { EligibilityInput, Rule, Verdict } from './types.ts'

/**
 * Homes (mesken) are netted by the month and without a limit, so they never share a group with others. An
 * unknown subscriber group next to a home leaves the rule open; as in R003 that does not block. [our
 * decision]
 */
export const r003m: Rule = { code: 'R003M', severity: 'error', isBlocking: true, check }

function check(input: EligibilityInput): Verdict {
  const consumers = consumersOf(input)
  const known = knownAboneGroups(input)
  const homes = consumers.filter((member) => member.aboneGrubu === 'mesken')
  if (homes.length === 0) return { status: 'not_applicable', message: RULE_TEXTS.R003M_NO_HOME() }
  if (known.length > 1) {
    const others = known.filter((aboneGrubu) => aboneGrubu !== 'mesken')
    return {
      status: 'fail',
      reasonCode: 'MESKEN_MIXED',
      message: RULE_TEXTS.R003M_MESKEN_MIXED({ homes: namesOf(homes), abone_grubu: others }),
      details: { mesken_facility_ids: idsOf(homes), abone_grubu: known },
    }
  }
  const unknown = consumers.filter((member) => member.aboneGrubu === null)
  if (unknown.length > 0) {
    return {
      status: 'not_checked',
      severity: 'warning',
      isBlocking: false,
      reasonCode: 'ABONE_GRUBU_UNKNOWN',
      message: RULE_TEXTS.R003M_ABONE_GRUBU_UNKNOWN({ facilities: namesOf(unknown) }),
      details: { facility_ids: idsOf(unknown) },
    }
  }
  return { status: 'pass', message: RULE_TEXTS.R003M_PASS() }
}
