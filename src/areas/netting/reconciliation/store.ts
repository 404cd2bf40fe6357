import type { AboneGrubu, AmountType, Scenario } from '../../../core/netting/types.ts'
import { type BillingPeriod, localDate, periodRange } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { KWH_FIELDS, type KwhField } from './columns.ts'

/** Null: unknown. */
type KwhTexts = Readonly<Record<KwhField, string | null>>

/** The current hours of a period, in time order. */
export const listHours = (
  tenant: TenantDb,
  groupId: string,
  billingPeriod: BillingPeriod,
): Promise<(KwhTexts & { readonly hour: Date })[]> => {
  const { from, to } = periodRange(billingPeriod)
  return selectRows(tenant, 'calculation_hour')
    .select(['hour', ...KWH_FIELDS])
    .where('group_id', '=', groupId)
    .where('is_current', '=', true)
    .where('hour', '>=', new Date(from))
    .where('hour', '<', new Date(to))
    .orderBy('hour')
    .execute()
}

export interface HourAmount {
  readonly hour: Date
  readonly amount_type: AmountType
  readonly facility_id: string | null
  /** Sum of the priced rows; null where none has a price. */
  readonly amount_try: string | null
}

/** Sums of the current amounts of a period by hour, type and facility. */
export function listAmounts(
  tenant: TenantDb,
  groupId: string,
  billingPeriod: BillingPeriod,
): Promise<HourAmount[]> {
  const { from, to } = periodRange(billingPeriod)
  return selectRows(tenant, 'amount')
    .select((eb) => [
      'hour',
      'amount_type',
      'facility_id',
      eb.fn.sum<string | null>('amount_try').as('amount_try'),
    ])
    .where('group_id', '=', groupId)
    .where('is_current', '=', true)
    .where('hour', '>=', new Date(from))
    .where('hour', '<', new Date(to))
    .groupBy(['hour', 'amount_type', 'facility_id'])
    .$castTo<HourAmount>()
    .execute()
}

export async function findSummary(tenant: TenantDb, groupId: string, billingPeriod: BillingPeriod) {
  const row = await selectRows(tenant, 'monthly_summary')
    .select([...KWH_FIELDS, 'scenario'])
    .where('group_id', '=', groupId)
    .where('billing_period', '=', billingPeriod)
    .where('is_current', '=', true)
    .executeTakeFirst()
  return row && { ...row, scenario: row.scenario as Scenario }
}

/** The facilities that are members of the group on some day of the period. */
export function listFacilities(
  tenant: TenantDb,
  groupId: string,
  billingPeriod: BillingPeriod,
): Promise<{ id: string; name: string }[]> {
  const { from, to } = periodRange(billingPeriod)
  return selectRows(tenant, 'facility as f')
    .innerJoin('group_member as m', (join) =>
      join.onRef('m.tenant_id', '=', 'f.tenant_id').onRef('m.facility_id', '=', 'f.id'),
    )
    .select(['f.id', 'f.name'])
    .distinct()
    .where('m.group_id', '=', groupId)
    .where('m.valid_from', '<', localDate(to))
    .where((eb) => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', localDate(from))]))
    .execute()
}

/** The current runs of a period, in time order, with the hash of their inputs. */
export const listRuns = (tenant: TenantDb, groupId: string, billingPeriod: BillingPeriod) =>
  selectRows(tenant, 'calculation_run')
    .select(['id', 'input_hash', 'engine_version', 'from_hour', 'to_hour'])
    .where('group_id', '=', groupId)
    .where('billing_period', '=', billingPeriod)
    .where('is_current', '=', true)
    .orderBy('from_hour')
    .execute()

/** The current amounts of a period with their prices, by hour, type, facility, step and price. */
export function listPricedAmounts(tenant: TenantDb, groupId: string, billingPeriod: BillingPeriod) {
  const { from, to } = periodRange(billingPeriod)
  const key = [
    'hour',
    'amount_type',
    'facility_id',
    'step_no',
    'unit_price_try_per_kwh',
    'tariff_price_id',
  ] as const
  return selectRows(tenant, 'amount')
    .select(key)
    .select((eb) => [
      eb.fn.sum<string>('quantity_kwh').as('quantity_kwh'),
      eb.fn.sum<string | null>('amount_try').as('amount_try'),
    ])
    .where('group_id', '=', groupId)
    .where('is_current', '=', true)
    .where('hour', '>=', new Date(from))
    .where('hour', '<', new Date(to))
    .groupBy(key)
    .execute()
}

/** The subscriber groups of the facilities that consume in the group on some day of the period. */
export async function listSubscriberGroups(
  tenant: TenantDb,
  groupId: string,
  billingPeriod: BillingPeriod,
): Promise<(AboneGrubu | null)[]> {
  const { from, to } = periodRange(billingPeriod)
  const rows = await selectRows(tenant, 'facility as f')
    .innerJoin('group_member as m', (join) =>
      join.onRef('m.tenant_id', '=', 'f.tenant_id').onRef('m.facility_id', '=', 'f.id'),
    )
    .select('f.abone_grubu')
    .distinct()
    .where('m.group_id', '=', groupId)
    .where('m.member_role', 'in', ['consumption', 'mixed'])
    .where('m.valid_from', '<', localDate(to))
    .where((eb) => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', localDate(from))]))
    .execute()
  return rows.map(({ abone_grubu }) => abone_grubu as AboneGrubu | null)
}
