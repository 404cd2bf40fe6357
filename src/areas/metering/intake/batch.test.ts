import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'
import type { SampleValues } from '../intake-contract/index.ts'
import { VALUE_COLUMNS } from '../sample-columns.ts'
import { Batch, fold, marksOf } from './batch.ts'
import { SampleBlock } from './block.ts'

const START = Date.parse('2026-11-20T00:00:00Z')

function block(
  samples: readonly (readonly [device: string, at: number, values: SampleValues])[],
  now = START + DAY_MS,
): SampleBlock {
  // Less capacity than needed, so that the block grows.
  const created = new SampleBlock(1, 1)
  created.now = now
  for (const [deviceId, at, values] of samples)
    created.add({ deviceId, at: START + at, values }, Number(deviceId))
  return created
}
const batchOf = (...blocks: SampleBlock[]) =>
  new Batch(blocks.map((one) => ({ block: one, from: 0, to: one.count, size: one.count })))
const outcomeOf = (one: SampleBlock) => one.outcome(0, one.count)
const rowsOf = (batch: Batch) =>
  Array.from({ length: batch.rows }, (_, row) => {
    const { block: of, index } = batch.first(row)
    return [of.keyOf(index), (of.at[index] ?? 0) - START]
  })

const name = fc.constantFrom(
  'import_active_energy',
  'capacitive_reactive_energy',
  'voltage',
  'temperature',
  'mine',
  'Ş',
)
const values = fc
  .array(fc.tuple(name, fc.integer({ min: 0, max: 1e12 })), { minLength: 1, maxLength: 6 })
  .map((pairs) => Object.fromEntries(pairs.map(([key, value]) => [key, value / 1e6])))

describe('block of samples', () => {
  it('returns the values that were added', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 50 }), (list) => {
        const created = block(list.map((one, index) => ['7', index, one]))
        expect(list.map((_, index) => created.valuesOf(index))).toEqual(list)
      }),
    )
  })
})

describe('validation of a block', () => {
  const doubts = (created: SampleBlock) => outcomeOf(created).setAside
  const negatives = [
    ['1', 0, { active_power: -4, reactive_power: -1, mine: -2 }],
    ['1', 1, { export_active_energy: -0.001 }],
    ['1', 2, { export_active_energy: -1e-9 }],
  ] as const

  it('rejects negative registers, and accepts negative powers and extra values', () => {
    const negative = [1, 2].map((index) => ({ index, reason: 'negative_register' }))
    expect(doubts(block(negatives))).toEqual(negative)
    const columns = new SampleBlock(1, 1)
    columns.now = START
    const register = Float64Array.from(VALUE_COLUMNS, () => -1)
    columns.addColumns('1', 1, START, { mask: 1 << VALUE_COLUMNS.indexOf('active_power'), values: register })
    columns.addColumns('1', 1, START, {
      mask: 1 << VALUE_COLUMNS.indexOf('export_active_energy'),
      values: register,
    })
    expect(doubts(columns)).toEqual([{ index: 1, reason: 'negative_register' }])
  })

  it('reports a fault of the time before faults of the values', () => {
    const reasons = doubts(block(negatives, START - DAY_MS)).map(({ reason }) => reason)
    expect(reasons).toEqual(['future_timestamp', 'future_timestamp', 'future_timestamp'])
  })

  const now = Date.parse('2026-11-20T12:00:00Z')
  const doubt = (instant: string) =>
    doubts(block([['1', Date.parse(instant) - START, { a: 1 }]], now))[0]?.reason

  it('accepts a clock that is up to five minutes ahead', () => {
    expect(doubt('2026-11-20T12:05:00Z')).toBeUndefined()
    expect(doubt('2026-11-20T12:05:00.001Z')).toBe('future_timestamp')
  })

  it('detects a clock that was never set', () => {
    expect(doubt('2010-01-01T00:00:00Z')).toBeUndefined()
    expect(doubt('2000-01-01T00:00:00Z')).toBe('epoch_timestamp')
  })
})

describe('batch of samples', () => {
  it('orders rows by device and time, with one row for an instant from any senders', () => {
    const first = block([
      ['9', 5, { a: 1 }],
      ['2', 3, { a: 1 }],
      ['9', 1, { a: 1 }],
    ])
    const second = block([
      ['2', 3, { b: 1 }],
      ['2', 2, { a: 1 }],
    ])
    const batch = batchOf(first, second)
    expect(rowsOf(batch)).toEqual([
      [2, 2],
      [2, 3],
      [9, 1],
      [9, 5],
    ])
    expect([0, 1, 2, 3].map((row) => batch.isSingle(row))).toEqual([true, false, true, true])
    expect([outcomeOf(first).accepted, outcomeOf(second).accepted]).toEqual([3, 2])
  })

  it('classifies samples as new, known or contradicting, in order of arrival', () => {
    const sent = block([
      ['1', 0, { voltage: 1 }],
      ['1', 0, { voltage: 1 }],
      ['1', 0, { voltage: 2, current: 5 }],
      ['1', 0, { voltage: 1, current: 4 }],
      ['1', 0, { current: 4 }],
    ])
    const batch = batchOf(sent)
    expect(outcomeOf(sent)).toEqual({
      accepted: 2,
      duplicates: 2,
      setAside: [{ index: 2, reason: 'conflicts_with_stored' }],
    })
    expect(batch.rows).toBe(1)
    // Compared with the stored samples, the outcome differs.
    expect(fold({ current: 9 }, batch.samplesOf(0))).toEqual({
      values: { current: 9, voltage: 1 },
      isChanged: true,
    })
    expect(outcomeOf(sent)).toMatchObject({ accepted: 1, duplicates: 1 })
  })

  it('compares registers rounded to the stored millionths', () => {
    const sent = block([
      ['1', 0, { import_active_energy: 1.0000004 }],
      ['1', 0, { import_active_energy: 1 }],
    ])
    batchOf(sent)
    expect(outcomeOf(sent)).toMatchObject({ accepted: 1, duplicates: 1 })
  })

  it('marks ended hours dirty, with adjacent hours in one range', () => {
    const hours = [0, 0.5, 1, 3, 4.9, 6]
    const batch = batchOf(
      block(hours.map((hour) => ['5', hour * HOUR_MS, { a: 1 }])),
      block([['4', 2 * HOUR_MS, { a: 1 }]]),
    )
    const rows = Array.from({ length: batch.rows }, (_, row) => row)
    const marks = marksOf(batch, rows, START + 6.5 * HOUR_MS)
    expect(
      marks.map(({ deviceKey, from, to }) => [deviceKey, (from - START) / HOUR_MS, (to - START) / HOUR_MS]),
    ).toEqual([
      [4, 2, 3],
      [5, 0, 2],
      [5, 3, 5],
    ])
  })
})
