import { type Kysely, sql } from 'kysely'
import { iso, type Range } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { DB } from '../../../platform/db/types.ts'
import type { Sample, SampleValues } from '../../../platform/ingest.ts'
import { MS } from './rollup-store.ts'
import { readValues, VALUE_COLUMNS } from './sample-columns.ts'
import type { SetAsideQuery } from './schema.ts'

export const findDevice = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'device').select(['key']).where('id', '=', id).executeTakeFirst()

export interface SamplesOf {
  readonly tenantId: number
  readonly deviceKey: number
  readonly range: Range
  readonly limit: number
}

/** The stored samples of a device, ascending, and how many the range holds. */
export async function readStoredSamples(db: Queryable, { tenantId, deviceKey, range, limit }: SamplesOf) {
  const values = [tenantId, deviceKey, iso(range.from), iso(range.to)]
  const within = 'from measurement where tenant_id = $1 and device_key = $2 and ts >= $3 and ts < $4'
  const columns = [...VALUE_COLUMNS, 'extra'].map((name) => `"${name}"`).join(', ')
  const [counted] = await readRows(db, {
    name: 'measurement_count',
    text: `select count(*)::int ${within}`,
    values,
  })
  const rows = await readRows(db, {
    name: 'measurement_read',
    text: `select ${MS('ts')}, ${columns} ${within} order by ts limit $5`,
    values: [...values, limit],
  })
  const items = rows.map(([at, ...cells]) => ({ timestamp: iso(Number(at)), values: readValues(cells) }))
  return { items, total: Number(counted?.[0] ?? 0) }
}

export async function listSetAside(tenant: TenantDb, query: SetAsideQuery) {
  let rows = selectRows(tenant, 'measurement_set_aside')
  if (query.device_id !== undefined) rows = rows.where('device_id', '=', query.device_id)
  if (query.reason !== undefined) rows = rows.where('reason', '=', query.reason)
  const page = rows
    .select(['id', 'device_id', 'ts as timestamp', 'reason', 'received_at'])
    .select(sql<SampleValues>`sample`.as('values'))
    .orderBy(query.sort_by, query.sort_order)
    .orderBy('id')
    .offset(query.skip)
    .limit(query.limit)
  const [items, { total }] = await Promise.all([
    page.execute(),
    rows.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow(),
  ])
  return { items, total: Number(total), skip: query.skip, limit: query.limit }
}

export interface KeptSample extends Sample {
  readonly tenantId: number
  readonly id: string
}

/** Samples of one tenant that were kept aside because their month was sealed, in order of arrival. */
export async function nextSealed(db: Kysely<DB>, { from, to }: Range, limit: number): Promise<KeptSample[]> {
  const { rows } = await sql<{
    tenant_id: number
    id: string
    device_id: string
    ts: Date
    sample: SampleValues
  }>`
    with kept as (
      select s.* from measurement_set_aside s
      join device d on (d.tenant_id, d.id) = (s.tenant_id, s.device_id)
      where s.reason = 'sealed_month' and s.ts >= ${iso(from)} and s.ts < ${iso(to)}
    )
    select tenant_id, id, device_id, ts, sample from kept
    where tenant_id = (select min(tenant_id) from kept) order by received_at, id limit ${limit}`.execute(db)
  return rows.map(({ tenant_id, id, device_id, ts, sample }) => ({
    tenantId: tenant_id,
    id,
    deviceId: device_id,
    at: ts.getTime(),
    values: sample,
  }))
}

export async function forgetSetAside({ db, tenantId }: TenantDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .deleteFrom('measurement_set_aside')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
}
