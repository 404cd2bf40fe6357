import { formatKwh, type Kwh, wh } from '../../../kernel/decimal.ts'
import { type BillingPeriod, localYear, periodStart } from '../../../kernel/time.ts'
import { type NettingInterval, runPeriod } from '../period.ts'
import { needsStepState, stepStatesBefore } from '../steps.ts'
import { sortedBy } from '../text-order.ts'
import type { PeriodInput, StepStateInput } from '../types.ts'
import { applyChanges, type ChangedInputs } from './apply.ts'
import { type Balances, makeBalances, type UsageColumns, UsageIndex, usageColumns } from './balances.ts'
import { BillCache } from './bills.ts'
import { figuresOfRun, type RunFigures } from './figures.ts'
import { SCENARIO_FAULTS, ScenarioFault } from './messages.ts'
import type { BatteryTotals, Change, ScenarioBase } from './types.ts'

/** How the runs of a base and of its scenarios are computed, and what is kept of them. */
export interface Evaluator<Run> {
  run(input: PeriodInput, interval: NettingInterval | undefined): Run
  usageOf(run: Run): UsageColumns
}

/** The base, computed once for any number of scenarios. */
export interface ComputedBase<Run = RunFigures> {
  readonly base: ScenarioBase
  readonly evaluator: Evaluator<Run>
  readonly runs: ReadonlyMap<PeriodInput, Run>
  readonly usage: UsageIndex
}

export interface ScenarioResult<Run = RunFigures> {
  /** In the order of their windows, then groups. A run that equals that of the base is the same object. */
  readonly runs: readonly Run[]
  readonly batteries: readonly BatteryTotals[]
}

/** Called after each month of each group; the computation of a month takes tens of milliseconds. */
export type OnMonth = (billingPeriod: BillingPeriod) => void

const keyOf = ({ groupId, window }: PeriodInput): string => `${groupId} ${window.from}`

/** Computes the inputs as they are stored: the results are those of their runs. */
export function computeBase(base: ScenarioBase): ComputedBase {
  const bills = new BillCache()
  return evaluateBase(base, {
    run: (input, interval) => figuresOfRun(input, runPeriod(input, interval), bills),
    usageOf: ({ result }) => usageColumns(result.usage),
  })
}

/** As `computeBase`, with what the evaluator keeps. */
export function evaluateBase<Run>(base: ScenarioBase, evaluator: Evaluator<Run>): ComputedBase<Run> {
  const usage = new UsageIndex()
  const runs = new Map<PeriodInput, Run>()
  for (const input of base.inputs) {
    const run = evaluator.run(input, undefined)
    runs.set(input, run)
    usage.put(keyOf(input), input.groupId, evaluator.usageOf(run))
  }
  return { base, evaluator, runs, usage }
}

/**
 * Computes the months with the changes, in the order of time: the ledger consequence of a month is carried into the
 * later ones. Throws ScenarioFault for a change that cannot be applied.
 */
export function computeScenario<Run>(
  computed: ComputedBase<Run>,
  changes: readonly Change[],
  onMonth?: OnMonth,
): ScenarioResult<Run> {
  const changed = applyChanges(computed.base, changes)
  const usage = new UsageIndex()
  const balances = makeBalances({
    baseInputs: computed.base.inputs,
    baseUsage: computed.usage,
    changed,
    usage,
  })
  const context: MonthContext<Run> = { computed, changed, balances, usage }
  const months = [...new Set(changed.inputs.map(({ billingPeriod }) => billingPeriod))].sort()
  const runs = months.flatMap((month) => {
    checkTransfers(context, month)
    const done = computeMonth(context, month)
    onMonth?.(month)
    return done
  })
  return { runs, batteries: changed.batteries }
}

interface MonthContext<Run> {
  readonly computed: ComputedBase<Run>
  readonly changed: ChangedInputs
  readonly balances: Balances
  readonly usage: UsageIndex
}

/** Refuses a transfer of more than the source has left at the start of its month. */
function checkTransfers({ changed, balances }: MonthContext<unknown>, month: BillingPeriod): void {
  changed.limitSteps.forEach(({ changeIndex, facilityId, month: own, neededKwh }, index) => {
    if (own !== month || neededKwh === 0n) return
    const year = localYear(periodStart(month))
    const account = balances.accountOf(facilityId, year)
    const instant = periodStart(month)
    const remaining = account
      ? balances.balance(account, { groupId: '', at: instant, monthStart: instant, untilStep: index })
      : wh(0n)
    if (remaining >= neededKwh) return
    const text = SCENARIO_FAULTS.SCENARIO_TRANSFER_TOO_HIGH({
      facility: facilityId,
      month,
      remaining_kwh: formatKwh(remaining),
      amount_kwh: formatKwh(neededKwh),
    })
    throw new ScenarioFault(changeIndex, 'amount_kwh', text)
  })
}

interface Done<Run> {
  readonly input: PeriodInput
  readonly run: Run
}

/**
 * The runs of a month, in the order of their windows. A facility that changes groups within the month makes the
 * balances of one group depend on those of another, so the month is repeated until no opening changes. What a run takes
 * from an account depends on earlier hours alone, so this ends.
 */
function computeMonth<Run>(context: MonthContext<Run>, month: BillingPeriod): Run[] {
  const { usageOf } = context.computed.evaluator
  const inputs = context.changed.inputs.filter(({ billingPeriod }) => billingPeriod === month)
  const done = new Map<PeriodInput, Done<Run>>()
  for (const [input, run] of context.computed.runs) {
    const isReplaced = inputs.some((planned) => keyOf(planned) === keyOf(input))
    if (isReplaced) context.usage.put(keyOf(input), input.groupId, usageOf(run))
  }
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const planned of inputs) {
      const input = openInput(context, planned, inputs)
      const before = done.get(planned)
      if (before && hasSameOpenings(before.input, input)) continue
      const run = computeRun(context, planned, input)
      done.set(planned, { input, run })
      context.usage.put(keyOf(input), input.groupId, usageOf(run))
      isChanged = true
    }
  }
  return inputs.flatMap((planned) => {
    const known = done.get(planned)
    return known ? [known.run] : []
  })
}

function computeRun<Run>(
  { computed, changed }: MonthContext<Run>,
  planned: PeriodInput,
  input: PeriodInput,
): Run {
  const interval = changed.intervals.get(input.groupId)
  const base = computed.runs.get(planned)
  if (base && !interval && hasSameOpenings(planned, input)) return base
  return computed.evaluator.run(input, interval)
}

const openInput = (
  context: MonthContext<unknown>,
  planned: PeriodInput,
  inputs: readonly PeriodInput[],
): PeriodInput => {
  const { takenElsewhere: _, ...input } = planned
  return { ...input, ...context.balances.open(planned), stepStates: openSteps(context, planned, inputs) }
}

/** The stored states, plus what the consumption so far in the month has changed. */
function openSteps(
  { computed }: MonthContext<unknown>,
  planned: PeriodInput,
  inputs: readonly PeriodInput[],
): readonly StepStateInput[] {
  const { groupId, billingPeriod, window, members } = planned
  if (window.from === periodStart(billingPeriod) || !members.some(needsStepState)) return planned.stepStates
  const isEarlier = (input: PeriodInput) =>
    input.groupId === groupId && input.billingPeriod === billingPeriod && input.window.from < window.from
  const earlier = inputs.filter(isEarlier)
  if (computed.runs.has(planned) && earlier.every((input) => computed.runs.has(input)))
    return planned.stepStates
  const baseEarlier = computed.base.inputs.filter(isEarlier)
  const baseOwn = computed.base.inputs.find((input) => keyOf(input) === keyOf(planned))
  const before = new Map(
    stepsAfter(baseEarlier, baseOwn ?? planned).map((state) => [state.facilityId, state]),
  )
  const stored = new Map(planned.stepStates.map((state) => [state.facilityId, state]))
  return stepsAfter(earlier, planned).map((state) => {
    const [was, known] = [before.get(state.facilityId), stored.get(state.facilityId)]
    if (!was || !known) return state
    const isAsMissing = was.hasMissingHour === state.hasMissingHour
    return {
      facilityId: state.facilityId,
      consumptionKwh: wh(known.consumptionKwh + state.consumptionKwh - was.consumptionKwh) as Kwh,
      hasMissingHour: isAsMissing ? known.hasMissingHour : state.hasMissingHour,
    }
  })
}

function stepsAfter(
  earlier: readonly PeriodInput[],
  { billingPeriod, members, window }: PeriodInput,
): StepStateInput[] {
  const assignments = earlier.flatMap((input) =>
    input.assignments.map((one) => ({
      ...one,
      from: Math.max(one.from, input.window.from),
      to: Math.min(one.to ?? input.window.to, input.window.to),
    })),
  )
  const facts = earlier.flatMap((input) => input.facts)
  return stepStatesBefore({ billingPeriod, members, assignments, facts, until: window.from })
}

function hasSameOpenings(a: PeriodInput, b: PeriodInput): boolean {
  return openingText(a) === openingText(b)
}

function openingText({ accounts, takenElsewhere = [], stepStates }: PeriodInput): string {
  const lines = [
    ...accounts.map((one) => `account ${one.accountId} ${one.openingBalanceKwh}`),
    ...takenElsewhere.map((one) => `taken ${one.accountId} ${one.hour} ${one.takenKwh}`),
    ...stepStates.map((one) => `step ${one.facilityId} ${one.consumptionKwh} ${one.hasMissingHour}`),
  ]
  return sortedBy(lines, (line) => line).join('\n')
}
