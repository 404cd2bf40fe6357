import { describe, expect, it } from 'vitest'
import { extendDeadline } from './interlock.ts'

describe('the deadline of an attempt', () => {
  it.each([
    ['is as told without a lockout', [], 110],
    ['is later by a lockout', [{ from: 105, to: 107 }], 112],
    ['counts of a lockout only what lies in the attempt', [{ from: 50, to: 103 }], 113],
    [
      'is later by each of them, also by one that begins in the time gained',
      [
        { from: 105, to: 109 },
        { from: 113, to: 120 },
      ],
      121,
    ],
    ['is not moved by what comes after it', [{ from: 110, to: 200 }], 110],
  ])('%s', (_what, locked, deadline) => {
    expect(extendDeadline(100, 10, locked)).toBe(deadline)
  })
})
