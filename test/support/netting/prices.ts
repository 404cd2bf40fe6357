import type { AboneGrubu, PricePurpose, TimeSegment } from '../../../src/core/netting/types.ts'
import type { Deps } from '../../../src/platform/runtime/deps.ts'

type Db = Pick<Deps, 'database'>

export interface PriceSpec {
  readonly purpose: PricePurpose
  readonly aboneGrubu?: AboneGrubu
  readonly segment?: TimeSegment | null
  readonly stepNo?: number | null
  readonly tariffClass?: string
  /** Default: the first day of the month. */
  readonly validFrom?: string
  /** The last day; default: none. */
  readonly validTo?: string
  /** In TRY/kWh. */
  readonly price: string
}

/** An approved set of one month; its rows stay valid afterwards. */
export async function makePriceSet(
  { database }: Db,
  billingPeriod: string,
  prices: readonly PriceSpec[],
): Promise<string> {
  const { id } = await database.kysely
    .insertInto('tariff_price_set')
    .values({ billing_period: billingPeriod, approval_status: 'approved', approved_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await database.kysely
    .insertInto('tariff_price')
    .values(
      prices.map((row) => ({
        price_set_id: id,
        billing_period: billingPeriod,
        valid_from: row.validFrom ?? billingPeriod,
        valid_to: row.validTo ?? null,
        abone_grubu: row.aboneGrubu ?? 'sanayi',
        price_purpose: row.purpose,
        time_segment: row.segment === undefined ? 'tek' : row.segment,
        step_no: row.stepNo ?? null,
        tariff_class: row.tariffClass ?? null,
        price: row.price,
      })),
    )
    .execute()
  return id
}

/**
 * The prices of an industrial group: 2.985253 related, 2.909687 lowest related, 0.656008 system usage of
 * class 2.
 */
export const INDUSTRIAL_PRICES: readonly PriceSpec[] = [
  { purpose: 'mahsuplasma_related_tariff', price: '2.985253' },
  { purpose: 'mahsuplasma_lowest_related_tariff', price: '2.909687' },
  { purpose: 'customer_bill_active_energy', price: '2.985253' },
  {
    purpose: 'system_usage',
    aboneGrubu: 'other',
    segment: null,
    stepNo: 2,
    tariffClass: 'lisanssiz_uretici_2',
    price: '0.656008',
  },
]
