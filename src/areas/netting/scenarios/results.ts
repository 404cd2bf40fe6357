import {
  add,
  formatKwh,
  formatTry,
  type Kwh,
  parseKwh,
  parseTry,
  roundDiv,
  subtract,
} from '../../../kernel/decimal.ts'
import { conflict, found, invalidReference, unprocessable } from '../../../kernel/errors.ts'
import { parsePeriod } from '../../../kernel/time.ts'
import { UUID } from '../../../kernel/uuid.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Figures } from './compute-work.ts'
import { SCENARIOS_COMPARED_MAX } from './limits.ts'
import { SCENARIO_TEXTS as TEXTS } from './messages.ts'
import * as store from './store.ts'

type Row = store.ScenarioRow
type Month = Awaited<ReturnType<typeof store.listMonths>>[number]

const KWH = [
  ...(['production_kwh', 'consumption_kwh', 'matched_kwh', 'surplus_kwh'] as const),
  ...(['net_import_kwh', 'bedelli_kwh', 'skb_kwh', 'bedelsiz_kwh'] as const),
] as const
const TRY = ['revenue_try', 'fee_try', 'savings_try', 'purchase_try', 'balance_try'] as const

/** Sums of known energies; an amount is null where a part is. */
function sumFigures(list: readonly Figures[]): Figures {
  const kwh = Object.fromEntries(
    KWH.map((field) => {
      const known = list.flatMap((one) => one[field] ?? [])
      return [
        field,
        known.length === 0 ? null : formatKwh(known.map(parseKwh).reduce((sum, one) => add(sum, one))),
      ]
    }),
  )
  const money = Object.fromEntries(
    TRY.map((field) => {
      const known = list.flatMap((one) => one[field] ?? [])
      const isWhole = known.length === list.length && list.length > 0
      return [field, isWhole ? formatTry(known.map(parseTry).reduce((sum, one) => add(sum, one))) : null]
    }),
  )
  const used = list.map((one) => parseKwh(one.limit_used_kwh)).reduce((sum, one) => add(sum, one), 0n as Kwh)
  return { ...kwh, ...money, limit_used_kwh: formatKwh(used) } as unknown as Figures
}

const benefitOf = (base: Figures, scenario: Figures): string | null =>
  base.balance_try === null || scenario.balance_try === null
    ? null
    : formatTry(subtract(parseTry(scenario.balance_try), parseTry(base.balance_try)))

export function totalsOf(months: readonly Month[], costTry: string | null) {
  const [base, scenario] = [sumFigures(months.map((m) => m.base)), sumFigures(months.map((m) => m.result))]
  const benefit_try = benefitOf(base, scenario)
  const count = new Set(months.map((month) => month.billing_period)).size
  return { base, scenario, benefit_try, payback_years: paybackOf(costTry, benefit_try, count) }
}

/** cost / (benefit × 12 / months), with two decimals; null without a positive benefit. */
export function paybackOf(costTry: string | null, benefitTry: string | null, months: number): string | null {
  if (costTry === null || benefitTry === null) return null
  const benefit = parseTry(benefitTry)
  if (benefit <= 0n) return null
  const hundredths = roundDiv(parseTry(costTry) * BigInt(months) * 100n, benefit * 12n)
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`
}

/** The months of a finished scenario. 404 for an unknown one, 409 for one without a result. */
export async function resultOf(tenant: TenantDb, id: string) {
  const scenario = found('scenario', await store.find(tenant, id))
  if (scenario.state !== 'done') throw conflict('STATE_CONFLICT', TEXTS.SCENARIO_NOT_DONE())
  return { scenario, months: await store.listMonths(tenant, id) }
}

interface ResultFilter {
  readonly group_id?: string | undefined
  readonly billing_period?: string | undefined
  readonly limit: number
  readonly offset: number
}

function selectMonths(months: readonly Month[], { group_id, billing_period }: ResultFilter): Month[] {
  const period = billing_period === undefined ? undefined : parsePeriod(billing_period)
  return months.filter(
    (month) =>
      (group_id === undefined || month.group_id === group_id.toLowerCase()) &&
      (period === undefined || month.billing_period === period),
  )
}

const sliceOf = <T>(rows: readonly T[], { limit, offset }: ResultFilter) => ({
  items: rows.slice(offset, offset + limit),
  total: rows.length,
})

export async function listMonths(tenant: TenantDb, id: string, query: ResultFilter) {
  const { months } = await resultOf(tenant, id)
  return sliceOf(selectMonths(months, query).map(monthRow), query)
}

export const monthRow = ({ group_id, group_name, billing_period, base, result }: Month) => ({
  ...{ group_id, group_name, billing_period, base, scenario: result },
  benefit_try: benefitOf(base, result),
})

export async function memberRows(tenant: TenantDb, scenario: Row, months: readonly Month[]) {
  const ids = [...new Set(months.flatMap(({ members }) => members.map((member) => member.facility_id)))]
  const names = await store.facilityNames(
    tenant,
    ids.filter((id) => UUID.test(id)),
  )
  const added = new Map(
    scenario.changes.flatMap(({ type, facility_id, name }) =>
      type === 'add_facility' && facility_id && name ? [[facility_id, name] as const] : [],
    ),
  )
  return months.flatMap(({ group_id, group_name, billing_period, members }) =>
    members.map(({ facility_id, base, scenario: changed }) => {
      const facility_name = names.get(facility_id) ?? added.get(facility_id) ?? null
      return { group_id, group_name, billing_period, facility_id, facility_name, base, scenario: changed }
    }),
  )
}

export async function listMembers(tenant: TenantDb, id: string, query: ResultFilter) {
  const { scenario, months } = await resultOf(tenant, id)
  return sliceOf(await memberRows(tenant, scenario, selectMonths(months, query)), query)
}

export async function listHours(
  tenant: TenantDb,
  id: string,
  query: ResultFilter & { readonly group_id: string; readonly billing_period: string },
) {
  await resultOf(tenant, id)
  const billingPeriod = parsePeriod(query.billing_period) ?? query.billing_period
  const hours = await store.readHours(tenant, id, { groupId: query.group_id, billingPeriod })
  return sliceOf(hours ?? [], query)
}

/** Finished scenarios side by side, in the order of the ids. */
export async function compareScenarios(tenant: TenantDb, text: string) {
  const ids = [...new Set(text.split(',').map((id) => id.trim().toLowerCase()))]
  if (!ids.every((id) => UUID.test(id))) throw invalidReference('ids')
  if (ids.length > SCENARIOS_COMPARED_MAX) {
    const content = TEXTS.SCENARIO_TOO_MANY_COMPARED({ max: SCENARIOS_COMPARED_MAX })
    throw unprocessable('BUSINESS_RULE_VIOLATION', content, { field: 'ids' })
  }
  const compared = []
  for (const id of ids) {
    if (!(await store.find(tenant, id))) throw invalidReference('ids')
    const { scenario, months } = await resultOf(tenant, id)
    const { name, from_period: from, to_period: to, is_stale, cost_try } = scenario
    compared.push({ id, name, from, to, is_stale, cost_try, totals: totalsOf(months, cost_try) })
  }
  return compared
}
