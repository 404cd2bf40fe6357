import type { Clock } from '../../src/platform/runtime/clock.ts'

export interface TestClock extends Clock {
  set(instant: string | number): void
  advance(ms: number): void
}

/** A fixed clock that only the test advances. */
export function testClock(start: string | number = '2026-11-20T09:30:00Z'): TestClock {
  let now = typeof start === 'number' ? start : Date.parse(start)
  return {
    now: () => now,
    // Sleeping on a stopped clock would never end, so it advances the clock.
    async sleep(ms) {
      now += ms
    },
    set(instant) {
      now = typeof instant === 'number' ? instant : Date.parse(instant)
    },
    advance(ms) {
      now += ms
    },
  }
}
