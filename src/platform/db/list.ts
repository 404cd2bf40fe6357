import { type SelectQueryBuilder, sql } from 'kysely'
import { PREPARED } from './prepared.ts'
import type { DB } from './types.ts'

interface PageOf {
  readonly skip: number
  readonly limit: number
  readonly sort_by: string
  readonly sort_order: 'asc' | 'desc'
  /** The order of values that are not sorted alphabetically, by column: lowest first. */
  readonly ranks?: Readonly<Record<string, readonly string[]>>
  /**
   * Each connection prepares the statements once. Only for filters that compare a column with a value: the server may
   * keep a plan for all values, which estimates a range as few rows.
   */
  readonly isPrepared?: boolean
  /** From `TenantDb`. It has an effect on a prepared list only, because nothing else has a plan that could be kept. */
  readonly countsSeparately?: boolean | undefined
}

interface CountOf {
  readonly skip: number
  readonly limit: number
  readonly isPrepared: boolean
  readonly countsSeparately: boolean
}

/**
 * Reads a page and the number of all rows of the list.
 *
 * Modes.
 * - One statement, on one snapshot: the number is the last column of each row. An empty page other than the first has
 *   no row that could contain the number, which takes a second statement (ADR 0160).
 * - Two statements (`countsSeparately`), each on one table, for a server that keeps plans only of such statements. The
 *   rows are not counted when the page has fewer rows than its limit, because it then ends the list (an empty page
 *   other than the first is counted). The number may contradict the page when rows change in between (ADR 0167).
 */
async function readCounted<Tables, T extends keyof Tables, Row>(
  page: SelectQueryBuilder<Tables, T, Row>,
  all: SelectQueryBuilder<Tables, T, Row>,
  { skip, limit, isPrepared, countsSeparately }: CountOf,
): Promise<{ items: Row[]; total: number }> {
  const count = all
    .clearSelect()
    .select(sql<number>`count(*)::int`.as('list_total'))
    .$castTo<{ list_total: number }>()
  const mark = <Builder extends SelectQueryBuilder<Tables, T, unknown>>(statement: Builder) =>
    (isPrepared ? statement.modifyEnd(PREPARED) : statement) as Builder
  const readCount = async () => (await mark(count).executeTakeFirstOrThrow()).list_total
  if (countsSeparately) {
    const items = await mark(page).execute()
    const isLast = items.length < limit && (items.length > 0 || skip === 0)
    const seen = skip + items.length
    // Rows of this page may be deleted before the count, so the number is at least that of the rows read.
    return { items, total: isLast ? seen : Math.max(items.length > 0 ? seen : 0, await readCount()) }
  }
  const items: (Row & { list_total?: number | null | undefined })[] = await mark(
    page.select(count.as('list_total')),
  ).execute()
  const total = items[0]?.list_total ?? (skip === 0 ? 0 : await readCount())
  // Undefined is left out of JSON. Deleting the column would take a twelfth of the processor time of a list.
  for (const row of items) row.list_total = undefined
  return { items, total }
}

/**
 * Returns one page of a filtered selection in the envelope {items, total, skip, limit}. `sort_by` comes
 * from the schema's whitelist. The id is the last sort key, which makes the order total, so that pages
 * neither repeat nor skip a row.
 */
export async function readPage<T extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, T, Row>,
  { skip, limit, sort_by, sort_order, ranks, isPrepared = false, countsSeparately = false }: PageOf,
) {
  const rank = ranks?.[sort_by]
  const key = rank ? sql`array_position(${rank}::text[], ${sql.ref(sort_by)})` : (sort_by as never)
  const page = rows
    .orderBy(key, sort_order)
    .orderBy('id' as never)
    .offset(skip)
    .limit(limit)
  const counted = await readCounted(page, rows, {
    skip,
    limit,
    isPrepared,
    countsSeparately: isPrepared && countsSeparately,
  })
  return { ...counted, skip, limit }
}

interface SliceOf {
  readonly limit: number
  readonly offset: number
}

/**
 * Returns one slice of an ordered selection and the number of all its rows, for a plain array with
 * X-Total-Count.
 */
export async function readList<Tables, T extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, T, Row>,
  { limit, offset }: SliceOf,
) {
  return readCounted(rows.offset(offset).limit(limit), rows.clearOrderBy(), {
    skip: offset,
    limit,
    isPrepared: false,
    countsSeparately: false,
  })
}
