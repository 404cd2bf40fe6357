import { expect, test } from 'vitest'
import { firstUnmasked, isMasked, makeSchedule } from './schedule.ts'

/** Friday, 20 November 2026, Turkey-local. */
const at = (clock: string, day = 20) => Date.parse(`2026-11-${day}T${clock}:00+03:00`)
const masks = (...windows: Parameters<typeof makeSchedule>[0]) => ({
  schedule: makeSchedule(windows),
  maintenance: [],
})

test('days and hours of a schedule are Turkey-local, from inclusive, to exclusive', () => {
  const office = masks({ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' })
  expect(['07:59', '08:00', '17:59', '18:00'].map((clock) => isMasked(office, at(clock)))).toEqual([
    true,
    false,
    false,
    true,
  ])
  expect(isMasked(office, at('12:00', 21))).toBe(true)
  expect(firstUnmasked(office, at('18:00'), at('12:00', 30))).toBe(at('08:00', 23))
  expect(firstUnmasked(office, at('18:00'), at('08:00', 23))).toBeUndefined()
})

test('a schedule window may extend into the next morning, and over the end of the week', () => {
  const night = masks({ days: [7], from: '22:00', to: '06:00' })
  expect(isMasked(night, at('23:00', 22))).toBe(false)
  expect(isMasked(night, at('05:59', 23))).toBe(false)
  expect(isMasked(night, at('06:00', 23))).toBe(true)
  expect(firstUnmasked(night, at('06:00', 23), at('06:00', 30))).toBe(at('22:00', 29))
})

test('a whole day is 00:00 to 24:00', () => {
  const day = masks({ days: [5], from: '00:00', to: '24:00' })
  expect([at('00:00'), at('23:59')].map((instant) => isMasked(day, instant))).toEqual([false, false])
  expect(isMasked(day, at('00:00', 21))).toBe(true)
})
