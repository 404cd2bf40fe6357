import { expect, it } from 'vitest'
import { makeClock } from './clock.ts'

it('clock sleeps until its own time has passed, and not less', async () => {
  const clock = makeClock(Date.now)
  for (const ms of [0, 1, 7, 20, 33]) {
    const until = clock.now() + ms
    await clock.sleep(ms)
    expect(clock.now()).toBeGreaterThanOrEqual(until)
  }
})
