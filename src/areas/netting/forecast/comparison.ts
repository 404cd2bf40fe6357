import {
  COUNTS_AS,
  type Comparison as Compared,
  type Side as ComparedSide,
  compareNetting,
} from '../../../core/netting/comparison.ts'
import { HOURLY_NETTING_FROM } from '../../../core/netting/in-force.ts'
import type { AmountType, PeriodInput } from '../../../core/netting/types.ts'
import { formatKwh, formatTry, type Kwh, subtract, type Try } from '../../../kernel/decimal.ts'
import { unprocessable } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import { floorHour, iso, parsePeriod, periodRange, type Range } from '../../../kernel/time.ts'
import { inTenantSnapshot, type TenantDb } from '../../../platform/db/tenant.ts'
import { loadInput, readBase } from '../calculation/index.ts'
import { DASHBOARD_YEAR_MIN } from '../limits.ts'
import { NETTING_ERRORS } from '../shared/index.ts'
import { findResults, type Results } from './comparison-store.ts'
import { FORECAST_TEXTS } from './messages.ts'
import type { Comparison, Side } from './schema.ts'

export interface ComparisonRequest {
  readonly groupId: string
  /** The month of the request. It matches the schema's format but is not truncated yet. */
  readonly billingPeriod: string
  readonly now: number
}

/**
 * Compares hourly and monthly netting for the month so far. Throws 404 for an unknown group, and 422 before
 * 2000 and for a month without a full hour. It only reads, without locks.
 */
export async function compareGroup(
  tenant: TenantDb,
  { groupId, billingPeriod: text, now }: ComparisonRequest,
) {
  const billingPeriod = parsePeriod(text) ?? text
  const period = periodRange(billingPeriod)
  const window = { from: period.from, to: Math.min(period.to, floorHour(now)) }
  const { input, results, warnings } = await inTenantSnapshot(tenant, async (snapshot) => {
    const base = await readBase(snapshot, { groupId, billingPeriod, now })
    if (billingPeriod < `${DASHBOARD_YEAR_MIN}-01-01`) {
      throw unprocessable(
        'BUSINESS_RULE_VIOLATION',
        NETTING_ERRORS.YEAR_TOO_EARLY({ year: DASHBOARD_YEAR_MIN }),
      )
    }
    if (window.from >= window.to) {
      throw unprocessable('BUSINESS_RULE_VIOLATION', NETTING_ERRORS.MONTH_WITHOUT_FULL_HOUR())
    }
    const { input, warnings } = await loadInput(snapshot, base, window)
    return { input, warnings, results: await findResults(snapshot, groupId, billingPeriod) }
  })
  const compared = compareNetting(input)
  const [hourly, monthly] = [sideOf(compared.hourly), sideOf(compared.monthly)]
  return {
    group_id: input.groupId,
    billing_period: billingPeriod,
    from_hour: iso(window.from),
    to_hour: iso(window.to),
    scenario: compared.scenario,
    netted_by: compared.nettedBy,
    side_in_force: compared.sideInForce,
    method: FORECAST_TEXTS.COMPARISON_METHOD(),
    price_date: compared.priceDate,
    hourly,
    monthly,
    difference: differenceOf(compared),
    amounts: amountsOf(compared),
    agrees_with_results: results ? agrees(compared, results) : null,
    notes: notesOf(compared, input, period),
    warnings: [...warnings, ...compared.warnings],
  }
}

const KWH_FIELDS = [
  ['production_kwh', 'productionKwh'],
  ['consumption_kwh', 'consumptionKwh'],
  ['matched_kwh', 'matchedKwh'],
  ['net_import_kwh', 'netImportKwh'],
  ['surplus_kwh', 'surplusKwh'],
  ['bedelli_kwh', 'bedelliKwh'],
  ['skb_kwh', 'skbKwh'],
  ['bedelsiz_kwh', 'bedelsizKwh'],
] as const satisfies readonly (readonly [keyof Side, keyof ComparedSide['energy']])[]

type KwhFields = Record<(typeof KWH_FIELDS)[number][0], string | null>

const kwh = (value: Kwh | null): string | null => (value === null ? null : formatKwh(value))

const lira = (value: Try | null): string | null => (value === null ? null : formatTry(value))
const difference = <T extends Kwh | Try>(a: T | null, b: T | null): T | null =>
  a === null || b === null ? null : subtract(a, b)

export const sideOf = ({ energy, totalTry }: Pick<ComparedSide, 'energy' | 'totalTry'>): Side => ({
  ...(Object.fromEntries(KWH_FIELDS.map(([name, field]) => [name, kwh(energy[field])])) as KwhFields),
  limit_used_kwh: formatKwh(energy.limitUsedKwh),
  total_try: lira(totalTry),
})

export const differenceOf = ({ hourly, monthly }: Pick<Compared, 'hourly' | 'monthly'>): Side => ({
  ...(Object.fromEntries(
    KWH_FIELDS.map(([name, field]) => [name, kwh(difference(hourly.energy[field], monthly.energy[field]))]),
  ) as KwhFields),
  limit_used_kwh: formatKwh(subtract(hourly.energy.limitUsedKwh, monthly.energy.limitUsedKwh)),
  total_try: lira(difference(hourly.totalTry, monthly.totalTry)),
})

export const amountsOf = ({ hourly, monthly }: Pick<Compared, 'hourly' | 'monthly'>): Comparison['amounts'] =>
  (Object.keys(COUNTS_AS) as AmountType[]).map((type) => {
    const [byHour, byMonth] = [hourly.amounts[type], monthly.amounts[type]]
    return {
      amount_type: type,
      counts_as: COUNTS_AS[type],
      hourly_kwh: formatKwh(byHour.energyKwh),
      hourly_try: lira(byHour.amountTry),
      monthly_kwh: formatKwh(byMonth.energyKwh),
      monthly_try: lira(byMonth.amountTry),
      difference_try: lira(difference(byHour.amountTry, byMonth.amountTry)),
    }
  })

/**
 * True when the stored month has the same figures. A type without a price is skipped, because the stored sum
 * does not show which part is unpriced.
 */
function agrees({ nettedBy, hourly, monthly }: Compared, { kwh: stored, amountsTry }: Results): boolean {
  const { energy, amounts } = nettedBy === 'hour' ? hourly : monthly
  const sameEnergy = KWH_FIELDS.every(([name, field]) => stored[name] === kwh(energy[field]))
  const sameMoney = (Object.keys(COUNTS_AS) as AmountType[]).every((type) => {
    const { amountTry } = amounts[type]
    return amountTry === null || (amountsTry[type] ?? formatTry(0n as Try)) === formatTry(amountTry)
  })
  return sameEnergy && sameMoney
}

function notesOf(
  { scenario, sideInForce, nettedBy, pricesChange, priceDate }: Compared,
  input: PeriodInput,
  period: Range,
): Message[] {
  const notes: Message[] = []
  if (input.window.to < period.to) {
    notes.push(FORECAST_TEXTS.COMPARISON_MONTH_NOT_OVER())
  }
  if (scenario === 'invalid_group_bedelsiz') {
    notes.push(FORECAST_TEXTS.COMPARISON_GROUP_BLOCKED())
  }
  if (scenario === 'mesken_monthly') {
    notes.push(FORECAST_TEXTS.COMPARISON_RESIDENTIAL())
  }
  if (sideInForce !== nettedBy) {
    notes.push(FORECAST_TEXTS.COMPARISON_MONTHLY_IN_FORCE({ since: HOURLY_NETTING_FROM }))
  }
  if (pricesChange) notes.push(FORECAST_TEXTS.COMPARISON_PRICES_CHANGE({ date: priceDate }))
  if (input.members.some((member) => member.isMultiTime)) {
    notes.push(FORECAST_TEXTS.COMPARISON_MULTI_TIME())
  }
  return notes
}
