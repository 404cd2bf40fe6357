import { expect } from 'vitest'
import { loadSolver } from '../../../src/areas/netting/optimisation/highs.ts'
import { factorCount, type Solve } from '../../../src/core/netting/optimisation/linear-model.ts'

/** The solver of the service, in this process; its memory limit is far above what tests need. */
export const loadTestSolver = (): Promise<Solve> => loadSolver({ timeMs: 20_000, memoryMb: 1_024 })

/** Solves models, which have at most as many factors as were estimated before. */
export const solverWithin =
  (solve: Solve, factors: number): Solve =>
  (model) => {
    expect(factorCount(model)).toBeLessThanOrEqual(factors)
    return solve(model)
  }
