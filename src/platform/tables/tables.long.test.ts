import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { windows1254 } from '../../../test/support/turkish-text.ts'
import { packWorkbook, sheetDay, workbookParts } from '../../../test/support/workbook.ts'
import { type Cell, readTable, TableFault, type TableRow } from './index.ts'
import { readHere } from './read.ts'

const LIMITS = {
  rowsMax: 100,
  columnsMax: 10,
  cellLengthMax: 50,
  unpackedBytesMax: 200_000,
  entriesMax: 20,
}
const shown = (cell: Cell): string => {
  if (cell.kind === 'time') return `${cell.date ?? ''} ${cell.time}`
  return cell.kind === 'empty' ? '' : cell.text
}
const texts = (rows: readonly TableRow[]) => rows.map(({ number, cells }) => [number, ...cells.map(shown)])
const read = async (file: string | Buffer) => texts(await readTable(Buffer.from(file), LIMITS))

describe('uploaded table', () => {
  it.each([
    [
      'a,b\n1,"x, ""y"""\n',
      [
        [1, 'a', 'b'],
        [2, '1', 'x, "y"'],
      ],
    ],
    [
      '\uFEFFa;b\r\n1,5;2\r\n\r\n3;4',
      [
        [1, 'a', 'b'],
        [2, '1,5', '2'],
        [4, '3', '4'],
      ],
    ],
    [
      'a\tb\n"two\nlines"\t2\nx\ty',
      [
        [1, 'a', 'b'],
        [2, 'two\nlines', '2'],
        [4, 'x', 'y'],
      ],
    ],
  ])('has the line numbers that a person sees: %j', async (text, rows) => {
    expect(await read(text)).toEqual(rows)
  })

  it('is read from a workbook with its rows, times and numbers', async () => {
    const book = await packWorkbook(
      workbookParts([
        ['Tarih', 'kWh'],
        [null, null],
        [{ day: sheetDay('2026-11-05', 13) }, 0.1 + 0.2],
        [{ day: 0.5 }, -1e-9],
      ]),
    )
    expect(await read(book)).toEqual([
      [1, 'Tarih', 'kWh'],
      [3, '2026-11-05 13:00', '0.3'],
      [4, ' 12:00', '-0'],
    ])
  })

  it('is read in windows-1254 and UTF-16 where the limits say so, and otherwise refused', async () => {
    const text = 'Tesis;Iğdır ŞEKER\nçöğüşı;İĞÜÖÇŞ\n'
    const rows = [
      [1, 'Tesis', 'Iğdır ŞEKER'],
      [2, 'çöğüşı', 'İĞÜÖÇŞ'],
    ]
    const turkish = { ...LIMITS, encodings: 'turkish' } as const
    const marked = Buffer.from(`\uFEFF${text}`, 'utf16le')
    for (const bytes of [windows1254(text), marked, Buffer.from(marked).swap16()]) {
      expect(texts(await readTable(bytes, turkish))).toEqual(rows)
      await expect(readTable(bytes, LIMITS)).rejects.toThrow('text in UTF-8')
    }
    expect(texts(await readTable(Buffer.from(text), turkish))).toEqual(rows)
    // A long text is read in the thread.
    const long = windows1254(text + `${'x;'.repeat(4)}${'y'.repeat(45)};${'z'.repeat(45)}\n`.repeat(95))
    expect(texts(await readTable(long, turkish)).slice(0, 2)).toEqual(rows)
  })

  it.each([
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d', 'hex')],
    ['an unassigned byte of windows-1254', Buffer.from('61fd81', 'hex')],
    ['damaged UTF-8', Buffer.concat([Buffer.from('Mahsuplaşan;1\n'), Buffer.from([0xfe])])],
    ['half a character of UTF-16', Buffer.from('fffe61', 'hex')],
  ])('in an encoding that is not known is refused: %s', async (_what, bytes) => {
    await expect(readTable(bytes, { ...LIMITS, encodings: 'turkish' })).rejects.toThrow(TableFault)
  })

  it('is rejected with a reason, for any bytes', async () => {
    const book = await packWorkbook(
      workbookParts([
        ['date', 'kwh'],
        ['2026-11-01', 1.5],
        ['x', null],
      ]),
    )
    const parts = workbookParts([
      ['date', 'kwh'],
      ['2026-11-01', 1.5],
    ])
    const outcome = async (bytes: Buffer) => {
      try {
        await readHere(bytes, LIMITS)
      } catch (error) {
        expect(error).toBeInstanceOf(TableFault)
      }
    }
    const edits = fc.array(fc.tuple(fc.nat(book.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(edits, (changes) => {
        const bytes = Buffer.from(book)
        for (const [index, byte] of changes) bytes[index] = byte
        return outcome(bytes)
      }),
      { numRuns: 300 },
    )
    // Corrupted XML in a valid ZIP.
    const names = fc.constantFrom(...[...parts.keys()].filter((name) => name.startsWith('xl/')))
    const bits = fc.constantFrom(
      '<',
      '>',
      '"',
      '&',
      '</row>',
      '<row>',
      '<c r="A1">',
      'r="9"',
      '<v>',
      '\u0000',
      '',
    )
    await fc.assert(
      fc.asyncProperty(
        names,
        fc.double({ min: 0, max: 1, noNaN: true }),
        bits,
        fc.nat(30),
        async (name, at, bit, cut) => {
          const xml = parts.get(name) ?? ''
          const offset = Math.floor(at * xml.length)
          const changed = xml.slice(0, offset) + bit + xml.slice(offset + cut)
          await outcome(await packWorkbook(new Map([...parts, [name, changed]])))
        },
      ),
      { numRuns: 300 },
    )
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), (bytes) => outcome(Buffer.from(bytes))),
    )
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom('"', ',', ';', '\n', '\r', 'a', ' ') }), (text) =>
        outcome(Buffer.from(text)),
      ),
    )
  })
})
