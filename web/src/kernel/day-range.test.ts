import { describe, expect, it } from 'vitest'
import { daySearch, daySpan } from './day-range.ts'

describe('ranges of days', () => {
  it('include their last day, also over the end of a month and a year', () => {
    expect(daySpan({ from: '2026-02-01', to: '2026-02-28' })).toEqual({
      from: '2026-02-01T00:00:00+03:00',
      to: '2026-03-01T00:00:00+03:00',
    })
    expect(daySpan({ from: '2026-12-31', to: '2026-12-31' }).to).toBe('2027-01-01T00:00:00+03:00')
  })

  it('are taken from an address only when they are days', () => {
    expect(daySearch({ from: '2026-05-01', to: '2026-13-01' })).toEqual({ from: '2026-05-01' })
    expect(daySearch({ from: 5, to: 'x' })).toEqual({})
  })
})
