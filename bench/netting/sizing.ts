/**
 * Sizing: the scenarios of a year of ten facilities, each with another size of a plant. The reference is the bare
 * netting core: the same changed inputs, read and netted by the same engine, without prices and sums. Both alternate
 * in one process. Then two threads of the built program compute sizes at the same time; the processor time of the
 * process, garbage collection included, gives the time of 1,000 scenarios on two cores that do nothing else.
 */
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { WorkMessage } from '../../src/areas/netting/shared/index.ts'
import { WORK_THREAD_YOUNG_GENERATION_MB } from '../../src/areas/netting/shared/limits.ts'
import type { SizingWork } from '../../src/areas/netting/sizings/compute-work.ts'
import { SIZING_THREAD_HEAP_MB, SIZING_THREADS } from '../../src/areas/netting/sizings/limits.ts'
import type { SizingAnswer } from '../../src/areas/netting/sizings/threads.ts'
import { packInput } from '../../src/core/netting/input-pack.ts'
import { netPeriod } from '../../src/core/netting/period.ts'
import { applyChanges } from '../../src/core/netting/scenario/apply.ts'
import { changesOfPoint, computeSizing, prepareSizing } from '../../src/core/netting/scenario/sizing.ts'
import { currentBuild } from '../../tools/build.js'
import { sized } from '../support/effort.ts'
import { makeScenarioYear, sizesFrom, yearPlan } from '../support/scenario-year.ts'
import { type Bench, type Figure, median, timed } from '../support/types.ts'

const WARM_UPS = sized(3, 1)
const ROUNDS = sized(9, 1)
const SIZES_OF_THREAD = sized(60, 10)
const SCENARIOS = 1_000
const LIMIT_S = 60

/** The duration of one scenario of a sizing, and of its bare netting. */
async function measureCore(): Promise<Figure> {
  const base = makeScenarioYear()
  const prepared = prepareSizing(base)
  const [ours, bare]: [number[], number[]] = [[], []]
  for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
    const sizes = sizesFrom(round, 1)
    const own = await timed(async () => computeSizing(prepared, { ...yearPlan, sizes }))
    const net = await timed(async () => {
      const [size = 0n] = sizes
      for (const input of applyChanges(base, changesOfPoint(yearPlan, size)).inputs) netPeriod(input)
    })
    if (round < WARM_UPS) continue
    ours.push(own)
    bare.push(net)
  }
  const [measured, reference] = [median(ours), median(bare)]
  return {
    name: 'sizing, scenario of a year of 10 facilities (bare netting core)',
    measured: `${measured.toFixed(0)} ms`,
    against: `${reference.toFixed(0)} ms`,
    ratio: measured / reference,
    aim: '<= 2',
  }
}

/** The processor time of one scenario, milliseconds, while every thread computes. */
async function timeOfThreads(): Promise<number> {
  const { inputs, ...rest } = makeScenarioYear()
  const scenario = {
    ...rest,
    ...{ inputs: inputs.map(packInput), marketPrices: [], changes: yearPlan.changes },
  }
  const script = join(dirname(await currentBuild()), 'sizing-thread.js')
  const resourceLimits = {
    maxOldGenerationSizeMb: SIZING_THREAD_HEAP_MB,
    maxYoungGenerationSizeMb: WORK_THREAD_YOUNG_GENERATION_MB,
  }
  const threads = Array.from(
    { length: SIZING_THREADS },
    () => new Worker(script, { execArgv: [], resourceLimits }),
  )
  const done = threads.map(() => 0)
  const points = () => done.reduce((sum, one) => sum + one, 0)
  try {
    return await new Promise<number>((resolve, reject) => {
      let start: { readonly used: NodeJS.CpuUsage; readonly points: number } | undefined
      threads.forEach((thread, index) => {
        thread.once('error', reject)
        thread.on('message', (message: WorkMessage<SizingAnswer>) => {
          if ('done' in message) done[index] = message.done
          if (!start && done.every((one) => one >= WARM_UPS))
            start = { used: process.cpuUsage(), points: points() }
          // The first thread that ends leaves a core to the others.
          if (!start || 'done' in message) return
          const { user, system } = process.cpuUsage(start.used)
          resolve((user + system) / 1_000 / (points() - start.points))
        })
        const sizes = sizesFrom(index * SIZES_OF_THREAD, WARM_UPS + SIZES_OF_THREAD)
        thread.postMessage({ scenario, changeIndex: 0, sizes } satisfies SizingWork)
      })
    })
  } finally {
    for (const thread of threads) await thread.terminate()
  }
}

async function measureThreads(): Promise<Figure> {
  const ofOne = await timeOfThreads()
  const seconds = (ofOne * SCENARIOS) / SIZING_THREADS / 1_000
  return {
    name: `sizing, ${SCENARIOS} scenarios of a year in ${SIZING_THREADS} threads, from processor time (limit)`,
    measured: `${seconds.toFixed(0)} s, ${ofOne.toFixed(0)} ms each`,
    against: `${LIMIT_S} s`,
    ratio: seconds / LIMIT_S,
    aim: '<= 1',
  }
}

export const sizingBench: Bench = {
  name: 'sizing',
  run: async () => [await measureCore(), await measureThreads()],
}
