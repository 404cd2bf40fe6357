import { formatKwh, wh } from '../../../kernel/decimal.ts'
import { conflict, found, invalidReference, unprocessable } from '../../../kernel/errors.ts'
import { DAY_MS, dayStart, HOUR_MS, iso, localDate, parseLocalDate } from '../../../kernel/time.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import type { SeriesKind } from './compute-work.ts'
import { HOURLY_FORECAST_PAST_MS, HOURLY_FORECASTS_KEPT_MAX, HOURLY_FORECASTS_OPEN_MAX } from './limits.ts'
import { HOURLY_FORECAST_TEXTS as TEXTS } from './messages.ts'
import type { CreateHourlyForecast } from './schema.ts'
import * as store from './store.ts'

const DAYS_DEFAULT = 31

/** Stores a forecast, which a job computes. 422 for unknown facilities and dates, 409 beyond the limits of a tenant. */
export async function createForecast(
  tx: TenantTx,
  body: CreateHourlyForecast,
  { by, now }: { readonly by: string; readonly now: number },
) {
  const tomorrow = localDate(now + DAY_MS)
  const from = parseLocalDate(body.from_date ?? tomorrow) ?? tomorrow
  const first = localDate(now - HOURLY_FORECAST_PAST_MS)
  if (from < first || from > tomorrow) {
    const text = TEXTS.HOURLY_FORECAST_RANGE_INVALID({ from, first, last: tomorrow })
    throw unprocessable('BUSINESS_RULE_VIOLATION', text, { field: 'from_date' })
  }
  const facilityIds = body.facility_ids.map((id) => id.toLowerCase())
  const existing = await store.existingFacilities(tx, facilityIds)
  if (existing.size < facilityIds.length) throw invalidReference('facility_ids')
  await store.lockForecasts(tx)
  const { total, waiting } = await store.countForecasts(tx)
  if (waiting >= HOURLY_FORECASTS_OPEN_MAX)
    throw conflict('STATE_CONFLICT', TEXTS.HOURLY_FORECASTS_OPEN({ count: waiting }))
  if (total >= HOURLY_FORECASTS_KEPT_MAX)
    throw conflict('STATE_CONFLICT', TEXTS.HOURLY_FORECASTS_KEPT({ max: HOURLY_FORECASTS_KEPT_MAX }))
  const hours = (body.days ?? DAYS_DEFAULT) * 24
  const id = await store.insert(tx, { from: dayStart(from), hours, facilityIds, by, at: now })
  return findForecast(tx, id)
}

const headOf = (row: store.ForecastRow) => ({
  id: row.id,
  state: row.state,
  facility_ids: row.facility_ids,
  from_hour: row.from_hour,
  to_hour: iso(row.from_hour.getTime() + row.hours * HOUR_MS),
  facilities_total: row.facilities_total,
  facilities_done: row.facilities_done,
  created_at: row.created_at,
  finished_at: row.finished_at,
})

export async function listForecasts(tenant: TenantDb, query: Parameters<typeof store.list>[1]) {
  const { items, total } = await store.list(tenant, query)
  return { items: items.map(headOf), total }
}

export async function findForecast(tenant: TenantDb, id: string) {
  const row = found('forecast', await store.find(tenant, id))
  return {
    ...headOf(row),
    requested_by: row.requested_by,
    input_hash: row.input_hash,
    error: row.error,
    series: row.state === 'done' ? await store.listSeries(tenant, id) : [],
  }
}

export async function cancelForecast(tx: TenantTx, id: string, now: number) {
  found('forecast', await store.find(tx, id))
  if (!(await store.cancel(tx, id, now)))
    throw conflict('STATE_CONFLICT', TEXTS.HOURLY_FORECAST_NOT_WAITING())
  return findForecast(tx, id)
}

export const deleteForecast = async (tx: TenantTx, id: string): Promise<void> => {
  found('forecast', await store.remove(tx, id))
}

interface HoursQuery {
  readonly facility_id: string
  readonly kind: SeriesKind
  readonly limit: number
  readonly offset: number
}

/** The hours of one series. 404 for an unknown forecast, 409 for one without a result. */
export async function listHours(tenant: TenantDb, id: string, query: HoursQuery) {
  const forecast = found('forecast', await store.find(tenant, id))
  if (forecast.state !== 'done') throw conflict('STATE_CONFLICT', TEXTS.HOURLY_FORECAST_NOT_DONE())
  const { facility_id: facilityId, kind, limit, offset } = query
  const series = await store.findSeries(tenant, id, { facilityId: facilityId.toLowerCase(), kind })
  const from = forecast.from_hour.getTime()
  const { p10 = [], p50 = [], p90 = [] } = series?.quantiles ?? {}
  const items = p50.slice(offset, offset + limit).map((mid, index) => ({
    hour: iso(from + (offset + index) * HOUR_MS),
    p10_kwh: kwhText(p10[offset + index]),
    p50_kwh: kwhText(mid),
    p90_kwh: kwhText(p90[offset + index]),
  }))
  return { items, total: p50.length }
}

const kwhText = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : formatKwh(wh(BigInt(value)))
