import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readZip } from '../files/zip.ts'
import { csvStream, DELIMITERS, type OutBlock, type OutColumn, rowsOfBlock, xlsxStream } from './index.ts'

const COLUMNS: readonly OutColumn[] = [
  { title: 'cihaz', kind: 'text' },
  { title: 'boş', kind: 'text' },
  { title: 'zaman', kind: 'instant', decimals: 3 },
  { title: 'kWh', kind: 'number' },
  { title: 'V', kind: 'number' },
]

const ROWS = { minLength: 1, maxLength: 30 }
const instants = fc.oneof(
  fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) }),
  // Whole hours and minutes.
  fc.integer({ min: 450_000, max: 490_000 }).map((hour) => hour * 3_600_000),
  fc.integer({ min: 29_000_000, max: 30_000_000 }).map((minute) => minute * 60_000),
)
/** Also days that a sheet or a date of four digits cannot represent. */
const anyInstants = fc.integer({ min: -1e14, max: 1e15 })
const rowWith = (instant: fc.Arbitrary<number>) =>
  fc.record({
    instant,
    millionths: fc.option(
      fc.oneof(
        fc.integer({ min: -2e9, max: 2e9 }),
        fc.integer({ min: -999999999999999, max: 999999999999999 }),
      ),
    ),
    float: fc.option(
      fc.oneof(
        fc.double({ min: -1e15, max: 1e15, minExcluded: true, maxExcluded: true, noNaN: true }),
        fc.integer({ min: -1e6, max: 1e6 }).map((tenths) => tenths / 10),
        fc.constantFrom(0, -0, 1e-4, -1e-5, 9.99e-5, 0.1 + 0.2, 999_999_999.999999, 5e-324),
      ),
    ),
  })

const rows = fc.oneof(
  { weight: 5, arbitrary: fc.array(rowWith(instants), ROWS) },
  { weight: 1, arbitrary: fc.array(rowWith(anyInstants), ROWS) },
)
const block = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 12 }), rows, fc.boolean())
  .map(([text, rows, hasAll]): OutBlock => {
    const numbers = (cells: readonly (number | null)[]) => ({
      values: Float64Array.from(cells, (cell) => cell ?? 0),
      nulls: hasAll ? undefined : Uint8Array.from(cells, (cell) => (cell === null ? 1 : 0)),
    })
    return {
      length: rows.length,
      vectors: [
        { kind: 'constant', cell: text },
        { kind: 'constant', cell: null },
        { kind: 'instants', values: Float64Array.from(rows, ({ instant }) => instant) },
        { kind: 'millionths', ...numbers(rows.map(({ millionths }) => millionths)) },
        { kind: 'floats', ...numbers(rows.map(({ float }) => float)) },
      ],
    }
  })

it('a block is written with the bytes of its rows', async () => {
  const locales = ['tr', 'en'] as const
  await fc.assert(
    fc.asyncProperty(
      fc.array(block, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...locales),
      fc.constantFrom(...DELIMITERS),
      async (blocks, locale, delimiter) => {
        const rows = blocks.map(rowsOfBlock)
        const csv = (portions: typeof rows | typeof blocks) =>
          buffer(csvStream({ columns: COLUMNS, portions }, { locale, delimiter }))
        expect((await csv(blocks)).toString()).toBe((await csv(rows)).toString())
        const sheets = async (portions: typeof rows | typeof blocks) => {
          const options = { sheetName: 'Ölçümler', at: 0, sheetRowsMax: 12 }
          const zip = await readZip(await buffer(xlsxStream({ columns: COLUMNS, portions }, options)), {
            entriesMax: 100,
            bytesMax: 10_000_000,
          })
          return [...zip].map(([name, content]) => [name, content.toString()])
        }
        expect(await sheets(blocks)).toEqual(await sheets(rows))
      },
    ),
    { numRuns: 60 },
  )
})

it('a block is written in bytes where its instants can be printed', async () => {
  const sample = { length: 2, vectors: [{ kind: 'instants', values: Float64Array.of(0, 1_000) }] } as const
  const columns = [{ title: 't', kind: 'instant' }] as const
  const text = (await buffer(csvStream({ columns, portions: [sample] }, { locale: 'tr' }))).toString()
  expect(text).toBe('\uFEFFt\r\n01.01.1970 03:00\r\n01.01.1970 03:00:01\r\n')
})
