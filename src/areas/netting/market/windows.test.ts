import { describe, expect, it } from 'vitest'
import { iso } from '../../../kernel/time.ts'
import { dayRangeOf, mayStillChange, monthsToKeep, smfDays, withoutLastDay } from './windows.ts'

const at = (text: string): number => Date.parse(text)

describe('windows of a pull', () => {
  it('contain system marginal prices that are four hours old, day by day', () => {
    const days = smfDays(at('2026-11-20T14:05:00+03:00')).map(({ from, to }) => [iso(from), iso(to)])
    expect(days).toEqual([
      ['2026-11-18T21:00:00.000Z', '2026-11-19T21:00:00.000Z'],
      ['2026-11-19T21:00:00.000Z', '2026-11-20T07:00:00.000Z'],
    ])
    expect(smfDays(at('2026-11-20T02:15:00+03:00')).map(({ to }) => iso(to))).toEqual([
      '2026-11-19T19:00:00.000Z',
    ])
  })

  it('contain twelve months and the current one, newest first, up to the last published day', () => {
    const months = monthsToKeep(at('2025-01-01T02:15:00+03:00'))
    expect(months[0]).toMatchObject({ market: 'ptf', period: '2025-01-01' })
    // Nothing of the first day is four hours old yet.
    expect(months[1]).toMatchObject({ market: 'ptf', period: '2024-12-01' })
    expect(months.at(-1)).toMatchObject({ market: 'smf', period: '2024-01-01' })
    expect(months).toHaveLength(25)
    const hours = months
      .filter(({ market }) => market === 'smf')
      .map(({ range }) => (range.to - range.from) / 3_600_000)
    expect(hours.reduce((sum, count) => sum + count, 0)).toBe(8784 - 2)
    expect(
      months.filter(({ period }) => mayStillChange(period, at('2025-01-01T02:15:00+03:00'))),
    ).toHaveLength(3)
  })

  it('are a day shorter when the last day is not published', () => {
    const days = dayRangeOf({ from: at('2026-11-01T00:00:00+03:00'), to: at('2026-11-03T05:00:00+03:00') })
    expect(days).toMatchObject({ first: '2026-11-01', last: '2026-11-03' })
    const shorter = withoutLastDay(days)
    expect(shorter).toMatchObject({ first: '2026-11-01', last: '2026-11-02' })
    expect(shorter?.hours.to).toBe(at('2026-11-03T00:00:00+03:00'))
    expect(withoutLastDay(dayRangeOf({ from: days.hours.from, to: days.hours.from + 1 }))).toBeUndefined()
  })
})
