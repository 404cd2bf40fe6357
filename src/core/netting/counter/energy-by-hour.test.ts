import { describe, expect, it } from 'vitest'
import { formatKwh } from '../../../kernel/decimal.ts'
import { HOUR_MS, hoursOf } from '../../../kernel/time.ts'
import { energyByDay } from './aggregate.ts'
import { type CounterHour, type CounterInput, energyByHour } from './energy-by-hour.ts'
import type { Reading } from './readings.ts'

const MINUTE = 60_000
const MIDNIGHT = Date.parse('2026-11-02T00:00:00+03:00')

/** `at('10:20')`; `at('34:00')` is 10:00 of the next day. */
function at(clock: string): number {
  const [hours = '0', minutes = '0'] = clock.split(':')
  return MIDNIGHT + Number(hours) * HOUR_MS + Number(minutes) * MINUTE
}

/** Readings written as `'10:20 100.5'`. */
function meter(...lines: string[]): Reading[] {
  return lines.map((line) => {
    const [clock = '', kwh = ''] = line.split(' ')
    return { at: at(clock), value: Math.round(Number(kwh) * 1e6) }
  })
}

function evenly(input: { from: number; to: number; everyMs: number; whPerReading: number }): Reading[] {
  const readings: Reading[] = []
  for (let time = input.from; time <= input.to; time += input.everyMs) {
    readings.push({ at: time, value: 1e9 + readings.length * input.whPerReading * 1000 })
  }
  return readings
}

const hoursBetween = (from: string, to: string, rest: Omit<CounterInput, 'range'>): readonly CounterHour[] =>
  energyByHour({ range: { from: at(from), to: at(to) }, ...rest })

const energies = (hours: readonly CounterHour[]): (string | null)[] =>
  hours.map(({ energy }) => (energy === null ? null : formatKwh(energy)))
const pick = <K extends keyof CounterHour>(hours: readonly CounterHour[], key: K): CounterHour[K][] =>
  hours.map((hour) => hour[key])

describe('a rising register', () => {
  it('is interpolated linearly at the hour between irregular readings', () => {
    // 09:50 to 10:20 grows 3 kWh: at 10:00 it stood at 101. 10:50 to 11:30 grows 4 kWh: at 11:00 at 107.
    const readings = meter('9:50 100', '10:20 103', '10:50 106', '11:30 110', '12:10 112')
    const hours = hoursBetween('9:00', '12:00', { readings, reportingIntervalMs: 30 * MINUTE })
    expect(energies(hours)).toEqual(['1.000', '6.000', '4.500'])
    expect(pick(hours, 'completenessPct')).toEqual([16.67, 100, 100])
    expect(pick(hours, 'hasReading')).toEqual([true, true, true])
    expect(pick(hours, 'isOpen')).toEqual([false, false, false])
  })

  it('uses a reading on the hour unchanged, for the hour it ends and the hour it begins', () => {
    const hours = hoursBetween('9:00', '12:00', { readings: meter('10:00 5.0004', '11:00 6.0005') })
    expect(energies(hours)).toEqual([null, '1.001', null])
    expect(pick(hours, 'hasReading')).toEqual([true, true, true])
    expect(pick(hours, 'isOpen')).toEqual([false, false, true])
    expect(pick(hours, 'completenessPct')).toEqual([0, 100, 0])
  })

  it('rounds the boundary, not the share, so that nothing is lost between hours', () => {
    const hours = hoursBetween('10:00', '13:00', { readings: meter('10:00 0', '13:00 0.010') })
    expect(energies(hours)).toEqual(['0.003', '0.004', '0.003'])
  })

  it('rounds a boundary half up', () => {
    const hours = hoursBetween('10:00', '12:00', { readings: meter('10:00 0', '12:00 0.001') })
    expect(energies(hours)).toEqual(['0.001', '0.000'])
  })

  it('that does not change gives zero, not a missing value', () => {
    const readings = meter('10:00 7', '10:30 7', '11:00 7', '12:00 7')
    const hours = hoursBetween('10:00', '12:00', { readings, reportingIntervalMs: 30 * MINUTE })
    expect(energies(hours)).toEqual(['0.000', '0.000'])
    expect(pick(hours, 'completenessPct')).toEqual([100, 0])
  })

  it('is exact where a product exceeds the safe integers', () => {
    // In double arithmetic the register at 01:00 is a millionth too low, just below the half that rounds up.
    const readings = [
      { at: at('0:00'), value: 466 },
      { at: at('0:00') + 10_802_001, value: 466 + 9_000_422_662_504 },
    ]
    expect(hoursBetween('0:00', '1:00', { readings })[0]?.energy).toBe(2_999_585_132n)
  })
})

describe('the edges of the known range', () => {
  it('are null and open in every hour without any reading', () => {
    const hours = hoursBetween('10:00', '12:00', { readings: [] })
    expect(energies(hours)).toEqual([null, null])
    expect(pick(hours, 'isOpen')).toEqual([true, true])
  })

  it('give no energy for a single reading', () => {
    const hours = hoursBetween('9:00', '12:00', { readings: meter('10:20 100') })
    expect(energies(hours)).toEqual([null, null, null])
    expect(pick(hours, 'hasReading')).toEqual([false, true, false])
    expect(pick(hours, 'isOpen')).toEqual([false, true, true])
  })

  it('count the first hour from its first reading', () => {
    const hours = hoursBetween('9:00', '12:00', { readings: meter('10:20 100', '10:40 101', '11:20 103') })
    expect(energies(hours)).toEqual([null, '2.000', '1.000'])
    // Nothing is configured, so the interval is derived: 20 and 40 minutes, the lower median is 20.
    expect(pick(hours, 'completenessPct')).toEqual([0, 33.33, 0])
  })

  it('use the last reading as the end of an open hour, which the next reading completes', () => {
    const readings = meter('9:45 100', '10:00 101', '10:15 102', '10:30 103')
    const open = hoursBetween('10:00', '11:00', { readings })
    expect(open).toEqual([
      {
        hour: at('10:00'),
        energy: 2000n,
        coveredMs: 30 * MINUTE,
        completenessPct: 50,
        hasReading: true,
        isSuspect: false,
        isOpen: true,
      },
    ])
    const healed = hoursBetween('10:00', '11:00', { readings: [...readings, ...meter('11:30 107')] })
    expect(energies(healed)).toEqual(['4.000'])
    expect(pick(healed, 'isOpen')).toEqual([false])
  })

  it('reject a range off the hour and unordered readings', () => {
    expect(() => hoursBetween('10:30', '12:00', { readings: [] })).toThrow('hour boundaries')
    expect(() => hoursBetween('10:00', '12:00', { readings: meter('10:30 1', '10:10 2') })).toThrow('ascend')
    expect(() => hoursBetween('10:00', '12:00', { readings: meter('10:30 1', '10:30 2') })).toThrow('ascend')
  })
})

describe('a gap in the readings', () => {
  const quarter = 15 * MINUTE

  it('of three days is filled with the linear share and has no coverage', () => {
    const before = evenly({ from: at('0:00'), to: at('24:30'), everyMs: quarter, whPerReading: 250 })
    const last = before.at(-1)?.value ?? 0
    const after = [0, 1, 2, 3].map((step) => ({
      at: at('96:30') + step * quarter,
      value: last + 144_000_000 + step * 250_000,
    }))
    const range = { from: at('24:00'), to: at('97:00') }
    const hours = energyByHour({ readings: [...before, ...after], range })
    expect(energies(hours.slice(0, 2))).toEqual(['1.500', '2.000'])
    expect(energies(hours.slice(-1))).toEqual(['1.500'])
    expect(pick(hours, 'completenessPct').filter((pct) => pct > 0)).toEqual([50, 50])
    expect(hours.filter(({ hasReading }) => !hasReading)).toHaveLength(71)
    expect(hours.some(({ isOpen, isSuspect }) => isOpen || isSuspect)).toBe(false)
    const sum = hours.reduce((wh, { energy }) => wh + (energy ?? 0n), 0n)
    expect(sum).toBe(500n + 144_000n + 500n)
  })

  it('from one full hour to another leaves each edge reading to both neighbouring hours', () => {
    const readings = meter('9:00 0', '10:00 1', '13:00 7', '14:00 8')
    const hours = hoursBetween('9:00', '14:00', { readings, reportingIntervalMs: HOUR_MS })
    expect(energies(hours)).toEqual(['1.000', '2.000', '2.000', '2.000', '1.000'])
    expect(pick(hours, 'hasReading')).toEqual([true, true, false, true, true])
    for (const [from, to] of [['10:00', '11:00'] as const, ['12:00', '13:00'] as const]) {
      expect(pick(hoursBetween(from, to, { readings }), 'hasReading')).toEqual([true])
    }
    expect(pick(hours, 'completenessPct')).toEqual([100, 0, 0, 0, 100])
  })

  it('begins beyond 1.5 reporting intervals, and never up to 15 minutes', () => {
    const readings = meter('10:00 0', '10:15 1', '10:45 2', '11:00 3')
    const covered = (reportingIntervalMs: number): number[] =>
      pick(hoursBetween('10:00', '11:00', { readings, reportingIntervalMs }), 'completenessPct')
    expect(covered(MINUTE)).toEqual([50])
    expect(covered(20 * MINUTE - 1)).toEqual([50])
    expect(covered(20 * MINUTE)).toEqual([100])
  })

  it('uses the interval of the day before the hour when none is configured', () => {
    const hourly = evenly({ from: at('0:20'), to: at('24:20'), everyMs: HOUR_MS, whPerReading: 1000 })
    const late = [
      { at: at('25:50'), value: 1_026_000_000 },
      { at: at('27:21'), value: 1_028_000_000 },
      { at: at('28:20'), value: 1_029_000_000 },
    ]
    const readings = [...hourly, ...late]
    const hours = hoursBetween('0:00', '28:00', { readings })
    // 90 minutes are 1.5 intervals of an hour, 91 are more. The interval of the first hour is derived from
    // the day after it.
    expect(pick(hours, 'completenessPct').slice(0, 3)).toEqual([66.67, 100, 100])
    expect(pick(hours, 'completenessPct').slice(24)).toEqual([100, 83.33, 0, 65])
  })

  it('on a day of 22 hours leaves their energy plus the linear share', () => {
    const readings = evenly({ from: at('0:00'), to: at('22:00'), everyMs: quarter, whPerReading: 100 })
    const [day] = energyByDay(energyByHour({ readings, range: { from: at('0:00'), to: at('24:00') } }))
    expect(day).toMatchObject({ hours: 24, energy: 8800n, completenessPct: 91.67, isOpen: true })
    const next = { at: at('24:00'), value: (readings.at(-1)?.value ?? 0) + 800_000 }
    const range = { from: at('0:00'), to: at('24:00') }
    const [healed] = energyByDay(energyByHour({ readings: [...readings, next], range }))
    expect(healed).toMatchObject({ energy: 9600n, completenessPct: 91.67, isOpen: false, hasReading: true })
  })
})

describe('a decreasing register', () => {
  const every = { reportingIntervalMs: 30 * MINUTE }

  it('that was reset counts from zero, and the hour is suspect', () => {
    const readings = meter('9:30 999', '10:00 1000', '10:30 2', '11:00 3.5', '11:30 4')
    const hours = hoursBetween('9:00', '12:00', { readings, ...every })
    expect(energies(hours)).toEqual(['1.000', '3.500', '0.500'])
    expect(pick(hours, 'isSuspect')).toEqual([false, true, false])
    expect(pick(hours, 'completenessPct')).toEqual([50, 100, 50])
  })

  it('that was reset in a gap spreads the growth evenly and marks each affected hour as suspect', () => {
    const readings = meter('8:00 999', '9:30 1000', '13:30 8', '14:30 9')
    const hours = hoursBetween('8:00', '15:00', { readings, ...every })
    expect(energies(hours)).toEqual(['0.667', '1.333', '2.000', '2.000', '2.000', '1.500', '0.500'])
    expect(pick(hours, 'isSuspect')).toEqual([false, true, true, true, true, true, false])
  })

  it('on the last reading counts at once', () => {
    const hours = hoursBetween('10:00', '11:00', { readings: meter('10:00 100', '10:30 110', '11:00 5') })
    expect(energies(hours)).toEqual(['15.000'])
    expect(pick(hours, 'isSuspect')).toEqual([true])
  })

  it('that rolled over at its configured width continues across zero without a suspect hour', () => {
    const readings = meter('9:30 9997', '10:00 9998', '11:00 3', '11:30 4')
    const hours = hoursBetween('10:00', '11:00', { readings, rolloverAt: 10_000_000_000 })
    expect(energies(hours)).toEqual(['5.000'])
    expect(pick(hours, 'isSuspect')).toEqual([false])
    const rollover = meter('9:30 9997', '10:30 9999', '11:30 1', '12:30 4')
    expect(
      energies(hoursBetween('10:00', '12:00', { readings: rollover, rolloverAt: 10_000_000_000 })),
    ).toEqual(['2.000', '2.500'])
  })

  it('by less than half of its width did not roll over', () => {
    const readings = meter('10:00 300', '10:30 301', '11:00 2', '11:30 3')
    const hours = hoursBetween('10:00', '12:00', { readings, rolloverAt: 10_000_000_000 })
    expect(energies(hours)).toEqual(['3.000', '1.000'])
    expect(pick(hours, 'isSuspect')).toEqual([true, false])
  })

  it('by a tenth or less was corrected: nothing grew, nothing is counted twice', () => {
    const readings = meter('10:00 100', '10:30 101', '11:00 99.5', '11:30 99.75', '12:00 100.25')
    const hours = hoursBetween('10:00', '12:00', { readings })
    expect(energies(hours)).toEqual(['1.000', '0.750'])
    expect(pick(hours, 'isSuspect')).toEqual([true, false])
  })
})

describe('a false reading', () => {
  it('that drops and returns adds nothing: it is skipped', () => {
    const readings = meter('9:30 999', '10:00 1000', '10:30 0', '11:00 1003', '11:30 1004')
    const hours = hoursBetween('9:00', '12:00', { readings, reportingIntervalMs: HOUR_MS })
    expect(energies(hours)).toEqual(['1.000', '3.000', '1.000'])
    expect(pick(hours, 'isSuspect')).toEqual([false, true, false])
  })

  it('that rises and returns adds nothing', () => {
    const readings = meter('9:30 999', '10:00 1000', '10:30 1065.536', '11:00 1003', '11:30 1004')
    const hours = hoursBetween('9:00', '12:00', { readings, reportingIntervalMs: HOUR_MS })
    expect(energies(hours)).toEqual(['1.000', '3.000', '1.000'])
    expect(pick(hours, 'isSuspect')).toEqual([false, true, false])
  })

  it('does not count for its hour, which has no reading', () => {
    const hours = hoursBetween('10:00', '13:00', { readings: meter('10:30 10', '11:30 0', '12:30 12') })
    expect(energies(hours)).toEqual(['0.500', '1.000', '0.500'])
    expect(pick(hours, 'hasReading')).toEqual([true, false, true])
    expect(pick(hours, 'isSuspect')).toEqual([true, true, true])
  })

  it('may occur at every second reading', () => {
    const readings = meter('10:00 10', '10:10 0', '10:20 11', '10:30 0', '10:40 12', '10:50 0', '11:00 13')
    expect(energies(hoursBetween('10:00', '11:00', { readings }))).toEqual(['3.000'])
    const still = meter('10:00 10', '10:30 0', '11:00 10')
    expect(energies(hoursBetween('10:00', '11:00', { readings: still }))).toEqual(['0.000'])
  })

  it('twice in a row is a reset', () => {
    const readings = meter('10:00 10', '10:20 0', '10:40 0', '11:00 1')
    const hours = hoursBetween('10:00', '11:00', { readings })
    expect(energies(hours)).toEqual(['1.000'])
    expect(pick(hours, 'isSuspect')).toEqual([true])
  })

  it('is not detected in a register that restarted recently', () => {
    const readings = meter('10:00 0', '10:20 10', '10:40 3', '11:00 7')
    expect(energies(hoursBetween('10:00', '11:00', { readings }))).toEqual(['17.000'])
  })
})

it('the result has a row for every hour of the range, and none for an empty range', () => {
  const range = { from: at('0:00'), to: at('5:00') }
  expect(pick(energyByHour({ readings: [], range }), 'hour')).toEqual(hoursOf(range))
  expect(energyByHour({ readings: [], range: { from: range.to, to: range.from } })).toEqual([])
})

describe('a reporting interval that is derived', () => {
  it('counts the spacing that ends with the reading on the hour', () => {
    const dense = Array.from(
      { length: 20 },
      (_, index) => `${12 + Math.floor((30 + index * 5) / 60)}:${(30 + index * 5) % 60} 5`,
    )
    const readings = meter('10:00 1', '11:00 2', '12:30 5', ...dense.slice(1))
    expect(pick(hoursBetween('11:00', '12:00', { readings }), 'completenessPct')).toEqual([100])
  })

  it('counts the spacing that begins 24 hours before the hour', () => {
    const readings = meter('0:00 1', '24:00 2', '54:00 5')
    expect(pick(hoursBetween('24:00', '25:00', { readings }), 'completenessPct')).toEqual([100])
  })
})
