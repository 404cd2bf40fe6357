import { found, invalidReference, unprocessable } from '../../../../kernel/errors.ts'
import { DEFAULT_LANGUAGE } from '../../../../kernel/messages.ts'
import { dayStart, floorHour, type LocalDate, periodOf } from '../../../../kernel/time.ts'
import { warningFields } from '../../../../kernel/warnings.ts'
import { requireReferences } from '../../../../platform/db/references.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { ALARM_TEXTS, clearAlarmsAbout } from '../../alarms/index.ts'
import { type MembershipCorrection, openMembershipCorrection } from '../../corrections/index.ts'
import { insertRebuilds } from '../../hourly-energy/index.ts'
import { readGroupLimits } from '../../limit-balances/index.ts'
import { type Actor, dateOf, decodeFields, NETTING_ERRORS, type WriteContext } from '../../shared/index.ts'
import { readStale } from '../../stale/index.ts'
import type { AddMember, CreateGroup, GroupQuery, MemberQuery, UpdateGroup, UpdateMember } from './schema.ts'
import { type GroupStatus, nextStatus } from './status.ts'
import * as store from './store.ts'

const stateOf = (status: GroupStatus): store.GroupState => ({
  is_active: status !== 'inactive',
  group_status: status,
})

const checkGroupReferences = (tx: TenantTx, body: UpdateGroup) =>
  requireReferences(tx, [
    ['scope_id', 'scope', body.scope_id],
    ['responsible_supplier_id', 'organization', body.responsible_supplier_id],
  ])

/**
 * Creates a group. It has the status customer_defined or inactive, and the eligibility status not_checked.
 * With `history` the record names its origin.
 */
export async function createGroup(
  tx: TenantTx,
  body: CreateGroup,
  { history }: Pick<WriteContext, 'history'> = { history: undefined },
) {
  await checkGroupReferences(tx, body)
  const state = stateOf(body.is_active === false ? 'inactive' : 'customer_defined')
  return withStale(tx, await store.create(tx, body, { ...state, origin: history?.origin ?? null }))
}

/** Adds the stale periods to groups. */
async function staleGroups<Row extends { readonly id: string }>(tenant: TenantDb, rows: readonly Row[]) {
  const stale = await readStale(tenant, { groupIds: rows.map(({ id }) => id) })
  return rows.map((row) => {
    const periods = stale
      .filter(({ groupId }) => groupId === row.id)
      .map(({ billingPeriod }) => billingPeriod)
    return { ...row, stale: periods.length > 0, stale_periods: periods }
  })
}

async function withStale<Row extends { readonly id: string }>(tenant: TenantDb, row: Row) {
  const [group] = await staleGroups(tenant, [row])
  return found('group', group)
}

/** With `include=limits` each group contains the limits of its consumers. */
export async function listGroups(tenant: TenantDb, query: GroupQuery, now: number) {
  const { items, total } = await store.list(tenant, query)
  const groups = await staleGroups(tenant, items)
  if (query.include !== 'limits') return { items: groups, total }
  const ids = items.map(({ id }) => id)
  const limits = await readGroupLimits(tenant, ids, now)
  return { items: groups.map((group) => ({ ...group, limits: limits.get(group.id) })), total }
}

export const findGroup = async (tenant: TenantDb, id: string) =>
  withStale(tenant, found('group', await store.find(tenant, id)))

/**
 * A partial update; 409 for a transition that the state machine does not allow. The alarms of a group that
 * becomes inactive are closed.
 */
export async function updateGroup(tx: TenantTx, id: string, body: UpdateGroup, { at }: Pick<Actor, 'at'>) {
  const before = found('group', await store.lock(tx, id))
  await checkGroupReferences(tx, body)
  const status = nextStatus(before.group_status as GroupStatus, body)
  if (status === 'inactive') {
    await clearAlarmsAbout(tx, { groupId: before.id }, { reason: ALARM_TEXTS.END_GROUP_INACTIVE(), at })
  }
  return withStale(tx, await store.update(tx, id, body, stateOf(status)))
}

const decoders = { valid_from: dateOf, valid_to: dateOf }
const withoutWarnings = warningFields([], DEFAULT_LANGUAGE)

/** Returns the memberships, newest first. `active_only` excludes those that have ended by today. */
export async function listMembers(tenant: TenantDb, groupId: string, query: MemberQuery, now: number) {
  found('group', await store.find(tenant, groupId))
  const rows = await store.listMembers(tenant, groupId, query.active_only ? now : undefined)
  return { items: rows.map((row) => ({ ...row, ...withoutWarnings })), total: rows.length }
}

interface Period {
  readonly valid_from: LocalDate
  readonly valid_to?: LocalDate | null
}

function refusePeriod({ valid_from, valid_to }: Period): void {
  if (valid_to && valid_from > valid_to) {
    throw unprocessable('BUSINESS_RULE_VIOLATION', NETTING_ERRORS.PERIOD_ENDS_BEFORE_IT_BEGINS(), {
      field: 'valid_to',
    })
  }
}

/**
 * Refuses a membership that begins before the current month, because a new member must not change a closed
 * month.
 */
function refuseBackdating(validFrom: LocalDate, now: number): void {
  if (validFrom < periodOf(now)) {
    const text = NETTING_ERRORS.MEMBERSHIP_BACKDATED({ month_start: periodOf(now) })
    throw unprocessable('BACKDATED_MEMBERSHIP', text, { field: 'valid_from' })
  }
}

/**
 * Adds a facility to a group. 409 SINGLE_GROUP_VIOLATION where it is a member of any group in the period.
 * With `history` the membership may begin in the past, and names its origin.
 */
export async function addMember(
  tx: TenantTx,
  groupId: string,
  body: AddMember,
  { by, at, history }: WriteContext,
) {
  found('group', await store.find(tx, groupId))
  const values = decodeFields(body, decoders)
  if (!(await store.lockFacility(tx, values.facility_id))) throw invalidReference('facility_id')
  refusePeriod(values)
  if (!history) refuseBackdating(values.valid_from, at)
  const origin = history?.origin ?? null
  const member = await store.addMember(tx, { ...values, group_id: groupId, declared_by: by, origin })
  if (!history) await queueMemberHours(tx, values, at)
  return { ...member, ...withoutWarnings }
}

/**
 * Every past hour of a member has a fact, also without a meter: a facility without any gets rows with source missing.
 * Loaders of a history build its facts themselves.
 */
async function queueMemberHours(
  tx: TenantTx,
  { facility_id: facilityId, valid_from, valid_to }: Period & { readonly facility_id: string },
  at: number,
): Promise<void> {
  const to = Math.min(valid_to ? dayStart(valid_to) : at, at)
  const range = { from: dayStart(valid_from), to: floorHour(to) }
  if (range.from >= range.to || (await store.hasFacts(tx, facilityId, range))) return
  await insertRebuilds(tx, new Map([[facilityId, range]]), at)
}

interface MemberKey {
  readonly groupId: string
  readonly id: string
}

/**
 * A partial update, mostly to close a membership with valid_to, which may lie in the past. The correction of
 * calculated periods that follows from it is opened in this transaction and run by `doFollowing` after the
 * commit.
 */
export async function updateMember(
  tx: TenantTx,
  { groupId, id }: MemberKey,
  body: UpdateMember,
  { by, at }: Actor,
) {
  found('group', await store.find(tx, groupId))
  const { facility_id: facilityId } = found('member', await store.findMember(tx, groupId, id))
  await store.lockFacility(tx, facilityId)
  const before = found('member', await store.lockMember(tx, groupId, id))
  const set = store.memberWritables(decodeFields(body, decoders))
  const after = { ...before, ...set }
  refusePeriod(after)
  if (after.valid_from !== before.valid_from) refuseBackdating(after.valid_from, at)
  const member = Object.keys(set).length === 0 ? before : await store.updateMember(tx, id, set)
  if (member !== before) await queueMemberHours(tx, { ...member, facility_id: facilityId }, at)
  const correction = await openMembershipCorrection(tx, {
    memberId: id,
    groupId,
    before,
    after: member,
    by,
    at,
  })
  return { member, correction }
}

/** Deletes a membership, and opens the correction of the calculated periods that it affects. */
export async function removeMember(
  tx: TenantTx,
  { groupId, id }: MemberKey,
  { by, at }: Actor,
): Promise<MembershipCorrection | undefined> {
  found('group', await store.find(tx, groupId))
  const before = found('member', await store.removeMember(tx, groupId, id))
  return openMembershipCorrection(tx, { memberId: id, groupId, before, after: undefined, by, at })
}
