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
}

/**
 * Returns one page of a filtered selection in the envelope {items, total, skip, limit}. `sort_by` comes
 * from the schema's whitelist. The id is the last sort key, which makes the order total, so that pages
 * neither repeat nor skip a row.
 */
export async function readPage<T extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, T, Row>,
  { skip, limit, sort_by, sort_order, ranks, isPrepared = false }: PageOf,
) {
  const rank = ranks?.[sort_by]
  const key = rank ? sql`array_position(${rank}::text[], ${sql.ref(sort_by)})` : (sort_by as never)
  const page = rows
    .orderBy(key, sort_order)
    .orderBy('id' as never)
    .offset(skip)
    .limit(limit)
  const count = rows.clearSelect().select((eb) => eb.fn.countAll().as('total'))
  const [items, { total }] = await Promise.all([
    (isPrepared ? page.modifyEnd(PREPARED) : page).execute(),
    (isPrepared ? count.modifyEnd(PREPARED) : count).executeTakeFirstOrThrow(),
  ])
  return { items, total: Number(total), skip, limit }
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
  const count = rows
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll().as('total'))
    .$castTo<{ total: string | number | bigint }>()
  const [items, { total }] = await Promise.all([
    rows.offset(offset).limit(limit).execute(),
    count.executeTakeFirstOrThrow(),
  ])
  return { items, total: Number(total) }
}
