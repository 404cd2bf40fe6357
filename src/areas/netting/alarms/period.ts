import type { PeriodResult, Summary } from '../../../core/netting/types.ts'
import { formatKwh, type Kwh } from '../../../kernel/decimal.ts'
import { type BillingPeriod, localYear, periodEnd, periodStart } from '../../../kernel/time.ts'
import type { WarningCode } from '../../../kernel/warnings.ts'
import { BEDELSIZ_RISK_ALARM_PCT, BEDELSIZ_RISK_HOURS_MIN, LIMIT_LOW_ALARM_PCT } from '../limits.ts'
import { type AlarmSubject, closeAlarm, isRecent, type NettingAlarm } from './alarm.ts'
import { ALARM_TEXTS } from './messages.ts'

/** The state of a group in a period after a calculation. */
export interface PeriodState {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly now: number
  readonly scenario: string
  readonly productionKwh: Kwh
  readonly bedelsizKwh: Kwh
  readonly hoursCalculated: number
  /** Calculated hours of which an input is missing. */
  readonly hoursMissing: number
  /** Number of quantity-only rows by amount type. A type without such a row may be absent. */
  readonly priceGaps: Readonly<Record<string, number>>
  /** The warnings and amounts of the hours just calculated. */
  readonly result: Pick<PeriodResult, 'warnings'> & { readonly summary: Pick<Summary, 'amountsTry'> }
  /** The limits of the members that consume today. */
  readonly limits: readonly FacilityLimit[]
}

export interface FacilityLimit {
  readonly facilityId: string
  /** The account of the period's year; null where there is none. */
  readonly account: LimitBalance | null
}

export interface LimitBalance {
  readonly accountId: string
  readonly initialKwh: Kwh
  readonly remainingKwh: Kwh
}

/**
 * Returns a calculated period as alarms. The period alarms belong to the group and the period. Those of
 * limits belong to the facility and to the current year only, because a limit ends with its year.
 */
export function* periodAlarms(state: PeriodState): Generator<NettingAlarm> {
  for (const alarm of everyAlarm(state)) {
    if (!alarm.isOpen || isRecent(state.billingPeriod, state.now)) yield alarm
  }
}

function* everyAlarm(state: PeriodState): Generator<NettingAlarm> {
  yield* [failureCleared(state), ...priceAlarms(state), riskAlarm(state), ...missingAlarms(state)]
  if (localYear(periodStart(state.billingPeriod)) !== localYear(state.now)) return
  const context = { needsAccount: state.scenario === 'standard_hourly', year: yearOf(state) }
  for (const limit of state.limits) yield* limitAlarms(limit, context)
}

const yearOf = ({ billingPeriod }: PeriodState): number => Number(billingPeriod.slice(0, 4))

const subjectOf = ({
  groupId,
  billingPeriod,
}: Pick<PeriodState, 'groupId' | 'billingPeriod'>): AlarmSubject => ({
  groupId,
  billingPeriod,
})

const failureCleared = (state: PeriodState): NettingAlarm =>
  closeAlarm(
    { policy: 'netting_calculation_failed', subject: subjectOf(state) },
    ALARM_TEXTS.END_PERIOD_CALCULATED({ period: state.billingPeriod }),
  )

/** Warnings about an amount that could not be calculated or not be priced. */
const UNPRICED: readonly WarningCode[] = [
  'TARIFF_NONE_RESOLVED',
  'TARIFF_MESKEN_UNRESOLVED',
  'MESKEN_MONTHLY_PRICE_UNRESOLVED',
  'SKTT_PRICE_UNRESOLVED',
  'SUPPLIER_PRICE_UNRESOLVED',
  'SKB_PRICE_UNRESOLVED_QUANTITY_ONLY',
]

/**
 * A payment without a price writes no row, so the warnings count in addition to the quantity-only rows. Hours
 * without any amount, as at night, neither open nor close the alarm.
 */
function priceAlarms({ result, ...state }: PeriodState): NettingAlarm[] {
  const { billingPeriod } = state
  const key = { policy: 'netting_tariff_missing', subject: subjectOf(state) } as const
  const gaps = Object.entries(state.priceGaps).filter(([, count]) => count > 0)
  const codes = [...new Set(result.warnings.map(({ code }) => code))].filter((code) =>
    UNPRICED.includes(code),
  )
  if (gaps.length + codes.length > 0) {
    const amountTypes = gaps.map(([type]) => type).sort()
    return [
      {
        ...key,
        isOpen: true,
        text: ALARM_TEXTS.ALARM_TARIFF_MISSING({
          period: billingPeriod,
          codes: [...codes.sort(), ...amountTypes],
        }),
        lastValue: String(gaps.reduce((sum, [, count]) => sum + count, 0)),
        details: { billing_period: billingPeriod, warning_codes: codes, amount_types: amountTypes },
      },
    ]
  }
  const isPriced = Object.values(result.summary.amountsTry).some((amount) => amount !== null)
  return isPriced ? [closeAlarm(key, ALARM_TEXTS.END_PRICES_COMPLETE({ period: billingPeriod }))] : []
}

/**
 * The free share opens no alarm while few hours are calculated: the first hours of a month still wait for
 * their facts.
 */
function riskAlarm(state: PeriodState): NettingAlarm {
  const { billingPeriod, bedelsizKwh, productionKwh, hoursCalculated } = state
  const key = { policy: 'netting_bedelsiz_risk', subject: subjectOf(state) } as const
  const isAtRisk =
    hoursCalculated >= BEDELSIZ_RISK_HOURS_MIN &&
    bedelsizKwh * 100n > productionKwh * BigInt(BEDELSIZ_RISK_ALARM_PCT)
  if (!isAtRisk)
    return closeAlarm(
      key,
      ALARM_TEXTS.END_BEDELSIZ_SHARE_SMALL({ pct: BEDELSIZ_RISK_ALARM_PCT, period: billingPeriod }),
    )
  const kwh = formatKwh(bedelsizKwh)
  return {
    ...key,
    isOpen: true,
    text: ALARM_TEXTS.ALARM_BEDELSIZ_RISK({
      period: billingPeriod,
      free_kwh: kwh,
      production_kwh: formatKwh(productionKwh),
    }),
    lastValue: kwh,
    details: { billing_period: billingPeriod },
  }
}

/**
 * Missing inputs after the end of the month. During the month the alarms on hourly facts report them for each
 * facility.
 */
function missingAlarms(state: PeriodState): NettingAlarm[] {
  const { billingPeriod, hoursMissing, hoursCalculated, now } = state
  if (now < periodEnd(billingPeriod)) return []
  const key = { policy: 'netting_facts_missing', subject: subjectOf(state) } as const
  if (hoursMissing === 0)
    return [closeAlarm(key, ALARM_TEXTS.END_PERIOD_INPUTS_COMPLETE({ period: billingPeriod }))]
  return [
    {
      ...key,
      isOpen: true,
      text: ALARM_TEXTS.ALARM_PERIOD_FACTS_MISSING({
        period: billingPeriod,
        missing: hoursMissing,
        hours: hoursCalculated,
      }),
      lastValue: String(hoursMissing),
      details: { billing_period: billingPeriod },
    },
  ]
}

interface LimitContext {
  /** True when surplus without an account would be billed as over the limit. */
  readonly needsAccount: boolean
  readonly year: number
}

/** At most one of three alarms is open: no account, nothing remaining, little remaining. */
export function limitAlarms(
  { facilityId, account }: FacilityLimit,
  { needsAccount, year }: LimitContext,
): NettingAlarm[] {
  const subject = { facilityId }
  const isMissing = account === null && needsAccount
  const missing: NettingAlarm = isMissing
    ? {
        policy: 'netting_limit_account_missing',
        subject,
        isOpen: true,
        text: ALARM_TEXTS.ALARM_LIMIT_ACCOUNT_MISSING({ year }),
        details: { year },
      }
    : closeAlarm({ policy: 'netting_limit_account_missing', subject }, ALARM_TEXTS.END_ACCOUNT_NOT_MISSING())
  return [missing, ...balanceAlarms(facilityId, account, year)]
}

/** The alarms on the remaining limit of an account. */
function balanceAlarms(facilityId: string, account: LimitBalance | null, year: number): NettingAlarm[] {
  const subject = { facilityId }
  const low = { policy: 'netting_limit_low', subject } as const
  const exhausted = { policy: 'netting_limit_exhausted', subject } as const
  if (!account)
    return [closeAlarm(low, ALARM_TEXTS.END_NO_LIMIT()), closeAlarm(exhausted, ALARM_TEXTS.END_NO_LIMIT())]
  const { accountId, initialKwh, remainingKwh } = account
  const left = formatKwh(remainingKwh)
  const openAlarm = { isOpen: true, lastValue: left, details: { limit_account_id: accountId, year } } as const
  if (remainingKwh <= 0n) {
    const text = ALARM_TEXTS.ALARM_LIMIT_EXHAUSTED({ year })
    return [closeAlarm(low, ALARM_TEXTS.END_NOTHING_LEFT()), { ...exhausted, ...openAlarm, text }]
  }
  const isLow = remainingKwh * 100n < initialKwh * BigInt(LIMIT_LOW_ALARM_PCT)
  const text = ALARM_TEXTS.ALARM_LIMIT_LOW({ remaining_kwh: left, pct: LIMIT_LOW_ALARM_PCT, year })
  return [
    isLow
      ? { ...low, ...openAlarm, text }
      : closeAlarm(low, ALARM_TEXTS.END_LIMIT_LEFT({ remaining_kwh: left })),
    closeAlarm(exhausted, ALARM_TEXTS.END_LIMIT_LEFT({ remaining_kwh: left })),
  ]
}
