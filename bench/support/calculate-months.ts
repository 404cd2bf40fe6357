/**
 * Runs a service's calculations in a separate process, so that its memory can be measured: calculates a month
 * for each of the given groups, one after the other, and reports the duration and the peak memory.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { calculateRange } from '../../src/areas/netting/index.ts'
import { makeLog } from '../../src/platform/observability/log.ts'
import type { Deps } from '../../src/platform/runtime/deps.ts'
import { makeDeps } from '../../src/service/deps.ts'
import { testConfig } from '../../test/support/config.ts'
import { timed } from './types.ts'

export interface MonthsTask {
  readonly databaseUrl: string
  readonly tenantId: number
  readonly now: number
  readonly range: { readonly from: number; readonly to: number }
  readonly groupIds: readonly string[]
}

export interface MonthsDone {
  readonly tookMs: number
  readonly peakBytes: number
  /** The longest time for which the event loop did not run, ms. */
  readonly blockedMs: number
  /** Processor time of the process with its threads, ms. */
  readonly cpuMs: number
  /** The run of the last of the groups. */
  readonly runId: string
}

const SAMPLE_MS = 10
let deps: Deps | undefined

const depsOf = ({ databaseUrl, now }: MonthsTask): Deps =>
  makeDeps({
    config: testConfig({ logLevel: 'error' }),
    url: databaseUrl,
    log: makeLog('error'),
    now: () => now,
    mail: { send: async () => {} },
    maxConnections: 2,
  })

async function calculate(task: MonthsTask): Promise<MonthsDone> {
  deps ??= depsOf(task)
  const service = deps
  let peakBytes = process.memoryUsage.rss()
  const look = () => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
  }
  const timer = setInterval(look, SAMPLE_MS)
  let runId: string | undefined
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const cpuBefore = process.cpuUsage()
  const tookMs = await timed(async () => {
    for (const groupId of task.groupIds) {
      const request = { groupId, range: task.range, triggeredBy: 'beat', startedBy: null } as const
      runId = (await calculateRange(service, task.tenantId, request))[0]?.run?.id
      look()
    }
  })
  const { user, system } = process.cpuUsage(cpuBefore)
  delay.disable()
  clearInterval(timer)
  if (runId === undefined) throw new Error('nothing was calculated')
  return { tookMs, peakBytes, blockedMs: delay.max / 1e6, cpuMs: (user + system) / 1000, runId }
}

process.on('message', (task: MonthsTask) => {
  calculate(task).then(
    (done) => process.send?.(done),
    (error: Error) => {
      process.stderr.write(`${error.stack}\n`)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))
