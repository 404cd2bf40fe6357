import { at } from '../../../kernel/checked.ts'
import { type Kwh, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { localYear, periodStart, type Range } from '../../../kernel/time.ts'
import { scenarioOf } from '../members.ts'
import { sortedBy } from '../text-order.ts'
import type { PeriodInput } from '../types.ts'
import { addBattery, removeBattery } from './battery.ts'
import { addEnergy, scaleEnergy, shiftLoad } from './energy-changes.ts'
import {
  addFacility,
  changeFacility,
  extendRole,
  joinGroup,
  leaveGroup,
  moveFacility,
  scenarioAccountId,
} from './member-changes.ts'
import { SCENARIO_FAULTS } from './messages.ts'
import { marketPrice, scalePrice, setPrice } from './price-changes.ts'
import { assignmentsOf, factsOf } from './timeline.ts'
import type { AddEnergy, Change, ChangeLimit, ScenarioBase, SetInterval, TransferLimit } from './types.ts'
import { fault, openWorkspace, type Step, timelineOf, type Workspace } from './workspace.ts'

/** The inputs of a scenario, before its balances are known. */
export interface ChangedInputs
  extends Pick<Workspace, 'otherAccounts' | 'limitSteps' | 'intervals' | 'batteries'> {
  /**
   * In the order of their windows, then groups. An input without a change is that of the base itself. Their accounts
   * and step states are those of the base.
   */
  readonly inputs: readonly PeriodInput[]
}

/** Applies changes one after the other; each sees the effect of those before it. Throws ScenarioFault. */
export function applyChanges(base: ScenarioBase, changes: readonly Change[]): ChangedInputs {
  const work = openWorkspace(base)
  changes.forEach((change, index) => {
    applyChange({ work, index }, change)
  })
  const { otherAccounts, limitSteps, intervals, batteries } = work
  const written = work.inputs.map((input, index) => withMeters(work, at(base.inputs, index), input))
  return { inputs: sortInputs(mergeMonths(work, written)), otherAccounts, limitSteps, intervals, batteries }
}

type ChangeOf<T extends Change['type']> = Extract<Change, { readonly type: T }>
type Rules = { readonly [T in Change['type']]: (step: Step, change: ChangeOf<T>) => void }

const RULES: Rules = {
  add_facility: addFacility,
  add_plant: addToMember,
  add_load: addToMember,
  scale_plant: scaleEnergy,
  scale_load: scaleEnergy,
  add_battery(step, change) {
    refuseNoMember(step, change.facilityId)
    addBattery(step, change)
  },
  remove_battery(step, change) {
    refuseNoMember(step, change.facilityId)
    removeBattery(step, change)
  },
  shift_load: shiftLoad,
  join_group: joinGroup,
  leave_group: leaveGroup,
  move_facility: moveFacility,
  change_facility: changeFacility,
  change_limit: changeLimit,
  transfer_limit: transferLimit,
  scale_price: scalePrice,
  set_price: setPrice,
  market_price: marketPrice,
  netting_interval: setNettingInterval,
}

const applyChange = (step: Step, change: Change): void =>
  (RULES[change.type] as (step: Step, change: Change) => void)(step, change)

function addToMember(step: Step, change: AddEnergy): void {
  refuseNoMember(step, change.facilityId)
  addEnergy(step, change)
  extendRole(step, change.facilityId, change.type === 'add_plant' ? 'production' : 'consumption')
}

function setNettingInterval(step: Step, { groupId, interval }: SetInterval): void {
  if (step.work.inputs.some((input) => input.groupId === groupId)) {
    step.work.intervals.set(groupId, interval)
    return
  }
  throw fault(step, 'group_id', SCENARIO_FAULTS.SCENARIO_GROUP_NOT_IN_BASE({ group: groupId }))
}

function refuseNoMember(step: Step, facilityId: string): void {
  timelineOf(step, facilityId)
  if (step.work.inputs.some(({ members }) => members.some((member) => member.facilityId === facilityId)))
    return
  throw fault(step, 'facility_id', SCENARIO_FAULTS.SCENARIO_FACILITY_NOT_MEMBER({ facility: facilityId }))
}

function changeLimit(step: Step, { facilityId, month, amountKwh }: ChangeLimit): void {
  if (!hasAccount(step.work, facilityId, yearOf(month))) addAccount(step, facilityId, yearOf(month))
  step.work.limitSteps.push({ changeIndex: step.index, facilityId, month, amountKwh, neededKwh: ZERO_KWH })
}

const yearOf = (month: string): number => localYear(periodStart(month))

function addAccount({ work }: Step, facilityId: string, year: number): void {
  work.otherAccounts.push({
    accountId: scenarioAccountId(facilityId, year),
    facilityId,
    year,
    balanceKwh: ZERO_KWH,
  })
}

const hasAccount = (work: Workspace, facilityId: string, year: number): boolean =>
  work.otherAccounts.some((account) => account.facilityId === facilityId && account.year === year) ||
  work.base.inputs.some(({ accounts }) =>
    accounts.some((account) => account.facilityId === facilityId && account.year === year),
  )

function transferLimit(step: Step, change: TransferLimit): void {
  const { month, amountKwh, sourceFacilityId, targetFacilityId } = change
  const year = yearOf(month)
  if (sourceFacilityId === targetFacilityId)
    throw fault(step, 'target_facility_id', SCENARIO_FAULTS.SCENARIO_TRANSFER_TO_ITSELF())
  if (!hasAccount(step.work, sourceFacilityId, year)) {
    const text = SCENARIO_FAULTS.SCENARIO_LIMIT_WITHOUT_ACCOUNT({
      facility: sourceFacilityId,
      year: String(year),
    })
    throw fault(step, 'source_facility_id', text)
  }
  if (!hasAccount(step.work, targetFacilityId, year)) addAccount(step, targetFacilityId, year)
  const changeIndex = step.index
  step.work.limitSteps.push(
    {
      changeIndex,
      facilityId: sourceFacilityId,
      month,
      amountKwh: wh(-amountKwh) as Kwh,
      neededKwh: amountKwh,
    },
    { changeIndex, facilityId: targetFacilityId, month, amountKwh, neededKwh: ZERO_KWH },
  )
}

/** Writes the facts of changed and of new members, and the market prices, into an input. */
function withMeters(work: Workspace, before: PeriodInput, input: PeriodInput): PeriodInput {
  const known = new Set(before.members.map((member) => member.facilityId))
  const members = new Set(input.members.map((member) => member.facilityId))
  const rewritten = [...members].filter((id) => work.touched.has(id) || !known.has(id))
  const billPrices = work.billPrices.filter(
    ({ facilityId, hour }) => members.has(facilityId) && isInside(hour, input.window),
  )
  const priced = billPrices.length === 0 ? input : { ...input, hourlyBillPrices: billPrices }
  if (rewritten.length === 0) return priced
  const step: Step = { work, index: 0 }
  const timelines = rewritten.map((facilityId) => timelineOf(step, facilityId))
  const isKept = ({ facilityId }: { readonly facilityId: string }) => !rewritten.includes(facilityId)
  return {
    ...priced,
    facts: [...input.facts.filter(isKept), ...timelines.flatMap((one) => factsOf(one, input.window))],
    assignments: [
      ...input.assignments.filter(isKept),
      ...timelines.flatMap((one) => assignmentsOf(one, input.window)),
    ],
  }
}

const isInside = (hour: number, { from, to }: Range): boolean => from <= hour && hour < to

/** Netting by month needs one window from the start of the month on. */
function mergeMonths({ intervals, base }: Workspace, inputs: readonly PeriodInput[]): PeriodInput[] {
  const months = new Map<string, PeriodInput[]>()
  for (const input of inputs) {
    const key = `${input.groupId} ${input.billingPeriod}`
    const list = months.get(key) ?? []
    list.push(input)
    months.set(key, list)
  }
  return [...months.values()].flatMap((list) => {
    const sorted = [...list].sort((a, b) => a.window.from - b.window.from)
    const [first, last] = [at(sorted, 0), at(sorted, sorted.length - 1)]
    const interval = intervals.get(first.groupId)
    const isMonthly = interval ? interval === 'month' : scenarioOf(last) === 'mesken_monthly'
    const from = periodStart(first.billingPeriod)
    if (!isMonthly || (sorted.length === 1 && first.window.from === from)) return sorted
    if (!interval && sorted.every((input) => base.inputs.includes(input))) return sorted
    return [mergeInputs(sorted, { from, to: last.window.to })]
  })
}

function mergeInputs(sorted: readonly PeriodInput[], window: Range): PeriodInput {
  const last = at(sorted, sorted.length - 1)
  const billPrices = sorted.flatMap(({ hourlyBillPrices = [] }) => hourlyBillPrices)
  return {
    ...last,
    window,
    facts: sorted.flatMap((input) => input.facts),
    assignments: sorted.flatMap(({ assignments, window: { from, to } }) =>
      assignments
        .map((one) => ({ ...one, from: Math.max(one.from, from), to: Math.min(one.to ?? to, to) }))
        .filter((one) => one.from < one.to),
    ),
    stepStates: [],
    ...(billPrices.length > 0 && { hourlyBillPrices: billPrices }),
  }
}

const sortInputs = (inputs: readonly PeriodInput[]): PeriodInput[] =>
  sortedBy(inputs, ({ window, groupId }) => `${String(window.from).padStart(16, '0')} ${groupId}`)
