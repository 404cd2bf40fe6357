import { iso, type Range } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { readPage, readSummarised } from '../history/index.ts'
import { readValues, VALUE_COLUMNS } from '../sample-columns.ts'
import type { SetAsideQuery } from './schema.ts'

export const findDevice = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'device').select(['key']).where('id', '=', id).executeTakeFirst()

export interface StoredSamplesOptions {
  readonly tenantId: number
  readonly deviceKey: number
  readonly range: Range
  readonly limit: number
}

/** Reads the first `limit` stored samples of a range, ascending, and the total number in the range. */
export async function readStoredSamples(
  db: Queryable,
  { tenantId, deviceKey, range, limit }: StoredSamplesOptions,
) {
  const values = [tenantId, deviceKey, iso(range.from), iso(range.to)]
  const within = 'from measurement where tenant_id = $1 and device_key = $2 and ts >= $3 and ts < $4'
  const columns = [...VALUE_COLUMNS, 'extra'].map((name) => `"${name}"`).join(', ')
  const wanted = { tenantId, ranges: [{ deviceKey, range }] }
  const counted = await readSummarised(
    db,
    { ...wanted, isCount: true },
    {
      name: 'measurement_count',
      text: `select count(*)::int ${within}`,
      values,
    },
  )
  const { heads } = counted
  const rows = await readPage(db, { tenantId, range, limit, heads }, ({ from, to }) =>
    readRows(db, {
      name: 'measurement_read',
      text: `select round(date_part('epoch', ts) * 1000000), ${columns} ${within} order by ts limit $5`,
      values: [tenantId, deviceKey, iso(from), iso(to), limit],
    }),
  )
  const items = rows.map(([at, ...cells]) => ({
    timestamp: iso(Math.round(Number(at) / 1000)),
    values: readValues(cells),
  }))
  const total = counted.summaries.reduce((sum, { samples }) => sum + samples, Number(counted.rows[0]?.[0]))
  return { items, total }
}

export async function listSetAside(tenant: TenantDb, query: SetAsideQuery) {
  let rows = selectRows(tenant, 'measurement_set_aside')
  if (query.device_id !== undefined) rows = rows.where('device_id', '=', query.device_id)
  if (query.reason !== undefined) rows = rows.where('reason', '=', query.reason)
  const page = rows
    .select(['id', 'device_id', 'ts as timestamp', 'reason', 'received_at', 'sample as values'])
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
