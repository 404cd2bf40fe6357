import type { ChargeKind, Energies, OwnResults, PriceRow } from '../../../core/netting/invoice/types.ts'
import { parseKwh, parsePrice, parseTry } from '../../../kernel/decimal.ts'
import { addMonths, type BillingPeriod, periodEnd, periodStart } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { plain } from '../../../platform/tables/index.ts'
import { approvedPrices } from '../tariffs/index.ts'
import { AMOUNT_TYPE_OF, KWH_FIELDS, type KwhField, TRY_FIELDS } from './columns.ts'
import * as store from './store.ts'

/** Months before the period whose prices are searched for the price of an invoice. */
const PRICE_MONTHS = 12

/** Results with the runs and price rows that they are from. */
export interface ProvenResults extends OwnResults {
  readonly runs: readonly {
    readonly id: string
    readonly inputHash: string
    readonly engineVersion: string
  }[]
  readonly priceRows: ReadonlyMap<string, PriceRow>
}

/** Reads the current results of a period with the prices that they use, and the runs that they are from. */
export async function readOwnResults(
  db: TenantDb,
  groupId: string,
  billingPeriod: BillingPeriod,
): Promise<ProvenResults> {
  const summary = await store.findSummary(db, groupId, billingPeriod)
  const hours = await store.listHours(db, groupId, billingPeriod)
  const amounts = await store.listPricedAmounts(db, groupId, billingPeriod)
  const facilities = await store.listFacilities(db, groupId, billingPeriod)
  const from = periodStart(addMonths(billingPeriod, -PRICE_MONTHS))
  const prices = await approvedPrices(db, { from, to: periodEnd(billingPeriod) })
  const runs = await store.listRuns(db, groupId, billingPeriod)
  const byName = new Map(
    facilities.flatMap(({ id, name }) => [[plain(name), id] as const, [plain(id), id] as const]),
  )
  const priceRows = new Map(prices.map((row) => [row.id, row]))
  return {
    billingPeriod,
    isByMonth: summary?.scenario === 'mesken_monthly',
    hours: hours.map(({ hour, ...texts }) => ({ hour: hour.getTime(), energies: energiesOf(texts) })),
    month: summary ? energiesOf(summary) : null,
    amounts: amounts.flatMap((row) => {
      const field = TRY_FIELDS.find((each) => AMOUNT_TYPE_OF[each] === row.amount_type)
      if (!field) return []
      return [
        {
          hour: row.hour.getTime(),
          kind: field.replace(/_try$/, '') as ChargeKind,
          facilityId: row.facility_id,
          stepNo: row.step_no,
          quantity: parseKwh(row.quantity_kwh),
          unitPrice: row.unit_price_try_per_kwh === null ? null : parsePrice(row.unit_price_try_per_kwh),
          amount: row.amount_try === null ? null : parseTry(row.amount_try),
          priceId: row.tariff_price_id,
        },
      ]
    }),
    prices,
    priceRows,
    subscriberGroups: await store.listSubscriberGroups(db, groupId, billingPeriod),
    facilityIdOf: (text) => byName.get(plain(text)),
    runs: runs.map(({ id, input_hash, engine_version }) => ({
      id,
      inputHash: input_hash,
      engineVersion: engine_version,
    })),
  }
}

const energiesOf = (texts: Readonly<Record<KwhField, string | null>>): Energies =>
  Object.fromEntries(
    KWH_FIELDS.map((field) => {
      const text = texts[field]
      return [field.replace(/_kwh$/, ''), text === null ? null : parseKwh(text)]
    }),
  ) as unknown as Energies
