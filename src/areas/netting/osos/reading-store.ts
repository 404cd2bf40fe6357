import { type RawBuilder, sql } from 'kysely'
import { at } from '../../../kernel/checked.ts'
import { DAY_MS, type Range } from '../../../kernel/time.ts'
import type { JsonColumns, JsonText } from '../../../platform/db/json-columns.ts'
import { readList } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { ImportQuery, ReadingQuery } from './schema.ts'

/** A reading to store; kWh as decimal text. A suspect reading has no value and stores the original text. */
export interface NewReading {
  readonly installationId: string
  readonly hour: number
  readonly importKwh: string | null
  readonly exportKwh: string | null
  readonly rawText: string | null
  /** Percent of the hour that readings cover. */
  readonly completenessPct: number
  /** The register fell in or around the hour. */
  readonly isReset: boolean
}

export interface ReadingBatch {
  readonly importId: string
  readonly now: number
  /** The readings of a batch, which contains each hour of an installation at most once. */
  readonly readings: readonly NewReading[]
}

/**
 * The index of an already stored reading in its batch, and the value that it replaced; undefined for an equal
 * value.
 */
export interface KnownReading {
  readonly index: number
  readonly before: { readonly importKwh: string | null; readonly exportKwh: string | null } | undefined
}

const quoted = (text: string | null): string =>
  text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`

/** Formats an array parameter as text, because the formatting by the driver takes longer than the insert. */
const array = (elements: readonly (string | number | null)[], type: string): RawBuilder<unknown> =>
  sql`${`{${elements.map((element) => element ?? 'NULL').join(',')}}`}::${sql.raw(type)}[]`

/**
 * The readings as rows (batch_index, installation_id, hour, import_kwh, export_kwh, raw_text, completeness_pct,
 * is_reset).
 */
const readingRows = (readings: readonly NewReading[], indexes: readonly number[]): RawBuilder<unknown> => {
  const rows = indexes.map((index) => at(readings, index))
  return sql`(select batch_index, installation_id, to_timestamp(at) as hour, import_kwh, export_kwh, raw_text,
      completeness_pct, is_reset
    from unnest(${array(indexes, 'int4')}, ${array(
      rows.map(({ installationId }) => installationId),
      'uuid',
    )}, ${array(
      rows.map(({ hour }) => hour / 1000),
      'int8',
    )}, ${array(
      rows.map(({ importKwh }) => importKwh),
      'numeric',
    )}, ${array(
      rows.map(({ exportKwh }) => exportKwh),
      'numeric',
    )}, ${array(
      rows.map(({ rawText }) => quoted(rawText)),
      'text',
    )}, ${array(
      rows.map(({ completenessPct }) => completenessPct),
      'numeric',
    )}, ${array(
      rows.map(({ isReset }) => String(isReset)),
      'bool',
    )}) as s (batch_index, installation_id, at, import_kwh, export_kwh, raw_text, completeness_pct, is_reset))`
}

const VALUE = sql.raw('import_kwh, export_kwh, is_suspect, raw_text, completeness_pct, is_reset')

/**
 * Stores a batch. New hours are inserted. A changed hour is replaced, and its previous value goes to the
 * history. Returns the hours that were already stored. The caller holds the locks on the installations.
 */
export async function writeReadings(tx: TenantTx, batch: ReadingBatch): Promise<KnownReading[]> {
  const { db, tenantId } = tx
  const { importId, now, readings } = batch
  const all = readings.map((_, index) => index)
  const inserted = await sql`
    insert into osos_reading (tenant_id, installation_id, hour, ${VALUE}, revision, import_id, stored_at)
    select ${tenantId}, installation_id, hour, import_kwh, export_kwh, raw_text is not null, raw_text,
      completeness_pct, is_reset, 1, ${importId}, ${new Date(now)}
    from ${readingRows(readings, all)} s on conflict do nothing returning 1`.execute(db)
  if (inserted.rows.length === readings.length) return []
  const known = await findKnown(tx, batch, all)
  const changed = known.filter(({ before }) => before)
  if (changed.length > 0) await replace(tx, batch, changed)
  return known
}

interface KnownRow {
  batch_index: number
  is_same: boolean
  import_kwh: string | null
  export_kwh: string | null
}

async function findKnown(
  { db, tenantId }: TenantTx,
  { importId, readings }: ReadingBatch,
  indexes: readonly number[],
): Promise<KnownReading[]> {
  const { rows } = await sql<KnownRow>`
    select s.batch_index, r.import_kwh, r.export_kwh, (
      r.import_kwh, r.export_kwh, r.raw_text, r.completeness_pct, r.is_reset) is not distinct from (
      s.import_kwh::numeric(18, 3), s.export_kwh::numeric(18, 3), s.raw_text, s.completeness_pct, s.is_reset)
      as is_same
    from ${readingRows(readings, indexes)} s
    join osos_reading r on r.tenant_id = ${tenantId} and r.installation_id = s.installation_id and r.hour = s.hour
    where r.import_id <> ${importId}`.execute(db)
  return rows.map(({ batch_index: index, is_same, import_kwh: importKwh, export_kwh: exportKwh }) => ({
    index,
    before: is_same ? undefined : { importKwh, exportKwh },
  }))
}

async function replace(
  { db, tenantId }: TenantTx,
  { importId, now, readings }: ReadingBatch,
  changed: readonly KnownReading[],
): Promise<void> {
  const indexes = changed.map(({ index }) => index)
  const at = new Date(now)
  await sql`
    insert into osos_reading_history (tenant_id, installation_id, hour, ${VALUE}, revision, import_id, stored_at,
      replaced_at, replaced_by)
    select tenant_id, r.installation_id, r.hour, r.import_kwh, r.export_kwh, r.is_suspect, r.raw_text, r.completeness_pct,
      r.is_reset, r.revision, r.import_id, r.stored_at, ${at}, ${importId}
    from ${readingRows(readings, indexes)} s
    join osos_reading r on r.tenant_id = ${tenantId} and r.installation_id = s.installation_id and r.hour = s.hour`.execute(
    db,
  )
  await sql`
    update osos_reading r set import_kwh = s.import_kwh, export_kwh = s.export_kwh,
      is_suspect = s.raw_text is not null, raw_text = s.raw_text, completeness_pct = s.completeness_pct,
      is_reset = s.is_reset, revision = r.revision + 1, import_id = ${importId}, stored_at = ${at}
    from ${readingRows(readings, indexes)} s
    where r.tenant_id = ${tenantId} and r.installation_id = s.installation_id and r.hour = s.hour`.execute(db)
}

export interface ShortDay {
  readonly installationId: string
  readonly date: string
  readonly hoursPresent: number
}

/**
 * The Turkey-local days of an installation in a range that have readings and fewer than 24 hours with a
 * value.
 */
export async function listShortDays(
  { db, tenantId }: TenantDb,
  installationId: string,
  { from, to }: Range,
): Promise<ShortDay[]> {
  const { rows } = await sql<{ date: string; present: number }>`
    select (hour at time zone 'UTC' + interval '3 hours')::date as date,
      (count(*) filter (where not is_suspect))::int as present
    from osos_reading where tenant_id = ${tenantId} and installation_id = ${installationId}
      and hour >= ${new Date(from)} and hour < ${new Date(to)}
    group by 1 having count(*) filter (where not is_suspect) < ${DAY_MS / 3_600_000} order by 1`.execute(db)
  return rows.map(({ date, present }) => ({ installationId, date, hoursPresent: present }))
}

const readingColumns = [
  'hour',
  'import_kwh',
  'export_kwh',
  'is_suspect',
  'raw_text',
  'is_reset',
  'revision',
  'import_id',
  'stored_at',
] as const

const completeness = sql<number>`completeness_pct::float8`.as('completeness_pct')

export interface ReadingPage extends Pick<ReadingQuery, 'limit' | 'offset'> {
  readonly range: Range
}

/** Returns the current readings of an installation, by hour ascending. */
export const listReadings = (tenant: TenantDb, installationId: string, { range, ...page }: ReadingPage) =>
  readList(
    selectRows(tenant, 'osos_reading')
      .select([...readingColumns, completeness])
      .where('installation_id', '=', installationId)
      .where('hour', '>=', new Date(range.from))
      .where('hour', '<', new Date(range.to))
      .orderBy('hour'),
    page,
  )

/** Replaced values by hour ascending, oldest first. */
export const listReplaced = (tenant: TenantDb, installationId: string, { range, ...page }: ReadingPage) =>
  readList(
    selectRows(tenant, 'osos_reading_history')
      .select([...readingColumns, completeness, 'replaced_at', 'replaced_by'])
      .where('installation_id', '=', installationId)
      .where('hour', '>=', new Date(range.from))
      .where('hour', '<', new Date(range.to))
      .orderBy('hour')
      .orderBy('revision'),
    page,
  )

export interface ImportRecord {
  readonly id: string
  readonly installation_id: string | null
  readonly file_name: string | null
  readonly sha256: string | null
  readonly label: string | null
  readonly multiplied: boolean
  readonly settings: JsonText<JsonColumns['osos_import.settings']> | null
  readonly rows_read: number
  readonly accepted: number
  readonly unchanged: number
  readonly corrected: number
  readonly suspect: number
  readonly rejected: number
  readonly created_by: string | null
  readonly created_at: Date
}

export const logImport = ({ db, tenantId }: TenantTx, record: ImportRecord) =>
  db
    .insertInto('osos_import')
    .values({ tenant_id: tenantId, ...record })
    .execute()

export function listImports(tenant: TenantDb, query: ImportQuery) {
  let rows = selectRows(tenant, 'osos_import')
    .select(['id', 'installation_id', 'file_name', 'sha256', 'label', 'multiplied', 'settings', 'rows_read'])
    .select(['accepted', 'unchanged', 'corrected', 'suspect', 'rejected', 'created_by', 'created_at'])
  if (query.installation_id !== undefined) rows = rows.where('installation_id', '=', query.installation_id)
  return readList(
    rows
      .where(matchesSearch(query.search, ['file_name']))
      .orderBy('created_at', 'desc')
      .orderBy('id'),
    query,
  )
}

export interface BucketRow {
  /** Start of the bucket. */
  readonly at: number
  readonly importKwh: string | null
  readonly exportKwh: string | null
  readonly hoursPresent: number
}

/** Sums of an installation by Turkey-local hour, day or month; buckets without a reading have no row. */
export async function sumReadings(
  { db, tenantId }: TenantDb,
  installationId: string,
  { range, unit }: { readonly range: Range; readonly unit: 'hour' | 'day' | 'month' },
): Promise<BucketRow[]> {
  const { rows } = await sql<BucketRow>`
    select (extract(epoch from date_trunc(${unit}, hour at time zone 'UTC' + interval '3 hours')
        - interval '3 hours') * 1000)::float8 as at,
      sum(import_kwh) as "importKwh", sum(export_kwh) as "exportKwh",
      (count(*) filter (where not is_suspect))::int as "hoursPresent"
    from osos_reading where tenant_id = ${tenantId} and installation_id = ${installationId}
      and hour >= ${new Date(range.from)} and hour < ${new Date(range.to)}
    group by 1 order by 1`.execute(db)
  return rows
}
