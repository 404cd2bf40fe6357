import { parentPort } from 'node:worker_threads'
import { ScenarioFault } from '../../../core/netting/scenario/messages.ts'
import { computeWork, type ScenarioWork } from './compute-work.ts'
import type { ThreadMessage } from './threads.ts'

// The script of the thread that computes one scenario.

const post = (message: ThreadMessage): void => parentPort?.postMessage(message)

parentPort?.once('message', (work: ScenarioWork) => {
  try {
    post({ outcome: computeWork(work, () => post({ month: true })) })
  } catch (error) {
    if (!(error instanceof ScenarioFault)) throw error
    const { changeIndex, field, content } = error
    post({ fault: { changeIndex, field, content } })
  }
})
