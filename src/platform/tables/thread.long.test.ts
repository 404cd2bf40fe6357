import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packWorkbook, workbookParts } from '../../../test/support/workbook.ts'
import { readTable } from './index.ts'
import { packRows, unpackRows } from './packed-rows.ts'
import { readHere } from './read.ts'
import { makeTableThread, type ThreadRules } from './thread.ts'

const LIMITS = {
  rowsMax: 100_000,
  columnsMax: 50,
  cellLengthMax: 1_000,
  unpackedBytesMax: 64 * 1024 * 1024,
  entriesMax: 100,
}
const RULES = { waitingMax: 3, readingMaxMs: 60_000, heapMb: 512, idleMs: 1 }
const many = (rows: number) =>
  Buffer.from(Array.from({ length: rows }, (_, at) => `${at};01.11.2026;${at % 7},5; x${at % 3};`).join('\n'))

describe('table reader thread', () => {
  it('gives the same result as reading in the main thread, for text and workbooks', async () => {
    const { rows: read } = makeTableThread(RULES)
    const csv = many(2_500)
    const book = await packWorkbook(
      workbookParts([
        ['a', 'b'],
        [1.5, null],
        [{ day: 46_000.5 }, { day: 0.5 }],
      ]),
    )
    for (const bytes of [csv, book, Buffer.from('')])
      expect(await read(bytes, LIMITS)).toEqual(await readHere(bytes, LIMITS))
    expect(await readTable(csv, LIMITS)).toEqual(await readHere(csv, LIMITS))
  })

  it('decodes rows with each iteration on request', async () => {
    const { rows, lazyRows } = makeTableThread(RULES)
    const csv = many(2_500)
    const lazy = await lazyRows(csv, LIMITS)
    const expected = await rows(csv, LIMITS)
    expect([...lazy]).toEqual(expected)
    expect([...lazy]).toEqual(expected)
    await expect(lazyRows(many(20), { ...LIMITS, rowsMax: 5 })).rejects.toMatchObject({ kind: 'tooManyRows' })
  })

  it('reports a fault like the main thread, and continues with the next file', async () => {
    const { rows: read } = makeTableThread(RULES)
    await expect(read(Buffer.from([0xff, 0x80]), LIMITS)).rejects.toMatchObject({ kind: 'encoding' })
    await expect(read(many(20), { ...LIMITS, rowsMax: 5 })).rejects.toMatchObject({ kind: 'tooManyRows' })
    expect(await read(many(3), LIMITS)).toHaveLength(3)
  })

  it('reads one file at a time, with a limited queue', async () => {
    const { rows: read } = makeTableThread(RULES)
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((rows) => read(many(rows), LIMITS)))
    expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value.length : one.reason.code))).toEqual([
      1,
      2,
      3,
      'SERVICE_UNAVAILABLE',
    ])
    expect(await read(many(5), LIMITS)).toHaveLength(5)
  })

  it.each<[string, Partial<ThreadRules>, string]>([
    ['that takes too long', { readingMaxMs: 1 }, 'unreadable'],
    ['that needs too much memory', { heapMb: 16 }, 'tooLarge'],
  ])('rejects a file %s', async (_name, rules, kind) => {
    const { rows: read } = makeTableThread({ ...RULES, ...rules })
    await expect(read(many(100_000), LIMITS)).rejects.toMatchObject({ kind })
  })

  it('does not block the main thread', async () => {
    const gaps: number[] = []
    let last = performance.now()
    const timer = setInterval(() => {
      gaps.push(performance.now() - last)
      last = performance.now()
    }, 1)
    try {
      await readTable(many(50_000), LIMITS)
    } finally {
      clearInterval(timer)
    }
    // In the main thread there would be a single long gap; the length depends on the machine.
    expect(gaps.length).toBeGreaterThan(20)
  })
})

describe('batch of rows', () => {
  it('is unchanged by the transfer between threads', () => {
    const shown = fc.string({ maxLength: 5 })
    const cell = fc.oneof(
      fc.constant({ kind: 'empty' as const }),
      fc.record({ kind: fc.constant('text' as const), text: shown, raw: shown }),
      fc.record({ kind: fc.constant('number' as const), text: shown, isRounded: fc.boolean() }),
      fc.record({
        kind: fc.constant('time' as const),
        date: fc.option(shown, { nil: undefined }),
        time: shown,
      }),
    )
    const row = fc.record({ number: fc.nat(), cells: fc.array(cell, { maxLength: 4 }) })
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        expect(unpackRows(packRows(rows))).toEqual(rows)
      }),
    )
  })
})
