import { idsOf, namesOf } from './members.ts'
import type { EligibilityInput, EligibilityMember, Rule, Verdict } from './types.ts'

/**
 * Same person: one declared scope, and every facility in it. A facility whose scope is unknown leaves it
 * open.
 */
export const r001: Rule = { code: 'R001', severity: 'error', isBlocking: true, dependsOnAct: true, check }

function check({ scope, members }: EligibilityInput): Verdict {
  const outsiders = membersOfOtherScopes(members, scope?.id)
  if (outsiders.length > 0) {
    const where = scope ? `in another scope than the group's, ${scope.name}` : 'in different scopes'
    return {
      status: 'fail',
      reasonCode: 'OTHER_SCOPE',
      message: `Not of one official party: ${namesOf(outsiders)} ${outsiders.length === 1 ? 'is' : 'are'} ${where}.`,
      details: { scope_id: scope?.id ?? null, facility_ids: idsOf(outsiders) },
    }
  }
  if (!scope) return open('GROUP_SCOPE_MISSING', 'The group has no scope.')
  if (!scope.isDeclared) {
    return open('SCOPE_NOT_DECLARED', `The scope ${scope.name} is not declared to be one official party.`)
  }
  const unknown = members.filter((member) => member.scopeId === null)
  if (unknown.length > 0) {
    const text = `No scope is known of ${namesOf(unknown)}.`
    return { ...open('FACILITY_SCOPE_UNKNOWN', text), details: { facility_ids: idsOf(unknown) } }
  }
  return { status: 'pass', message: `All facilities belong to the declared scope ${scope.name}.` }
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

const open = (reasonCode: string, message: string): Verdict => ({
  status: 'not_checked',
  reasonCode,
  message,
})
