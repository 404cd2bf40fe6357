import { unpackInput } from '../../../core/netting/input-pack.ts'
import { optimiseAssignment } from '../../../core/netting/optimisation/assignment.ts'
import type { AssignmentRequest } from '../../../core/netting/optimisation/assignment-rules.ts'
import {
  type DispatchProposal,
  type DispatchRequest,
  optimiseDispatch,
} from '../../../core/netting/optimisation/dispatch.ts'
import type { Solve } from '../../../core/netting/optimisation/linear-model.ts'
import {
  type NextDayProposal,
  type NextDayRequest,
  optimiseNextDay,
} from '../../../core/netting/optimisation/next-day.ts'
import { optimisePairing, type PairValue } from '../../../core/netting/optimisation/pairing.ts'
import { optimiseTransfers } from '../../../core/netting/optimisation/transfers.ts'
import { figuresOfBase, prepareSizing } from '../../../core/netting/scenario/sizing.ts'
import type { ScenarioBase } from '../../../core/netting/scenario/types.ts'
import { formatKwh } from '../../../kernel/decimal.ts'
import { HOUR_MS, iso } from '../../../kernel/time.ts'
import type { ScenarioWork } from '../scenarios/index.ts'
import type { SolverLimits } from './highs.ts'
import { type Flow, flowText, pairingText, type Result, resultText, type SetPoint } from './wire-result.ts'

/** What is optimised, as data that can be sent to a thread. */
export type Task =
  | ({ readonly kind: 'assignment' } & AssignmentRequest)
  | { readonly kind: 'limit_transfers' }
  | { readonly kind: 'allocation'; readonly pairs: readonly PairValue[] }
  | ({ readonly kind: 'battery_dispatch' } & DispatchRequest)
  | ({ readonly kind: 'battery_next_day' } & NextDayRequest)

export interface OptimisationWork {
  readonly base: ScenarioWork
  readonly task: Task
  readonly solver: SolverLimits
}

export interface Outcome {
  readonly result: Result
  readonly setPoints: readonly SetPoint[]
  readonly flows: readonly Flow[]
}

/** Steps of a computation: the base is computed, the solver has ended, the proposal is computed. */
export const OPTIMISATION_STEPS = 3

/** Computes an optimisation; `onStep` is called after each step. Throws OptimisationFault and ScenarioFault. */
export function computeWork(
  { base, task }: Omit<OptimisationWork, 'solver'>,
  solve: Solve,
  onStep: () => void,
): Outcome {
  const { from, to, others, solarShape } = base
  const inputs = base.inputs.map(unpackInput)
  const scenarioBase = { from, to, inputs, others, solarShape, marketPrices: new Map(base.marketPrices) }
  const solveStep: Solve = (model) => {
    const solved = solve(model)
    onStep()
    return solved
  }
  const outcome = computeTask(scenarioBase, task, { solve: solveStep, onStep })
  onStep()
  return outcome
}

interface Steps {
  readonly solve: Solve
  readonly onStep: () => void
}

function computeTask(base: ScenarioBase, task: Task, { solve, onStep }: Steps): Outcome {
  switch (task.kind) {
    case 'battery_dispatch': {
      const prepared = prepareSizing(base)
      onStep()
      return dispatchOutcome(task, optimiseDispatch(prepared, task, solve))
    }
    case 'battery_next_day': {
      onStep()
      const proposal = optimiseNextDay(base, task, solve)
      return dispatchOutcome(task, proposal, proposal.outlooks)
    }
    case 'assignment': {
      const prepared = prepareSizing(base)
      onStep()
      const proposal = optimiseAssignment(prepared, task, solve)
      return { result: resultText(proposal, { groups: proposal.evaluations }), setPoints: [], flows: [] }
    }
    case 'limit_transfers': {
      const prepared = prepareSizing(base)
      onStep()
      return { result: resultText(optimiseTransfers(prepared, solve)), setPoints: [], flows: [] }
    }
    case 'allocation': {
      const figures = figuresOfBase(prepareSizing(base))
      onStep()
      const proposal = optimisePairing(base, task.pairs, solve)
      return { result: pairingText(figures, proposal), setPoints: [], flows: proposal.flows.map(flowText) }
    }
  }
}

function dispatchOutcome(
  { batteries }: DispatchRequest,
  proposal: DispatchProposal,
  outlooks: NextDayProposal['outlooks'] = [],
): Outcome {
  const setPoints = batteries.flatMap(({ facilityId }, index) =>
    (proposal.dispatchKwh[index] ?? []).map((energy, hour) => ({
      facility_id: facilityId,
      hour: iso(proposal.firstHour + hour * HOUR_MS),
      power_kw: formatKwh(energy),
    })),
  )
  return { result: resultText(proposal, { outlooks }), setPoints, flows: [] }
}
