import { parentPort } from 'node:worker_threads'
import { ScenarioFault } from '../../../core/netting/scenario/messages.ts'
import type { WorkMessage } from '../shared/index.ts'
import { computeWork, type ScenarioWork } from './compute-work.ts'
import type { ScenarioAnswer } from './threads.ts'

// The script of the thread that computes one scenario.

const post = (message: WorkMessage<ScenarioAnswer>): void => parentPort?.postMessage(message)

parentPort?.once('message', (work: ScenarioWork) => {
  let done = 0
  const onMonth = () => {
    done += 1
    post({ done })
  }
  try {
    post({ result: { outcome: computeWork(work, onMonth) } })
  } catch (error) {
    if (!(error instanceof ScenarioFault)) throw error
    const { changeIndex, field, content } = error
    post({ result: { fault: { changeIndex, field, content } } })
  }
})
