import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../../kernel/time.ts'
import { OSOS_HOUR_KWH_MAX } from '../limits.ts'
import { gapsOf, hoursOfIntervals, hoursOfRegisters, type RegisterRules } from './hours.ts'
import type { MeterRow } from './rows.ts'

const MIDNIGHT = Date.parse('2026-05-01T00:00:00+03:00')
const QUARTER = HOUR_MS / 4
const SCALE = { unit: 'kWh', multiplier: 1_000_000n } as const

/** A value in kWh; null: no value. */
type Value = number | null
const millionths = (kwh: Value) => (kwh === null ? null : BigInt(Math.round(kwh * 1e6)))

/** Rows in equal steps from midnight on; a pair is drawn and fed energy. */
const rowsOf = (stepMs: number, ...values: readonly (readonly [Value, Value])[]): MeterRow[] =>
  values.map(([imported, exported], index) => ({
    row: index + 2,
    at: MIDNIGHT + index * stepMs,
    imported: millionths(imported),
    exported: millionths(exported),
    rawText: `${imported} | ${exported}`,
  }))
const drawn = (stepMs: number, ...values: readonly Value[]): MeterRow[] =>
  rowsOf(stepMs, ...values.map((value) => [value, null] as const))

describe('the hours of intervals', () => {
  const hoursOf = (rows: MeterRow[]) =>
    hoursOfIntervals(rows, { ...SCALE, intervalMs: QUARTER }).hours.map(({ imported, exported }) => [
      imported,
      exported,
    ])

  it('sum their intervals, and have no value where one is missing', () => {
    expect(hoursOf(drawn(QUARTER, 1, 2, 3, 4))).toEqual([[10_000_000n, null]])
    expect(hoursOf(drawn(QUARTER, 1, 2, 3))).toEqual([])
    expect(hoursOf(drawn(QUARTER, 1, 2, null, 4))).toEqual([])
    const pairs = [1, 2, 3].map((value) => [value, value] as const)
    expect(hoursOf(rowsOf(QUARTER, ...pairs, [4, null]))).toEqual([[10_000_000n, null]])
  })

  it('are negative where an interval is, whatever their sum', () => {
    expect(hoursOf(drawn(QUARTER, 5, -1, 5, 5))).toEqual([[-1n, null]])
    expect(hoursOf(drawn(QUARTER, 0, 0, 0, 0))).toEqual([[0n, null]])
  })

  it('are refused above the largest energy of an hour', () => {
    const read = (kwh: number) => hoursOfIntervals(drawn(HOUR_MS, kwh), { ...SCALE, intervalMs: HOUR_MS })
    expect(read(OSOS_HOUR_KWH_MAX)).toMatchObject({ hours: [{ row: 2 }], faults: [] })
    expect(read(OSOS_HOUR_KWH_MAX + 0.001)).toMatchObject({
      hours: [],
      faults: [{ row: 2, fault: { code: 'ROW_HOUR_TOO_LARGE' } }],
    })
  })
})

describe('the hours of registers', () => {
  const rules: RegisterRules = {
    ...SCALE,
    reportingIntervalMs: HOUR_MS,
    changes: { imported: [], exported: [] },
    maxPowerKw: undefined,
  }

  it('have the quality of the direction that is known less', () => {
    const pairs = [
      [100, 50],
      [110, null],
      [120, null],
      [130, 53],
    ] as const
    const { hours } = hoursOfRegisters(rowsOf(HOUR_MS, ...pairs), rules)
    expect(
      hours.map(({ imported, exported, completenessPct }) => [imported, exported, completenessPct]),
    ).toEqual([
      [10_000_000n, 1_000_000n, 0],
      [10_000_000n, null, 100],
      [10_000_000n, 1_000_000n, 0],
    ])
  })

  it('are resets where one of both registers fell', () => {
    const pairs = [
      [100, 50],
      [110, 2],
      [120, 3],
    ] as const
    const { hours } = hoursOfRegisters(rowsOf(HOUR_MS, ...pairs), rules)
    expect(hours.map(({ isReset }) => isReset)).toEqual([true, false])
  })

  it('count over a meter change between the readings, and ignore those outside', () => {
    const change = (at: number) => ({ at, oldEnd: 105_000_000, newStart: 0 })
    const importedWith = (at: number) =>
      hoursOfRegisters(drawn(HOUR_MS, 100, 110), {
        ...rules,
        changes: { imported: [change(at)], exported: [] },
      }).hours.map(({ imported }) => imported)
    // 5 kWh up to the end of the old register, 110 kWh from the beginning of the new one.
    expect(importedWith(MIDNIGHT + QUARTER)).toEqual([115_000_000n])
    expect(importedWith(MIDNIGHT)).toEqual([10_000_000n])
    expect(importedWith(MIDNIGHT + HOUR_MS)).toEqual([10_000_000n])
  })
})

describe('the gaps of a file', () => {
  it('lie between its first and its last hour', () => {
    const rows = drawn(HOUR_MS, 1, null, null, 2)
    const { hours } = hoursOfIntervals(rows, { ...SCALE, intervalMs: HOUR_MS })
    expect(gapsOf(rows, hours, false)).toEqual([
      { from: MIDNIGHT + HOUR_MS, to: MIDNIGHT + 3 * HOUR_MS, hours: 2 },
    ])
    expect(gapsOf(drawn(HOUR_MS, 1, 2), [], true)).toEqual([
      { from: MIDNIGHT, to: MIDNIGHT + HOUR_MS, hours: 1 },
    ])
  })
})
