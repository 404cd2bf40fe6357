import { HOUR_MS } from '../../../kernel/time.ts'
import { scenarioOf } from '../members.ts'
import type { PeriodInput } from '../types.ts'
import { OPTIMISATION_FAULTS, OptimisationFault } from './messages.ts'

/** Refuses a group that optimisations do not cover: one that is netted by the month, or blocked. */
export function refuseGroup(input: PeriodInput): void {
  const scenario = scenarioOf(input)
  const group = input.groupName
  if (scenario === 'invalid_group_bedelsiz')
    throw new OptimisationFault('group_ids', OPTIMISATION_FAULTS.OPTIMISATION_GROUP_BLOCKED({ group }))
  if (scenario === 'mesken_monthly')
    throw new OptimisationFault('group_ids', OPTIMISATION_FAULTS.OPTIMISATION_GROUP_RESIDENTIAL({ group }))
}

/**
 * Refuses groups whose results do not have the same hours: a facility that moves into a group would lose its energy of
 * the hours that this group does not have.
 */
export function refuseDifferentHours(inputs: readonly PeriodInput[], groupIds: readonly string[]): void {
  const hours = groupIds.map((groupId) => ({ groupId, covered: coveredHours(inputs, groupId) }))
  const all = new Set(hours.flatMap(({ covered }) => [...covered]))
  const short = hours.find(({ covered }) => covered.size < all.size)
  if (!short) return
  const text = OPTIMISATION_FAULTS.OPTIMISATION_HOURS_DIFFER({ group: short.groupId })
  throw new OptimisationFault('group_ids', text)
}

function coveredHours(inputs: readonly PeriodInput[], groupId: string): ReadonlySet<number> {
  const hours = new Set<number>()
  for (const { window, groupId: own } of inputs) {
    if (own !== groupId) continue
    for (let hour = window.from; hour < window.to; hour += HOUR_MS) hours.add(hour)
  }
  return hours
}
