import { EventEmitter } from 'node:events'
import type { Runner } from 'graphile-worker'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeLog } from '../observability/log.ts'
import { keepRunner } from './keep-runner.ts'
import { JOBS_END_MAX_MS, JOBS_RESTART_MAX_MS } from './limits.ts'

interface Started {
  readonly events: EventEmitter
  readonly signal: AbortSignal
  readonly end: () => void
  isStopped: boolean
}

let runners: Started[]
let stopping: AbortController

async function keep() {
  const kept = await keepRunner({
    log: makeLog('silent'),
    stopping: stopping.signal,
    async start(events, signal) {
      let end = (): void => {}
      const promise = new Promise<void>((resolve) => {
        end = resolve
      })
      const started: Started = { events, signal, end, isStopped: false }
      runners.push(started)
      const stop = async () => {
        started.isStopped = true
      }
      return { promise, stop, events: new EventEmitter() } as unknown as Runner
    },
    onRestart: () => {},
    onEnd: () => {},
  })
  const [first] = runners
  if (!first) throw new Error('no runner was started')
  return { kept, first }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  runners = []
  stopping = new AbortController()
})
afterEach(() => {
  stopping.abort()
  vi.useRealTimers()
})

describe('a runner that reports the end of its workers', () => {
  it('and does not end by itself is stopped and replaced', async () => {
    const { kept, first } = await keep()
    first.events.emit('pool:gracefulShutdown')
    expect([kept.isRunning(), first.signal.aborted]).toEqual([false, true])
    first.events.emit('pool:gracefulShutdown:complete')
    await vi.advanceTimersByTimeAsync(JOBS_END_MAX_MS + JOBS_RESTART_MAX_MS)
    expect([first.isStopped, runners.length, kept.isRunning()]).toEqual([true, 2, true])
    // The late end of the first runner does not end the second one.
    first.end()
    await vi.advanceTimersByTimeAsync(JOBS_END_MAX_MS + JOBS_RESTART_MAX_MS)
    expect([runners.length, kept.isRunning()]).toEqual([2, true])
  })

  it('and ends is replaced once', async () => {
    const { kept, first } = await keep()
    first.events.emit('pool:gracefulShutdown')
    first.events.emit('pool:gracefulShutdown:complete')
    first.end()
    await vi.advanceTimersByTimeAsync(JOBS_END_MAX_MS + JOBS_RESTART_MAX_MS)
    expect([first.isStopped, runners.length, kept.isRunning()]).toEqual([false, 2, true])
  })

  it('while the service stops is not replaced', async () => {
    const { first } = await keep()
    stopping.abort()
    first.events.emit('pool:gracefulShutdown:complete')
    await vi.advanceTimersByTimeAsync(JOBS_END_MAX_MS + JOBS_RESTART_MAX_MS)
    expect(runners.length).toBe(1)
  })
})
