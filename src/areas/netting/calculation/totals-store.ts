import { sql } from 'kysely'
import type { AmountType } from '../../../core/netting/types.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { epochMsOf } from '../shared/index.ts'
import type { AmountTotals, TotalsQuery, VirtualMeterTotals } from './totals-schema.ts'

const SUMMED = [
  'production_kwh',
  'consumption_kwh',
  'matched_kwh',
  'surplus_kwh',
  'net_import_kwh',
  'bedelli_kwh',
  'skb_kwh',
  'bedelsiz_kwh',
  'matched_over_limit_kwh',
  'limit_used_kwh',
] as const

/** The row types are written out, because the guard of row types cannot follow the types of schemas. */
type HourSums = Readonly<Record<(typeof SUMMED)[number], string | null>> & {
  readonly rows: number
  readonly rows_missing: number
}
interface MeterSum {
  readonly virtual_meter_type: 'bedelli' | 'skb_odemeli' | 'bedelsiz'
  readonly rows: number
  readonly energy_kwh: string
}
interface AmountSum {
  readonly amount_type: AmountType
  readonly rows: number
  readonly rows_without_price: number
  readonly quantity_kwh: string
  readonly amount_try: string | null
}

/** SQL: the current rows of a group in the range of the request. */
const currentRows = ({ tenantId }: TenantDb, groupId: string, { from, to }: TotalsQuery) => sql`
  where r.tenant_id = ${tenantId} and r.group_id = ${groupId} and r.is_current
    ${from === undefined ? sql`` : sql`and r.hour >= ${new Date(epochMsOf(from))}`}
    ${to === undefined ? sql`` : sql`and r.hour < ${new Date(epochMsOf(to))}`}`

/** Sums are those of the database on decimals, so they are exact. */
export async function sumHours(tenant: TenantDb, groupId: string, query: TotalsQuery): Promise<HourSums> {
  const sums = SUMMED.map((column) => sql`sum(r.${sql.ref(column)}) as ${sql.ref(column)}`)
  const { rows } = await sql<HourSums>`
    select count(*)::int as rows, (count(*) filter (where r.data_quality = 'missing'))::int as rows_missing,
      ${sql.join(sums)}
    from calculation_hour r ${currentRows(tenant, groupId, query)}`.execute(tenant.db)
  const [totals] = rows
  if (!totals) throw new Error('an aggregate without groups has one row')
  return totals
}

const withCount = <T extends { readonly rows: number }>(by_type: T[]) => ({
  rows: by_type.reduce((count, { rows }) => count + rows, 0),
  by_type,
})

export async function sumVirtualMeters(
  tenant: TenantDb,
  groupId: string,
  query: TotalsQuery,
): Promise<VirtualMeterTotals> {
  const { rows } = await sql<MeterSum>`
    select r.virtual_meter_type, count(*)::int as rows, sum(r.energy_kwh) as energy_kwh
    from virtual_meter_hour r ${currentRows(tenant, groupId, query)} group by 1 order by 1`.execute(tenant.db)
  return withCount(rows)
}

export async function sumAmounts(
  tenant: TenantDb,
  groupId: string,
  query: TotalsQuery,
): Promise<AmountTotals> {
  const { rows } = await sql<AmountSum>`
    select r.amount_type, count(*)::int as rows,
      (count(*) filter (where r.amount_try is null))::int as rows_without_price,
      sum(r.quantity_kwh) as quantity_kwh, sum(r.amount_try) as amount_try
    from amount r ${currentRows(tenant, groupId, query)} group by 1 order by 1`.execute(tenant.db)
  return withCount(rows)
}
