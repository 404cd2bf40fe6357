import { parse } from 'csv-parse/sync'
import {
  type Actor,
  addPrices,
  approvedPrices,
  approveSet,
  type CreatePrice,
  createSet,
} from '../areas/netting/tariffs/index.ts'
import { periodRange } from '../kernel/time.ts'
import type { SystemTx } from '../platform/db/tenant.ts'
import { type Calendar, readSeed } from './site.ts'

const TABLE = 'prices-2026-04.csv'
/** The medium-voltage prices, which need a set of their own. */
const OG_TABLE = '../tariffs/epdk-2026-04-og.csv'
const SOURCE_NOTE = 'demo: table of 2026-04'

/** Returns one price of the table; the class, where it is given, selects among rows of one purpose. */
export function priceInTable(purpose: string, aboneGrubu: string, tariffClass?: string): string {
  const row = parse<Record<string, string>>(readSeed(TABLE), { columns: true }).find(
    (candidate) =>
      candidate['price_purpose'] === purpose &&
      candidate['abone_grubu'] === aboneGrubu &&
      (tariffClass === undefined || candidate['tariff_class'] === tariffClass),
  )
  if (!row?.['price']) throw new Error(`the table has no price ${purpose} for ${aboneGrubu}`)
  return row['price']
}

/** Returns the rows of the table as prices of another month; empty cells are omitted. */
function pricesOf(csv: string, month: string): CreatePrice[] {
  const rows = parse<Record<string, string>>(csv, { columns: true })
  return rows.map((row) => {
    const { step_no: stepNo, ...cells } = row
    const given = Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== ''))
    const step = stepNo ? { step_no: Number(stepNo) } : {}
    return { ...given, ...step, valid_from: month, billing_period: month } as CreatePrice
  })
}

/**
 * Creates two approved price sets per month, of low and of medium voltage, all from the same published table. Prices
 * are national and not the tenant's, so the demo refuses a database that already contains some for these months.
 */
export async function createPriceSets(tx: SystemTx, { months }: Calendar, act: Actor): Promise<void> {
  const tables = [
    { name: 'Demo', csv: readSeed(TABLE) },
    { name: 'Demo OG', csv: readSeed(OG_TABLE) },
  ]
  for (const month of months) {
    const known = await approvedPrices(tx, periodRange(month))
    if (known.some((row) => row.billingPeriod === month)) {
      throw new Error(`this database has prices for ${month} already: give the demo a database of its own`)
    }
    for (const { name, csv } of tables) {
      const set = await createSet(
        tx,
        { billing_period: month, name: `${name} ${month.slice(0, 7)}`, source_note: SOURCE_NOTE },
        act,
      )
      await addPrices(tx, set.id, pricesOf(csv, month), act.now)
      await approveSet(tx, set.id, act)
    }
  }
}
