import { setTimeout } from 'node:timers/promises'

/** The only source of the current time; tests stop it or advance it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Resolves after that time on this clock, milliseconds. */
  sleep(ms: number): Promise<void>
}

/**
 * Makes a clock from a source of the current time in epoch milliseconds, which in the service is
 * `Date.now`.
 */
export const makeClock = (now: () => number): Clock => ({
  now,
  async sleep(ms) {
    // A timer may fire a millisecond before the wall clock reaches its time.
    await setTimeout(ms + 1)
  },
})
