import { at } from '../../../kernel/checked.ts'
import { HOUR_MS, localDate } from '../../../kernel/time.ts'
import { figuresOfBase, figuresOfChanges, type SizingBase } from '../scenario/sizing.ts'
import type { Change } from '../scenario/types.ts'
import type { PeriodInput } from '../types.ts'
import { readHours } from './assignment-hours.ts'
import { type AssignmentContext, makeAssignmentModel } from './assignment-model.ts'
import {
  type Assignment,
  type AssignmentRequest,
  AssignmentRules,
  type GroupEvaluation,
} from './assignment-rules.ts'
import { refuseDifferentHours, refuseGroup } from './covered-groups.ts'
import type { Solve } from './linear-model.ts'
import { OPTIMISATION_FAULTS, OptimisationFault } from './messages.ts'
import { isAssignmentSummed, type ModelSize } from './model-size.ts'
import { boundOf, type Candidate, type Proposal, proposalOf, sizeOf, solveModel } from './proposal.ts'

/** Scenarios with single moves that are computed after the solver. */
const IMPROVEMENTS_MAX = 60

export interface AssignmentProposal extends Proposal {
  /** The evaluation of each group with the members of the proposal. */
  readonly evaluations: readonly GroupEvaluation[]
}

/** An assignment that the engine computed. */
interface Found {
  readonly assignment: Assignment
  readonly candidate: Candidate
}

/**
 * The group of each facility over all months of the base. Every group keeps the blocking rules, as the rules themselves
 * evaluate it. A facility that is not a member of one and the same group in every hour and now stays as it is. Throws
 * OptimisationFault.
 */
export function optimiseAssignment(
  base: SizingBase,
  request: AssignmentRequest,
  solve: Solve,
): AssignmentProposal {
  const { inputs } = base.base
  for (const input of inputs) refuseGroup(input)
  refuseDifferentHours(
    inputs,
    request.groups.map(({ groupId }) => groupId),
  )
  const ofBase = figuresOfBase(base)
  if (ofBase.balanceTry === null)
    throw new OptimisationFault('group_ids', OPTIMISATION_FAULTS.OPTIMISATION_BALANCE_UNKNOWN())
  const context = contextOf(inputs, request)
  const { current, rules } = context
  const assigned = new Set(current.keys())
  const isSummed = isAssignmentSummed(modelSize(inputs, context))
  const { model, columns } = makeAssignmentModel(context, readHours(inputs, { assigned, isSummed }))
  const solved = solveModel(model, solve)
  const assignment = new Map(current)
  for (const [facilityId, own] of columns)
    own.forEach((column, index) => {
      if (at(solved.values, column) > 0.5) assignment.set(facilityId, at(request.groups, index).groupId)
    })
  const none: Candidate = { name: 'base', changes: [], figures: ofBase, batteries: [] }
  const found: Found[] = rules.allows(current) ? [{ assignment: current, candidate: none }] : []
  if (rules.allowsAll(assignment)) {
    const start = computeAssignment(base, context, assignment)
    found.push(start, ...improve(base, context, start))
  }
  const rows = inputs.reduce((count, input) => count + hoursIn(input) * input.members.length * 3, 0)
  const proposal = proposalOf({
    candidates: found.map(({ candidate }) => candidate),
    ...{ base: ofBase, boundTry: boundOf(solved.bound, rows), solver: sizeOf(model, solved) },
  })
  const best = found.find(({ candidate }) => candidate === proposal.candidates[0])
  if (!best) throw new OptimisationFault('group_ids', OPTIMISATION_FAULTS.OPTIMISATION_INFEASIBLE())
  return { ...proposal, evaluations: rules.evaluations(best.assignment) }
}

const hoursIn = ({ window }: PeriodInput): number => (window.to - window.from) / HOUR_MS

function modelSize(inputs: readonly PeriodInput[], { request, movable }: AssignmentContext): ModelSize {
  const groups = request.groups.length
  const hours = inputs.reduce((sum, input) => sum + hoursIn(input), 0) / groups
  const pairs = inputs.flatMap(({ groupId, members }) =>
    members.map(({ facilityId }) => `${facilityId} ${groupId}`),
  )
  return { groups, hours, members: new Set(pairs).size, movable: movable.length }
}

function contextOf(inputs: readonly PeriodInput[], request: AssignmentRequest): AssignmentContext {
  const current = currentGroups(inputs, request)
  const { facilityIds } = request
  const missing = facilityIds.find((id) => !current.has(id))
  if (missing !== undefined) {
    const text = OPTIMISATION_FAULTS.OPTIMISATION_NOT_MOVABLE({ facility: missing })
    throw new OptimisationFault('facility_ids', text)
  }
  const movable = [...current.keys()].filter((id) => facilityIds.length === 0 || facilityIds.includes(id))
  return { request, current, movable, rules: new AssignmentRules(request, new Set(current.keys())) }
}

/** The group of each facility that is a member of one and the same group in every hour and now. */
function currentGroups(inputs: readonly PeriodInput[], { groups }: AssignmentRequest): Assignment {
  const windows = new Map<string, number>()
  const counts = new Map<string, number>()
  const groupIds = new Map<string, Set<string>>()
  for (const { groupId, members, window } of inputs) {
    windows.set(groupId, (windows.get(groupId) ?? 0) + 1)
    const first = localDate(window.from)
    const last = localDate(window.to - HOUR_MS)
    for (const { facilityId, validFrom, validTo } of members) {
      groupIds.set(facilityId, (groupIds.get(facilityId) ?? new Set()).add(groupId))
      const isWhole = validFrom <= first && (validTo === null || validTo > last)
      if (isWhole) counts.set(facilityId, (counts.get(facilityId) ?? 0) + 1)
    }
  }
  const found = groups.flatMap(({ groupId, eligibility }) =>
    eligibility.members.flatMap(({ facilityId }): [string, string][] => {
      const own = groupIds.get(facilityId)
      const isWhole = own?.size === 1 && own.has(groupId) && counts.get(facilityId) === windows.get(groupId)
      return isWhole ? [[facilityId, groupId]] : []
    }),
  )
  return new Map(found.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function computeAssignment(
  base: SizingBase,
  { current }: AssignmentContext,
  assignment: Assignment,
  name = 'solver',
): Found {
  const changes = [...assignment].flatMap(([facilityId, groupId]): Change[] => {
    const fromGroupId = current.get(facilityId)
    return fromGroupId === undefined || fromGroupId === groupId
      ? []
      : [{ type: 'move_facility', facilityId, fromGroupId, groupId }]
  })
  return { assignment, candidate: { name, changes, ...figuresOfChanges(base, changes) } }
}

/** The best of single moves from the solution of the solver, while they raise the balance; empty without any. */
function improve(base: SizingBase, context: AssignmentContext, start: Found): Found[] {
  let best = start
  let left = IMPROVEMENTS_MAX
  for (let before: Found | undefined; before !== best && left > 0; ) {
    before = best
    for (const [facilityId, groupId] of movesOf(context)) {
      if (left === 0 || best.assignment.get(facilityId) === groupId) continue
      const assignment = new Map(best.assignment).set(facilityId, groupId)
      if (!context.rules.allowsAll(assignment)) continue
      left -= 1
      const moved = computeAssignment(base, context, assignment, 'solver_improved')
      if (isBetter(moved, best)) best = moved
    }
  }
  return best === start ? [] : [best]
}

const movesOf = ({ movable, request }: AssignmentContext): (readonly [string, string])[] =>
  movable.flatMap((facilityId) => request.groups.map(({ groupId }) => [facilityId, groupId] as const))

function isBetter({ candidate: { figures } }: Found, { candidate }: Found): boolean {
  const [now, before] = [figures.balanceTry, candidate.figures.balanceTry]
  return now !== null && (before === null || now > before)
}
