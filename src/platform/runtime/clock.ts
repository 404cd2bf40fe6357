import { setTimeout } from 'node:timers/promises'

/** The only source of the present: tests hold it still or move it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Resolves when that much time has passed on this clock, milliseconds. */
  sleep(ms: number): Promise<void>
}

/** A clock over a source of the present in epoch milliseconds, which for the service is `Date.now`. */
export const makeClock = (now: () => number): Clock => ({
  now,
  async sleep(ms) {
    // A timer may fire a millisecond before the wall clock has got there.
    await setTimeout(ms + 1)
  },
})
