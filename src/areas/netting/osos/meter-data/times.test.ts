import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, TURKEY_OFFSET_MS } from '../../../../kernel/time.ts'
import type { Cell } from '../../../../platform/tables/index.ts'
import { TimeReader, type TimeRules } from './times.ts'

const MIDNIGHT = Date.parse('2026-05-01T00:00:00+03:00')
const cell = (text: string): Cell => ({ kind: 'text', text, raw: text })
const RULES: TimeRules = { label: 'hour_starting', intervalMs: HOUR_MS, utcOffsetMs: TURKEY_OFFSET_MS }

/** The times of rows with a column of dates and one of times: hours from midnight, or the code of the fault. */
function hoursOf(rules: Partial<TimeRules>, ...times: readonly string[]): (number | string)[] {
  const reader = new TimeReader({ ...RULES, ...rules })
  return times.map((time) => {
    const { at, fault } = reader.read(cell('01.05.2026'), cell(time))
    return at === undefined ? fault.code : (at - MIDNIGHT) / HOUR_MS
  })
}

describe('the times of meter data', () => {
  it('name an interval by its start or its end', () => {
    expect(hoursOf({}, '00:00', '01:00', '23:00')).toEqual([0, 1, 23])
    expect(hoursOf({ label: 'hour_ending' }, '01:00', '02:00', '24:00')).toEqual([0, 1, 23])
    expect(hoursOf({ label: 'hour_ending', intervalMs: HOUR_MS / 4 }, '00:15', '24:00')).toEqual([0, 23.75])
  })

  it('take 00:00 after 23:00 of the same date for the end of the day', () => {
    expect(hoursOf({ label: 'hour_ending' }, '22:00', '23:00', '00:00')).toEqual([21, 22, 23])
    expect(hoursOf({ label: null, intervalMs: undefined }, '23:00', '00:00')).toEqual([23, 24])
    expect(hoursOf({ label: null, intervalMs: undefined }, '22:59', '00:00')).toEqual([22 + 59 / 60, 0])
    expect(hoursOf({}, '23:00', '00:00')).toEqual([23, 'ROW_TIME_BEGINS_NO_INTERVAL'])
  })

  it('accept a span of the length of the interval, whose last minute may be left out', () => {
    expect(hoursOf({}, '00:00-01:00', '01:00-01:59', '23:00-24:00')).toEqual([0, 1, 23])
    expect(hoursOf({}, '00:00-02:00', '00:00-01:01')).toEqual(['ROW_TIME_OFF_GRID', 'ROW_TIME_OFF_GRID'])
  })

  it('have the offset of the file where they name none', () => {
    const reader = new TimeReader({ ...RULES, utcOffsetMs: 0 })
    expect(reader.read(cell('01.05.2026'), cell('00:00')).at).toBe(MIDNIGHT + TURKEY_OFFSET_MS)
    expect(reader.read(cell('2026-05-01T00:00:00+03:00'), undefined).at).toBe(MIDNIGHT)
    expect(reader.read(cell('02.05.2026 00:00'), undefined).at).toBe(MIDNIGHT + DAY_MS + TURKEY_OFFSET_MS)
  })
})
