import type { Message } from '../../../kernel/messages.ts'
import { idsOf, namesOf } from './members.ts'
import { RULE_TEXTS } from './messages.ts'
import type { EligibilityInput, EligibilityMember, Rule, Verdict } from './types.ts'

/**
 * Same person: one declared scope, and every facility in it. A facility whose scope is unknown leaves it
 * open.
 */
export const r001: Rule = { code: 'R001', severity: 'error', isBlocking: true, dependsOnAct: true, check }

function check({ scope, members }: EligibilityInput): Verdict {
  const outsiders = membersOfOtherScopes(members, scope?.id)
  if (outsiders.length > 0) {
    const parameters = { facilities: namesOf(outsiders), count: outsiders.length }
    return {
      status: 'fail',
      reasonCode: 'OTHER_SCOPE',
      message: scope
        ? RULE_TEXTS.R001_OTHER_SCOPE({ ...parameters, scope: scope.name })
        : RULE_TEXTS.R001_DIFFERENT_SCOPES(parameters),
      details: { scope_id: scope?.id ?? null, facility_ids: idsOf(outsiders) },
    }
  }
  if (!scope) return open('GROUP_SCOPE_MISSING', RULE_TEXTS.R001_GROUP_SCOPE_MISSING())
  if (!scope.isDeclared) {
    return open('SCOPE_NOT_DECLARED', RULE_TEXTS.R001_SCOPE_NOT_DECLARED({ scope: scope.name }))
  }
  const unknown = members.filter((member) => member.scopeId === null)
  if (unknown.length > 0) {
    const text = RULE_TEXTS.R001_FACILITY_SCOPE_UNKNOWN({ facilities: namesOf(unknown) })
    return { ...open('FACILITY_SCOPE_UNKNOWN', text), details: { facility_ids: idsOf(unknown) } }
  }
  return { status: 'pass', message: RULE_TEXTS.R001_PASS({ scope: scope.name }) }
}

/**
 * Members known to be in another scope than the group. For a group without a scope all members, if their
 * known scopes differ.
 */
function membersOfOtherScopes(members: readonly EligibilityMember[], groupScopeId: string | undefined) {
  const withScope = members.filter((member) => member.scopeId !== null)
  if (groupScopeId !== undefined) return withScope.filter((member) => member.scopeId !== groupScopeId)
  return new Set(withScope.map((member) => member.scopeId)).size > 1 ? withScope : []
}

const open = (reasonCode: string, message: Message): Verdict => ({
  status: 'not_checked',
  reasonCode,
  message,
})
