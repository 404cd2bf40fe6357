import { CompiledQuery, type Kysely } from 'kysely'
import type { LocalDate } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { DB } from '../../../platform/db/types.ts'
import { VALUE_COLUMNS } from '../sample-columns.ts'
import {
  type ChunkHead,
  type DeviceRange,
  type DeviceSamples,
  dayRange,
  firstOf,
  haveRows,
  listChunks,
  loadChunks,
  loadInstants,
  type NearestSide,
  nearestChunks,
  type RunRows,
  runOnConnection,
  runOnKysely,
} from './chunk-store.ts'
import { CHUNKS_AT_ONCE, SUMMARY_TRIES_MAX } from './limits.ts'
import { firstSamples, toArrays, untilFirst } from './rows.ts'

/**
 * Reading of samples, wherever they are: as rows or in chunks.
 *
 * A reader has a statement over `measurement`. When chunks overlap what it reads, they are decoded, and the
 * statement runs over the rows and the decoded samples together; its text stays the same otherwise. Most reads meet
 * no chunk and cost one look-up in an index more.
 *
 * Rows and chunks are read one after the other and agree nevertheless: a chunk is published while its rows are
 * still there, rows are deleted ROWS_KEPT_MS later, a chunk is never deleted before its device is, and a row takes
 * precedence over the sample of the same instant in a chunk.
 */

export interface Statement {
  readonly name: string
  /** Names the table as `measurement` or `measurement m`. */
  readonly text: string
  readonly values: readonly unknown[]
}

/** The table, but not as the qualifier of a column. */
const TABLE = /"?\bmeasurement\b"?(?!"?\.)(\s+m\b)?/g
const COLUMNS = ['tenant_id', 'device_key', 'ts', ...VALUE_COLUMNS, 'extra']
  .map((name) => `"${name}"`)
  .join(', ')

/** The same statement over the rows of a tenant and the samples of chunks. */
function overBoth(
  { text, values }: Pick<Statement, 'text' | 'values'>,
  tenantId: number,
  chunks: readonly DeviceSamples[],
): { text: string; values: unknown[] } {
  const arrays = toArrays(chunks)
  const tenant = `$${values.length + 1}::int`
  const both = `(select ${COLUMNS} from measurement where tenant_id = ${tenant}
    union all select ${tenant}, c.* from (${arrays.text(values.length + 2)}) c
    where not exists (select 1 from measurement r
      where r.tenant_id = ${tenant} and r.device_key = c.device_key and r.ts = c.ts))`
  return {
    text: text.replace(TABLE, (_, alias?: string) => `${both}${alias ?? ' measurement'}`),
    values: [...values, tenantId, ...arrays.values],
  }
}

/** Runs a statement over the rows and the given chunks. */
function runOver(
  db: Queryable,
  statement: Statement,
  { tenantId, chunks }: { tenantId: number; chunks: readonly DeviceSamples[] },
): Promise<unknown[][]> {
  if (chunks.length === 0) return readRows(db, statement)
  const { text, values } = overBoth(statement, tenantId, chunks)
  return runOnConnection(db)(text, values)
}

/** Reads all samples of ranges. */
export async function readRanges(
  db: Queryable,
  { tenantId, ranges }: { readonly tenantId: number; readonly ranges: readonly DeviceRange[] },
  statement: Statement,
): Promise<unknown[][]> {
  const run = runOnConnection(db)
  const chunks = await loadChunks(run, tenantId, await listChunks(run, tenantId, ranges))
  return runOver(db, statement, { tenantId, chunks })
}

/** Reads the first `limit` samples of each range, ascending. */
export async function readFirst(
  db: Queryable,
  {
    tenantId,
    ranges,
    limit,
  }: { readonly tenantId: number; readonly ranges: readonly DeviceRange[]; readonly limit: number },
  statement: Statement,
): Promise<unknown[][]> {
  const run = runOnConnection(db)
  const heads = firstOf(await listChunks(run, tenantId, ranges), limit)
  // A row that takes the place of a sample has its instant, so that no later sample of the chunk is needed.
  const [one] = ranges.length === 1 ? ranges : []
  const chunks = await loadChunks(run, tenantId, heads, one && untilFirst(one.range, limit))
  const needed = one ? chunks.map((chunk) => firstSamples(chunk, one.range, limit)) : chunks
  return runOver(db, statement, { tenantId, chunks: needed })
}

/** What is known of the samples of a device without decoding their chunks. */
export interface Summary {
  readonly deviceKey: number
  readonly day: LocalDate
  readonly samples: number
  /** A bit for each column that occurs (`columnNumber`). */
  readonly metrics: number
}

interface SummaryQuery {
  readonly tenantId: number
  readonly ranges: readonly DeviceRange[]
  /** The statement only counts samples, whose values and extent it does not read. */
  readonly isCount?: boolean
}

/** What is decoded of a chunk whose samples are counted. */
const INSTANTS = { metrics: new Set<string>(), withExtra: false }

export interface Summarised {
  /** All chunks that overlap the ranges, by device and day. */
  readonly heads: readonly ChunkHead[]
  readonly rows: unknown[][]
  /** The chunks that the statement did not see, each of a whole day between other samples of its range. */
  readonly summaries: readonly Summary[]
}

/**
 * The chunks that need not be decoded: wholly within every range that they overlap, with other such chunks before and
 * after them unless samples are only counted, and without rows that may repeat their samples. A chunk that is in a
 * range partly may have no sample in it.
 */
function innerChunks(
  heads: readonly ChunkHead[],
  ranges: readonly DeviceRange[],
  isCount: boolean,
): Set<ChunkHead> {
  const byDevice = new Map<number, ChunkHead[]>()
  for (const head of heads) {
    const known = byDevice.get(head.deviceKey)
    if (known) known.push(head)
    else byDevice.set(head.deviceKey, [head])
  }
  const inner = new Set(heads.filter(({ hasRows }) => !hasRows))
  for (const { deviceKey, range } of ranges) {
    const whole: ChunkHead[] = []
    for (const head of byDevice.get(deviceKey) ?? []) {
      const { from, to } = dayRange(head.day)
      if (range.from <= from && range.to >= to) whole.push(head)
      else if (range.from < to && range.to > from) inner.delete(head)
    }
    if (isCount) continue
    for (const head of [whole[0], whole.at(-1)]) if (head) inner.delete(head)
  }
  return inner
}

/**
 * Runs a statement that counts samples or finds their extent. Only the chunks at the ends of a range are decoded;
 * the others are returned as summaries. A late sample that returns a day to the rows meanwhile would let the day count
 * twice: the summaries are verified afterwards, and the read is repeated.
 */
export async function readSummarised(
  db: Queryable,
  { tenantId, ranges, isCount = false }: SummaryQuery,
  statement: Statement,
): Promise<Summarised> {
  const run = runOnConnection(db)
  // Without the day that begins where a range ends, which would count although it has no sample in it.
  const days = ranges.map((wanted) => ({ ...wanted, range: { ...wanted.range, to: wanted.range.to - 1 } }))
  for (let tries = 1; ; tries++) {
    const heads = await listChunks(run, tenantId, days)
    const inner = tries > SUMMARY_TRIES_MAX ? new Set<ChunkHead>() : innerChunks(heads, ranges, isCount)
    const outer = heads.filter((head) => !inner.has(head))
    const chunks = await loadChunks(run, tenantId, outer, isCount ? INSTANTS : {})
    const rows = await runOver(db, statement, { tenantId, chunks })
    if (inner.size === 0 || !(await haveRows(run, tenantId, [...inner])))
      return { heads, rows, summaries: [...inner] }
  }
}

/**
 * Reads what is nearest to instants: runs the statement over the rows, and again with chunks when they may hold
 * nearer ones. `sidesOf` returns the sides of the search with the instants that the rows contain.
 */
export async function readNearest(
  db: Queryable,
  tenantId: number,
  statement: Statement,
  sidesOf: (rows: readonly unknown[][]) => readonly NearestSide[],
): Promise<unknown[][]> {
  const rows = await readRows(db, statement)
  const chunks = await nearestChunks(runOnConnection(db), tenantId, sidesOf(rows))
  return chunks.length === 0 ? rows : runOver(db, statement, { tenantId, chunks })
}

/** A statement of Kysely that is not executed yet. */
interface Compilable<T> {
  compile(db: Kysely<DB>): CompiledQuery<T>
}

async function runKyselyOver<T>(
  { db, tenantId }: TenantDb,
  query: Compilable<T>,
  chunks: readonly DeviceSamples[],
): Promise<T[]> {
  const compiled = query.compile(db)
  if (chunks.length === 0) return (await db.executeQuery<T>(compiled)).rows
  const { text, values } = overBoth({ text: compiled.sql, values: compiled.parameters }, tenantId, chunks)
  return (await db.executeQuery<T>(CompiledQuery.raw(text, values) as CompiledQuery<T>)).rows
}

const kyselyRun = (db: Kysely<DB>): RunRows => runOnKysely(db)

/** `readRanges` for a statement of Kysely. */
export async function selectRanges<T>(
  tenant: TenantDb,
  ranges: readonly DeviceRange[],
  query: Compilable<T>,
): Promise<T[]> {
  const run = kyselyRun(tenant.db)
  const heads = await listChunks(run, tenant.tenantId, ranges)
  return runKyselyOver(tenant, query, await loadChunks(run, tenant.tenantId, heads))
}

/** `readFirst` for a statement of Kysely. */
export async function selectFirst<T>(
  tenant: TenantDb,
  { ranges, limit }: { readonly ranges: readonly DeviceRange[]; readonly limit: number },
  query: Compilable<T>,
): Promise<T[]> {
  const run = kyselyRun(tenant.db)
  const heads = firstOf(await listChunks(run, tenant.tenantId, ranges), limit)
  return runKyselyOver(tenant, query, await loadChunks(run, tenant.tenantId, heads))
}

/** `readNearest` for a statement of Kysely. */
export async function selectNearest<T>(
  tenant: TenantDb,
  query: Compilable<T>,
  sidesOf: (rows: readonly T[]) => readonly NearestSide[],
): Promise<T[]> {
  const { rows } = await tenant.db.executeQuery<T>(query.compile(tenant.db))
  const chunks = await nearestChunks(kyselyRun(tenant.db), tenant.tenantId, sidesOf(rows))
  return chunks.length === 0 ? rows : runKyselyOver(tenant, query, chunks)
}

/** Returns, for a search among rows that is complete, the newest or oldest instant that only chunks have. */
export async function findNearestInstants(
  tenant: TenantDb,
  sides: readonly NearestSide[],
): Promise<(number | undefined)[]> {
  const chunks = await nearestChunks(kyselyRun(tenant.db), tenant.tenantId, sides)
  return sides.map(({ deviceKey, at, isAfter, until }) => {
    let nearest: number | undefined
    for (const { deviceKey: key, samples } of chunks) {
      if (key !== deviceKey) continue
      for (const time of samples.times) {
        const instant = time / 1000
        if (
          isAfter
            ? instant < at || instant > (until ?? instant)
            : instant > at || instant < (until ?? instant)
        )
          continue
        if (nearest === undefined || (isAfter ? instant < nearest : instant > nearest)) nearest = instant
      }
    }
    return nearest
  })
}

/** Decodes the instants of summaries, a few chunks at a time, in epoch milliseconds. */
export async function* instantsOf(
  db: Queryable,
  tenantId: number,
  summaries: readonly Summary[],
): AsyncGenerator<Float64Array> {
  for (let from = 0; from < summaries.length; from += CHUNKS_AT_ONCE) {
    const heads = summaries.slice(from, from + CHUNKS_AT_ONCE)
    for (const times of await loadInstants(runOnConnection(db), tenantId, heads))
      yield times.map((time) => Math.round(time / 1000))
  }
}
