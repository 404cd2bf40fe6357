import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatKwh, total, ZERO_KWH } from '../../../kernel/decimal.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { type CounterHour, energyByHour } from './energy-by-hour.ts'
import { fallsOf, NEIGHBOUR_READINGS, type Reading } from './readings.ts'
import { toReading } from './session-register.ts'

const MIDNIGHT = Date.parse('2026-11-02T00:00:00+03:00')

/**
 * Readings written as `'10:20 9.5'`, `'10:20 9.5 end'` or `'10:20 0 begin'`; `'10:20 9.5 end begin=0'` is one
 * stored sample that a session ended and another one began with.
 */
function meter(...lines: string[]): Reading[] {
  return lines.map((line) => {
    const [clock = '', kwh = '', ...marks] = line.split(' ')
    const [hours, minutes] = clock.split(':')
    const mark = (name: string): number | null => {
      const found = marks.find((one) => one.startsWith(name))
      return found === undefined ? null : Number(found.split('=')[1] ?? kwh)
    }
    return toReading(
      {
        at: MIDNIGHT + Number(hours) * HOUR_MS + Number(minutes) * 60_000,
        value: Math.round(Number(kwh) * 1e6),
      },
      { register: 'import_active_energy', beginKwh: mark('begin'), endKwh: mark('end') },
    )
  })
}

const hoursBetween = (
  from: number,
  to: number,
  readings: readonly Reading[],
  powerKw?: number,
): CounterHour[] =>
  energyByHour({
    range: { from: MIDNIGHT + from * HOUR_MS, to: MIDNIGHT + to * HOUR_MS },
    readings,
    reportingIntervalMs: HOUR_MS,
    maxPowerKw: () => powerKw,
  })
const energies = (hours: readonly CounterHour[]): (string | null)[] =>
  hours.map(({ energy }) => (energy === null ? null : formatKwh(energy)))
const sum = (hours: readonly CounterHour[]): string =>
  formatKwh(total(hours.map(({ energy }) => energy ?? ZERO_KWH)))
const suspectHours = (hours: readonly CounterHour[]): number[] =>
  hours.flatMap(({ isSuspect, hour }) => (isSuspect ? [(hour - MIDNIGHT) / HOUR_MS] : []))

describe('a register that restarts at 0 for every session', () => {
  it('is continued across four sessions with readings at begin and end only', () => {
    const hours = hoursBetween(
      8,
      13,
      meter(
        ...['8:05 0 begin', '8:50 6 end', '9:10 0 begin', '9:40 7 end'],
        ...['10:15 0 begin', '10:45 8 end', '11:05 0 begin', '11:55 9.5 end'],
      ),
    )
    expect(energies(hours)).toEqual(['6.000', '7.000', '8.000', '9.500', null])
    expect(suspectHours(hours)).toEqual([])
  })

  it('is continued across sessions with intermediate readings', () => {
    const hours = hoursBetween(
      8,
      11,
      meter(
        ...['8:10 0 begin', '8:20 2', '8:30 4', '8:40 5 end'],
        ...['8:50 0 begin', '9:10 4', '9:20 6 end', '9:30 0 begin', '10:30 3 end'],
      ),
    )
    expect(energies(hours)).toEqual(['7.000', '5.500', '1.500'])
    expect(suspectHours(hours)).toEqual([])
  })

  it('is continued where a session begins exactly at the boundary of an hour', () => {
    const hours = hoursBetween(8, 10, meter('8:10 0 begin', '8:50 9.5 end', '9:00 0 begin', '9:30 9.5 end'))
    expect(energies(hours)).toEqual(['9.500', '9.500'])
    expect(suspectHours(hours)).toEqual([])
  })

  it('is continued where one session ends and another begins at the same instant', () => {
    const first = hoursBetween(8, 10, meter('8:10 0 begin', '9:00 9.5 end begin=0', '9:30 12 end'))
    expect(energies(first)).toEqual(['9.500', '12.000'])
    const second = hoursBetween(8, 10, meter('8:10 0 begin', '9:00 0 end=9.5 begin', '9:30 4', '9:40 12 end'))
    expect(energies(second)).toEqual(['9.500', '12.000'])
    expect([...suspectHours(first), ...suspectHours(second)]).toEqual([])
  })

  it('counts a short session of a few readings that ends below the one before', () => {
    const hours = hoursBetween(8, 9, meter('8:10 0 begin', '8:20 9 end', '8:21 0 begin', '8:22 0.2 end'))
    expect(energies(hours)).toEqual(['9.200'])
    expect(suspectHours(hours)).toEqual([])
  })

  it('may report one beginning or end twice, rounded differently', () => {
    const hours = hoursBetween(
      8,
      10,
      meter(
        '8:09 0.0004 begin',
        '8:10 0 begin',
        '8:49 6.0004 end',
        '8:50 6 end',
        '9:00 0 begin',
        '9:29 7 end',
        '9:30 7.0004 end',
      ),
    )
    expect(energies(hours)).toEqual(['6.000', '7.000'])
    expect(suspectHours(hours)).toEqual([])
  })

  it('has no energy and no doubt while it is idle', () => {
    const hours = hoursBetween(
      8,
      10,
      meter(
        '8:00 0 begin',
        '8:30 5 end',
        '8:45 5',
        '9:00 5',
        '9:15 0 begin',
        '9:30 6 end',
        '9:45 0',
        '9:50 0',
      ),
    )
    expect(energies(hours)).toEqual(['5.000', '6.000'])
    expect(suspectHours(hours)).toEqual([])
  })
})

describe('doubt about a session', () => {
  it('whose end is unknown marks the hour in which the next one begins', () => {
    const hours = hoursBetween(8, 10, meter('8:00 0 begin', '8:30 5', '9:15 0 begin', '9:30 6 end'))
    expect(energies(hours)).toEqual(['5.000', '6.000'])
    expect(suspectHours(hours)).toEqual([8, 9])
  })

  it('whose beginning is unknown counts from 0 and marks the hours', () => {
    const hours = hoursBetween(8, 10, meter('8:00 0 begin', '8:50 5 end', '9:10 1', '9:30 6 end'))
    expect(energies(hours)).toEqual(['5.500', '5.500'])
    expect(suspectHours(hours)).toEqual([8, 9])
    const endOnly = hoursBetween(8, 10, meter('8:00 0 begin', '9:00 5 end', '9:30 6 end'))
    expect(sum(endOnly)).toBe('6.000')
    expect(suspectHours(endOnly)).toEqual([9])
  })

  it('that begins lower, but not at 0, marks the hour and adds nothing', () => {
    const hours = hoursBetween(8, 10, meter('8:00 90 begin', '9:00 100 end', '9:30 3 begin', '9:40 4 end'))
    expect(energies(hours)).toEqual(['10.000', '1.000'])
    expect(suspectHours(hours)).toEqual([9])
  })
})

describe('a session that begins at 0 and has more energy than the power allows', () => {
  // 505 kWh in 20 minutes: the register counts on, and the 0 of the second session is false.
  const readings = meter('8:00 490 begin', '8:30 500 end', '9:10 0 begin', '9:30 505 end')

  it('marks its hour and keeps the energy that the station reports', () => {
    const hours = hoursBetween(8, 10, readings, 22)
    expect(energies(hours)).toEqual(['10.000', '505.000'])
    expect(suspectHours(hours)).toEqual([9])
  })

  it('is in no doubt up to one and a half times the power, or while the power is unknown', () => {
    for (const powerKw of [1010, undefined, 0])
      expect(suspectHours(hoursBetween(8, 10, readings, powerKw))).toEqual([])
    expect(suspectHours(hoursBetween(8, 10, readings, 1009.9))).toEqual([9])
  })

  it('needs the power at the readings after the beginning', () => {
    const [, , begin, end] = readings as [Reading, Reading, Reading, Reading]
    expect(fallsOf([begin, end])).toEqual([end.at])
    expect(fallsOf([{ ...begin, value: 9, restartsAt: 9 }, end])).toEqual([])
  })
})

describe('a register that counts on across sessions', () => {
  it('is not changed by the marks', () => {
    const hours = hoursBetween(8, 10, meter('8:00 5 begin', '8:30 9 end', '9:10 9 begin', '9:30 9.5 end'))
    expect(energies(hours)).toEqual(['4.000', '0.500'])
    expect(suspectHours(hours)).toEqual([])
  })

  it('passes over a 0 at the beginning of a session if the session would be impossibly large', () => {
    const hours = hoursBetween(8, 10, meter('8:00 5000', '8:30 5004 end', '9:10 0 begin', '9:30 5010 end'))
    expect(sum(hours)).toBe('10.000')
    expect(suspectHours(hours)).toEqual([8, 9])
    const atEnd = hoursBetween(8, 10, meter('8:00 5000', '8:30 5004 end begin=0', '9:30 5010 end'))
    expect(sum(atEnd)).toBe('10.000')
    expect(suspectHours(atEnd)).toEqual([8, 9])
  })

  it('passes over a single 0 that returns to exactly the end of the session', () => {
    const hours = hoursBetween(8, 9, meter('8:00 5 begin', '8:10 9 end', '8:20 0', '8:30 9', '8:40 9'))
    expect(sum(hours)).toBe('4.000')
    expect(suspectHours(hours)).toEqual([8])
  })
})

describe('the marks of a stored sample', () => {
  const marked = (beginKwh: number | null, endKwh: number | null) =>
    toReading({ at: 0, value: 7 }, { register: 'import_active_energy', beginKwh, endKwh })

  it('are ignored where they are no possible register', () => {
    for (const value of [-1, 1e99, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(marked(value, value)).toEqual({ at: 0, value: 7 })
    }
  })

  it('apply to the other registers of the sample by their instant alone', () => {
    const other = toReading({ at: 0, value: 7 }, { register: 'export_active_energy', beginKwh: 1, endKwh: 2 })
    expect(other).toEqual({ at: 0, value: 7, restartsAt: 7, isSessionEnd: true })
  })
})

describe('for any sessions', () => {
  const step = fc.record({
    minutes: fc.integer({ min: 1, max: 70 }),
    wh: fc.integer({ min: 0, max: 12_000 }),
  })
  const session = fc.record({
    idle: fc.integer({ min: 1, max: 300 }),
    steps: fc.array(step, { minLength: 1, maxLength: 5 }),
  })

  it('the hours sum to the sum of the sessions, without doubt', () => {
    fc.assert(
      fc.property(fc.array(session, { minLength: 1, maxLength: 8 }), (sessions) => {
        const readings: Reading[] = []
        let at = MIDNIGHT
        let all = 0n
        for (const { idle, steps } of sessions) {
          at += idle * 60_000
          readings.push({ at, value: 0, restartsAt: 0 })
          let value = 0
          for (const [index, { minutes, wh }] of steps.entries()) {
            at += minutes * 60_000
            value += wh * 1000
            readings.push({ at, value, ...(index === steps.length - 1 && { isSessionEnd: true }) })
          }
          all += BigInt(value / 1000)
        }
        const hours = hoursBetween(0, 200, readings)
        expect(total(hours.map(({ energy }) => energy ?? ZERO_KWH))).toBe(all)
        expect(suspectHours(hours)).toEqual([])
      }),
    )
  })

  it('and any marks, a part of the hours follows from the readings near it alone', () => {
    const noise = fc.array(
      fc.record({
        minutes: fc.integer({ min: 5, max: 70 }),
        value: fc.constantFrom(0, 0, 1, 2, 3, 5, 8, 900, 5000, 5001),
        restartsAt: fc.constantFrom(undefined, undefined, 0, 'value' as const),
        isSessionEnd: fc.boolean(),
      }),
      { minLength: 5, maxLength: 30 },
    )
    fc.assert(
      fc.property(noise, fc.nat(), fc.integer({ min: 1, max: 10 }), (steps, start, length) => {
        let at = MIDNIGHT
        const readings = steps.map(({ minutes, value, restartsAt, isSessionEnd }): Reading => {
          at += minutes * 60_000
          const mark = restartsAt === 'value' ? value : restartsAt
          return {
            at,
            value: value * 1e6,
            ...(mark !== undefined && { restartsAt: mark * 1e6 }),
            ...(isSessionEnd && { isSessionEnd }),
          }
        })
        const last = Math.ceil((at - MIDNIGHT) / HOUR_MS)
        const from = start % last
        const all = hoursBetween(0, last, readings)
        expect(all.every(({ energy }) => energy === null || energy >= 0n)).toBe(true)
        const [begins, ends] = [MIDNIGHT + from * HOUR_MS, MIDNIGHT + (from + length) * HOUR_MS]
        const near = [
          ...readings.filter((one) => one.at <= begins).slice(-NEIGHBOUR_READINGS),
          ...readings.filter((one) => one.at > begins && one.at < ends),
          ...readings.filter((one) => one.at >= ends).slice(0, NEIGHBOUR_READINGS),
        ]
        const part = hoursBetween(from, from + length, near)
        expect(part.slice(0, last - from)).toEqual(all.slice(from, from + length))
      }),
      { numRuns: 3000 },
    )
  })
})
