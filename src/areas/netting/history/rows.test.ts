import { describe, expect, it } from 'vitest'
import { readTable, type TableRow } from '../../../platform/tables/index.ts'
import type { Column, Kind } from './kinds.ts'
import { readRows } from './rows.ts'

const LIMITS = { rowsMax: 100, columnsMax: 50, cellLengthMax: 4000, unpackedBytesMax: 1e6, entriesMax: 10 }

/** The value of one cell of a CSV file, or the codes of the messages about it. */
const readCell = async (kind: Column['kind'], text: string) =>
  cellOf(kind, await readTable(Buffer.from(`value;\n"${text}";`), LIMITS))

function cellOf(kind: Column['kind'], rows: readonly TableRow[]) {
  const column = { name: 'value', tr: 'Değer', kind, isRequired: true } as Column
  const table = { name: 'test', columns: [column] } as unknown as Kind
  const codes: string[] = []
  const [row] = readRows(table, rows, { file: 'test.csv', sheet: null }, (_position, _column, { code }) =>
    codes.push(code),
  )
  expect(row?.isFaulty).toBe(codes.length > 0)
  return codes.length > 0 ? codes.join() : row?.values['value']
}

describe('a cell of an import of history', () => {
  it.each([
    ['01.03.2026', '2026-03-01'],
    ['2026-03-01 00:00', '2026-03-01'],
    ['2026-03-01 10:00', 'HISTORY_CELL_NOT_DATE'],
  ])('of a day reads %s as %s', async (text, value) => {
    expect(await readCell('day', text)).toBe(value)
  })

  it.each([
    ['01.03.2026', '2026-03-01T00:00:00+03:00'],
    ['01.03.2026 9:05', '2026-03-01T09:05:00+03:00'],
    ['01.03.2026 23:59', '2026-03-01T23:59:00+03:00'],
    ['01.03.2026 24:00', 'HISTORY_CELL_NOT_TIME'],
    ['01.03.2026 10:60', 'HISTORY_CELL_NOT_TIME'],
  ])('of a time reads %s as %s', async (text, value) => {
    expect(await readCell('time', text)).toBe(value)
  })

  it.each([
    ['1.234.567', '1234567'],
    ['1.234.567,5', '1234567.5'],
    ['1,234,567.5', '1234567.5'],
    ['1,234.5', '1234.5'],
    ['12,5', '12.5'],
    ['12.5', '12.5'],
    ['-5', 'HISTORY_CELL_NOT_NUMBER'],
    ['1.1234567', 'HISTORY_CELL_NOT_NUMBER'],
  ])('of a number reads %s as %s', async (text, value) => {
    expect(await readCell('number', text)).toBe(value)
  })

  it('of a number is refused when a spreadsheet has rounded it', () => {
    const read = (isRounded: boolean) => {
      const cell = { kind: 'number', text: '12', isRounded } as TableRow['cells'][number]
      const head = { kind: 'text', text: 'value', raw: 'value' } as TableRow['cells'][number]
      return cellOf('number', [
        { number: 1, cells: [head] },
        { number: 2, cells: [cell] },
      ])
    }
    expect([read(false), read(true)]).toEqual(['12', 'HISTORY_CELL_NOT_NUMBER'])
  })

  it('of a text is refused when a spreadsheet takes it for a formula', async () => {
    expect(await readCell('text', '=1+1')).toBe('HISTORY_CELL_FORMULA')
    expect(await readCell('text', 'a=1')).toBe('a=1')
  })
})
