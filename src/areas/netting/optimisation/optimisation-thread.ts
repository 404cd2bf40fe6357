import { parentPort } from 'node:worker_threads'
import { OptimisationFault } from '../../../core/netting/optimisation/messages.ts'
import { ScenarioFault } from '../../../core/netting/scenario/messages.ts'
import type { WorkMessage } from '../shared/index.ts'
import { computeWork, type OptimisationWork } from './compute-work.ts'
import { loadSolver } from './highs.ts'
import type { OptimisationAnswer } from './threads.ts'

// The script of the thread that computes one optimisation.

const post = (message: WorkMessage<OptimisationAnswer>): void => parentPort?.postMessage(message)

parentPort?.once('message', async (work: OptimisationWork) => {
  const solve = await loadSolver(work.solver)
  let done = 0
  const onStep = () => {
    done += 1
    post({ done })
  }
  try {
    post({ result: { outcome: computeWork(work, solve, onStep) } })
  } catch (error) {
    if (!(error instanceof ScenarioFault || error instanceof OptimisationFault)) throw error
    post({ result: { fault: { field: error.field, content: error.content } } })
  }
})
