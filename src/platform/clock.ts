import { setTimeout } from 'node:timers/promises'
import type { Clock } from './deps.ts'

/** A clock over a source of the present in epoch milliseconds, which for the service is `Date.now`. */
export const makeClock = (now: () => number): Clock => ({
  now,
  async sleep(ms) {
    // A timer may fire a millisecond before the wall clock has got there.
    await setTimeout(ms + 1)
  },
})
