import { type Kwh, roundDiv, subtract, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import {
  type BillingPeriod,
  dayStart,
  HOUR_MS,
  type LocalDate,
  localDate,
  periodEnd,
  periodRange,
  periodStart,
  type Range,
} from '../../../kernel/time.ts'
import { type Roster, rosterOn, sortMembers } from '../members.ts'
import type { NettingInterval } from '../period.ts'
import type { HourlyBillPrice, MemberInput, PeriodInput } from '../types.ts'
import { SCENARIO_FAULTS, ScenarioFault } from './messages.ts'
import { makeTimeline, quantitiesAt, readInto, type Timeline } from './timeline.ts'
import type { BatteryTotals, Days, FacilityTerms, ScenarioBase } from './types.ts'

export const MILLION = 1_000_000n

/** An account that only the scenario has, or a facility from outside of the groups. */
export interface OtherAccount {
  readonly accountId: string
  readonly facilityId: string
  readonly year: number
  /** At the start of the scenario, or of the year. */
  readonly balanceKwh: Kwh
}

/** Limit that an account gets or loses from the start of a month on. */
export interface LimitStep {
  readonly changeIndex: number
  readonly facilityId: string
  readonly month: BillingPeriod
  readonly amountKwh: Kwh
  /** The facility must have at least this much left before the step. */
  readonly neededKwh: Kwh
}

/** The base with the changes applied so far. */
export interface Workspace {
  readonly base: ScenarioBase
  readonly range: Range
  /** Parallel to the inputs of the base. */
  readonly inputs: PeriodInput[]
  readonly timelines: Map<string, Timeline>
  /** Facilities whose meters changed: their facts are rewritten. */
  readonly touched: Set<string>
  readonly otherAccounts: OtherAccount[]
  readonly limitSteps: LimitStep[]
  readonly intervals: Map<string, NettingInterval>
  readonly billPrices: HourlyBillPrice[]
  readonly batteries: BatteryTotals[]
}

export function openWorkspace(base: ScenarioBase): Workspace {
  const range = { from: periodStart(base.from), to: periodEnd(base.to) }
  return {
    base,
    range,
    inputs: [...base.inputs],
    timelines: new Map(),
    touched: new Set(),
    otherAccounts: base.others.flatMap(({ terms: { facilityId }, accounts }) =>
      accounts.map((account) => ({ ...account, facilityId })),
    ),
    limitSteps: [],
    intervals: new Map(),
    billPrices: [],
    batteries: [],
  }
}

/** One change while it is applied. */
export interface Step {
  readonly work: Workspace
  readonly index: number
}

export const fault = (
  { index }: Step,
  field: string,
  content: ConstructorParameters<typeof ScenarioFault>[2],
) => new ScenarioFault(index, field, content)

/** The range of the days within the scenario; refuses days that are all outside. */
export function daysRange(step: Step, days: Days): Range {
  const { range } = step.work
  const from = days.from === undefined ? range.from : Math.max(dayStart(days.from), range.from)
  const to = days.to === undefined ? range.to : Math.min(dayStart(days.to), range.to)
  if (from < to) return { from, to }
  const text = SCENARIO_FAULTS.SCENARIO_DAYS_OUTSIDE({
    from: days.from ?? localDate(range.from),
    to: days.to ?? localDate(range.to),
  })
  throw fault(step, days.from === undefined ? 'to' : 'from', text)
}

/** The meters of a facility over the scenario; refuses a facility without any. */
export function timelineOf(step: Step, facilityId: string, field = 'facility_id'): Timeline {
  const { work } = step
  const known = work.timelines.get(facilityId)
  if (known) return known
  const timeline = makeTimeline(facilityId, work.range)
  const other = work.base.others.find(({ terms }) => terms.facilityId === facilityId)
  const sources = [
    ...(other ? [{ window: work.range, facts: other.facts, assignments: other.assignments }] : []),
    ...work.base.inputs.filter((input) => input.members.some((member) => member.facilityId === facilityId)),
  ]
  if (sources.length === 0)
    throw fault(step, field, SCENARIO_FAULTS.SCENARIO_FACILITY_UNKNOWN({ facility: facilityId }))
  for (const source of sources) readInto(timeline, source)
  work.timelines.set(facilityId, timeline)
  return timeline
}

/** The same, for a change that rewrites the meters. */
export function touch(step: Step, facilityId: string): Timeline {
  const timeline = timelineOf(step, facilityId)
  step.work.touched.add(facilityId)
  return timeline
}

/** The hours of a range as positions in timelines. */
export const indexesOf = (
  { range }: Workspace,
  { from, to }: Range,
): { readonly from: number; readonly to: number } => ({
  from: (from - range.from) / HOUR_MS,
  to: (to - range.from) / HOUR_MS,
})

/** Replaces the members of the inputs of a group, or of all. Returns whether any input changed. */
export function mapMembers(
  work: Workspace,
  isAffected: (input: PeriodInput) => boolean,
  change: (members: readonly MemberInput[], input: PeriodInput) => readonly MemberInput[],
): boolean {
  let isChanged = false
  work.inputs.forEach((input, index) => {
    if (!isAffected(input)) return
    const members = change(input.members, input)
    if (members.length === input.members.length && members.every((one, at) => one === input.members[at]))
      return
    work.inputs[index] = { ...input, members }
    isChanged = true
  })
  return isChanged
}

/** What is known of a facility: in the input of the month, else in any. */
export function termsOf(step: Step, facilityId: string, input: PeriodInput): FacilityTerms {
  const { work } = step
  const ofMonth = work.inputs.filter(({ billingPeriod }) => billingPeriod === input.billingPeriod)
  for (const candidate of [...ofMonth, ...work.inputs]) {
    const member = candidate.members.find((one) => one.facilityId === facilityId)
    if (member) return member
  }
  const other = work.base.others.find(({ terms }) => terms.facilityId === facilityId)
  if (other) return other.terms
  throw fault(step, 'facility_id', SCENARIO_FAULTS.SCENARIO_FACILITY_UNKNOWN({ facility: facilityId }))
}

export const touchesPeriod = (
  input: PeriodInput,
  from: LocalDate | undefined,
  to: LocalDate | undefined,
): boolean => {
  const period = periodRange(input.billingPeriod)
  return (
    (from === undefined || dayStart(from) < period.to) && (to === undefined || dayStart(to) > period.from)
  )
}

/** The memberships in force by hour; a function of the hour's input. */
function rosters(input: PeriodInput): (hour: number) => Roster {
  const sorted = sortMembers(input.members)
  let [date, roster]: [LocalDate, Roster] = ['', { producers: [], consumers: [] }]
  return (hour) => {
    const day = localDate(hour)
    if (day !== date) [date, roster] = [day, rosterOn(day, sorted)]
    return roster
  }
}

/**
 * Production less consumption of the groups in which the facility is a member, by position in the timelines;
 * undefined in the other hours. An unknown value counts as 0, as in the netting.
 */
export function groupBalance(step: Step, facilityId: string): (Kwh | undefined)[] {
  const { work } = step
  const balance: (Kwh | undefined)[] = []
  for (const input of work.inputs) {
    if (!input.members.some((member) => member.facilityId === facilityId)) continue
    const rosterAt = rosters(input)
    for (let hour = input.window.from; hour < input.window.to; hour += HOUR_MS) {
      const { producers, consumers } = rosterAt(hour)
      if (![...producers, ...consumers].some((member) => member.facilityId === facilityId)) continue
      const index = (hour - work.range.from) / HOUR_MS
      let sum = ZERO_KWH
      for (const { facilityId: id, role } of producers)
        sum = wh(sum + (quantitiesAt(timelineOf(step, id), index, role).productionKwh ?? 0n))
      for (const { facilityId: id, role } of consumers)
        sum = subtract(sum, quantitiesAt(timelineOf(step, id), index, role).consumptionKwh ?? ZERO_KWH)
      balance[index] = sum
    }
  }
  return balance
}

export const multiply = (value: Kwh, ratio: bigint): Kwh => wh(roundDiv(value * ratio, MILLION))
