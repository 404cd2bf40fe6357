import {
  type Basis,
  type Forecast as Forecasted,
  type ForecastInput,
  forecastLimit,
} from '../../../core/netting/forecast/forecast.ts'
import { COMPARED_DAYS_MIN } from '../../../core/netting/forecast/shape.ts'
import type { YearUsage } from '../../../core/netting/forecast/year-usage.ts'
import { add, formatKwh, type Kwh, parseKwh } from '../../../kernel/decimal.ts'
import { found } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import { dayStart, localDate, type Range } from '../../../kernel/time.ts'
import { inTenantSnapshot, type TenantDb } from '../../../platform/db/tenant.ts'
import { runOutByHour } from './by-hour.ts'
import * as store from './forecast-store.ts'
import { FORECAST_TEXTS } from './messages.ts'
import type { Forecast } from './schema.ts'

/**
 * Forecasts the date on which a limit account is used up. Throws 404 for an unknown account and never 422.
 * The production of last year is read only where the usage of last year is not sufficient.
 */
export function forecastAccount(tenant: TenantDb, accountId: string, now: number) {
  return inTenantSnapshot(tenant, async (snapshot) => {
    const [read, before] = await store.findAccountPair(snapshot, accountId)
    const account = found('limit account', read)
    const accounts = before ? [account, before] : [account]
    const usage = await store.usageByDay(
      snapshot,
      accounts.map(({ id }) => id),
    )
    const usageOf = async ({
      id,
      facility_id,
      year,
      remaining_kwh,
    }: store.AccountState): Promise<YearUsage> => ({
      remainingKwh: parseKwh(remaining_kwh),
      usedByDay: usage.get(id) ?? new Map(),
      calculated: await store.calculatedRanges(snapshot, facility_id, yearRange(year)),
    })
    const current = await usageOf(account)
    const input: ForecastInput = {
      year: account.year,
      now,
      current,
      lastYear: before && (await usageOf(before)),
    }
    const forecast = await forecastOf(snapshot, account, input)
    const by_hour = await runOutByHour(snapshot, { account, current, forecast, now })
    return { ...toResponse(account, current, { forecast, now }), by_hour }
  })
}

async function forecastOf(
  snapshot: TenantDb,
  account: store.AccountState,
  input: ForecastInput,
): Promise<Forecasted> {
  const byUse = forecastLimit(input)
  if (byUse.basis === 'last_year_usage' || byUse.months.length === 0) return byUse
  const last = yearRange(account.year - 1)
  const lastYearProduction = await store.productionByDay(snapshot, account.facility_id, last)
  return forecastLimit({ ...input, lastYearProduction })
}

const yearRange = (year: number): Range => ({
  from: dayStart(`${year}-01-01`),
  to: dayStart(`${year + 1}-01-01`),
})

function toResponse(
  account: store.AccountState,
  { remainingKwh }: YearUsage,
  { forecast, now }: { readonly forecast: Forecasted; readonly now: number },
): ForecastResult {
  return {
    account_id: account.id,
    facility_id: account.facility_id,
    year: account.year,
    ...forecastFields(forecast, { year: account.year, now, remainingKwh }),
  }
}

/** The fields of a response that a forecast defines by itself. */
export const forecastFields = (
  forecast: Forecasted,
  { year, now, remainingKwh }: { readonly year: number; readonly now: number; readonly remainingKwh: Kwh },
) => ({
  limit_kwh: formatKwh(add(remainingKwh, forecast.usedKwh)),
  used_kwh: formatKwh(forecast.usedKwh),
  remaining_kwh: formatKwh(remainingKwh),
  is_exhausted: forecast.isExhausted,
  run_out_date: forecast.runOutDate,
  remaining_at_year_end_kwh: formatKwh(forecast.remainingAtYearEndKwh),
  expected_kwh: formatKwh(forecast.expectedKwh),
  shortfall_kwh: formatKwh(forecast.shortfallKwh),
  daily_rate_kwh: forecast.recentPerDayKwh === null ? null : formatKwh(forecast.recentPerDayKwh),
  forecast_from: forecast.fromDate,
  basis: forecast.basis,
  method: METHODS[forecast.basis](),
  confidence: forecast.confidence,
  compared_days: forecast.comparedDays,
  compared_kwh: formatKwh(forecast.comparedKwh),
  compared_last_year_kwh: formatKwh(forecast.comparedLastYearKwh),
  missing_days: forecast.missingDays,
  months: forecast.months.map(({ month, days, lastYearPerDayKwh, perDayKwh }) => ({
    month,
    days,
    last_year_kwh_per_day: lastYearPerDayKwh === null ? null : formatKwh(lastYearPerDayKwh),
    expected_kwh_per_day: formatKwh(perDayKwh),
  })),
  notes: notesOf(forecast, year, now),
})

/** The response without its texts. */
type ForecastResult = Omit<Forecast, 'by_hour' | 'method' | 'method_code' | 'notes' | 'note_details'> & {
  readonly method: Message
  readonly notes: readonly Message[]
}

const METHODS: Readonly<Record<Basis, () => Message>> = {
  last_year_usage: FORECAST_TEXTS.FORECAST_METHOD_LAST_YEAR_USAGE,
  last_year_production: FORECAST_TEXTS.FORECAST_METHOD_LAST_YEAR_PRODUCTION,
  recent_average: FORECAST_TEXTS.FORECAST_METHOD_RECENT_AVERAGE,
  none: FORECAST_TEXTS.FORECAST_METHOD_NONE,
}

function notesOf(forecast: Forecasted, year: number, now: number): Message[] {
  const notes: Message[] = []
  const today = localDate(now)
  if (forecast.missingDays > 0) {
    notes.push(FORECAST_TEXTS.FORECAST_DAYS_MISSING({ days: forecast.missingDays }))
  }
  if (forecast.fromDate < today && forecast.months.length > 0) {
    notes.push(FORECAST_TEXTS.FORECAST_RESULTS_END({ date: forecast.fromDate }))
  }
  if (forecast.basis === 'recent_average' && forecast.months.length > 0) {
    notes.push(FORECAST_TEXTS.FORECAST_WITHOUT_LAST_YEAR())
  }
  if (forecast.basis === 'last_year_usage' && forecast.comparedDays < COMPARED_DAYS_MIN) {
    notes.push(FORECAST_TEXTS.FORECAST_FEW_DAYS_COMPARED())
  }
  if (
    forecast.months.some((month) => month.lastYearPerDayKwh === null) &&
    forecast.basis.startsWith('last_year')
  ) {
    notes.push(FORECAST_TEXTS.FORECAST_MONTHS_UNKNOWN())
  }
  if (forecast.isExhausted) {
    notes.push(FORECAST_TEXTS.FORECAST_LIMIT_USED_UP())
  }
  if (year < Number(today.slice(0, 4)) && forecast.months.length === 0) {
    notes.push(FORECAST_TEXTS.FORECAST_YEAR_OVER())
  }
  return notes
}
