import { type SqlBool, sql } from 'kysely'
import { fromMillionths, GAUGES, isRegister, REGISTERS } from '../../../kernel/metrics.ts'
import { iso } from '../../../kernel/time.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows } from '../../../platform/db/tenant-rows.ts'
import { findNearestInstants, selectFirst, selectNearest } from '../history/index.ts'
import { type Arrival, EVERY_DEVICE } from '../intake/index.ts'
import { epochMs } from '../sample-columns.ts'

/** Replaces the watched devices of a tenant; `everything` includes devices that do not exist yet. */
export async function watchDevices(
  tx: TenantTx,
  { everything, deviceKeys }: { readonly everything: boolean; readonly deviceKeys: readonly number[] },
): Promise<void> {
  const keys = everything ? [EVERY_DEVICE] : [...deviceKeys]
  await deleteRows(tx, 'sample_watch').where(sql<SqlBool>`not device_key = any(${keys}::int[])`).execute()
  await sql`insert into sample_watch (tenant_id, device_key)
    select ${tx.tenantId}::int, key from unnest(${keys}::int[]) as key on conflict do nothing`.execute(tx.db)
}

/**
 * Adds marks for devices that must be evaluated without new samples, or whose samples were not all
 * evaluated.
 */
export async function addWatchMarks(
  { db, tenantId }: TenantTx,
  arrivals: readonly Omit<Arrival, 'tenantId'>[],
): Promise<void> {
  if (arrivals.length === 0) return
  await sql`insert into unevaluated_batch (tenant_id, device_keys, from_at) values (${tenantId},
    ${arrivals.map(({ deviceKey }) => deviceKey)}::int[],
    ${arrivals.map(({ from }) => iso(from))}::timestamptz[])`.execute(db)
}

/** The merged marks of a device. */
export interface WatchMark {
  /** The first changed instant. */
  readonly from: number
  /**
   * The newest sample when the marks were taken; later ones have their own mark. Null when the device has
   * no sample.
   */
  readonly to: number | null
}

export interface TakenWatchMarks {
  readonly arrivals: ReadonlyMap<number, WatchMark>
  /** True when other marked devices remain for the next transaction. */
  readonly hasMore: boolean
}

/**
 * Removes up to `devices` devices from the oldest marks, in this transaction: samples that are read
 * afterwards include all that the marks refer to. Marks of many batches are merged, so that a device with
 * several marks is evaluated once. The remaining devices keep their position ahead of newer marks.
 */
export async function takeWatchMarks(
  { db, tenantId }: TenantTx,
  { marks, marked, devices }: { readonly marks: number; readonly marked: number; readonly devices: number },
): Promise<TakenWatchMarks> {
  const { rows } = await sql<WatchMark & { key: number; isRestLeft: boolean }>`
    with taken as (
      delete from unevaluated_batch where tenant_id = ${tenantId} and id in (
        select id from (
          select id, sum(cardinality(device_keys)) over (order by id) - cardinality(device_keys) as before
          from (select * from unevaluated_batch where tenant_id = ${tenantId} order by id limit ${marks}) oldest
        ) counted where before < ${marked}
      ) returning id, device_keys, from_at
    ), device as (
      select m.key, min(m.at) as at, row_number() over (order by min(taken.id), min(m.ordinal)) as ordinal
      from taken cross join lateral unnest(taken.device_keys, taken.from_at) with ordinality as m (key, at, ordinal)
      group by m.key
    ), rest as (
      insert into unevaluated_batch (tenant_id, id, device_keys, from_at) overriding system value
      select ${tenantId}::int, (select min(id) from taken), array_agg(key order by ordinal), array_agg(at order by ordinal)
      from device where ordinal > ${devices} having count(*) > 0
      returning id
    )
    select key, round(date_part('epoch', at) * 1000)::float8 as "from", round(date_part('epoch', (
        select m.ts from measurement m where m.tenant_id = ${tenantId} and m.device_key = device.key and m.ts >= device.at
        order by m.ts desc limit 1)) * 1000)::float8 as "to",
      exists (select 1 from rest) or exists (
        select 1 from unevaluated_batch where tenant_id = ${tenantId} and id > (select max(id) from taken)) as "isRestLeft"
    from device where ordinal <= ${devices} order by key`.execute(db)
  const arrivals = new Map(rows.map(({ key, from, to }) => [key, { from, to }]))
  const newest = await findNearestInstants({ db, tenantId }, rows.map(newestSide))
  for (const [index, { key, from, to }] of rows.entries())
    arrivals.set(key, { from, to: latest(to, newest[index]) })
  return { arrivals, hasMore: rows[0]?.isRestLeft ?? false }
}

const latest = (a: number | null, b: number | undefined): number | null =>
  b === undefined ? a : Math.max(a ?? b, b)

const NEWEST = { metric: undefined, at: Number.POSITIVE_INFINITY, isAfter: false }
const newestSide = ({ key, from, to }: WatchMark & { readonly key: number }) => ({
  ...NEWEST,
  deviceKey: key,
  count: 1,
  found: to === null ? [] : [to],
  until: from,
})

/** A sample with the requested metrics, in the order of the request. */
export interface WatchedSample {
  readonly deviceKey: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly values: readonly (number | undefined)[]
}

const columns: ReadonlySet<string> = new Set([...REGISTERS, ...GAUGES])

const toCellSql = (metric: string, index: number) =>
  columns.has(metric)
    ? sql`${sql.ref(`m.${metric}`)} as ${sql.ref(`v${index}`)}`
    : sql`(m.extra ->> ${metric})::float8 as ${sql.ref(`v${index}`)}`

const readCell = (metric: string, cell: unknown): number | undefined => {
  if (cell === null || cell === undefined) return undefined
  return isRegister(metric) ? fromMillionths(Number(cell)) : Number(cell)
}

export interface WatchedSamplesOptions {
  /** Per device key, the instant after which samples are read; exclusive. */
  readonly after: ReadonlyMap<number, number>
  /** The last instant to read, inclusive. */
  readonly to: (deviceKey: number) => number
  readonly metrics: readonly string[]
  readonly perDevice: number
}

/** Reads the next samples of each device, ascending. A device with `perDevice` samples may have more. */
export async function readWatchedSamples(
  { db, tenantId }: TenantDb,
  { after, to, metrics, perDevice }: WatchedSamplesOptions,
): Promise<Map<number, WatchedSample[]>> {
  const keys = [...after.keys()]
  const cells = sql.join([sql`m.ts`, ...metrics.map(toCellSql)])
  const query = sql<{ key: number; at: number; [cell: `v${number}`]: unknown }>`
    select k.device_key as key, round(date_part('epoch', s.ts) * 1000)::float8 as at, s.*
    from unnest(${keys}::int[], ${[...after.values()].map(iso)}::timestamptz[], ${keys.map(to).map(iso)}::timestamptz[])
      as k (device_key, after, until)
    cross join lateral (
      select ${cells} from measurement m
      where m.tenant_id = ${tenantId} and m.device_key = k.device_key
        and m.ts > k.after and m.ts <= k.until
      order by m.ts limit ${perDevice}
    ) s`
  const ranges = keys.map((deviceKey) => ({
    deviceKey,
    range: { from: after.get(deviceKey) ?? 0, to: to(deviceKey) },
  }))
  const rows = await selectFirst({ db, tenantId }, { ranges, limit: perDevice }, query)
  const read = new Map<number, WatchedSample[]>()
  for (const row of rows) {
    const list = read.get(row.key) ?? []
    if (list.length === 0) read.set(row.key, list)
    list.push({
      deviceKey: row.key,
      at: row.at,
      values: metrics.map((metric, index) => readCell(metric, row[`v${index}`])),
    })
  }
  for (const list of read.values()) list.sort((a, b) => a.at - b.at)
  return read
}

/** Whether one of the newest `samples` samples of one of the devices has a value of the metric. */
export async function hasSentMetric(
  { db, tenantId }: TenantDb,
  {
    deviceKeys,
    metric,
    samples,
  }: { readonly deviceKeys: readonly number[]; readonly metric: string; readonly samples: number },
): Promise<boolean> {
  const query = sql<{ key: number; count: number; oldest: number; has: boolean }>`
    select k.device_key as key, count(*)::int as count, ${sql.raw(epochMs('min(s.ts)'))}::float8 as oldest,
      bool_or(s.v0 is not null) as has
    from unnest(${[...deviceKeys]}::int[]) as k (device_key)
    cross join lateral (
      select m.ts, ${toCellSql(metric, 0)} from measurement m
      where m.tenant_id = ${tenantId} and m.device_key = k.device_key order by m.ts desc limit ${samples}
    ) s group by k.device_key`
  // Also when a row has the metric: chunks may have newer samples without it.
  const rows = await selectNearest({ db, tenantId }, query, (found) => {
    const byKey = new Map(found.map((row) => [row.key, row]))
    return deviceKeys.map((deviceKey) => {
      const row = byKey.get(deviceKey)
      return {
        ...NEWEST,
        deviceKey,
        count: samples,
        found: row ? Array<number>(row.count).fill(row.oldest) : [],
      }
    })
  })
  return rows.some(({ has }) => has)
}
