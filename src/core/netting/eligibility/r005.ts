import type { Message } from '../../../kernel/messages.ts'
import { consumersOf, idsOf, namesOf } from './members.ts'
import { RULE_TEXTS } from './messages.ts'
import type { EligibilityInput, EligibilityMember, Rule, Verdict } from './types.ts'

/**
 * One supplier: that of every consumer is the group's. An unknown one leaves it open, which does not block.
 */
export const r005: Rule = { code: 'R005', severity: 'error', isBlocking: true, check }

function check(input: EligibilityInput): Verdict {
  const consumers = consumersOf(input)
  if (consumers.length === 0) return { status: 'not_applicable', message: RULE_TEXTS.NO_MEMBER_CONSUMES() }
  const group = input.responsibleSupplierId
  const suppliers = consumers.flatMap((member) => member.supplierId ?? [])
  const expected = group ?? suppliers[0]
  const differing = consumers.filter((member) => member.supplierId && member.supplierId !== expected)
  if (differing.length > 0) return fail(consumers, differing, group)
  const unknown = consumers.filter((member) => member.supplierId === null)
  if (unknown.length > 0) {
    const text = RULE_TEXTS.R005_SUPPLIER_UNKNOWN({ facilities: namesOf(unknown) })
    return { ...open('SUPPLIER_UNKNOWN', text), details: { facility_ids: idsOf(unknown) } }
  }
  if (group === null) return open('GROUP_SUPPLIER_UNKNOWN', RULE_TEXTS.R005_GROUP_SUPPLIER_UNKNOWN())
  return { status: 'pass', message: RULE_TEXTS.R005_PASS() }
}

function fail(
  consumers: readonly EligibilityMember[],
  differing: readonly EligibilityMember[],
  group: string | null,
): Verdict {
  const message = group
    ? RULE_TEXTS.R005_OTHER_SUPPLIER({ facilities: namesOf(differing) })
    : RULE_TEXTS.R005_SUPPLIER_DIFFERS({ facilities: namesOf(consumers) })
  return {
    status: 'fail',
    reasonCode: 'SUPPLIER_DIFFERS',
    message,
    details: {
      responsible_supplier_id: group,
      facilities: consumers.map(({ facilityId, supplierId }) => ({
        facility_id: facilityId,
        supplier_id: supplierId,
      })),
    },
  }
}

const open = (reasonCode: string, message: Message): Verdict => ({
  status: 'not_checked',
  severity: 'warning',
  isBlocking: false,
  reasonCode,
  message,
})
