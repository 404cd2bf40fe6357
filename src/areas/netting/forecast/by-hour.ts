import type { Forecast } from '../../../core/netting/forecast/forecast.ts'
import { type DayUse, runOutBand } from '../../../core/netting/forecast/run-out-band.ts'
import { knownDays, type YearUsage } from '../../../core/netting/forecast/year-usage.ts'
import { add, type Kwh, larger, roundDiv, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { DAY_MS, dayStart, HOUR_MS, iso, type LocalDate, localDate } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { latestSeries } from '../hourly-forecasts/index.ts'
import * as store from './forecast-store.ts'

/** Days before the forecast from which the share of an account is taken; those that are known count. */
const SHARE_DAYS = 28

interface AccountInput {
  readonly account: store.AccountState
  readonly current: YearUsage
  readonly forecast: Forecast
  readonly now: number
}

/**
 * The day on which a limit runs out by the stored forecasts by hour: the production of the group's plants, multiplied
 * by the share of the account in it. Null where a plant has no forecast of the coming hours, or no share is known.
 */
export async function runOutByHour(tenant: TenantDb, { account, current, forecast, now }: AccountInput) {
  if (forecast.isExhausted || forecast.months.length === 0) return null
  const plants = await store.plantsOf(tenant, account.facility_id)
  const beyond = Math.max(now, dayStart(forecast.fromDate))
  const series = await latestSeries(tenant, { facilityIds: plants, kind: 'production', beyond })
  if (plants.length === 0 || series.length < plants.length) return null
  const share = await shareOf(tenant, { account, current, forecast, now })
  if (!share) return null
  const days = new Map<LocalDate, DayUse>()
  for (const [date, use] of sumDays(series))
    days.set(date, {
      lowKwh: share.of(use.lowKwh),
      midKwh: share.of(use.midKwh),
      highKwh: share.of(use.highKwh),
    })
  const band = runOutBand({
    ...{ forecast, year: account.year, days },
    remainingKwh: larger(current.remainingKwh, ZERO_KWH),
    bookedKwh: current.usedByDay.get(forecast.fromDate) ?? ZERO_KWH,
  })
  if (!band) return null
  return {
    ...{ run_out_date: band.expectedDate, early_date: band.earlyDate, late_date: band.lateDate },
    share_pct: share.percent,
    forecast_at: iso(Math.min(...series.map(({ created_at }) => created_at.getTime()))),
  }
}

/** The sums of all plants by whole days on which every hour of every plant is known. */
function sumDays(series: Awaited<ReturnType<typeof latestSeries>>): Map<LocalDate, DayUse> {
  const sums = new Map<LocalDate, DayUse & { readonly hours: number }>()
  for (const { from_hour, quantiles } of series) {
    const { p10, p50, p90 } = quantiles
    for (const [index, mid] of p50.entries()) {
      const [low, high] = [p10[index], p90[index]]
      if (low == null || mid == null || high == null) continue
      const date = localDate(from_hour.getTime() + index * HOUR_MS)
      const known = sums.get(date) ?? { lowKwh: ZERO_KWH, midKwh: ZERO_KWH, highKwh: ZERO_KWH, hours: 0 }
      sums.set(date, {
        lowKwh: add(known.lowKwh, wh(BigInt(low))),
        midKwh: add(known.midKwh, wh(BigInt(mid))),
        highKwh: add(known.highKwh, wh(BigInt(high))),
        hours: known.hours + 1,
      })
    }
  }
  return new Map([...sums].filter(([, { hours }]) => hours === 24 * series.length))
}

/** What part of the group's production used the account on the last known days of both. */
async function shareOf(tenant: TenantDb, { account, current, forecast }: AccountInput) {
  const to = dayStart(forecast.fromDate)
  const range = { from: to - SHARE_DAYS * DAY_MS, to }
  const production = await store.productionByDay(tenant, account.facility_id, range)
  let [used, produced] = [ZERO_KWH, ZERO_KWH]
  for (const [date, kwh] of knownDays(current, account.year)) {
    const own = production.get(date)
    if (own === undefined) continue
    used = add(used, kwh)
    produced = add(produced, own)
  }
  if (produced <= 0n || used <= 0n) return undefined
  return {
    percent: Number(roundDiv(used * 1_000n, produced)) / 10,
    of: (kwh: Kwh): Kwh => wh(roundDiv(kwh * used, produced)),
  }
}
