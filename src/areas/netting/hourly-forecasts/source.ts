import type { Kwh } from '../../../kernel/decimal.ts'
import { DAY_MS, floorHour, HOUR_MS } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { type FacilityHourEnergy, readFacilityHours } from '../facility-hours/index.ts'
import { readSolarShape } from '../shared/index.ts'
import type { ForecastWork, SeriesWork } from './compute-work.ts'
import { HOURLY_FORECAST_HISTORY_MS } from './limits.ts'

/** Days of one statement: the event loop is free between two of them. */
const PORTION_MS = 31 * DAY_MS

interface Request {
  readonly from: number
  readonly hours: number
  readonly facilityIds: readonly string[]
  readonly now: number
}

/** Reads the known hours before a forecast; a kind of which no hour is known is left out. */
export async function loadForecast(
  tenant: TenantDb,
  { from, hours, facilityIds, now }: Request,
  signal: AbortSignal,
): Promise<ForecastWork> {
  const end = Math.min(from, floorHour(now))
  const start = end - HOURLY_FORECAST_HISTORY_MS
  const series: SeriesWork[] = []
  for (const facilityId of facilityIds) {
    const production: (Kwh | null)[] = []
    const consumption: (Kwh | null)[] = []
    for (let at = start; at < end; at += PORTION_MS) {
      signal.throwIfAborted()
      const window = { from: at, to: Math.min(at + PORTION_MS, end) }
      const read = await readFacilityHours(tenant, [facilityId], window)
      for (const hour of read.get(facilityId) ?? []) {
        production.push(knownOf(hour.production))
        consumption.push(knownOf(hour.consumption))
      }
    }
    const own = [
      { facilityId, kind: 'consumption', valuesKwh: consumption },
      { facilityId, kind: 'production', valuesKwh: production },
    ] as const
    for (const { valuesKwh, ...one } of own) {
      const first = valuesKwh.findIndex((value) => value !== null)
      if (first < 0) continue
      series.push({ ...one, history: { from: start + first * HOUR_MS, valuesKwh: valuesKwh.slice(first) } })
    }
  }
  const needsShape = series.some(({ kind }) => kind === 'production')
  return { from, hours, facilityIds, series, solarShape: needsShape ? await readSolarShape() : [] }
}

/** Zero without a meter is no measurement. A negative value, of two meters, is none either. */
const knownOf = ({ kwh, isExpected }: FacilityHourEnergy['production']): Kwh | null =>
  isExpected && kwh !== null && kwh >= 0n ? kwh : null
