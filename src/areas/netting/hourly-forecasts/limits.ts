import { DAY_MS } from '../../../kernel/time.ts'

/** Facilities of one forecast by hour. More are refused with 400. */
export const HOURLY_FORECAST_FACILITIES_MAX = 50
/** Days of one forecast by hour. More are refused with 400. */
export const HOURLY_FORECAST_DAYS_MAX = 62
/** Time before a forecast by hour from which hours are read: two years, with the weeks around its dates. */
export const HOURLY_FORECAST_HISTORY_MS = 760 * DAY_MS
/** Time before now within which a forecast by hour may begin. */
export const HOURLY_FORECAST_PAST_MS = 366 * DAY_MS
/** Forecasts by hour of a tenant that are not finished; the next one is refused with 409. */
export const HOURLY_FORECASTS_OPEN_MAX = 10
/** Forecasts by hour kept for a tenant; the next one is refused with 409 until one is deleted. */
export const HOURLY_FORECASTS_KEPT_MAX = 500
/** Memory of the thread that computes a forecast by hour, in MiB. */
export const HOURLY_FORECAST_THREAD_HEAP_MB = 512
/** Time, milliseconds, after which the computation of one forecast by hour is ended as failed. */
export const HOURLY_FORECAST_TIMEOUT_MS = 10 * 60_000
