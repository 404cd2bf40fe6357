import { forecastLimit } from '../../../core/netting/forecast/forecast.ts'
import type { YearUsage } from '../../../core/netting/forecast/year-usage.ts'
import { scenarioOf } from '../../../core/netting/members.ts'
import { type ReadingsLimit, rangesOf, useLimits } from '../../../core/netting/readings-only.ts'
import { type Kwh, subtract, total, wh } from '../../../kernel/decimal.ts'
import { unprocessable } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import { floorHour, HOUR_MS, type LocalDate, localYear, periodOf } from '../../../kernel/time.ts'
import { inTenantSnapshot, type TenantDb } from '../../../platform/db/tenant.ts'
import { DASHBOARD_YEAR_MIN } from '../limits.ts'
import { forecastFields } from './account-forecast.ts'
import { READINGS_ERRORS } from './messages.ts'
import { limitsOf, membersOf, percentOf, readingsNotes } from './readings-response.ts'
import {
  type FoundLimit,
  findLimits,
  openReadings,
  parseFacilityIds,
  periodsOf,
  type ReadingsSource,
  yearRange,
} from './readings-source.ts'

export interface ReadingsForecastRequest {
  readonly facilityIds: string
  /** Undefined: the current year. */
  readonly year: number | undefined
  readonly now: number
}

/** Stands for a limit that is not known: no use of a year reaches it. */
const UNREACHABLE = wh(10n ** 15n)

/**
 * Forecasts from readings alone when the common limit of facilities is used up. Throws 422 for an unknown
 * facility, a future year and residential consumers, who have no limit. It only reads, without locks.
 */
export function forecastFacilities(
  tenant: TenantDb,
  { facilityIds: text, year: asked, now }: ReadingsForecastRequest,
) {
  const facilityIds = parseFacilityIds(text)
  const year = asked ?? localYear(now)
  if (year > localYear(now) || year < DASHBOARD_YEAR_MIN) {
    throw refuse('year', READINGS_ERRORS.READINGS_YEAR_OUT_OF_RANGE({ first: DASHBOARD_YEAR_MIN }))
  }
  return inTenantSnapshot(tenant, async (snapshot) => {
    const source = await openReadings(snapshot, { facilityIds, range: upToNow(year, now), now })
    const limits = await findLimits(snapshot, source, { year, now })
    const current = await usageOf(source, { limits, year, now })
    const before = await openReadings(snapshot, { facilityIds, range: yearRange(year - 1), now })
    // Last year is only a shape, so no limit may cut it.
    const unlimited = before.members
      .filter(({ role }) => role !== 'production')
      .map(({ facilityId }): ReadingsLimit => ({ facilityId, year: year - 1, limitKwh: null }))
    const lastYear = await usageOf(before, { limits: unlimited, year: year - 1, now })
    const forecast = forecastLimit({
      year,
      now,
      current: current.usage,
      lastYear: lastYear.hours > 0 ? lastYear.usage : undefined,
    })
    const range = upToNow(year, now)
    const hoursExpected = Math.max(0, (range.to - range.from) / HOUR_MS)
    const { method, notes, ...fields } = forecastFields(forecast, {
      ...{ year, now },
      remainingKwh: current.usage.remainingKwh,
    })
    return {
      data_basis: 'readings_only' as const,
      facility_ids: facilityIds,
      hours_expected: hoursExpected,
      hours_compared: current.hours,
      completeness_pct: percentOf(current.hours, hoursExpected),
      facilities: membersOf(source),
      limits: limitsOf(limits),
      year,
      ...fields,
      ...(isKnown(limits) ? {} : UNKNOWN_LIMIT),
      method,
      notes: [...readingsNotes({ source, limits, hoursExpected, hoursCompared: current.hours }), ...notes],
    }
  })
}

const refuse = (field: string, text: Message) => unprocessable('BUSINESS_RULE_VIOLATION', text, { field })

/** A common limit is known only where that of every consumer is, and there is a consumer. */
const isKnown = (limits: readonly FoundLimit[]): boolean =>
  limits.length > 0 && limits.every(({ limitKwh }) => limitKwh !== null)

const UNKNOWN_LIMIT = {
  limit_kwh: null,
  remaining_kwh: null,
  is_exhausted: null,
  run_out_date: null,
  remaining_at_year_end_kwh: null,
  shortfall_kwh: null,
} as const

function upToNow(year: number, now: number) {
  const { from, to } = yearRange(year)
  return { from, to: Math.max(from, Math.min(to, floorHour(now))) }
}

interface YearRequest {
  readonly limits: readonly ReadingsLimit[]
  readonly year: number
  readonly now: number
}

/** The use of a year so far, netted by hour, and the number of complete hours. */
async function usageOf(
  source: ReadingsSource,
  { limits, year, now }: YearRequest,
): Promise<{ usage: YearUsage; hours: number }> {
  const use = useLimits(limits)
  const usedByDay = new Map<LocalDate, Kwh>()
  const hours: number[] = []
  const last = periodOf(upToNow(year, now).to - 1)
  for (const period of periodsOf(`${year}-01-01`, last)) {
    const input = await source.inputOf(period)
    if (scenarioOf(input) === 'mesken_monthly') throw refuse('facility_ids', READINGS_ERRORS.READINGS_HOMES())
    if (source.members.length === 0) continue
    const month = use(input)
    for (const [day, kwh] of month.usedByDay) usedByDay.set(day, kwh)
    hours.push(...month.hours)
  }
  const limitKwh = limits.some((limit) => limit.limitKwh === null)
    ? UNREACHABLE
    : total(limits.map((limit) => limit.limitKwh ?? UNREACHABLE))
  return {
    usage: {
      remainingKwh: subtract(limitKwh, total(usedByDay.values())),
      usedByDay,
      calculated: rangesOf(hours),
    },
    hours: hours.length,
  }
}
