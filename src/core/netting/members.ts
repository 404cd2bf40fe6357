import {
  DAY_MS,
  dayStart,
  floorHour,
  HOUR_MS,
  type LocalDate,
  periodRange,
  type Range,
} from '../../kernel/time.ts'
import { compareText } from './text-order.ts'
import type { MemberInput, PeriodInput, Scenario } from './types.ts'

export const isConsumer = (member: MemberInput): boolean => member.role !== 'production'
const isProducer = (member: MemberInput): boolean => member.role !== 'consumption'

/** Membership as instants: local midnight to local midnight, open-ended while there is no `validTo`. */
const activeRange = (member: MemberInput): Range => ({
  from: dayStart(member.validFrom),
  to: member.validTo === null ? Number.POSITIVE_INFINITY : dayStart(member.validTo),
})

const overlap = (a: Range, b: Range): Range => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) })
const isEmpty = (range: Range): boolean => range.from >= range.to

/** Memberships in an order that does not depend on the input's. */
export const sortMembers = (members: readonly MemberInput[]): MemberInput[] =>
  [...members].sort(
    (a, b) => compareText(a.facilityId, b.facilityId) || compareText(a.validFrom, b.validFrom),
  )

/** Rows by facility, in their order. A search of the whole list for each facility would be quadratic. */
export function groupByFacility<T extends { readonly facilityId: string }>(
  rows: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const known = groups.get(row.facilityId)
    if (known) known.push(row)
    else groups.set(row.facilityId, [row])
  }
  return groups
}

/** Members active on one local day, by facility id. */
export interface Roster {
  readonly producers: readonly MemberInput[]
  readonly consumers: readonly MemberInput[]
}

export function rosterOn(date: LocalDate, sorted: readonly MemberInput[]): Roster {
  const active = sorted.filter((m) => m.validFrom <= date && (m.validTo === null || date < m.validTo))
  return { producers: active.filter(isProducer), consumers: active.filter(isConsumer) }
}

/** A test for whether any membership of the facility is in force in an hour. */
export function membershipTest(
  members: readonly MemberInput[],
): (facilityId: string, hour: number) => boolean {
  const ranges = new Map<string, Range[]>()
  for (const member of members) {
    const known = ranges.get(member.facilityId) ?? []
    known.push(activeRange(member))
    ranges.set(member.facilityId, known)
  }
  return (facilityId, hour) =>
    ranges.get(facilityId)?.some((range) => range.from <= hour && hour < range.to) ?? false
}

/** The hours of a range in which any of the memberships is in force. */
export function memberHours(members: readonly MemberInput[], range: Range): number {
  let [hours, counted] = [0, range.from]
  for (const { from, to } of members.map(activeRange).sort((a, b) => a.from - b.from)) {
    const part = overlap({ from: Math.max(from, counted), to }, range)
    if (isEmpty(part)) continue
    hours += (part.to - part.from) / HOUR_MS
    counted = part.to
  }
  return hours
}

/** The first hour of each membership of the facility in this group and window, ascending. */
export const activeStarts = (facilityId: string, members: readonly MemberInput[], window: Range): number[] =>
  members
    .filter((member) => member.facilityId === facilityId)
    .map((member) => overlap(activeRange(member), window))
    .filter((range) => !isEmpty(range))
    .map((range) => floorHour(range.from))
    .sort((a, b) => a - b)

/**
 * The t of the as-of rule: the first hour of the facility in this group and window; undefined when it has
 * none.
 */
export const firstActiveHour = (
  facilityId: string,
  members: readonly MemberInput[],
  window: Range,
): number | undefined => activeStarts(facilityId, members, window)[0]

/** Calendar days of the period on which the facility consumes as a member: the days of its step threshold. */
export function membershipDays(
  facilityId: string,
  members: readonly MemberInput[],
  billingPeriod: string,
): number {
  let days = 0
  for (const member of members) {
    if (member.facilityId !== facilityId || !isConsumer(member)) continue
    const range = overlap(activeRange(member), periodRange(billingPeriod))
    if (!isEmpty(range)) days += (range.to - range.from) / DAY_MS
  }
  return days
}

type ScenarioInput = Pick<PeriodInput, 'billingPeriod' | 'eligibilityStatus' | 'members'>

/**
 * The rules that apply to a group in a period. The production of a blocked group is free. A group is
 * residential when it has a consumption member in any hour of the period and all of them are homes. Every
 * other group is hourly, including one that was never evaluated.
 */
export function scenarioOf({ billingPeriod, eligibilityStatus, members }: ScenarioInput): Scenario {
  if (eligibilityStatus === 'blocked') return 'invalid_group_bedelsiz'
  return isResidential(members, billingPeriod) ? 'mesken_monthly' : 'standard_hourly'
}

function isResidential(members: readonly MemberInput[], billingPeriod: string): boolean {
  const consumers = members.filter(
    (member) => isConsumer(member) && !isEmpty(overlap(activeRange(member), periodRange(billingPeriod))),
  )
  return consumers.length > 0 && consumers.every((member) => member.aboneGrubu === 'mesken')
}
