import { type Risk, riskOf } from '../../../core/netting/bedelsiz-risk.ts'
import { warningsOfMonth } from '../../../core/netting/month-warnings.ts'
import type { AmountType } from '../../../core/netting/types.ts'
import { add, formatTry, parseKwh, parseTry, type Try } from '../../../kernel/decimal.ts'
import { found } from '../../../kernel/errors.ts'
import {
  type BillingPeriod,
  DAY_MS,
  dayStart,
  localDate,
  nextPeriod,
  parsePeriod,
  periodOf,
  periodRange,
} from '../../../kernel/time.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { latestRun, type Run } from '../calculation/index.ts'
import { DASHBOARD_YEAR_MAX, DASHBOARD_YEAR_MIN } from '../limits.ts'
import { readStale, staleFields } from '../stale/index.ts'
import { approvedPrices } from '../tariffs/index.ts'
import { KEY_FIGURE_TEXTS } from './messages.ts'
import { type Figures, readFigures } from './store.ts'

export interface MonthKeyFiguresRequest {
  readonly groupId: string
  /** The query parameter before it is decoded. */
  readonly period: string | undefined
  readonly now: number
}

/**
 * Computes the key figures of a month as the interface defines them. Throws 422 for an invalid period before
 * 404 for an unknown group.
 */
export async function readMonthKeyFigures(
  tenant: TenantDb,
  { groupId, period, now }: MonthKeyFiguresRequest,
) {
  const billingPeriod = choosePeriod(period, now)
  const today = localDate(now)
  const todayStart = dayStart(today)
  const [read, lastRun, [stale]] = await Promise.all([
    readFigures(tenant, {
      groupId,
      billingPeriod,
      period: periodRange(billingPeriod),
      periodEnd: nextPeriod(billingPeriod),
      year: Number(billingPeriod.slice(0, 4)),
      today,
      todayRange: { from: todayStart, to: todayStart + DAY_MS },
    }),
    latestRun(tenant, groupId, billingPeriod),
    readStale(tenant, { groupIds: [groupId], from: billingPeriod, to: billingPeriod }),
  ])
  const figures = found('group', read)
  const hasData = figures.hours > 0 || lastRun !== undefined
  const isFreeKnown = hasData && figures.bedelsiz_kwh !== null
  const risk = isFreeKnown ? await riskIn(tenant, figures, billingPeriod) : undefined
  return {
    group_id: figures.id,
    period: billingPeriod,
    has_data: hasData,
    ...(hasData ? kwhOf(figures) : NO_KWH),
    ...(hasData ? moneyOf(figures) : NO_MONEY),
    bedelsiz_risk_try:
      risk?.amountTry === undefined || risk.amountTry === null ? null : formatTry(risk.amountTry),
    bedelsiz_risk_tariff_price_id: risk?.tariffPriceId ?? null,
    bedelli_limit_kalan_kwh: figures.remaining_kwh,
    veri_kalitesi_pct: figures.quality_pct === null ? null : roundPct(figures.quality_pct),
    mesken_informational: figures.mesken_informational,
    mesken_month: figures.month,
    ...staleFields(stale),
    last_run: lastRun ?? null,
    warnings: [
      ...(lastRun ? monthWarnings(figures, lastRun) : []),
      ...(risk?.warnings ?? []),
      ...gapWarnings(figures, billingPeriod),
    ],
  }
}

/** Returns the requested month; the current Turkey-local month when the parameter is absent or empty. */
function choosePeriod(text: string | undefined, now: number): BillingPeriod {
  if (text === undefined || text.trim() === '') return periodOf(now)
  const period = parsePeriod(text)
  if (!period) throw invalidInput(['query', 'period'], 'must be a month, YYYY-MM, or a date')
  const year = Number(period.slice(0, 4))
  if (year < DASHBOARD_YEAR_MIN || year > DASHBOARD_YEAR_MAX) {
    const band = `the year must lie between ${DASHBOARD_YEAR_MIN} and ${DASHBOARD_YEAR_MAX}`
    throw invalidInput(['query', 'period'], band)
  }
  return period
}

const NO_KWH = {
  mahsuplasan_tuketim_kwh: null,
  bedelli_fazla_kwh: null,
  skb_kwh: null,
  bedelsiz_kwh: null,
  toplam_uretim_kwh: null,
  toplam_tuketim_kwh: null,
}
const NO_MONEY = { mahsuplasan_tuketim_try: null, bedelli_fazla_gelir_try: null, skb_bedel_try: null }

const kwhOf = (figures: Figures) => ({
  mahsuplasan_tuketim_kwh: figures.matched_kwh,
  bedelli_fazla_kwh: figures.bedelli_kwh,
  skb_kwh: figures.skb_kwh,
  bedelsiz_kwh: figures.bedelsiz_kwh,
  toplam_uretim_kwh: figures.production_kwh,
  toplam_tuketim_kwh: figures.consumption_kwh,
})

const moneyOf = ({ amounts }: Figures) => {
  const sum = (...types: AmountType[]): string | null => {
    const priced = types.flatMap((type) => amounts?.[type]?.priced ?? []).map(parseTry)
    const [first, ...others] = priced
    return first === undefined ? null : formatTry(others.reduce<Try>((a, b) => add(a, b), first))
  }
  return {
    mahsuplasan_tuketim_try: sum(
      'supplier_payment_for_matched_consumption',
      'sktt_matched_consumption',
      'mesken_monthly_amount',
    ),
    bedelli_fazla_gelir_try: sum('producer_payment_for_bedelli_surplus'),
    skb_bedel_try: sum('system_usage_fee_for_skb'),
  }
}

/**
 * The amounts are priced with the present tariffs, so a tariff that was approved after the calculation
 * counts.
 */
async function riskIn(tenant: TenantDb, figures: Figures, billingPeriod: BillingPeriod): Promise<Risk> {
  const freeKwh = new Map(Object.entries(figures.free ?? {}).map(([day, kwh]) => [day, parseKwh(kwh)]))
  return riskOf({
    groupId: figures.id,
    groupName: figures.name,
    billingPeriod,
    freeKwh,
    consumers: figures.consumers ?? [],
    prices: freeKwh.size === 0 ? [] : await approvedPrices(tenant, periodRange(billingPeriod)),
  })
}

const monthWarnings = (
  { id, name }: Figures,
  { billing_period, scenario }: Pick<Run, 'billing_period' | 'scenario'>,
): Warning[] => warningsOfMonth({ groupId: id, groupName: name, billingPeriod: billing_period, scenario })

/** Counts the quantity-only rows, which the sums do not contain. */
function gapWarnings({ id, name, amounts }: Figures, billingPeriod: BillingPeriod): Warning[] {
  const gapOf = (type: AmountType) => ({
    group: name,
    period: billingPeriod,
    rows: amounts?.[type]?.gaps ?? 0,
  })
  const fee = gapOf('system_usage_fee_for_skb')
  const home = gapOf('mesken_monthly_amount')
  const { SYSTEM_USAGE_FEE_ROWS_WITHOUT_PRICE, RESIDENTIAL_ROWS_WITHOUT_PRICE } = KEY_FIGURE_TEXTS
  const warnings: (Warning & { rows: number })[] = [
    {
      rows: fee.rows,
      code: 'SKB_PRICE_UNRESOLVED_QUANTITY_ONLY',
      subject: id,
      message: SYSTEM_USAGE_FEE_ROWS_WITHOUT_PRICE(fee),
    },
    {
      rows: home.rows,
      code: 'MESKEN_MONTHLY_PRICE_UNRESOLVED',
      subject: id,
      message: RESIDENTIAL_ROWS_WITHOUT_PRICE(home),
    },
  ]
  return warnings.filter(({ rows }) => rows > 0)
}

const roundPct = (text: string): number => Math.round(Number(text) * 100) / 100
