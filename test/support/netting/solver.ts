import { loadSolver } from '../../../src/areas/netting/optimisation/highs.ts'
import type { Solve } from '../../../src/core/netting/optimisation/linear-model.ts'

/** The solver of the service, in this process; its memory limit is far above what tests need. */
export const loadTestSolver = (): Promise<Solve> => loadSolver({ timeMs: 20_000, memoryMb: 1_024 })
