import { sql } from 'kysely'
import type { AmountType, DataQuality, Scenario } from '../../../core/netting/types.ts'
import { type BillingPeriod, localDate, localYear, periodRange, periodStart } from '../../../kernel/time.ts'
import { type Reason, storedReason } from '../../../platform/db/reason-columns.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { RESULT_HOUR_KWH_COLUMNS } from '../calculation/index.ts'

/** Rows of these runs in the hours [from, to). Runs are named, because a later run supersedes rows meanwhile. */
export interface RowRange {
  readonly runIds: readonly string[]
  readonly from: number
  readonly to: number
}

const rowsIn = <T extends 'calculation_hour' | 'virtual_meter_hour' | 'amount'>(
  { db, tenantId }: TenantDb,
  table: T,
  { runIds, from, to }: RowRange,
) =>
  db
    .selectFrom(`${table} as r` as 'amount as r')
    .where('r.tenant_id', '=', tenantId)
    .where('r.calculation_run_id', 'in', runIds)
    .where('r.hour', '>=', new Date(from))
    .where('r.hour', '<', new Date(to))
    .orderBy('r.hour')

export type HourRow = Readonly<Record<(typeof RESULT_HOUR_KWH_COLUMNS)[number], string | null>> & {
  readonly hour: Date
  readonly data_quality: DataQuality
}

export const listHours = (tenant: TenantDb, range: RowRange): Promise<HourRow[]> =>
  rowsIn(tenant, 'calculation_hour', range)
    .select(['r.hour', 'data_quality', ...RESULT_HOUR_KWH_COLUMNS] as never)
    .$castTo<HourRow>()
    .execute()

export interface MeterRow {
  readonly hour: Date
  readonly virtual_meter_type: string
  readonly grid_operator: string | null
  readonly source_kind: string
  readonly reason_code: string
  readonly energy_kwh: string
}

export const listMeters = (tenant: TenantDb, range: RowRange): Promise<MeterRow[]> =>
  rowsIn(tenant, 'virtual_meter_hour', range)
    .leftJoin('organization as o', (join) =>
      join.onRef('o.tenant_id', '=', 'r.tenant_id').onRef('o.id', '=', 'r.grid_operator_id'),
    )
    .select([
      'r.hour',
      'o.name as grid_operator',
      ...(['virtual_meter_type', 'source_kind', 'reason_code', 'energy_kwh'] as never[]),
    ])
    .orderBy('virtual_meter_type' as never)
    .orderBy('r.id')
    .$castTo<MeterRow>()
    .execute()

export interface AmountRow {
  readonly hour: Date
  readonly amount_type: AmountType
  readonly facility: string | null
  readonly grid_operator: string | null
  readonly source_kind: string | null
  readonly step_no: number | null
  readonly quantity_kwh: string
  readonly unit_price_try_per_kwh: string | null
  readonly amount_try: string | null
}

export const listAmounts = (tenant: TenantDb, range: RowRange): Promise<AmountRow[]> =>
  rowsIn(tenant, 'amount', range)
    .leftJoin('organization as o', (join) =>
      join.onRef('o.tenant_id', '=', 'r.tenant_id').onRef('o.id', '=', 'r.grid_operator_id'),
    )
    .leftJoin('facility as f', (join) =>
      join.onRef('f.tenant_id', '=', 'r.tenant_id').onRef('f.id', '=', 'r.facility_id'),
    )
    .select(['r.hour', 'r.amount_type', 'f.name as facility', 'o.name as grid_operator'])
    .select(['r.source_kind', 'r.step_no', 'r.quantity_kwh', 'r.unit_price_try_per_kwh', 'r.amount_try'])
    .orderBy('r.amount_type')
    .orderBy('f.name')
    .orderBy('r.id')
    .$castTo<AmountRow>()
    .execute()

const SUMMARY_KWH = [
  'production_kwh',
  'consumption_kwh',
  'matched_kwh',
  'net_import_kwh',
  'surplus_kwh',
  'bedelli_kwh',
  'skb_kwh',
  'bedelsiz_kwh',
  'limit_opening_kwh',
  'limit_used_kwh',
  'limit_closing_kwh',
] as const

export type SummaryRow = Readonly<Record<(typeof SUMMARY_KWH)[number], string | null>> & {
  readonly scenario: Scenario
  readonly amounts_try: Readonly<Partial<Record<AmountType, string | null>>>
  readonly hours_expected: number
  readonly hours_calculated: number
  readonly completeness_pct: string
  readonly data_quality: DataQuality
}

export const SUMMARY_FIGURES = SUMMARY_KWH

export const findSummary = (
  tenant: TenantDb,
  groupId: string,
  billingPeriod: BillingPeriod,
): Promise<SummaryRow | undefined> =>
  selectRows(tenant, 'monthly_summary')
    .select([...SUMMARY_KWH, 'scenario', 'amounts_try', 'hours_expected', 'hours_calculated'])
    .select(['completeness_pct', 'data_quality'])
    .where('group_id', '=', groupId)
    .where('billing_period', '=', billingPeriod)
    .where('is_current', '=', true)
    .$castTo<SummaryRow>()
    .executeTakeFirst()

/** The place after which a page of the ledger begins. */
export interface LedgerPosition {
  readonly accountId: string
  readonly seq: string
}

export interface LedgerRow extends LedgerPosition {
  readonly booked_at: Date
  readonly facility: string
  readonly movement_type: string
  readonly amount_kwh: string
  readonly balance_kwh: string
  readonly billing_period: string | null
  readonly reason: Reason | null
}

/**
 * The movements of the accounts of the group's consumers in the year of a period, by account in the order of
 * booking, each with the balance after it.
 */
export async function listMovements(
  { db, tenantId }: TenantDb,
  { groupId, billingPeriod }: { readonly groupId: string; readonly billingPeriod: BillingPeriod },
  { after, limit }: { readonly after: LedgerPosition | undefined; readonly limit: number },
): Promise<LedgerRow[]> {
  const { from, to } = periodRange(billingPeriod)
  const { rows } = await sql<LedgerRow>`
    with booked as (
      select v.account_id, v.seq, v.created_at, v.movement_type, v.amount_kwh, v.calculation_run_id,
        ${storedReason} as reason,
        f.name as facility,
        a.initial_limit_kwh + sum(v.amount_kwh) over (partition by v.account_id order by v.seq) as balance_kwh
      from limit_account a
      join limit_movement v on (v.tenant_id, v.account_id) = (a.tenant_id, a.id)
      join facility f on (f.tenant_id, f.id) = (a.tenant_id, a.facility_id)
      where a.tenant_id = ${tenantId} and a.year = ${localYear(periodStart(billingPeriod))}
        and a.facility_id in (
          select m.facility_id from group_member m
          where m.tenant_id = ${tenantId} and m.group_id = ${groupId} and m.member_role in ('consumption', 'mixed')
            and m.valid_from < ${localDate(to)}::date
            and (m.valid_to is null or m.valid_to > ${localDate(from)}::date))
    )
    select b.account_id as "accountId", b.seq::text as seq, b.created_at as booked_at, b.facility,
      b.movement_type, b.amount_kwh, b.balance_kwh, r.billing_period, b.reason
    from booked b
    left join calculation_run r on r.tenant_id = ${tenantId} and r.id = b.calculation_run_id
    where (b.account_id, b.seq) > (${after?.accountId ?? FIRST_ID}::uuid, ${after?.seq ?? '0'}::bigint)
    order by b.account_id, b.seq
    limit ${limit}`.execute(db)
  return rows
}
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Names of facilities by id. */
export async function listFacilityNames(
  tenant: TenantDb,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await selectRows(tenant, 'facility').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
