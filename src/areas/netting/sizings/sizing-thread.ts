import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { ScenarioFault } from '../../../core/netting/scenario/messages.ts'
import type { WorkMessage } from '../shared/index.ts'
import { computeSizes, type SizingWork } from './compute-work.ts'
import type { SizingAnswer } from './threads.ts'

// The script of a thread that computes some sizes of a sizing.

/** The lowest one. Linux has priorities of threads; elsewhere this would change that of the whole service. */
const PRIORITY = 19
if (process.platform === 'linux') setPriority(PRIORITY)

const post = (message: WorkMessage<SizingAnswer>): void => parentPort?.postMessage(message)

parentPort?.once('message', (work: SizingWork) => {
  let done = 0
  const onPoint = () => {
    done += 1
    post({ done })
  }
  try {
    post({ result: { outcome: computeSizes(work, onPoint) } })
  } catch (error) {
    if (!(error instanceof ScenarioFault)) throw error
    const { changeIndex, field, content } = error
    post({ result: { fault: { changeIndex, field, content } } })
  }
})
