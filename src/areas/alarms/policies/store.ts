import { sql } from 'kysely'
import { invalidReference } from '../../../kernel/errors.ts'
import { insertable } from '../../../platform/db/columns.ts'
import { refusing } from '../../../platform/db/constraints.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import { readPage } from '../../../platform/db/list.ts'
import { equalsIgnoringCase, matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { subregionWithJoinedGateway } from '../../metering/device-lookup/index.ts'
import { type CreatePolicy, type PolicyQuery, type PolicySchedule, SEVERITIES } from './schema.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'alarm_policy.schedule': PolicySchedule
  }
}

const writable = [
  'name',
  'alarm_type',
  'device_id',
  'subregion_id',
  'metric',
  'operator',
  'threshold',
  'clear_threshold',
  'rate_per',
  'delay_on_s',
  'delay_off_s',
  'severity',
  'notify',
  'escalation_policy_id',
  'is_active',
] as const
const columns = ['id', ...writable, 'schedule', 'watched_from', 'created_at', 'updated_at'] as const
const constraints = {
  alarm_policy_device_fkey: () => invalidReference('device_id'),
  alarm_policy_escalation_fkey: () => invalidReference('escalation_policy_id'),
  alarm_policy_subregion_fkey: () => invalidReference('subregion_id'),
}

/** The user-defined policies; system policies and deleted ones are excluded. */
const visible = (tenant: TenantDb) =>
  selectRows(tenant, 'alarm_policy')
    .select(columns)
    .where('is_system', '=', false)
    .where('deleted_at', 'is', null)

const FILTERS = ['alarm_type', 'severity', 'is_active', 'device_id', 'subregion_id'] as const

export function listPolicies(tenant: TenantDb, query: PolicyQuery) {
  let rows = visible(tenant)
  for (const field of FILTERS) {
    const wanted = query[field]
    if (wanted !== undefined) rows = rows.where(field, '=', wanted as never)
  }
  if (query.name !== undefined) rows = rows.where(equalsIgnoringCase('name', query.name))
  return readPage(rows.where(matchesSearch(query.search, ['name'])), {
    ...query,
    ranks: { severity: SEVERITIES },
  })
}

export const findPolicy = (tenant: TenantDb, id: string) =>
  visible(tenant).where('id', '=', id).executeTakeFirst()

/** Locks a policy until the end of the transaction. */
export const lockPolicy = (tx: TenantTx, id: string) =>
  visible(tx).where('id', '=', id).forUpdate().executeTakeFirst()

/** The number of policies of a tenant, and of those that watch more than one device. */
export const countPolicies = (tenant: TenantDb) =>
  selectRows(tenant, 'alarm_policy')
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`(count(*) filter (where device_id is null))::int`.as('wide'),
    ])
    .where('is_system', '=', false)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()

type PolicyChange = Partial<Omit<CreatePolicy, 'schedule'>>
interface ChangeContext {
  readonly schedule: PolicySchedule | null | undefined
  readonly at: number
}

const scheduleValue = (schedule: PolicySchedule | null | undefined) => (schedule ? toJson(schedule) : null)

export const createPolicy = (
  { db, tenantId }: TenantTx,
  body: Omit<CreatePolicy, 'schedule'>,
  { schedule, at }: ChangeContext,
) =>
  refusing(
    constraints,
    db
      .insertInto('alarm_policy')
      .values({
        tenant_id: tenantId,
        ...insertable(body, writable),
        schedule: scheduleValue(schedule),
        created_at: new Date(at),
        updated_at: new Date(at),
        watched_from: new Date(at),
      })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

/** `watchedFrom` restarts evaluation; undefined leaves it unchanged. */
export const updatePolicy = (
  tx: TenantTx,
  id: string,
  body: PolicyChange,
  { schedule, at, watchedFrom }: ChangeContext & { readonly watchedFrom: number | undefined },
) =>
  refusing(
    constraints,
    updateRows(tx, 'alarm_policy')
      .set({
        ...insertable(body, writable),
        ...(schedule !== undefined && { schedule: scheduleValue(schedule) }),
        ...(watchedFrom !== undefined && { watched_from: new Date(watchedFrom) }),
        updated_at: new Date(at),
      })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

/** Soft-deletes a policy and clears its references, so that its device can still be deleted. */
export async function softDeletePolicy(tx: TenantTx, id: string, at: number): Promise<void> {
  await updateRows(tx, 'alarm_policy')
    .set({
      ...{ deleted_at: new Date(at), is_active: false },
      ...{ device_id: null, subregion_id: null, escalation_policy_id: null },
    })
    .where('id', '=', id)
    .execute()
}

/** Deletes the evaluation states of a policy. */
export async function deleteStates(tx: TenantTx, policyId: string): Promise<void> {
  await deleteRows(tx, 'alarm_state').where('policy_id', '=', policyId).execute()
}

/**
 * Deletes the checkpoints of a policy, so that late samples are evaluated no further back than the present
 * state.
 */
export async function resetCheckpoints({ db, tenantId }: TenantTx, policyId: string): Promise<void> {
  await sql`
    update alarm_state set checkpoints = jsonb_set(
      jsonb_set('[{}]', '{0,upTo}', ((state ->> 'at')::numeric + 1)::text::jsonb), '{0,state}', state)
    where tenant_id = ${tenantId} and policy_id = ${policyId}`.execute(db)
}

/** Returns the devices that the active policies watch: all of the tenant, or a list. */
export async function readWatch({ db, tenantId }: TenantDb) {
  const { rows } = await sql<{ everything: boolean; keys: number[] }>`
    select coalesce(bool_or(p.device_id is null), false) as everything,
      coalesce(array_agg(d.key) filter (where d.key is not null), '{}') as keys
    from alarm_policy p left join device d on d.tenant_id = p.tenant_id and d.id = p.device_id
    where p.tenant_id = ${tenantId} and not p.is_system and p.deleted_at is null and p.is_active`.execute(db)
  const [row] = rows
  return { everything: row?.everything ?? false, deviceKeys: row?.keys ?? [] }
}

/** Returns a page of the device keys in the scope of a policy, ascending. */
export async function readScope(
  { db, tenantId }: TenantDb,
  policyId: string,
  { after, limit, now }: { readonly after: number; readonly limit: number; readonly now: number },
): Promise<number[]> {
  const { rows } = await sql<{ key: number }>`
    select d.key from alarm_policy p join device d on d.tenant_id = p.tenant_id
    left join gateway g on g.tenant_id = d.tenant_id and g.id = coalesce(d.gateway_id, d.mqtt_gateway_id)
    where p.tenant_id = ${tenantId} and p.id = ${policyId} and d.key > ${after}
      and (p.device_id is null or p.device_id = d.id)
      and (p.subregion_id is null or p.subregion_id = ${subregionWithJoinedGateway(tenantId, new Date(now))})
    order by d.key limit ${limit}`.execute(db)
  return rows.map(({ key }) => key)
}
