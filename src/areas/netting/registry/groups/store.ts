import { sql } from 'kysely'
import { conflict, invalidReference } from '../../../../kernel/errors.ts'
import { localDate, type Range } from '../../../../kernel/time.ts'
import { insertable } from '../../../../platform/db/columns.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import { readList } from '../../../../platform/db/list.ts'
import { matchesSearch } from '../../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { NETTING_ERRORS } from '../../shared/index.ts'
import { isStale } from '../../stale/index.ts'
import type { AddMember, CreateGroup, GroupQuery, UpdateGroup, UpdateMember } from './schema.ts'

const descriptiveColumns = [
  'name',
  'scope_id',
  'responsible_supplier_id',
  'notes',
  'correction_mode',
  'correction_quiet_minutes',
] as const
const stateColumns = ['is_active', 'group_status'] as const
const groupColumns = [
  'id',
  ...descriptiveColumns,
  ...stateColumns,
  'eligibility_status',
  'origin',
  'created_at',
] as const
const groupConstraints = {
  netting_group_name_key: () => conflict('DUPLICATE_ENTRY', NETTING_ERRORS.GROUP_NAME_TAKEN()),
  netting_group_scope_fkey: () => invalidReference('scope_id'),
  netting_group_supplier_fkey: () => invalidReference('responsible_supplier_id'),
}

/** Both columns of the status. A check constraint keeps them consistent. */
export interface GroupState {
  readonly is_active: boolean
  readonly group_status: string
}

const groups = (tenant: TenantDb) => selectRows(tenant, 'netting_group').select(groupColumns)

export function list(tenant: TenantDb, query: GroupQuery) {
  let rows = groups(tenant)
  if (query.scope_id !== undefined) rows = rows.where('scope_id', '=', query.scope_id)
  if (query.is_active !== undefined) rows = rows.where('is_active', '=', query.is_active)
  if (query.stale !== undefined) {
    const stale = isStale(tenant)
    rows = rows.where(query.stale ? stale : sql<boolean>`not ${stale}`)
  }
  return readList(
    rows
      .where(matchesSearch(query.search, ['name']))
      .orderBy('created_at', 'desc')
      .orderBy('id'),
    query,
  )
}

export const find = (tenant: TenantDb, id: string) => groups(tenant).where('id', '=', id).executeTakeFirst()

/** Locks the group, so that status transitions are serialized. */
export const lock = (tx: TenantTx, id: string) =>
  groups(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const create = (
  { db, tenantId }: TenantTx,
  body: CreateGroup,
  { origin, ...state }: GroupState & { readonly origin: string | null },
) =>
  refusing(
    groupConstraints,
    db
      .insertInto('netting_group')
      .values({ ...insertable(body, descriptiveColumns), ...state, origin, tenant_id: tenantId })
      .returning(groupColumns)
      .executeTakeFirstOrThrow(),
  )

export const update = (tx: TenantTx, id: string, body: UpdateGroup, state: GroupState) =>
  refusing(
    groupConstraints,
    updateRows(tx, 'netting_group')
      .set({ ...insertable(body, descriptiveColumns), ...state })
      .where('id', '=', id)
      .returning(groupColumns)
      .executeTakeFirstOrThrow(),
  )

const changeableMemberColumns = ['member_role', 'valid_from', 'valid_to'] as const
const memberColumns = [
  'id',
  'group_id',
  'facility_id',
  ...changeableMemberColumns,
  'declared_by',
  'origin',
  'created_at',
] as const
const memberConstraints = {
  group_member_group_fkey: () => invalidReference('group_id'),
  group_member_facility_fkey: () => invalidReference('facility_id'),
  group_member_single_group: () =>
    conflict('SINGLE_GROUP_VIOLATION', NETTING_ERRORS.FACILITY_IN_ANOTHER_GROUP()),
}

const members = (tenant: TenantDb, groupId: string) =>
  selectRows(tenant, 'group_member').select(memberColumns).where('group_id', '=', groupId)

/** `now`: only the memberships that have not ended on its Turkey-local day. */
export async function listMembers(tenant: TenantDb, groupId: string, now: number | undefined) {
  let rows = members(tenant, groupId)
  if (now !== undefined) {
    rows = rows.where((eb) => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', localDate(now))]))
  }
  return rows.orderBy('created_at', 'desc').orderBy('valid_from', 'desc').orderBy('id').execute()
}

export const findMember = (tenant: TenantDb, groupId: string, id: string) =>
  members(tenant, groupId).where('id', '=', id).executeTakeFirst()

export const lockMember = (tx: TenantTx, groupId: string, id: string) =>
  members(tx, groupId).where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Locks the facility before a change of its memberships. Without the lock two inserts that both violate the
 * exclusion constraint could wait for each other, and PostgreSQL would end one of them as a deadlock. False
 * for an unknown facility.
 */
export const lockFacility = async (tx: TenantTx, id: string): Promise<boolean> => {
  const query = selectRows(tx, 'facility').select('id')
  return (await query.where('id', '=', id).forNoKeyUpdate().executeTakeFirst()) !== undefined
}

interface NewMember extends AddMember {
  readonly group_id: string
  readonly declared_by: string | null
  readonly origin: string | null
}

const insertableMember = [
  'group_id',
  'facility_id',
  ...changeableMemberColumns,
  'declared_by',
  'origin',
] as const

export const addMember = ({ db, tenantId }: TenantTx, member: NewMember) =>
  refusing(
    memberConstraints,
    db
      .insertInto('group_member')
      .values({ ...insertable(member, insertableMember), tenant_id: tenantId })
      .returning(memberColumns)
      .executeTakeFirstOrThrow(),
  )

/** `set` is not empty. */
export const updateMember = (tx: TenantTx, id: string, set: UpdateMember) =>
  refusing(
    memberConstraints,
    updateRows(tx, 'group_member')
      .set(set)
      .where('id', '=', id)
      .returning(memberColumns)
      .executeTakeFirstOrThrow(),
  )

export const memberWritables = (body: UpdateMember): UpdateMember => insertable(body, changeableMemberColumns)

export const removeMember = (tx: TenantTx, groupId: string, id: string) =>
  deleteRows(tx, 'group_member')
    .where('group_id', '=', groupId)
    .where('id', '=', id)
    .returning(memberColumns)
    .executeTakeFirst()

/** True when a facility has a fact in a range. */
export const hasFacts = async (tenant: TenantDb, facilityId: string, { from, to }: Range): Promise<boolean> =>
  (await selectRows(tenant, 'hourly_energy')
    .select('hour')
    .where('facility_id', '=', facilityId)
    .where('hour', '>=', new Date(from))
    .where('hour', '<', new Date(to))
    .limit(1)
    .executeTakeFirst()) !== undefined
