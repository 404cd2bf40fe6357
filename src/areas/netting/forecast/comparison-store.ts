import type { AmountType } from '../../../core/netting/types.ts'
import type { BillingPeriod } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'

const KWH_COLUMNS = [
  'production_kwh',
  'consumption_kwh',
  'matched_kwh',
  'net_import_kwh',
  'surplus_kwh',
  'bedelli_kwh',
  'skb_kwh',
  'bedelsiz_kwh',
] as const

/** The sums of the current results of a period, as decimal texts; null: unknown. */
export interface Results {
  readonly kwh: Readonly<Record<(typeof KWH_COLUMNS)[number], string | null>>
  /** Null or absent where no row of the type has a price. */
  readonly amountsTry: Readonly<Partial<Record<AmountType, string | null>>>
}

export async function findResults(
  tenant: TenantDb,
  groupId: string,
  billingPeriod: BillingPeriod,
): Promise<Results | undefined> {
  const row = await selectRows(tenant, 'monthly_summary')
    .select([...KWH_COLUMNS, 'amounts_try'])
    .where('group_id', '=', groupId)
    .where('billing_period', '=', billingPeriod)
    .where('is_current', '=', true)
    .executeTakeFirst()
  if (!row) return undefined
  const { amounts_try, ...kwh } = row
  return { kwh, amountsTry: amounts_try }
}
