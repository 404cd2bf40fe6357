import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeLog } from '../platform/observability/log.ts'
import { makeClosers } from './closers.ts'
import { SHUTDOWN_MAX_MS } from './limits.ts'

it('parts are closed in reverse order, also after one that fails, and learn how much of the stop is left', async () => {
  const closers = makeClosers(makeLog('silent'))
  const closed: [string, number][] = []
  const close = (name: string) => async (remainingMs: number) => {
    closed.push([name, remainingMs])
    await sleep(20)
  }
  closers.add('database', close('database'))
  closers.add('broken', async () => {
    throw new Error('broken')
  })
  closers.add('HTTP', close('HTTP'))
  await closers.closeAll()
  expect(closed.map(([name]) => name)).toEqual(['HTTP', 'database'])
  const [atFirst = 0, atLast = 0] = closed.map(([, remainingMs]) => remainingMs)
  expect(atFirst).toBeLessThanOrEqual(SHUTDOWN_MAX_MS)
  expect(atLast).toBeLessThan(atFirst)
})
