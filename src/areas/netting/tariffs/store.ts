import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type {
  AboneGrubu,
  PricePurpose,
  PriceRowInput,
  TimeSegment,
  VoltageLevel,
} from '../../../core/netting/types.ts'
import { parsePrice } from '../../../kernel/decimal.ts'
import { conflict } from '../../../kernel/errors.ts'
import { localDate, parsePeriod, periodOf, type Range } from '../../../kernel/time.ts'
import { type BulkColumn, insertRows } from '../../../platform/db/bulk.ts'
import { refusing } from '../../../platform/db/constraints.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { SystemDb, SystemTx } from '../../../platform/db/tenant.ts'
import { TARIFF_TEXTS } from './messages.ts'
import type { Price, PriceQuery, PriceSet, PriceSetQuery } from './schema.ts'

const setColumns = [
  'id',
  'billing_period',
  'name',
  'source_note',
  'approval_status',
  'approved_by',
  'approved_at',
  'created_by',
  'created_at',
] as const
const priceColumns = [
  'id',
  'price_set_id',
  'valid_from',
  'valid_to',
  'billing_period',
  'abone_grubu',
  'gerilim_seviyesi',
  'tariff_code',
  'tariff_class',
  'price_purpose',
  'time_segment',
  'step_no',
  'unit',
  'price',
  'source_note',
  'created_at',
] as const
const priceConstraints = {
  tariff_price_natural_key: () => conflict('TARIFF_PRICE_DUPLICATE', TARIFF_TEXTS.PRICE_EXISTS()),
}

/** A set row. Check constraints restrict the columns to the values of the schema. */
export type SetRow = Static<typeof PriceSet> & {
  readonly approved_at: Date | null
  readonly created_at: Date
}
export type PriceRow = Static<typeof Price>

export async function listSets({ db }: SystemDb, query: PriceSetQuery) {
  let rows = db.selectFrom('tariff_price_set').where(matchesSearch(query.search, ['name', 'source_note']))
  const period = query.billing_period && parsePeriod(query.billing_period)
  if (period) rows = rows.where('billing_period', '=', period)
  if (query.approval_status) rows = rows.where('approval_status', '=', query.approval_status)
  const page = rows
    .select(setColumns)
    .orderBy('created_at', 'desc')
    .orderBy('billing_period', 'desc')
    .orderBy('id')
    .offset(query.offset)
    .limit(query.limit)
    .$castTo<SetRow>()
  const [items, { total }] = await Promise.all([
    page.execute(),
    rows.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow(),
  ])
  return { items, total: Number(total) }
}

export const findSet = ({ db }: SystemDb, id: string): Promise<SetRow | undefined> =>
  db
    .selectFrom('tariff_price_set')
    .select(setColumns)
    .where('id', '=', id)
    .$castTo<SetRow>()
    .executeTakeFirst()

/**
 * The set, locked until the end of the transaction: adding a price and approving the set exclude each other.
 */
export const lockSet = ({ db }: SystemTx, id: string): Promise<SetRow | undefined> =>
  db
    .selectFrom('tariff_price_set')
    .select(setColumns)
    .where('id', '=', id)
    .forUpdate()
    .$castTo<SetRow>()
    .executeTakeFirst()

export type NewSet = Pick<SetRow, 'billing_period' | 'name' | 'source_note' | 'created_by' | 'created_at'>

export const insertSet = ({ db }: SystemTx, set: NewSet): Promise<SetRow> =>
  db
    .insertInto('tariff_price_set')
    .values(set)
    .returning(setColumns)
    .$castTo<SetRow>()
    .executeTakeFirstOrThrow()

export const updateSet = ({ db }: SystemTx, id: string, set: Partial<SetRow>): Promise<SetRow> =>
  db
    .updateTable('tariff_price_set')
    .set(set)
    .where('id', '=', id)
    .returning(setColumns)
    .$castTo<SetRow>()
    .executeTakeFirstOrThrow()

/** Moves the prices of a set to another month. */
export const movePrices = ({ db }: SystemTx, setId: string, billingPeriod: string) =>
  db
    .updateTable('tariff_price')
    .set({ billing_period: billingPeriod })
    .where('price_set_id', '=', setId)
    .execute()

/** Inserts a set with a fixed id; false where a set has it. */
export async function insertShippedSet(
  { db }: SystemTx,
  set: NewSet & { readonly id: string },
): Promise<boolean> {
  const row = await db
    .insertInto('tariff_price_set')
    .values(set)
    .onConflict((it) => it.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The sets of a month with a name, and its drafts without name and prices, locked; the latter last. */
export const lockSetsFor = (
  { db }: SystemTx,
  { billingPeriod, name }: { readonly billingPeriod: string; readonly name: string },
): Promise<SetRow[]> =>
  db
    .selectFrom('tariff_price_set as s')
    .select(setColumns)
    .where('billing_period', '=', billingPeriod)
    .where((eb) =>
      eb.or([
        eb('name', '=', name),
        eb.and([
          eb('name', 'is', null),
          eb('approval_status', '=', 'draft'),
          eb.not(
            eb.exists(
              eb.selectFrom('tariff_price as p').select('p.id').whereRef('p.price_set_id', '=', 's.id'),
            ),
          ),
        ]),
      ]),
    )
    .orderBy('name', (it) => it.asc().nullsLast())
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .$castTo<SetRow>()
    .execute()

/** Deletes a set; its prices are deleted by cascade. */
export const removeSet = ({ db }: SystemTx, id: string) =>
  db.deleteFrom('tariff_price_set').where('id', '=', id).execute()

export async function listPrices({ db }: SystemDb, setId: string, query: PriceQuery) {
  const rows = db.selectFrom('tariff_price').where('price_set_id', '=', setId)
  const page = rows
    .select(priceColumns)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .offset(query.offset)
    .limit(query.limit)
    .$castTo<PriceRow>()
  const [items, { total }] = await Promise.all([
    page.execute(),
    rows.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow(),
  ])
  return { items, total: Number(total) }
}

export type NewPrice = Omit<PriceRow, 'id'>

export const insertPrices = ({ db }: SystemTx, prices: NewPrice[]) =>
  refusing(
    priceConstraints,
    db.insertInto('tariff_price').values(prices).returning(priceColumns).$castTo<PriceRow>().execute(),
  )

/** The natural keys of the set's rows. */
export const listKeys = ({ db }: SystemTx, setId: string) =>
  db
    .selectFrom('tariff_price')
    .select(['abone_grubu', 'price_purpose', 'time_segment', 'step_no'])
    .where('price_set_id', '=', setId)
    .execute()

/** Inserts many rows of one set; 409 for a duplicate natural key. */
export async function importPrices(tx: SystemTx, setId: string, prices: readonly NewPrice[]): Promise<void> {
  const column = (name: keyof NewPrice, type: BulkColumn['type']): BulkColumn => ({
    name,
    type,
    values: prices.map((price) => price[name] as string | number | null),
  })
  await refusing(
    priceConstraints,
    insertRows(tx, {
      table: 'tariff_price',
      same: {
        price_set_id: sql`${setId}::uuid`,
        created_at: sql`${prices[0]?.created_at ?? null}::timestamptz`,
      },
      columns: [
        column('valid_from', 'date'),
        column('valid_to', 'date'),
        column('billing_period', 'date'),
        column('abone_grubu', 'text'),
        column('gerilim_seviyesi', 'text'),
        column('tariff_code', 'text'),
        column('tariff_class', 'text'),
        column('price_purpose', 'text'),
        column('time_segment', 'text'),
        column('step_no', 'integer'),
        column('unit', 'text'),
        column('price', 'numeric'),
        column('source_note', 'text'),
      ],
    }),
  )
}

/**
 * Returns the rows that can price an hour of the range, unordered: those of approved sets, and of archived
 * ones the rows of the range's own periods. [inferred] A later correction would otherwise lose its prices.
 */
export async function approvedPrices(
  { db }: Pick<SystemDb, 'db'>,
  { from, to }: Range,
): Promise<PriceRowInput[]> {
  const lastInstant = to - 1
  const rows = await db
    .selectFrom('tariff_price as p')
    .innerJoin('tariff_price_set as s', 's.id', 'p.price_set_id')
    .select(['p.id', 'p.price_set_id', 'p.billing_period', 's.approval_status', 's.approved_at'])
    .select(['p.valid_from', 'p.valid_to', 'p.abone_grubu', 'p.price_purpose', 'p.time_segment'])
    .select(['p.step_no', 'p.tariff_class', 'p.tariff_code', 'p.gerilim_seviyesi', 'p.price'])
    .where('p.billing_period', '<=', periodOf(lastInstant))
    .where('p.valid_from', '<=', localDate(lastInstant))
    .where((eb) => eb.or([eb('p.valid_to', 'is', null), eb('p.valid_to', '>=', localDate(from))]))
    .where((eb) =>
      eb.or([
        eb('s.approval_status', '=', 'approved'),
        eb.and([eb('s.approval_status', '=', 'archived'), eb('p.billing_period', '>=', periodOf(from))]),
      ]),
    )
    .execute()
  return rows.map((row) => {
    assert(row.approved_at, 'a set that is no draft has the time of its approval')
    return {
      id: row.id,
      setId: row.price_set_id,
      billingPeriod: row.billing_period,
      setStatus: row.approval_status === 'archived' ? 'archived' : 'approved',
      approvedAt: row.approved_at.getTime(),
      validFrom: row.valid_from,
      validTo: row.valid_to,
      aboneGrubu: row.abone_grubu as AboneGrubu,
      purpose: row.price_purpose as PricePurpose,
      timeSegment: row.time_segment as TimeSegment | null,
      stepNo: row.step_no,
      tariffClass: row.tariff_class,
      tariffCode: row.tariff_code,
      voltageLevel: row.gerilim_seviyesi as VoltageLevel | null,
      priceTryPerKwh: parsePrice(row.price),
    }
  })
}
