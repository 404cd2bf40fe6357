import { dayStart, type LocalDate, localDate, localYear, periodStart } from '../../../kernel/time.ts'
import type { MemberInput, MemberRole } from '../types.ts'
import { addProfile } from './energy-changes.ts'
import { SCENARIO_FAULTS } from './messages.ts'
import { makeTimeline } from './timeline.ts'
import type {
  AddFacility,
  ChangeFacility,
  Days,
  FacilityTerms,
  JoinGroup,
  LeaveGroup,
  MoveFacility,
} from './types.ts'
import { daysRange, fault, mapMembers, type Step, termsOf, timelineOf, touchesPeriod } from './workspace.ts'

interface NewMembership extends Days {
  readonly groupId: string
  readonly role: MemberRole
}

/** Adds a membership to the inputs of the group that it touches. */
function insertMembership(
  step: Step,
  facilityId: string,
  { groupId, role, from, to }: NewMembership,
  terms?: FacilityTerms,
): void {
  const { work } = step
  const range = daysRange(step, { from, to })
  refuseOverlap(step, facilityId, { from, to })
  const isAffected = mapMembers(
    work,
    (input) => input.groupId === groupId && touchesPeriod(input, from, to),
    (members, input) => {
      const own = terms ?? withoutMembership(termsOf(step, facilityId, input))
      const validFrom = from ?? localDate(range.from)
      return [...members, { ...own, role, validFrom, validTo: to ?? null }]
    },
  )
  if (!isAffected)
    throw fault(step, 'group_id', SCENARIO_FAULTS.SCENARIO_GROUP_NOT_IN_BASE({ group: groupId }))
}

function withoutMembership(terms: FacilityTerms & Partial<MemberInput>): FacilityTerms {
  const { role: _role, validFrom: _from, validTo: _to, ...own } = terms
  return own
}

/** A facility belongs to one group at a time. */
function refuseOverlap(step: Step, facilityId: string, { from, to }: Days): void {
  const isMember = step.work.inputs.some((input) =>
    input.members.some(
      (member) =>
        member.facilityId === facilityId &&
        touchesPeriod(input, from, to) &&
        (to === undefined || member.validFrom < to) &&
        (member.validTo === null || from === undefined
          ? member.validTo === null || dayStart(member.validTo) > step.work.range.from
          : member.validTo > from),
    ),
  )
  if (!isMember) return
  const text = SCENARIO_FAULTS.SCENARIO_FACILITY_ALREADY_MEMBER({ facility: facilityId })
  throw fault(step, 'facility_id', text)
}

export function joinGroup(step: Step, change: JoinGroup): void {
  timelineOf(step, change.facilityId)
  insertMembership(step, change.facilityId, change)
}

export function leaveGroup(step: Step, { facilityId, groupId, from }: Omit<LeaveGroup, 'type'>): void {
  daysRange(step, { from })
  const isAffected = mapMembers(
    step.work,
    (input) => input.groupId === groupId && touchesPeriod(input, from, undefined),
    (members) => members.flatMap((member) => endMembership(member, facilityId, from)),
  )
  if (isAffected) return
  throw fault(step, 'facility_id', SCENARIO_FAULTS.SCENARIO_FACILITY_NOT_MEMBER({ facility: facilityId }))
}

function endMembership(member: MemberInput, facilityId: string, from: LocalDate | undefined): MemberInput[] {
  if (member.facilityId !== facilityId) return [member]
  if (from === undefined || member.validFrom >= from) return []
  if (member.validTo !== null && member.validTo <= from) return [member]
  return [{ ...member, validTo: from }]
}

/** Leaves one group and joins another with the same role on the same day. */
export function moveFacility(step: Step, { facilityId, fromGroupId, groupId, from }: MoveFacility): void {
  timelineOf(step, facilityId)
  const member = step.work.inputs
    .filter((input) => input.groupId === fromGroupId && touchesPeriod(input, from, undefined))
    .flatMap(({ members }) => members.filter((one) => one.facilityId === facilityId))
    .at(-1)
  leaveGroup(step, { facilityId, groupId: fromGroupId, from })
  // Without a day no membership is left that the terms could be read from.
  const terms = from === undefined && member ? withoutMembership(member) : undefined
  insertMembership(step, facilityId, { groupId, role: member?.role ?? 'consumption', from }, terms)
}

/** Changes what a facility is from a day on, by splitting its memberships there. */
export function changeFacility(step: Step, { facilityId, from, terms }: ChangeFacility): void {
  daysRange(step, { from })
  const isAffected = mapMembers(
    step.work,
    (input) => touchesPeriod(input, from, undefined),
    (members) => members.flatMap((member) => changeMembership(member, facilityId, { from, terms })),
  )
  if (isAffected) return
  throw fault(step, 'facility_id', SCENARIO_FAULTS.SCENARIO_FACILITY_NOT_MEMBER({ facility: facilityId }))
}

function changeMembership(
  member: MemberInput,
  facilityId: string,
  { from, terms }: Pick<ChangeFacility, 'from' | 'terms'>,
): MemberInput[] {
  if (member.facilityId !== facilityId) return [member]
  if (from === undefined || member.validFrom >= from) return [{ ...member, ...terms }]
  if (member.validTo !== null && member.validTo <= from) return [member]
  return [
    { ...member, validTo: from },
    { ...member, ...terms, validFrom: from },
  ]
}

/** Gives a member the role that its meters now need. */
export function extendRole(step: Step, facilityId: string, needed: 'production' | 'consumption'): void {
  mapMembers(
    step.work,
    () => true,
    (members) =>
      members.map((member) =>
        member.facilityId !== facilityId || member.role === needed || member.role === 'mixed'
          ? member
          : { ...member, role: 'mixed' as const },
      ),
  )
}

/** A facility that does not exist: its meters are the profiles, its limit is the one that is stated. */
export function addFacility(step: Step, change: AddFacility): void {
  const { facilityId, groupId, production, consumption, limitKwh } = change
  const { work } = step
  const timeline = makeTimeline(facilityId, work.range)
  work.timelines.set(facilityId, timeline)
  work.touched.add(facilityId)
  if (production) addProfile(step, timeline, { profile: production, quantity: 'production', days: change })
  if (consumption) addProfile(step, timeline, { profile: consumption, quantity: 'consumption', days: change })
  const role = production && consumption ? 'mixed' : production ? 'production' : 'consumption'
  insertMembership(step, facilityId, { ...change, groupId, role }, { ...change.terms, facilityId })
  if (limitKwh === undefined) return
  const years = new Set(work.inputs.map(({ billingPeriod }) => localYear(periodStart(billingPeriod))))
  for (const year of years) {
    work.otherAccounts.push({
      accountId: scenarioAccountId(facilityId, year),
      facilityId,
      year,
      balanceKwh: limitKwh,
    })
  }
}

export const scenarioAccountId = (facilityId: string, year: number): string =>
  `scenario ${facilityId} ${year}`
