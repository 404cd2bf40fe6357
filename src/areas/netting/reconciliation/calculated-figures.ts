import { parseKwh, parseTry } from '../../../kernel/decimal.ts'
import { type BillingPeriod, dayStart, localDate, periodStart } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { plain } from '../../../platform/tables/index.ts'
import { AMOUNT_TYPE_OF, type Field, isMoney, KWH_FIELDS, type KwhField, TRY_FIELDS } from './columns.ts'
import * as store from './store.ts'
import type { Span } from './times.ts'

export interface FigureKey {
  readonly span: Span
  readonly facilityId: string | undefined
  readonly field: Field
}

/** The figures of the current results of a period, with energy in Wh and money in millionths of a lira. */
export interface CalculatedFigures {
  readonly isResidential: boolean
  /** Undefined when the figure was not calculated; null when it is unknown, or when no amount has a price. */
  valueOf(question: FigureKey): bigint | null | undefined
  facilityIdOf(text: string): string | undefined
  /** Calculated hours, or the days that have some, in time order. */
  spans(unit: 'hour' | 'day'): Span[]
}

const kwh = (text: string | null): bigint | null => (text === null ? null : parseKwh(text))

const keyOf = ({ unit, from }: Span, facilityId: string | undefined, field: Field): string =>
  `${unit} ${from} ${facilityId ?? ''} ${field}`

export async function readCalculatedFigures(
  db: TenantDb,
  groupId: string,
  billingPeriod: BillingPeriod,
): Promise<CalculatedFigures> {
  const summary = await store.findSummary(db, groupId, billingPeriod)
  const hours = await store.listHours(db, groupId, billingPeriod)
  const amounts = await store.listAmounts(db, groupId, billingPeriod)
  const facilities = await store.listFacilities(db, groupId, billingPeriod)
  const values = new Map<string, bigint | null>()
  const known = new Set<string>()
  const spansAt = (instant: number): Span[] => [
    { unit: 'hour', from: instant },
    { unit: 'day', from: dayStart(localDate(instant)) },
    { unit: 'month', from: periodStart(billingPeriod) },
  ]
  const addTo = (key: string, value: bigint | null) => {
    const before = values.get(key)
    values.set(key, value === null ? (before ?? null) : (before ?? 0n) + value)
  }
  for (const row of hours) {
    for (const span of spansAt(row.hour.getTime())) {
      known.add(spanKey(span))
      if (span.unit === 'month') continue
      for (const field of KWH_FIELDS) addTo(keyOf(span, undefined, field), kwh(row[field]))
    }
  }
  const month: Span = { unit: 'month', from: periodStart(billingPeriod) }
  // The month of a residential group is not the sum of its hours.
  for (const field of KWH_FIELDS) if (summary) values.set(keyOf(month, undefined, field), kwh(summary[field]))
  for (const { hour, amount_type, facility_id, amount_try } of amounts) {
    const field = TRY_FIELDS.find((each) => AMOUNT_TYPE_OF[each] === amount_type)
    if (!field) continue
    const value = amount_try === null ? null : parseTry(amount_try)
    for (const span of spansAt(hour.getTime())) {
      addTo(keyOf(span, undefined, field), value)
      if (facility_id !== null) addTo(keyOf(span, facility_id, field), value)
    }
  }
  const byName = new Map(
    facilities.flatMap(({ id, name }) => [[plain(name), id] as const, [plain(id), id] as const]),
  )
  return {
    isResidential: summary?.scenario === 'mesken_monthly',
    valueOf: ({ span, facilityId, field }) => {
      if (!known.has(spanKey(span))) return undefined
      const value = values.get(keyOf(span, facilityId, field))
      // When there is no amount of the type, the amount due is 0.
      return value === undefined && isMoney(field) ? 0n : value
    },
    facilityIdOf: (text) => byName.get(plain(text)),
    spans: (unit) => {
      const instants = hours.map(({ hour }) =>
        unit === 'hour' ? hour.getTime() : dayStart(localDate(hour.getTime())),
      )
      return [...new Set(instants)].map((from) => ({ unit, from }))
    },
  }
}

const spanKey = ({ unit, from }: Span): string => `${unit} ${from}`

/** True for fields whose hours are not meaningful in a residential group, which is netted by the month. */
export const isByMonthOnly = (field: Field): boolean =>
  isMoney(field) || !BY_HOUR_ALWAYS.includes(field as KwhField)
const BY_HOUR_ALWAYS: readonly KwhField[] = ['production_kwh', 'consumption_kwh']
