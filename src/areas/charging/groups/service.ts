import { found, unprocessable } from '../../../kernel/errors.ts'
import { requireReferences } from '../../../platform/db/references.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { enqueueCommand } from '../commands/index.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import { referToCharger } from '../registry/index.ts'
import { type KnownMember, readMembers } from './members.ts'
import { exposureOf, isBackingOff } from './plan.ts'
import type { CreateChargingGroup, MemberIn, UpdateChargingGroup } from './schema.ts'
import { GROUP_PROFILE_NUMBER } from './share-profile.ts'
import * as store from './store.ts'

const WHAT = 'charging group'

export interface Caller {
  readonly userId: string
  readonly now: Date
}

const toKw = (watts: number): number => watts / 1000
const toWatts = (kilo: number): number => Math.round(kilo * 1000)
const toKwOrNull = (watts: number | null | undefined): number | null =>
  watts === null || watts === undefined ? null : toKw(watts)

function stateOf({ row, member }: KnownMember, now: Date): string {
  if (row.is_removed) return 'removed'
  if (!row.is_online) return 'out_of_touch'
  if (member.pending !== null) return 'being_told'
  if (member.doubtfulW !== null) return 'doubtful'
  if (isBackingOff(member, now.getTime())) return 'refused'
  return member.accepted === null ? 'not_told' : 'told'
}

function memberToResponse(known: KnownMember, now: Date) {
  const { row, member } = known
  const { accepted } = member
  const until = accepted?.until ?? null
  const isLive = until !== null && until >= now.getTime()
  return {
    charger_id: row.charger_id,
    max_kw: toKw(row.max_w),
    unit: row.unit,
    phases: row.phases,
    state: stateOf(known, now),
    charging_connectors: member.charging.length,
    share_kw: toKwOrNull(isLive ? accepted?.shareW : accepted?.fallbackW),
    share_until: isLive ? new Date(until) : null,
    fallback_kw: toKwOrNull(accepted?.fallbackW),
    may_draw_kw: toKw(exposureOf(member, now.getTime())),
  }
}

const headToResponse = ({ limit_w, min_w_per_connector, ...group }: store.GroupRow) => ({
  ...group,
  limit_kw: toKw(limit_w),
  min_kw_per_connector: toKw(min_w_per_connector),
})

export async function listGroups(db: TenantDb, query: Parameters<typeof store.list>[1]) {
  const { items, ...page } = await store.list(db, query)
  return {
    ...page,
    items: items.map(({ member_count, ...group }) => ({ ...headToResponse(group), member_count })),
  }
}

export async function findGroup(db: TenantDb, id: string, now: Date) {
  const group = found(WHAT, await store.find(db, id))
  const known = await readMembers(db, group, now)
  const mayDrawW = known.reduce((sum, { member }) => sum + exposureOf(member, now.getTime()), 0)
  return {
    ...headToResponse(group),
    may_draw_kw: toKw(mayDrawW),
    is_within_limit: mayDrawW <= group.limit_w,
    members: known.map((one) => memberToResponse(one, now)),
  }
}

/**
 * Inserts or updates the members. 422 for an unknown or repeated charger, 409 CHARGER_IN_GROUP for a member
 * of another group. A member that was taken out of service stays as it is.
 */
async function upsertMembers(tx: TenantTx, groupId: string, members: readonly MemberIn[]): Promise<string[]> {
  const ids = members.map(({ charger_id }) => charger_id.toLowerCase())
  if (new Set(ids).size < ids.length)
    throw unprocessable('BUSINESS_RULE_VIOLATION', CHARGING_TEXTS.GROUP_MEMBER_TWICE())
  const inOrder = members.toSorted((a, b) =>
    a.charger_id.toLowerCase() < b.charger_id.toLowerCase() ? -1 : 1,
  )
  const removed = await store.listRemovedMembers(tx, groupId)
  for (const { charger_id, max_kw, unit, phases } of inOrder) {
    if (removed.includes(charger_id.toLowerCase())) continue
    const charger = await referToCharger(tx, charger_id)
    await store.upsertMember(tx, groupId, { charger_id: charger.id, max_w: toWatts(max_kw), unit, phases })
  }
  return ids
}

/** Removes members and enqueues the command that clears their limit. */
async function removeMembers(tx: TenantTx, groupId: string, dropped: RemovedMembers): Promise<void> {
  const { chargerIds, caller } = dropped
  if (chargerIds.length === 0) return
  const { userId, now } = caller
  const removed = await store.listRemovedMembers(tx, groupId)
  await store.removeMembers(tx, chargerIds)
  for (const chargerId of chargerIds.filter((id) => !removed.includes(id)))
    await enqueueCommand(tx, {
      charger: { chargerId },
      action: 'clear_charging_profile',
      request: { profile_number: GROUP_PROFILE_NUMBER },
      requestedBy: userId,
      now,
      timeoutMs: CLEAR_WAIT_MS,
    })
}
interface RemovedMembers {
  readonly chargerIds: readonly string[]
  readonly caller: Caller
}
/** The time that this command waits: a station out of reach keeps its limit until it gets this command. */
const CLEAR_WAIT_MS = 7 * 24 * 3_600_000

const requireSubregion = (tx: TenantTx, subregion_id: string | null | undefined) =>
  requireReferences(tx, [['subregion_id', 'subregion', subregion_id]])

export async function createGroup(tx: TenantTx, body: CreateChargingGroup, { now }: Caller) {
  await requireSubregion(tx, body.subregion_id)
  const { id } = await store.create(
    tx,
    {
      name: body.name,
      subregion_id: body.subregion_id ?? null,
      limit_w: toWatts(body.limit_kw),
      min_w_per_connector: toWatts(body.min_kw_per_connector),
      split: body.split,
    },
    now,
  )
  await upsertMembers(tx, id, body.members)
  return findGroup(tx, id, now)
}

/**
 * Updates a group. Its chargers get their profiles when it is balanced next; `dropped` are the removed
 * members, which get theirs at once.
 */
export async function updateGroup(
  tx: TenantTx,
  id: string,
  { body, caller }: { readonly body: UpdateChargingGroup; readonly caller: Caller },
) {
  found(WHAT, await store.lock(tx, id))
  await requireSubregion(tx, body.subregion_id)
  const { name, subregion_id, limit_kw, min_kw_per_connector, split, members } = body
  await store.update(
    tx,
    id,
    {
      ...(name !== undefined && { name }),
      ...(subregion_id !== undefined && { subregion_id }),
      ...(limit_kw !== undefined && { limit_w: toWatts(limit_kw) }),
      ...(min_kw_per_connector !== undefined && { min_w_per_connector: toWatts(min_kw_per_connector) }),
      ...(split !== undefined && { split }),
    },
    caller.now,
  )
  if (members === undefined) return { dropped: [], group: await findGroup(tx, id, caller.now) }
  const before = await store.listMemberIds(tx, id)
  const kept = await upsertMembers(tx, id, members)
  const dropped = before.filter((chargerId) => !kept.includes(chargerId))
  await removeMembers(tx, id, { chargerIds: dropped, caller: caller })
  return { dropped, group: await findGroup(tx, id, caller.now) }
}

/** Deletes a group; returns the chargers that have no limit any more. */
export async function removeGroup(tx: TenantTx, id: string, caller: Caller): Promise<readonly string[]> {
  found(WHAT, await store.lock(tx, id))
  const members = await store.listMemberIds(tx, id)
  await removeMembers(tx, id, { chargerIds: members, caller: caller })
  await store.remove(tx, id)
  return members
}

/**
 * Keeps the membership of a charger that is taken out of service: it may still draw its last share and cannot
 * be sent anything any more, so it counts until an operator, who knows that it draws nothing, removes it from
 * the group. One that was never connected is removed at once. The caller has locked the charger.
 */
export async function keepRemovedCharger(tx: TenantTx, chargerId: string, now: Date): Promise<void> {
  const groupId = await store.findGroupOf(tx, chargerId)
  if (groupId === undefined || !(await store.lock(tx, groupId))) return
  if (!(await store.hasEverConnected(tx, chargerId))) await store.removeMembers(tx, [chargerId])
  await store.setDue(tx, groupId, now)
}
