import type { Try } from '../../../kernel/decimal.ts'
import type { SizingFigures } from '../scenario/sizing-run.ts'
import type { BatteryTotals, Change } from '../scenario/types.ts'
import type { LinearModel, Solve, SolverResult } from './linear-model.ts'
import { factorCount } from './linear-model.ts'
import { OPTIMISATION_FAULTS, OptimisationFault } from './messages.ts'
import { MODEL_FACTORS_MAX } from './model-size.ts'

/** A candidate, computed by the engine with all its rules. */
export interface Candidate {
  readonly name: string
  readonly changes: readonly Change[]
  readonly figures: SizingFigures
  readonly batteries: readonly BatteryTotals[]
}

/** What the solver has proven, beside the best candidate that the engine computed. */
export interface Proposal {
  /** The base: what happened. */
  readonly base: SizingFigures
  /** Every candidate, the best first. A candidate without a known balance is none. */
  readonly candidates: readonly Candidate[]
  /** No solution of the model has a higher balance; null: nothing is proven. */
  readonly boundTry: Try | null
  /** Bound less the balance of the best candidate, at least 0. */
  readonly gapTry: Try | null
  readonly solver: SolverSize
}

export interface SolverSize {
  readonly status: SolverResult['status']
  readonly columns: number
  readonly rows: number
}

/** Solves a model of limited size; `values` are present. Throws OptimisationFault. */
export function solveModel(
  model: LinearModel,
  solve: Solve,
): SolverResult & { readonly values: readonly number[] } {
  const count = factorCount(model)
  if (count > MODEL_FACTORS_MAX) {
    const text = OPTIMISATION_FAULTS.OPTIMISATION_MODEL_TOO_LARGE({ count, max: MODEL_FACTORS_MAX })
    throw new OptimisationFault('group_ids', text)
  }
  const result = solve(model)
  if (result.status === 'infeasible')
    throw new OptimisationFault('group_ids', OPTIMISATION_FAULTS.OPTIMISATION_INFEASIBLE())
  const { values } = result
  if (!values) throw new OptimisationFault('group_ids', OPTIMISATION_FAULTS.OPTIMISATION_NO_SOLUTION())
  return { ...result, values }
}

export const sizeOf = ({ costs, rows }: LinearModel, { status }: SolverResult): SolverSize => ({
  status,
  columns: costs.length,
  rows: rows.length,
})

const MICRO = 1e6
/** Share of the objective that the solver may be wrong by, far above its tolerance of 1e-7. */
const TOLERANCE = 1e-6
/** Half of the last digit of an amount, for each row that the engine rounds. */
const ROUNDING_TRY = 0.5e-6

/** The bound with the tolerance of the solver and the rounding of the amounts added, so that it stays a bound. */
export function boundOf(bound: number, roundedRows: number): Try | null {
  if (!Number.isFinite(bound)) return null
  const margin = Math.abs(bound) * TOLERANCE + roundedRows * ROUNDING_TRY + 1e-6
  return BigInt(Math.ceil((bound + margin) * MICRO)) as Try
}

const byBalance = (a: Candidate, b: Candidate): number => {
  const [first, second] = [a.figures.balanceTry ?? 0n, b.figures.balanceTry ?? 0n]
  return first > second ? -1 : first < second ? 1 : 0
}

export function proposalOf({ base, candidates, boundTry, solver }: Omit<Proposal, 'gapTry'>): Proposal {
  const sorted = candidates.filter(({ figures }) => figures.balanceTry !== null).toSorted(byBalance)
  const best = sorted[0]?.figures.balanceTry ?? null
  const gap = boundTry === null || best === null ? null : boundTry - best
  return {
    ...{ base, candidates: sorted, boundTry, solver },
    gapTry: gap === null ? null : ((gap > 0n ? gap : 0n) as Try),
  }
}
