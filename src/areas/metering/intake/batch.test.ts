import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../kernel/time.ts'
import type { SampleValues } from '../../../platform/ingest.ts'
import { Batch, fold, marksOf } from './batch.ts'
import { partsOf, SampleBlock } from './block.ts'

const START = Date.parse('2026-11-20T00:00:00Z')

function block(
  samples: readonly (readonly [device: string, at: number, values: SampleValues])[],
): SampleBlock {
  // Less room than is needed, so that it grows on the way.
  const made = new SampleBlock(1, 1)
  for (const [deviceId, at, values] of samples) made.add({ deviceId, at: START + at, values })
  made.begin(new Map(made.deviceIds.map((id) => [id, Number(id)])), () => undefined)
  return made
}
const batchOf = (...blocks: SampleBlock[]) => new Batch(blocks.flatMap((one) => partsOf(one, 1000)))
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

describe('a block', () => {
  it('gives back what was put in', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 50 }), (list) => {
        const made = block(list.map((one, index) => ['7', index, one]))
        expect(list.map((_, index) => made.valuesOf(index))).toEqual(list)
      }),
    )
  })
})

describe('the doubts of a block', () => {
  const doubts = (made: SampleBlock) => made.outcome().setAside
  it('concern negative registers, not negative powers or extra values', () => {
    const made = block([
      ['1', 0, { active_power: -4, reactive_power: -1, mine: -2 }],
      ['1', 1, { export_active_energy: -0.001 }],
      ['1', 2, { export_active_energy: -1e-9 }],
    ])
    const negative = [1, 2].map((index) => ({ index, reason: 'negative_register' }))
    expect(doubts(made)).toEqual(negative)
    // Every attempt to store it asks anew, and the time goes before the values.
    const late = (at: number) => (at > START ? ('future_timestamp' as const) : undefined)
    made.begin(new Map(), late)
    expect(doubts(made).map(({ reason }) => reason)).toEqual(['future_timestamp', 'future_timestamp'])
    made.begin(new Map(), () => undefined)
    expect(doubts(made)).toEqual(negative)
  })
})

describe('a batch', () => {
  it('orders rows by device and time, one for an instant, whoever sent them', () => {
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
    expect([0, 1, 2, 3].map((row) => batch.isAlone(row))).toEqual([true, false, true, true])
    expect([first.outcome().accepted, second.outcome().accepted]).toEqual([3, 2])
  })

  it('tells what is new, known and contradicting, in order of arrival', () => {
    const sent = block([
      ['1', 0, { voltage: 1 }],
      ['1', 0, { voltage: 1 }],
      ['1', 0, { voltage: 2, current: 5 }],
      ['1', 0, { voltage: 1, current: 4 }],
      ['1', 0, { current: 4 }],
    ])
    const batch = batchOf(sent)
    expect(sent.outcome()).toEqual({
      accepted: 2,
      duplicates: 2,
      setAside: [{ index: 2, reason: 'conflicts_with_stored' }],
    })
    expect(batch.rows).toBe(1)
    // What is stored already decides anew.
    expect(fold({ current: 9 }, batch.places(0))).toEqual({
      values: { current: 9, voltage: 1 },
      isChanged: true,
    })
    expect(sent.outcome()).toMatchObject({ accepted: 1, duplicates: 1 })
  })

  it('finds registers equal at the millionth, in which they are kept', () => {
    const sent = block([
      ['1', 0, { import_active_energy: 1.0000004 }],
      ['1', 0, { import_active_energy: 1 }],
    ])
    batchOf(sent)
    expect(sent.outcome()).toMatchObject({ accepted: 1, duplicates: 1 })
  })

  it('marks ended hours, neighbours together', () => {
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
