import { parentPort } from 'node:worker_threads'
import type { WorkMessage } from '../shared/index.ts'
import { computeWork, type ForecastOutcome, type ForecastWork } from './compute-work.ts'

// The script of the thread that computes one forecast by hour.

const post = (message: WorkMessage<ForecastOutcome>): void => parentPort?.postMessage(message)

parentPort?.once('message', (work: ForecastWork) => {
  let done = 0
  const onFacility = () => {
    done += 1
    post({ done })
  }
  post({ result: computeWork(work, onFacility) })
})
