import { describe, expect, it } from 'vitest'
import type { Summary } from '../../../core/netting/types.ts'
import { type Try, wh } from '../../../kernel/decimal.ts'
import { causeOf, type NettingAlarm } from './alarm.ts'
import { correctionAlarms, type StoppedChain } from './corrections.ts'
import { evaluationAlarms } from './evaluation.ts'
import { type FactsState, factsAlarms } from './facts.ts'
import { limitAlarms, type PeriodState, periodAlarms } from './period.ts'

const open = (alarms: readonly NettingAlarm[]): string[] =>
  alarms.filter((alarm) => alarm.isOpen).map(({ policy }) => policy)
const closed = (alarms: readonly NettingAlarm[]): string[] =>
  alarms.filter((alarm) => !alarm.isOpen).map(({ policy }) => policy)
const kwh = (value: number) => wh(BigInt(value * 1000))

describe('alarms of an evaluation', () => {
  const result = {
    code: 'R007',
    severity: 'error',
    isBlocking: true,
    message: { code: 'NONE', parameters: {} },
  } as const

  it('open one alarm for each failed rule, and one for a blocked group', () => {
    const alarms = evaluationAlarms({
      groupId: 'g',
      status: 'blocked',
      results: [
        { ...result, status: 'fail', reasonCode: 'X', details: { year: 2026 } },
        { ...result, code: 'R013', severity: 'warning', isBlocking: false, status: 'fail' },
        { ...result, code: 'R008', severity: 'info', isBlocking: false, status: 'not_checked' },
      ],
    })
    expect(open(alarms)).toEqual(['netting_rule_R007', 'netting_rule_R013', 'netting_group_blocked'])
    expect(closed(alarms)).toEqual(['netting_rule_R008'])
    expect(alarms[0]).toMatchObject({
      severity: 'critical',
      ruleCode: 'R007',
      details: { reason_code: 'X', year: 2026 },
    })
    expect(alarms[1]).toMatchObject({ severity: 'warning' })
    expect(alarms[3]).toMatchObject({ details: { rule_codes: ['R007'] } })
  })

  it('close all alarms when nothing fails', () => {
    const alarms = evaluationAlarms({
      groupId: 'g',
      status: 'not_checked',
      results: [{ ...result, status: 'pass' }],
    })
    expect(open(alarms)).toEqual([])
    expect(closed(alarms)).toEqual(['netting_rule_R007', 'netting_group_blocked'])
  })
})

describe('alarms of a limit', () => {
  const context = { needsAccount: true, year: 2026 }
  const left = (remaining: number, initial = 1000) =>
    open(
      limitAlarms(
        {
          facilityId: 'f',
          account: { accountId: 'a', initialKwh: kwh(initial), remainingKwh: kwh(remaining) },
        },
        context,
      ),
    )

  it('are low below a tenth and exhausted at zero, never both', () => {
    expect(left(1000)).toEqual([])
    expect(left(100)).toEqual([])
    expect(left(99.999)).toEqual(['netting_limit_low'])
    expect(left(0.001)).toEqual(['netting_limit_low'])
    expect(left(0)).toEqual(['netting_limit_exhausted'])
    expect(left(-5)).toEqual(['netting_limit_exhausted'])
    expect(left(5, 0)).toEqual([])
  })

  it('report a missing account only where one is needed', () => {
    const none = { facilityId: 'f', account: null }
    expect(open(limitAlarms(none, context))).toEqual(['netting_limit_account_missing'])
    expect(closed(limitAlarms(none, context))).toEqual(['netting_limit_low', 'netting_limit_exhausted'])
    expect(open(limitAlarms(none, { ...context, needsAccount: false }))).toEqual([])
  })
})

const amounts = (value: bigint | null): Summary['amountsTry'] => ({
  supplier_payment_for_matched_consumption: value as Try | null,
  producer_payment_for_bedelli_surplus: null,
  system_usage_fee_for_skb: null,
  sktt_matched_consumption: null,
  mesken_monthly_amount: null,
  estimated_savings: null,
  estimated_loss_or_risk: null,
})

describe('alarms of a calculated period', () => {
  const NOW = Date.parse('2026-11-20T09:30:00Z')
  const clean: PeriodState = {
    groupId: 'g',
    billingPeriod: '2026-11-01',
    now: NOW,
    scenario: 'standard_hourly',
    productionKwh: kwh(1000),
    bedelsizKwh: kwh(0),
    hoursCalculated: 480,
    hoursMissing: 0,
    priceGaps: { estimated_savings: 0 },
    result: { warnings: [], summary: { amountsTry: amounts(1n) } },
    limits: [],
  }
  const bad: PeriodState = {
    ...clean,
    bedelsizKwh: kwh(11),
    hoursMissing: 2,
    priceGaps: { estimated_savings: 3, system_usage_fee_for_skb: 1 },
    limits: [{ facilityId: 'f', account: null }],
  }

  const alarmsOf = (state: PeriodState) => [...periodAlarms(state)]

  it('report prices, free energy and accounts, and missing facts once the period is over', () => {
    expect(open(alarmsOf(clean))).toEqual([])
    expect(open(alarmsOf(bad))).toEqual([
      'netting_tariff_missing',
      'netting_bedelsiz_risk',
      'netting_limit_account_missing',
    ])
    const october = { ...bad, billingPeriod: '2026-10-01' }
    expect(open(alarmsOf(october))).toContain('netting_facts_missing')
    const price = alarmsOf(october).find(({ policy }) => policy === 'netting_tariff_missing')
    expect(price).toMatchObject({ lastValue: '4' })
    expect(price && causeOf(price.subject)).toBe('group:g|2026-10-01')
  })

  it('report a missing price also where it left no row, and ignore hours without amounts', () => {
    const prices = (state: Partial<PeriodState>) =>
      alarmsOf({ ...clean, ...state }).filter(({ policy }) => policy === 'netting_tariff_missing')
    const warnings = (['SUPPLIER_PRICE_UNRESOLVED', 'SKB_LU_GROUP_MIXED'] as const).map((code) => ({
      code,
      subject: 'f',
      message: { code, parameters: {} },
    }))
    const summary = { amountsTry: amounts(null) }
    expect(prices({ result: { warnings, summary } })).toMatchObject([
      { isOpen: true, details: { warning_codes: ['SUPPLIER_PRICE_UNRESOLVED'], amount_types: [] } },
    ])
    expect(prices({ result: { warnings: warnings.slice(1), summary } })).toEqual([])
    expect(prices({})).toMatchObject([{ isOpen: false }])
  })

  it('ignore free energy of a hundredth, or in a small share of the hours', () => {
    expect(open(alarmsOf({ ...clean, bedelsizKwh: kwh(10) }))).toEqual([])
    expect(open(alarmsOf({ ...clean, bedelsizKwh: kwh(500), hoursCalculated: 23 }))).toEqual([])
    expect(open(alarmsOf({ ...clean, bedelsizKwh: kwh(0), productionKwh: kwh(0) }))).toEqual([])
  })

  it('open nothing from history, and close what later history resolves', () => {
    expect(open(alarmsOf({ ...bad, billingPeriod: '2026-09-01' }))).toEqual([])
    const repaired = closed(alarmsOf({ ...clean, billingPeriod: '2026-03-01' }))
    expect(repaired).toEqual([
      'netting_calculation_failed',
      'netting_tariff_missing',
      'netting_bedelsiz_risk',
      'netting_facts_missing',
    ])
  })

  it('ignore the limits of another year, in December and January', () => {
    const january = { ...bad, now: Date.parse('2027-01-05T00:00:00Z'), billingPeriod: '2026-12-01' }
    const limits = [...open(alarmsOf(january)), ...closed(alarmsOf(january))].filter((policy) =>
      policy.startsWith('netting_limit'),
    )
    expect(limits).toEqual([])
  })
})

describe('alarms of built facts', () => {
  const good: FactsState = {
    facilityId: 'f',
    hoursMissing: 2,
    hoursPartial: 2,
    lastSuspectHour: null,
    issues: { intervalChannels: [], skippedAssignmentIds: [] },
  }

  it('report facts that are missing for long, partially covered, suspect or unreadable', () => {
    expect(open(factsAlarms(good))).toEqual([])
    const bad = factsAlarms({
      facilityId: 'f',
      hoursMissing: 3,
      hoursPartial: 3,
      lastSuspectHour: 0,
      issues: {
        intervalChannels: [{ deviceId: 'd', metric: 'import_active_energy' }],
        skippedAssignmentIds: ['b', 'a'],
      },
    })
    expect(closed(bad)).toEqual([])
    expect(open(bad)).toEqual(closed(factsAlarms(good)))
    expect(bad.at(-1)).toMatchObject({ lastValue: '2', details: { assignment_ids: ['a', 'b'] } })
  })
})

describe('alarms of corrections', () => {
  const chain: StoppedChain = {
    cause: 'request',
    billingPeriod: '2026-01-01',
    failedPeriod: '2026-03-01',
    donePeriods: 2,
  }

  it('report where and why they stopped, with the earliest period', () => {
    const of = (chains: StoppedChain[]) => open(correctionAlarms('g', chains))
    expect(of([])).toEqual([])
    expect(of([chain])).toEqual(['netting_cascade_stopped'])
    expect(of([{ ...chain, donePeriods: 0 }])).toEqual(['netting_correction_failed'])
    expect(of([{ ...chain, cause: 'member_change' }])).toEqual(['netting_member_change_correction_failed'])
    const two = correctionAlarms('g', [chain, { ...chain, failedPeriod: '2026-02-01' }])
    expect(two.find((alarm) => alarm.isOpen)).toMatchObject({
      details: { billing_period: '2026-02-01', failed_periods: ['2026-02-01', '2026-03-01'] },
    })
  })
})
