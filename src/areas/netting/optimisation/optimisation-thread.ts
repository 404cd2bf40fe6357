import { parentPort } from 'node:worker_threads'
import { OptimisationFault } from '../../../core/netting/optimisation/messages.ts'
import { ScenarioFault } from '../../../core/netting/scenario/messages.ts'
import { computeWork, type OptimisationWork } from './compute-work.ts'
import { loadSolver } from './highs.ts'
import { OPTIMISATION_SOLVER_MEMORY_MB, OPTIMISATION_SOLVER_TIME_MS } from './limits.ts'
import type { ThreadMessage } from './threads.ts'

// The script of the thread that computes one optimisation.

const post = (message: ThreadMessage): void => parentPort?.postMessage(message)

parentPort?.once('message', async (work: OptimisationWork) => {
  const limits = { timeMs: OPTIMISATION_SOLVER_TIME_MS, memoryMb: OPTIMISATION_SOLVER_MEMORY_MB }
  const solve = await loadSolver(limits)
  try {
    post({ outcome: computeWork(work, solve, () => post({ step: true })) })
  } catch (error) {
    if (!(error instanceof ScenarioFault || error instanceof OptimisationFault)) throw error
    post({ fault: { field: error.field, content: error.content } })
  }
})
