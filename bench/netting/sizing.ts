/**
 * Sizing: the scenarios of a year of ten facilities, each with another size of a plant. The reference is the bare
 * netting core: the same changed inputs, read and netted by the same engine, without prices and sums. Both alternate
 * in one process. Then two threads compute sizes at the same time; their processor time, garbage collection included,
 * gives the time of 1,000 scenarios on two cores that do nothing else.
 */
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { netPeriod } from '../../src/core/netting/period.ts'
import { applyChanges } from '../../src/core/netting/scenario/apply.ts'
import { changesOfPoint, computeSizing, prepareSizing } from '../../src/core/netting/scenario/sizing.ts'
import { startThread } from '../../src/platform/async/start-thread.ts'
import { sized } from '../support/effort.ts'
import { makeScenarioYear, sizesFrom, yearPlan } from '../support/scenario-year.ts'
import { type Bench, type Figure, median, timed } from '../support/types.ts'

const WARM_UPS = sized(3, 1)
const ROUNDS = sized(9, 2)
const THREADS = 2
const SIZES_OF_THREAD = sized(20, 5)
const SCENARIOS = 1_000
const LIMIT_S = 60
/** As in a thread of the service. */
const MEMORY = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 192 }

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

async function startReady(): Promise<Worker> {
  const source = new URL('../support/sizing-thread.ts', import.meta.url)
  const thread = startThread({ source, built: 'sizing-thread' }, MEMORY)
  await once(thread, 'message')
  return thread
}

async function measureThreads(): Promise<Figure> {
  const threads = await Promise.all(Array.from({ length: THREADS }, startReady))
  const compute = (first: number, count: number) =>
    Promise.all(
      threads.map(async (thread, index) => {
        thread.postMessage({ first: first + index * count, count })
        await once(thread, 'message')
      }),
    )
  try {
    await compute(0, WARM_UPS)
    const before = process.cpuUsage()
    await compute(THREADS * WARM_UPS, SIZES_OF_THREAD)
    const { user, system } = process.cpuUsage(before)
    const ofOne = (user + system) / 1_000_000 / (THREADS * SIZES_OF_THREAD)
    const seconds = (ofOne * SCENARIOS) / THREADS
    return {
      name: `sizing, ${SCENARIOS} scenarios of a year in ${THREADS} threads, from processor time (limit)`,
      measured: `${seconds.toFixed(0)} s`,
      against: `${LIMIT_S} s`,
      ratio: seconds / LIMIT_S,
      aim: '<= 1',
    }
  } finally {
    for (const thread of threads) await thread.terminate()
  }
}

export const sizingBench: Bench = {
  name: 'sizing',
  run: async () => [await measureCore(), await measureThreads()],
}
