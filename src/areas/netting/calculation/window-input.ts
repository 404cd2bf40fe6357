import { factsOfRoles } from '../../../core/netting/role-sets.ts'
import { needsStepState, stepStatesBefore } from '../../../core/netting/steps.ts'
import type { AssignmentInput, FactInput, PeriodInput } from '../../../core/netting/types.ts'
import { periodStart, type Range } from '../../../kernel/time.ts'
import { type FactText, parseFacts } from './fact-text.ts'

/** The input of a window without its facts and what is derived from facts. */
export type WindowInput = Omit<PeriodInput, 'facts' | 'stepStates'>

/** `window`: the facts of the window. `before`: those from the start of the period to the window, for step states. */
export type FactSpan = 'window' | 'before'

export interface CollectedInput {
  /** `texts`: all facts of their facilities in the span. */
  add(span: FactSpan, texts: readonly FactText[]): void
  complete(): PeriodInput
  /** The number of hours of each facility that were left out, because other roles were in force. */
  readonly otherRoles: ReadonlyMap<string, number>
}

/** Makes the input of a window from pieces of its facts. */
export function collectInput(known: WindowInput): CollectedInput {
  const roles = rolesByFacility(known.assignments)
  const facts: Readonly<Record<FactSpan, FactInput[]>> = { window: [], before: [] }
  const otherRoles = new Map<string, number>()
  return {
    otherRoles,
    add(span, texts) {
      const facilityIds = [...new Set(texts.map((text) => text.facility_id))]
      const assignments = facilityIds.flatMap((id) => roles.get(id) ?? [])
      const range = span === 'window' ? known.window : rangeBefore(known)
      const usable = factsOfRoles(texts.flatMap(parseFacts), assignments, range)
      for (const fact of usable.facts) facts[span].push(fact)
      if (span === 'window') for (const [id, hours] of usable.otherRoles) otherRoles.set(id, hours)
    },
    complete() {
      const { billingPeriod, members, assignments, window } = known
      const past = { billingPeriod, members, assignments, facts: facts.before, until: window.from }
      const stepStates = steppedBefore(known).length === 0 ? [] : stepStatesBefore(past)
      return { ...known, facts: facts.window, stepStates }
    },
  }
}

export const rangeBefore = ({
  billingPeriod,
  window,
}: Pick<WindowInput, 'billingPeriod' | 'window'>): Range => ({
  from: periodStart(billingPeriod),
  to: window.from,
})

/** The members whose consumption before the window determines the step of their tariff. */
export const steppedBefore = ({ billingPeriod, window, members }: WindowInput) =>
  window.from <= periodStart(billingPeriod) ? [] : members.filter(needsStepState)

function rolesByFacility(assignments: readonly AssignmentInput[]): Map<string, AssignmentInput[]> {
  const roles = new Map<string, AssignmentInput[]>()
  for (const assignment of assignments) {
    const known = roles.get(assignment.facilityId)
    if (known) known.push(assignment)
    else roles.set(assignment.facilityId, [assignment])
  }
  return roles
}
