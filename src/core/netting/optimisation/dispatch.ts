import { at } from '../../../kernel/checked.ts'
import { type Kwh, wh } from '../../../kernel/decimal.ts'
import { HOUR_MS, type LocalDate } from '../../../kernel/time.ts'
import { applyChanges } from '../scenario/apply.ts'
import { figuresOfBase, figuresOfChanges, type SizingBase } from '../scenario/sizing.ts'
import type { AddBattery, Change, ScenarioBase } from '../scenario/types.ts'
import { daysRange, openWorkspace, timelineOf } from '../scenario/workspace.ts'
import type { PeriodInput } from '../types.ts'
import { refuseGroup } from './covered-groups.ts'
import {
  type DispatchBattery,
  type DispatchInput,
  type DispatchModel,
  makeDispatchModel,
} from './dispatch-model.ts'
import type { Solve } from './linear-model.ts'
import { OPTIMISATION_FAULTS, OptimisationFault } from './messages.ts'
import { boundOf, type Candidate, type Proposal, proposalOf, sizeOf, solveModel } from './proposal.ts'

export interface DispatchRequest {
  readonly groupId: string
  /** The days of the set points; without them all days of the base. */
  readonly from?: LocalDate | undefined
  readonly to?: LocalDate | undefined
  readonly batteries: readonly DispatchBattery[]
  /** The measured batteries of these facilities are replaced: what they did is taken out of the meters. */
  readonly replacesMeasured: boolean
}

export interface DispatchProposal extends Proposal {
  /** By battery of the request: what the best candidate does in each hour of the days; positive: discharge. */
  readonly dispatchKwh: readonly (readonly Kwh[])[]
  /** The start of the first hour. */
  readonly firstHour: number
}

/**
 * The dispatch of batteries with the highest balance of the owner, when production, consumption and prices are known.
 * The schedule of the solver is a proposal: the engine computes it, and the rules of dispatch beside it, with all
 * rules, and the best of them is the first candidate. Throws OptimisationFault and ScenarioFault.
 */
export function optimiseDispatch(base: SizingBase, request: DispatchRequest, solve: Solve): DispatchProposal {
  const { groupId, batteries, from, to, replacesMeasured } = request
  const days = { from, to }
  const removals = replacesMeasured
    ? batteries.map(({ facilityId }): Change => ({ type: 'remove_battery', facilityId, ...days }))
    : []
  const input = dispatchInput(base.base, request, removals)
  const made = makeDispatchModel(input)
  batteries.forEach(({ facilityId }, index) => {
    if (!made.columns[index]?.some((column) => column !== undefined)) throw noConsumer(request, facilityId)
  })
  const solved = solveModel(made.model, solve)
  const withRule = (
    name: string,
    ruleOf: (index: number) => Pick<AddBattery, 'rule' | 'balanceOf' | 'scheduleKwh'>,
  ) => {
    const added = batteries.map(({ finalKwh: _, ...battery }, index): Change => {
      const hours = { chargeHours: [], dischargeHours: [] }
      return { type: 'add_battery', ...battery, ...days, ...hours, ...ruleOf(index) }
    })
    const changes = [...removals, ...added]
    return { name, changes, ...figuresOfChanges(base, changes) }
  }
  const schedules = scheduleOf(made, solved.values, input)
  const candidates: Candidate[] = [
    withRule('solver', (index) => ({
      rule: 'schedule',
      balanceOf: 'facility',
      scheduleKwh: at(schedules, index),
    })),
    withRule('rule_group', () => ({ rule: 'self_consumption', balanceOf: 'group' })),
    withRule('rule_facility', () => ({ rule: 'self_consumption', balanceOf: 'facility' })),
  ].filter((candidate) => leavesEnough(candidate, batteries))
  const rows = input.inputs.reduce((count, one) => count + hoursIn(one) * (one.members.length * 3 + 2), 0)
  const proposal = proposalOf({
    base: figuresOfBase(base),
    candidates,
    boundTry: boundOf(solved.bound, rows),
    solver: sizeOf(made.model, solved),
  })
  const best = proposal.candidates[0]
  const ofGroup = { groupId }
  if (!best) throw new OptimisationFault('group_ids', OPTIMISATION_FAULTS.OPTIMISATION_NO_SOLUTION())
  return {
    ...proposal,
    ...ofGroup,
    dispatchKwh: best.batteries.map((battery) => battery.dispatchKwh),
    firstHour: input.range.from,
  }
}

const hoursIn = ({ window }: PeriodInput): number => (window.to - window.from) / HOUR_MS

/** A rule knows nothing of the energy that is to be left; the rounding of a schedule may cost a Wh an hour. */
const leavesEnough = ({ name, batteries }: Candidate, requested: readonly DispatchBattery[]): boolean =>
  name === 'solver' || batteries.every(({ leftKwh }, index) => leftKwh >= at(requested, index).finalKwh)

function noConsumer({ groupId }: DispatchRequest, facility: string): OptimisationFault {
  const text = OPTIMISATION_FAULTS.OPTIMISATION_NO_CONSUMER({ facility, group: groupId })
  return new OptimisationFault('batteries', text)
}

function dispatchInput(
  base: ScenarioBase,
  request: DispatchRequest,
  removals: readonly Change[],
): DispatchInput {
  const { groupId, batteries, from, to } = request
  const changed = removals.length === 0 ? base.inputs : applyChanges(base, removals).inputs
  const inputs = changed
    .filter((input) => input.groupId === groupId)
    .toSorted((a, b) => a.window.from - b.window.from)
  for (const input of inputs) refuseGroup(input)
  const work = openWorkspace({ ...base, inputs: [...changed] })
  const step = { work, index: 0 }
  for (const { facilityId } of batteries) {
    if (!inputs.some(({ members }) => members.some((member) => member.facilityId === facilityId)))
      throw noConsumer(request, facilityId)
  }
  return {
    inputs,
    timelineFrom: work.range.from,
    range: daysRange(step, { from, to }),
    batteries: batteries.map((battery) => ({ battery, timeline: timelineOf(step, battery.facilityId) })),
  }
}

/** The net energy of each hour, in Wh. */
function scheduleOf(
  { columns }: DispatchModel,
  values: readonly number[],
  { range }: DispatchInput,
): Kwh[][] {
  const hours = (range.to - range.from) / HOUR_MS
  const solved = (column: number): number => at(values, column)
  return columns.map((own) =>
    Array.from({ length: hours }, (_, index) => {
      const column = own[index]
      if (!column) return wh(0n)
      const charged = column.charges.reduce((sum, one) => sum + solved(one), 0)
      return wh(BigInt(Math.round((solved(column.discharge) - charged) * 1_000)))
    }),
  )
}
