import { packFacts } from '../../../core/netting/input-pack.ts'
import { groupByFacility, membershipTest } from '../../../core/netting/members.ts'
import { factsOfRoles } from '../../../core/netting/role-sets.ts'
import type { ValuesInput } from '../../../core/netting/slices.ts'
import { openValues } from '../../../core/netting/sources.ts'
import { needsStepState, pastRange, stepStatesBefore, stepStatesOf } from '../../../core/netting/steps.ts'
import type { FactInput, PeriodInput } from '../../../core/netting/types.ts'
import { periodStart, type Range } from '../../../kernel/time.ts'
import { type FactText, parseFacts } from './fact-text.ts'
import { INPUT_ROWS_AT_ONCE } from './limits.ts'

/** The input of a window without its facts and what is derived from facts. */
export type WindowInput = Omit<PeriodInput, 'facts' | 'stepStates'>

/** The parts of an input that grow with the number of members. */
export type MemberLists = Pick<WindowInput, 'members' | 'assignments' | 'accounts'>

/**
 * Splits an input whose lists are long, so that no piece takes long to be copied into a thread: the first piece is an
 * input, the others continue its lists.
 */
export function splitInput(input: WindowInput): readonly [WindowInput, ...MemberLists[]] {
  const { members, assignments, accounts } = input
  const listsFrom = (start: number): MemberLists => ({
    members: members.slice(start, start + INPUT_ROWS_AT_ONCE),
    assignments: assignments.slice(start, start + INPUT_ROWS_AT_ONCE),
    accounts: accounts.slice(start, start + INPUT_ROWS_AT_ONCE),
  })
  const longest = Math.max(members.length, assignments.length, accounts.length)
  const others: MemberLists[] = []
  for (let start = INPUT_ROWS_AT_ONCE; start < longest; start += INPUT_ROWS_AT_ONCE)
    others.push(listsFrom(start))
  return [{ ...input, ...listsFrom(0) }, ...others]
}

/** The inverse of one step of `splitInput`. */
export const continueInput = (input: WindowInput, lists: MemberLists): WindowInput => ({
  ...input,
  members: [...input.members, ...lists.members],
  assignments: [...input.assignments, ...lists.assignments],
  accounts: [...input.accounts, ...lists.accounts],
})

/** `window`: the facts of the window. `before`: those from the start of the period to the window, for step states. */
export type FactSpan = 'window' | 'before'

interface UsableFacts {
  /** The facts that count. `texts`: all facts of their facilities in the span. */
  of(span: FactSpan, texts: readonly FactText[]): readonly FactInput[]
  /** The number of hours of each facility that were left out, because other roles were in force. */
  readonly otherRoles: ReadonlyMap<string, number>
}

function usableFacts(known: WindowInput): UsableFacts {
  const roles = groupByFacility(known.assignments)
  const otherRoles = new Map<string, number>()
  return {
    otherRoles,
    of(span, texts) {
      const facilityIds = [...new Set(texts.map((text) => text.facility_id))]
      const assignments = facilityIds.flatMap((id) => roles.get(id) ?? [])
      const range = span === 'window' ? known.window : rangeBefore(known)
      const usable = factsOfRoles(
        texts.flatMap((text) => parseFacts(text, range.from)),
        assignments,
        range,
      )
      if (span === 'window') for (const [id, hours] of usable.otherRoles) otherRoles.set(id, hours)
      return usable.facts
    },
  }
}

export interface CollectedInput extends Pick<UsableFacts, 'otherRoles'> {
  /** `texts`: all facts of their facilities in the span. */
  add(span: FactSpan, texts: readonly FactText[]): void
  complete(): PeriodInput
}

/** Makes the input of a window from pieces of its facts. */
export function collectInput(known: WindowInput): CollectedInput {
  const usable = usableFacts(known)
  const facts: Readonly<Record<FactSpan, FactInput[]>> = { window: [], before: [] }
  return {
    otherRoles: usable.otherRoles,
    add(span, texts) {
      for (const fact of usable.of(span, texts)) facts[span].push(fact)
    },
    complete() {
      const { billingPeriod, members, assignments, window } = known
      const past = { billingPeriod, members, assignments, facts: facts.before, until: window.from }
      const stepStates = steppedBefore(known).length === 0 ? [] : stepStatesBefore(past)
      return { ...known, facts: facts.window, stepStates }
    },
  }
}

export interface CollectedValues extends Pick<UsableFacts, 'otherRoles'> {
  /** `texts`: all facts of their facilities in the span. */
  add(span: FactSpan, texts: readonly FactText[]): void
  complete(): ValuesInput
  /** The facts of the window as `packFacts` returns them. */
  readonly series: readonly string[]
}

/**
 * Makes the input of a window from pieces of its facts, and keeps of each fact what the calculation reads and its
 * packed text: 20 bytes, where the fact itself takes some 200.
 */
export function collectValues(known: WindowInput): CollectedValues {
  const { billingPeriod, members, assignments, window } = known
  const usable = usableFacts(known)
  const past = { billingPeriod, members, assignments, until: window.from }
  const chosen = {
    window: openValues(window, membershipTest(members)),
    before: openValues(pastRange(past), () => true),
  }
  const series: string[] = []
  return {
    otherRoles: usable.otherRoles,
    series,
    add(span, texts) {
      const facts = usable.of(span, texts)
      for (const fact of facts) chosen[span].add(fact)
      if (span === 'window') for (const text of packFacts(facts, window.from)) series.push(text)
    },
    complete() {
      const stepStates = steppedBefore(known).length === 0 ? [] : stepStatesOf(past, chosen.before.values)
      return { ...known, values: chosen.window.values, stepStates }
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
