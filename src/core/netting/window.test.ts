import { describe, expect, test } from 'vitest'
import { HOUR_MS, parseInstant, periodEnd, type Range } from '../../kernel/time.ts'
import { checkWindow, planWindows, residentialWindow, widenOverRuns, widenToLastRun } from './window.ts'

const at = (text: string): number => parseInstant(text)?.at ?? Number.NaN
const range = (from: string, to: string): Range => ({ from: at(from), to: at(to) })
const LATER = at('2027-06-01T00:00Z')

describe('calculation window', () => {
  test('is rejected when empty, reversed or longer than seven days', () => {
    const code = { status: 422, code: 'BUSINESS_RULE_VIOLATION' }
    for (const [from, to] of [
      ['2026-06-10T10:00Z', '2026-06-10T10:00Z'],
      ['2026-06-10T11:00Z', '2026-06-10T10:00Z'],
      ['2026-06-10T10:00Z', '2026-06-17T10:00:01Z'],
    ] as const) {
      expect(() => checkWindow(range(from, to))).toThrow(expect.objectContaining(code))
    }
    expect(() => checkWindow(range('2026-06-10T10:00Z', '2026-06-17T10:00Z'))).not.toThrow()
  })

  test('is rejected before the year 2000', () => {
    const code = { status: 422, code: 'BUSINESS_RULE_VIOLATION' }
    for (const from of ['1999-01-02T00:00Z', '1999-12-31T20:59Z']) {
      expect(() => checkWindow({ from: at(from), to: at(from) + HOUR_MS })).toThrow(
        expect.objectContaining(code),
      )
    }
    expect(() => checkWindow(range('1999-12-31T21:00Z', '2000-01-01T00:00Z'))).not.toThrow()
  })

  test('is truncated to whole hours', () => {
    expect(planWindows(range('2026-06-10T10:20Z', '2026-06-10T12:59Z'), LATER)).toEqual([
      { billingPeriod: '2026-06-01', window: range('2026-06-10T10:00Z', '2026-06-10T12:00Z') },
    ])
    expect(planWindows(range('2026-06-10T10:05Z', '2026-06-10T10:50Z'), LATER)).toEqual([])
  })

  test('ends with the last whole hour before now, and is empty in the future', () => {
    const asked = range('2026-06-10T10:00Z', '2026-06-11T10:00Z')
    expect(planWindows(asked, at('2026-06-10T12:34Z'))[0]?.window.to).toBe(at('2026-06-10T12:00Z'))
    expect(planWindows(asked, at('2026-06-10T09:00Z'))).toEqual([])
  })

  test('is split at the Turkey-local turn of the month and of the year', () => {
    const windows = planWindows(range('2026-12-31T20:00Z', '2026-12-31T23:00Z'), LATER)
    expect(windows).toEqual([
      { billingPeriod: '2026-12-01', window: range('2026-12-31T20:00Z', '2026-12-31T21:00Z') },
      { billingPeriod: '2027-01-01', window: range('2026-12-31T21:00Z', '2026-12-31T23:00Z') },
    ])
  })
})

describe('extension of a window', () => {
  const window = range('2026-06-10T10:00Z', '2026-06-10T12:00Z')
  const before = range('2026-06-10T05:00Z', '2026-06-10T10:00Z')
  const across = range('2026-06-10T11:00Z', '2026-06-10T15:00Z')
  const later = range('2026-06-10T15:00Z', '2026-06-10T20:00Z')

  test('covers the runs it overlaps, not adjacent ones', () => {
    expect(widenOverRuns(window, [later, across, before])).toEqual({ from: window.from, to: across.to })
    expect(widenOverRuns(window, [before, later])).toEqual(window)
    const early = range('2026-06-10T08:00Z', '2026-06-10T11:00Z')
    expect(widenOverRuns(window, [across, early])).toEqual({ from: early.from, to: across.to })
    expect(widenOverRuns(window, [])).toEqual(window)
  })

  test('extends to the end of the last run of the period when a closing balance changed', () => {
    expect(widenToLastRun(window, [later, before])).toEqual({ from: window.from, to: later.to })
    expect(widenToLastRun(window, [before])).toEqual(window)
  })
})

test('of a residential group begins with its period and ends with it or with the current hour', () => {
  const now = at('2026-06-10T12:34Z')
  expect(residentialWindow('2026-06-01', now)).toEqual(range('2026-06-01', '2026-06-10T12:00Z'))
  expect(residentialWindow('2026-06-01', LATER).to).toBe(periodEnd('2026-06-01'))
  expect((residentialWindow('2026-06-01', now).to - at('2026-06-01')) % HOUR_MS).toBe(0)
})
