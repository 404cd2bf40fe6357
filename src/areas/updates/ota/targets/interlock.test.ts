import { describe, expect, it } from 'vitest'
import { extendDeadline } from './interlock.ts'

describe('deadline of an attempt', () => {
  it.each([
    ['is unchanged without a lockout', [], 110],
    ['is extended by a lockout', [{ from: 105, to: 107 }], 112],
    ['is extended only by the part of a lockout within the attempt', [{ from: 50, to: 103 }], 113],
    [
      'is extended by several lockouts, also by one that begins in the extension',
      [
        { from: 105, to: 109 },
        { from: 113, to: 120 },
      ],
      121,
    ],
    ['is not extended by a later lockout', [{ from: 110, to: 200 }], 110],
  ])('%s', (_what, locked, deadline) => {
    expect(extendDeadline(100, 10, locked)).toBe(deadline)
  })
})
