import type { Comparison as Compared } from '../../../core/netting/comparison.ts'
import { compareReadings, type ReadingsMonth, sumSides } from '../../../core/netting/readings-only.ts'
import { unprocessable } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import {
  addMonths,
  floorHour,
  iso,
  parsePeriod,
  periodEnd,
  periodOf,
  periodStart,
} from '../../../kernel/time.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import { inTenantSnapshot, type TenantDb } from '../../../platform/db/tenant.ts'
import { DASHBOARD_YEAR_MIN, READINGS_MONTHS_MAX } from '../limits.ts'
import { amountsOf, differenceOf, sideOf } from './comparison.ts'
import { FORECAST_TEXTS, READINGS_ERRORS } from './messages.ts'
import { limitsOf, membersOf, percentOf, readingsNotes } from './readings-response.ts'
import {
  type FoundLimit,
  findLimits,
  openReadings,
  parseFacilityIds,
  periodsOf,
  type ReadingsSource,
} from './readings-source.ts'

export interface ReadingsRequest {
  readonly facilityIds: string
  readonly from: string
  readonly to: string
  readonly now: number
}

/**
 * Compares hourly and monthly netting of facilities by their readings alone. Throws 422 for an unknown facility
 * and for a range of months that is too long or has no full hour. It only reads, without locks.
 */
export function compareFacilities(tenant: TenantDb, request: ReadingsRequest) {
  const facilityIds = parseFacilityIds(request.facilityIds)
  const [from, to] = monthsOf(request)
  const { now } = request
  const range = { from: periodStart(from), to: Math.min(periodEnd(to), floorHour(now)) }
  return inTenantSnapshot(tenant, async (snapshot) => {
    const source = await openReadings(snapshot, { facilityIds, range, now })
    const limits: FoundLimit[] = []
    for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year += 1) {
      limits.push(...(await findLimits(snapshot, source, { year, now })))
    }
    const compare = compareReadings(limits)
    const months: ReadingsMonth[] = []
    for (const period of periodsOf(from, to)) months.push(compare(await source.inputOf(period)))
    return responseOf({ source, limits, months, range, from, to, facilityIds })
  })
}

function monthsOf({ from: fromText, to: toText, now }: ReadingsRequest): [string, string] {
  const [from, to] = [parsePeriod(fromText) ?? fromText, parsePeriod(toText) ?? toText]
  const refuse = (field: string, text: Message) => unprocessable('BUSINESS_RULE_VIOLATION', text, { field })
  if (from < `${DASHBOARD_YEAR_MIN}-01-01`)
    throw refuse('from', READINGS_ERRORS.READINGS_FROM_TOO_EARLY({ year: DASHBOARD_YEAR_MIN }))
  if (to < from) throw refuse('to', READINGS_ERRORS.READINGS_TO_BEFORE_FROM())
  if (to > addMonths(from, READINGS_MONTHS_MAX - 1)) {
    throw refuse('to', READINGS_ERRORS.READINGS_TOO_MANY_MONTHS({ max: READINGS_MONTHS_MAX }))
  }
  if (to > periodOf(now) || periodStart(from) >= floorHour(now)) {
    throw refuse('to', READINGS_ERRORS.READINGS_MONTHS_NOT_BEGUN())
  }
  return [from, to]
}

interface Result {
  readonly source: ReadingsSource
  readonly limits: readonly FoundLimit[]
  readonly months: readonly ReadingsMonth[]
  readonly range: { readonly from: number; readonly to: number }
  readonly from: string
  readonly to: string
  readonly facilityIds: readonly string[]
}

function responseOf({ source, limits, months, range, from, to, facilityIds }: Result) {
  const compared = months.flatMap((month) => month.compared ?? [])
  const hoursExpected = sum(months.map((month) => month.hoursExpected))
  const hoursCompared = sum(months.map((month) => month.hoursCompared))
  return {
    data_basis: 'readings_only' as const,
    facility_ids: [...facilityIds],
    from_period: from,
    to_period: to,
    from_hour: iso(range.from),
    to_hour: iso(range.to),
    hours_expected: hoursExpected,
    hours_compared: hoursCompared,
    completeness_pct: percentOf(hoursCompared, hoursExpected),
    facilities: membersOf(source),
    limits: limitsOf(limits),
    method: FORECAST_TEXTS.COMPARISON_METHOD(),
    ...figuresOf(totalOf(compared)),
    months: months.map((month) => ({
      billing_period: month.billingPeriod,
      hours_expected: month.hoursExpected,
      hours_compared: month.hoursCompared,
      completeness_pct: percentOf(month.hoursCompared, month.hoursExpected),
      scenario: month.compared?.scenario ?? null,
      price_date: month.compared?.priceDate ?? null,
      ...figuresOf(month.compared),
    })),
    notes: notesOf({ source, limits, hoursCompared, hoursExpected }, compared),
    warnings: mergeWarnings(compared),
  }
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)

type Sides = Pick<Compared, 'hourly' | 'monthly'>

function totalOf(compared: readonly Compared[]): Sides | undefined {
  const hourly = sumSides(compared.map((month) => month.hourly))
  const monthly = sumSides(compared.map((month) => month.monthly))
  return hourly && monthly ? { hourly, monthly } : undefined
}

/** Null where no hour is complete: nothing is known. */
const figuresOf = (sides: Sides | undefined) =>
  sides
    ? {
        hourly: sideOf(sides.hourly),
        monthly: sideOf(sides.monthly),
        difference: differenceOf(sides),
        amounts: amountsOf(sides),
      }
    : { hourly: null, monthly: null, difference: null, amounts: [] }

function notesOf(result: Parameters<typeof readingsNotes>[0], compared: readonly Compared[]): Message[] {
  const notes = readingsNotes(result)
  if (compared.some(({ scenario }) => scenario === 'mesken_monthly')) {
    notes.push(FORECAST_TEXTS.COMPARISON_RESIDENTIAL())
  }
  return notes
}

function mergeWarnings(compared: readonly Compared[]): Warning[] {
  const all = compared.flatMap(({ warnings }) => warnings)
  return [...new Map(all.map((warning) => [`${warning.code}|${warning.subject}`, warning])).values()]
}
