import { parentPort } from 'node:worker_threads'
import { computeSizing, prepareSizing } from '../../src/core/netting/scenario/sizing.ts'
import { makeScenarioYear, sizesFrom, yearPlan } from './scenario-year.ts'

// The script of a thread that computes sizes of a year: it reports that it is ready, then the end of each request.

const base = prepareSizing(makeScenarioYear())
parentPort?.on('message', ({ first, count }: { readonly first: number; readonly count: number }) => {
  computeSizing(base, { ...yearPlan, sizes: sizesFrom(first, count) })
  parentPort?.postMessage('done')
})
parentPort?.postMessage('ready')
