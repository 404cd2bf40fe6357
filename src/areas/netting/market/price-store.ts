import { type RawBuilder, sql } from 'kysely'
import { iso, parseInstant, type Range } from '../../../kernel/time.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import type { SystemDb, SystemTx } from '../../../platform/db/tenant.ts'
import type { PublishedPrice } from './price-response.ts'
import type { PriceQuery } from './schema.ts'
import { type Market, type PriceStatus, type Series, STATUS_PRECEDENCE } from './series.ts'

/** The number of new hours, and of hours whose value has changed. */
export interface Stored {
  readonly added: number
  readonly changed: number
}

interface Fetched {
  readonly series: Pick<Series, 'market' | 'status'>
  readonly prices: readonly PublishedPrice[]
  /** The time of the response, epoch milliseconds. */
  readonly at: number
}

/**
 * Stores published prices. Idempotent. A changed final price gets an additional row `corrected`. A tentative
 * or corrected row that changes is overwritten, and its previous value goes to the log.
 */
export async function storePrices(tx: SystemTx, { series, prices, at }: Fetched): Promise<Stored> {
  if (prices.length === 0) return { added: 0, changed: 0 }
  const { market, status } = series
  const published = unnestPrices(prices)
  const fetchedAt = sql`${new Date(at)}::timestamptz`
  const stored = await sql`
    insert into market_price (ts, market, price_status, price_try_per_mwh, fetched_at)
    select ts, ${market}, ${status}, price, ${fetchedAt} from ${published} order by ts
    on conflict (ts, market, price_status) do nothing returning 1`.execute(tx.db)
  const added = stored.rows.length
  if (added === prices.length) return { added, changed: 0 }
  // Serializes corrections, because a second transaction must see the corrections of the first.
  await lockResource(tx, 'market prices')
  const targetStatus = status === 'final' ? 'corrected' : status
  const corrected = await sql`
    with changed as (
      select seen.ts, seen.price, newest.price_try_per_mwh as price_before, newest.fetched_at as fetched_before
      from ${published}
      join market_price p on p.ts = seen.ts and p.market = ${market} and p.price_status = ${status}
      left join market_price newest
        on newest.ts = seen.ts and newest.market = ${market} and newest.price_status = ${targetStatus}
      where coalesce(newest.price_try_per_mwh, p.price_try_per_mwh) <> seen.price),
    logged as (
      insert into market_price_change (
        ts, market, price_status, price_before, price_after, fetched_before, changed_at)
      select ts, ${market}, ${targetStatus}, price_before, price, fetched_before, ${fetchedAt}
      from changed where price_before is not null order by ts)
    insert into market_price as old (ts, market, price_status, price_try_per_mwh, fetched_at)
    select ts, ${market}, ${targetStatus}, price, ${fetchedAt} from changed order by ts
    on conflict (ts, market, price_status) do update
      set price_try_per_mwh = excluded.price_try_per_mwh, fetched_at = excluded.fetched_at
    returning 1`.execute(tx.db)
  return { added, changed: corrected.rows.length }
}

/**
 * Passes the rows as two array parameters, independent of their number. Neither instants nor decimals need
 * quotes in an array.
 */
function unnestPrices(prices: readonly PublishedPrice[]): RawBuilder<unknown> {
  const list = (values: readonly string[]) => `{${values.join(',')}}`
  const instants = list(prices.map(({ ts }) => iso(ts)))
  const decimals = list(prices.map(({ price }) => price))
  return sql`unnest(${instants}::timestamptz[], ${decimals}::numeric[]) as seen (ts, price)`
}

/** Returns the hours of a range that have a final price. */
export async function countFinal({ db }: SystemDb, market: Market, { from, to }: Range): Promise<number> {
  const { count } = await db
    .selectFrom('market_price')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('market', '=', market)
    .where('price_status', '=', 'final')
    .where('ts', '>=', new Date(from))
    .where('ts', '<', new Date(to))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const columns = sql`ts, market, price_status, price_try_per_mwh, fetched_at`
const precedence = sql`array_position(array[${sql.join(STATUS_PRECEDENCE)}], price_status)`
const SORT_COLUMNS: Readonly<Record<PriceQuery['sort_by'], RawBuilder<unknown>>> = {
  ts: sql`ts`,
  market: sql`market`,
  price_status: sql`price_status`,
  price_try_per_mwh: sql`price_try_per_mwh`,
  fetched_at: sql`fetched_at`,
}

interface PriceRow {
  readonly ts: Date
  readonly market: Market
  readonly price_status: PriceStatus
  readonly price_try_per_mwh: string
  readonly fetched_at: Date
}

/** One page of the series. With `best` each hour has one row, and the status filter applies to that row. */
export async function listPrices({ db }: SystemDb, query: PriceQuery) {
  const { best, skip, limit, market, price_status: status } = query
  const from = query.from === undefined ? undefined : parseInstant(query.from)
  const to = query.to === undefined ? undefined : parseInstant(query.to)
  const inRange = [
    ...(from ? [sql`ts >= ${new Date(from.at)}`] : []),
    ...(to ? [sql`ts < ${new Date(to.at)}`] : []),
    ...(market ? [sql`market = ${market}`] : []),
  ]
  const where = (conditions: RawBuilder<unknown>[]) =>
    conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
  const rows = best
    ? sql`(select distinct on (ts, market) ${columns} from market_price ${where(inRange)}
        order by ts, market, ${precedence}) as p ${where(status ? [sql`price_status = ${status}`] : [])}`
    : sql`market_price ${where([...inRange, ...(status ? [sql`price_status = ${status}`] : [])])}`
  const direction = query.sort_order === 'asc' ? sql`asc` : sql`desc`
  const [page, count] = await Promise.all([
    sql<PriceRow>`select ${columns} from ${rows}
      order by ${SORT_COLUMNS[query.sort_by]} ${direction}, ts ${direction}, market, ${precedence}
      offset ${skip} limit ${limit}`.execute(db),
    sql<{ total: string }>`select count(*) as total from ${rows}`.execute(db),
  ])
  return { items: page.rows, total: Number(count.rows[0]?.total), skip, limit }
}
