import { type Kysely, sql } from 'kysely'
import type { LocalDate } from '../../../kernel/time.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { DB } from '../../../platform/db/types.ts'
import type { QuotaOverrides } from './quotas.ts'

export async function findOverrides(tenant: TenantDb): Promise<QuotaOverrides | undefined> {
  const row = await selectRows(tenant, 'tenant_quota').select('quotas').executeTakeFirst()
  return row?.quotas
}

interface NewOverrides {
  readonly quotas: QuotaOverrides
  readonly updatedBy: string
  readonly at: Date
}

export async function putOverrides({ db, tenantId }: TenantTx, { quotas, updatedBy, at }: NewOverrides) {
  const values = { quotas: toJson(quotas), updated_by: updatedBy, updated_at: at }
  await db
    .insertInto('tenant_quota')
    .values({ tenant_id: tenantId, ...values })
    .onConflict((oc) => oc.column('tenant_id').doUpdateSet(values))
    .execute()
}

export async function countDevices(tenant: TenantDb): Promise<number> {
  const { total } = await selectRows(tenant, 'device')
    .select((eb) => eb.fn.countAll().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

export interface DayUse {
  readonly samples: number
  readonly samplesRefused: number
  readonly exports: number
}

/** What a tenant has used on a local day. */
export async function readDay(tenant: TenantDb, day: LocalDate): Promise<DayUse> {
  const row = await selectRows(tenant, 'tenant_usage_day')
    .select(['samples', 'samples_refused', 'exports'])
    .where('day', '=', day)
    .executeTakeFirst()
  return {
    samples: Number(row?.samples ?? 0),
    samplesRefused: Number(row?.samples_refused ?? 0),
    exports: row?.exports ?? 0,
  }
}

/** Counts an export, unless the tenant has reached `max`. Of concurrent requests none exceeds it. */
export async function takeExport(
  { db, tenantId }: TenantDb,
  { day, max }: { day: LocalDate; max: number | null },
): Promise<boolean> {
  if (max === 0) return false
  const { rows } = await sql`
    insert into tenant_usage_day as u (tenant_id, day, exports) values (${tenantId}, ${day}, 1)
    on conflict (tenant_id, day) do update set exports = u.exports + 1
      where ${max}::int is null or u.exports < ${max}::int
    returning exports`.execute(db)
  return rows.length > 0
}

export interface SampleCounts {
  readonly tenantId: number
  readonly day: LocalDate
  readonly stored: number
  readonly refused: number
}

/** Adds to the counters of several tenants, in one order, so that two processes do not deadlock. */
export async function addSamples({ db }: { readonly db: Kysely<DB> }, counts: readonly SampleCounts[]) {
  await sql`
    insert into tenant_usage_day as u (tenant_id, day, samples, samples_refused)
    select * from unnest(${counts.map(({ tenantId }) => tenantId)}::int[], ${counts.map(({ day }) => day)}::date[],
      ${counts.map(({ stored }) => stored)}::bigint[], ${counts.map(({ refused }) => refused)}::bigint[])
      as added (tenant_id, day, samples, samples_refused)
    order by tenant_id, day
    on conflict (tenant_id, day) do update set samples = u.samples + excluded.samples,
      samples_refused = u.samples_refused + excluded.samples_refused`.execute(db)
}

export interface SampleState {
  readonly tenant_id: number
  readonly quotas: QuotaOverrides | null
  readonly samples: string
  readonly bytes: string
}

/** The quotas and the use of several tenants, as the intake needs them. */
export async function readSampleStates(
  { db }: { readonly db: Kysely<DB> },
  { tenantIds, day }: { tenantIds: readonly number[]; day: LocalDate },
): Promise<SampleState[]> {
  const { rows } = await sql<SampleState>`
    select wanted.tenant_id, q.quotas, coalesce(u.samples, 0) as samples, coalesce(s.bytes, 0) as bytes
    from unnest(${[...tenantIds]}::int[]) as wanted (tenant_id)
    left join tenant_quota q on q.tenant_id = wanted.tenant_id
    left join tenant_usage_day u on u.tenant_id = wanted.tenant_id and u.day = ${day}
    left join tenant_storage s on s.tenant_id = wanted.tenant_id`.execute(db)
  return rows
}

export interface StorageUse {
  readonly bytes: number
  readonly measured_at: Date | null
}

/** Null as long as nothing was measured. */
export async function readStorage(tenant: TenantDb): Promise<StorageUse> {
  const row = await selectRows(tenant, 'tenant_storage').select(['bytes', 'measured_at']).executeTakeFirst()
  return { bytes: Number(row?.bytes ?? 0), measured_at: row?.measured_at ?? null }
}

/** The bytes of the tables of each tenant, from the statistics of this database. */
const TABLE_BYTES = sql`
  select v.tenant_id, pg_total_relation_size(c.oid) * v.share as bytes
  from pg_stats s
  join pg_namespace n on n.nspname = s.schemaname
  join pg_class c on c.relnamespace = n.oid and c.relname = s.tablename
  cross join lateral unnest(s.most_common_vals::text::int[], s.most_common_freqs) as v (tenant_id, share)
  where s.schemaname = current_schema() and s.attname = 'tenant_id' and c.relkind = 'r'`

/** The bytes of the shards of a node of a distributed database, of each tenant, from the statistics of the node. */
const SHARD_BYTES = `
  select coalesce(json_object_agg(tenant_id, bytes), '{}') from (
    select v.tenant_id, sum(pg_total_relation_size(c.oid) * v.share)::bigint as bytes
    from pg_dist_partition d
    join pg_dist_shard s on s.logicalrelid = d.logicalrelid
    join pg_dist_placement p on p.shardid = s.shardid and p.groupid = (select groupid from pg_dist_local_group)
    join pg_class c on c.oid = to_regclass(shard_name(s.logicalrelid, s.shardid))
    join pg_namespace n on n.oid = c.relnamespace
    join pg_stats t on t.schemaname = n.nspname and t.tablename = c.relname and t.attname = 'tenant_id'
    cross join lateral unnest(t.most_common_vals::text::int[], t.most_common_freqs) as v (tenant_id, share)
    where d.partmethod = 'h' group by v.tenant_id) as used`

async function shardBytes({ db }: SystemDb) {
  const { rows } = await sql<{ success: boolean; result: string }>`
    select success, result from run_command_on_all_nodes(${SHARD_BYTES})`.execute(db)
  const failed = rows.find(({ success }) => !success)
  if (failed) throw new Error(`a node did not answer the sizes of its shards: ${failed.result}`)
  const used = rows.flatMap(({ result }) => Object.entries(JSON.parse(result) as Record<string, number>))
  return sql`select * from unnest(${used.map(([tenantId]) => Number(tenantId))}::int[],
    ${used.map(([, bytes]) => bytes)}::float8[]) as used (tenant_id, bytes)`
}

/**
 * Estimates the bytes of every tenant: of each table and index its share by the statistics of the planner
 * (`most_common_vals` of tenant_id), and its files. It reads no row of the tables. Tenants that are too small for
 * the statistics of a table count as 0 there. On a distributed database the statistics are those of the shards.
 */
export async function measureStorage(system: SystemDb, at: Date): Promise<void> {
  const { rows } = await sql<{ is_distributed: boolean }>`
    select to_regclass('pg_catalog.pg_dist_placement') is not null as is_distributed`.execute(system.db)
  const tables = rows[0]?.is_distributed ? await shardBytes(system) : TABLE_BYTES
  await sql`
    insert into tenant_storage (tenant_id, bytes, measured_at)
    select t.id, coalesce(used.bytes, 0), ${at} from tenant t left join (
      select tenant_id, sum(bytes)::bigint as bytes from (
        ${tables}
        union all
        select tenant_id, size_bytes from data_export where size_bytes is not null
        union all
        select tenant_id, size_bytes from firmware_version) as parts
      group by tenant_id) as used on used.tenant_id = t.id
    order by t.id
    on conflict (tenant_id) do update set bytes = excluded.bytes, measured_at = excluded.measured_at`.execute(
    system.db,
  )
}

/** Deletes the counters of days before a day. */
export const removeDaysBefore = ({ db }: SystemDb, day: LocalDate) =>
  sql`delete from tenant_usage_day where tenant_id is not null and day < ${day}`.execute(db)

export const listActiveTenants = ({ db }: SystemDb) =>
  db.selectFrom('tenant').select('id').where('is_active', '=', true).orderBy('id').execute()

/** The key of a tenant by the id of the API. */
export async function findTenantKey({ db }: SystemDb, uid: string): Promise<number | undefined> {
  const row = await db.selectFrom('tenant').select('id').where('uid', '=', uid).executeTakeFirst()
  return row?.id
}
