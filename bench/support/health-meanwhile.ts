import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from '../../test/support/process/service.ts'

/** Time, milliseconds, between the end of a request and the next one. */
const PAUSE_MS = 20

export interface HealthTimes {
  readonly slowestMs: number
  readonly p99Ms: number
  readonly requests: number
}

/** Requests `/health` again and again, one request at a time, until a piece of work is done. */
export async function healthMeanwhile({ url }: RunningService, work: Promise<unknown>): Promise<HealthTimes> {
  const times: number[] = []
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  // The failure is thrown where the work is awaited.
  done.catch(() => {})
  while (!isDone) {
    const started = performance.now()
    const response = await fetch(`${url}/health`)
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`/health answered ${response.status}`)
    times.push(performance.now() - started)
    await sleep(PAUSE_MS)
  }
  await done
  times.sort((a, b) => a - b)
  const p99Ms = times[Math.floor(times.length * 0.99)] ?? Number.NaN
  return { slowestMs: times.at(-1) ?? Number.NaN, p99Ms, requests: times.length }
}
