import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../../../src/kernel/time.ts'
import { monthsOf, moved, spanRange, zoomed } from './window.ts'

const at = (text: string): number => Date.parse(`${text}+03:00`)
const range = (from: string, to: string) => ({ from: at(from), to: at(to) })

describe('the range of the chart', () => {
  it('is a year, a month, a week or a day of Turkey around an instant', () => {
    const instant = at('2026-05-31T23:30:00')
    expect(spanRange('year', instant)).toEqual(range('2026-01-01T00:00', '2027-01-01T00:00'))
    expect(spanRange('month', instant)).toEqual(range('2026-05-01T00:00', '2026-06-01T00:00'))
    expect(spanRange('week', instant)).toEqual(range('2026-05-31T00:00', '2026-06-07T00:00'))
    expect(spanRange('day', instant)).toEqual(range('2026-05-31T00:00', '2026-06-01T00:00'))
  })

  it('is zoomed down to an hour, around the selected one, and up to a year', () => {
    const hour = at('2026-05-31T23:00:00')
    let shown = spanRange('year', hour)
    for (let step = 0; step < 20; step += 1) shown = zoomed(shown, 0.5, hour)
    expect(shown).toEqual({ from: hour, to: hour + HOUR_MS })
    for (let step = 0; step < 20; step += 1) shown = zoomed(shown, 2)
    expect(shown.to - shown.from).toBe(366 * 24 * HOUR_MS)
  })

  it('moves by its length, and reads the months it touches', () => {
    const shown = range('2026-05-30T00:00', '2026-06-02T00:00')
    expect(moved(shown, 1)).toEqual(range('2026-06-02T00:00', '2026-06-05T00:00'))
    expect(monthsOf(shown)).toEqual(['2026-05', '2026-06'])
    expect(monthsOf(range('2026-05-01T00:00', '2026-06-01T00:00'))).toEqual(['2026-05'])
  })
})
