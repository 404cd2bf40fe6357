import { consumersOf, idsOf, namesOf } from './members.ts'
import { RULE_TEXTS } from './messages.ts'
import type { EligibilityInput, Rule, Verdict } from './types.ts'

/**
 * Supply (SKTT): the supply type of every consumer is known, and they all have the same. [our decision: an
 * unknown one, which is calculated as regulated, leaves it open] It never blocks.
 */
export const r008: Rule = { code: 'R008', severity: 'info', isBlocking: false, check }

function check(input: EligibilityInput): Verdict {
  const consumers = consumersOf(input)
  if (consumers.length === 0) return { status: 'not_applicable', message: RULE_TEXTS.NO_MEMBER_CONSUMES() }
  const known = [...new Set(consumers.flatMap((member) => member.supplyType ?? []))].sort()
  if (known.length > 1) {
    return {
      status: 'fail',
      reasonCode: 'SUPPLY_TYPE_DIFFERS',
      message: RULE_TEXTS.R008_SUPPLY_TYPE_DIFFERS({ supply_types: known }),
      details: {
        tariff_supply_type: known,
        facilities: consumers.map(({ facilityId, supplyType }) => ({
          facility_id: facilityId,
          tariff_supply_type: supplyType,
        })),
      },
    }
  }
  const unknown = consumers.filter((member) => member.supplyType === null)
  if (unknown.length > 0) {
    return {
      status: 'not_checked',
      reasonCode: 'SUPPLY_TYPE_UNKNOWN',
      message: RULE_TEXTS.R008_SUPPLY_TYPE_UNKNOWN({ facilities: namesOf(unknown) }),
      details: { facility_ids: idsOf(unknown) },
    }
  }
  return { status: 'pass', message: RULE_TEXTS.R008_PASS({ supply_types: known }) }
}
