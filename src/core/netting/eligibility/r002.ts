import { consumersOf } from './members.ts'
import { RULE_TEXTS } from './messages.ts'
import type { EligibilityInput, Rule, Verdict } from './types.ts'

/**
 * Structure: at least one member produces. A group that only produces passes with a reason code; all its
 * production is free.
 */
export const r002: Rule = { code: 'R002', severity: 'error', isBlocking: true, check }

function check({ members }: EligibilityInput): Verdict {
  if (members.length === 0) {
    return { status: 'fail', reasonCode: 'NO_ACTIVE_MEMBER', message: RULE_TEXTS.R002_NO_ACTIVE_MEMBER() }
  }
  const producers = members.filter((member) => member.role !== 'consumption')
  if (producers.length === 0) {
    return { status: 'fail', reasonCode: 'NO_PRODUCER', message: RULE_TEXTS.R002_NO_PRODUCER() }
  }
  const counts = { producers: producers.length, consumers: consumersOf({ members }).length }
  if (counts.consumers === 0) {
    return {
      status: 'pass',
      reasonCode: 'NO_CONSUMPTION',
      message: RULE_TEXTS.R002_NO_CONSUMPTION(),
      details: counts,
    }
  }
  return {
    status: 'pass',
    message: RULE_TEXTS.R002_PASS(counts),
    details: counts,
  }
}
