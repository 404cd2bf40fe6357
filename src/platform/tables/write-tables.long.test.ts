import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { readSheet } from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import { hasProgram } from '../../../test/support/process/programs.ts'
import { readZip } from '../files/zip.ts'
import {
  type Cell,
  csvStream,
  type OutColumn,
  type OutRow,
  readTable,
  writeXlsx,
  xlsxStream,
} from './index.ts'
import { columnLetters, stylesXml } from './sheet-xml.ts'

const LIMITS = {
  rowsMax: 100,
  columnsMax: 10,
  cellLengthMax: 40_000,
  unpackedBytesMax: 2_000_000,
  entriesMax: 20,
}
const AT = Date.UTC(2026, 10, 20)
const OPTIONS = { sheetName: 'Ölçümler', at: AT }
const COLUMNS: readonly OutColumn[] = [
  { title: 'cihaz', kind: 'text' },
  { title: 'zaman', kind: 'instant' },
  { title: 'gün', kind: 'date' },
  { title: 'kWh', kind: 'number' },
]
const ROWS: readonly OutRow[] = [
  ['ĞÜŞİÖÇ ğüşıöç "a;b" <&>', Date.UTC(2026, 10, 5, 10, 0, 0), '2026-11-05', 1234.5],
  ['=HYPERLINK("http://x")', Date.UTC(2026, 10, 5, 21, 0, 0), '1999-12-31', -0.125],
  ['two\nlines', Date.UTC(2026, 10, 5, 10, 0, 7, 250), null, '123456789012345.123456'],
  [null, null, 'no date', 'no number'],
]
const csv = async (rows: readonly OutRow[], style: Parameters<typeof csvStream>[1]) =>
  (await buffer(csvStream({ columns: COLUMNS, portions: [rows] }, style))).toString()
const shown = (cell: Cell): string => {
  if (cell.kind === 'time') return `${cell.date ?? ''} ${cell.time}`
  return cell.kind === 'empty' ? '' : cell.text
}

describe('written CSV', () => {
  it('in Turkish format is readable by a Turkish spreadsheet', async () => {
    expect(await csv(ROWS, { locale: 'tr' })).toBe(
      '\uFEFFcihaz;zaman;gün;kWh\r\n' +
        '"ĞÜŞİÖÇ ğüşıöç ""a;b"" <&>";05.11.2026 13:00;05.11.2026;1234,5\r\n' +
        '"\'=HYPERLINK(""http://x"")";06.11.2026 00:00;31.12.1999;-0,125\r\n' +
        '"two\nlines";05.11.2026 13:00:07,250;;123456789012345,123456\r\n' +
        ';;no date;no number\r\n',
    )
  })

  it('is otherwise machine-readable, with any of three delimiters', async () => {
    const rows = [['a,b;c', Date.UTC(2026, 10, 5, 10), '2026-11-05', 0.1]]
    expect((await csv(rows, { locale: 'en' })).split('\r\n')[1]).toBe(
      '"a,b;c",2026-11-05T13:00:00+03:00,2026-11-05,0.1',
    )
    expect((await csv(rows, { locale: 'tr', delimiter: ',' })).split('\r\n')[1]).toBe(
      '"a,b;c",05.11.2026 13:00,05.11.2026,"0,1"',
    )
    const late = [['a', Date.UTC(2026, 10, 5, 10, 0, 7, 250), null, 1]]
    expect((await csv(late, { locale: 'tr', delimiter: ',' })).split('\r\n')[1]).toBe(
      'a,"05.11.2026 13:00:07,250",,1',
    )
    expect((await csv(rows, { locale: 'en', delimiter: '\t' })).split('\r\n')[1]).toBe(
      'a,b;c\t2026-11-05T13:00:00+03:00\t2026-11-05\t0.1',
    )
  })

  it('never begins a text like a formula', async () => {
    for (const start of ['=', '+', '-', '@', '\t=', '\r', ' =', '\uFF1D', '\u00A0=']) {
      const written = await csv([[`${start}1+1`, null, null, `${start}x`]], { locale: 'en' })
      const [, line = ''] = written.split(/\n(?=["'])/)
      expect(line.replaceAll('"', ''), JSON.stringify(start)).toMatch(/^'.*,'/s)
    }
  })
})

describe('written workbook', () => {
  it('shows fractions of a second on request, so that no time is rounded to the next', () => {
    const timed = stylesXml([{ title: 'zaman', kind: 'instant', decimals: 3 }])
    expect(timed).toContain('hh:mm:ss.000"')
    expect(stylesXml([{ title: 'zaman', kind: 'instant' }])).toContain('hh:mm:ss"')
  })

  it('is read back with its texts, times and numbers', async () => {
    const rows = await readTable(await writeXlsx({ columns: COLUMNS, rows: ROWS }, OPTIONS), LIMITS)
    expect(rows.map(({ cells }) => cells.map(shown))).toEqual([
      ['cihaz', 'zaman', 'gün', 'kWh'],
      [ROWS[0]?.[0], '2026-11-05 13:00', '2026-11-05 00:00', '1234.5'],
      [ROWS[1]?.[0], '2026-11-06 00:00', '1999-12-31 00:00', '-0.125'],
      ['two\nlines', '2026-11-05 13:00', '', expect.stringMatching(/^123456789012345\.1/)],
      ['', '', 'no date', 'no number'],
    ])
  })

  it('accepts any text and any number', async () => {
    const cell = fc.tuple(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.double({ noDefaultInfinity: true }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 20 }), async (cells) => {
        const columns = [{ title: 't', kind: 'text' } as const, { title: 'n', kind: 'number' } as const]
        const book = await writeXlsx({ columns, rows: cells }, OPTIONS)
        const read = (await readSheet(book)) as unknown[][]
        expect(read.slice(1).map((row) => row[1])).toEqual(
          cells.map(([, number]) => (Number.isNaN(number) ? 'NaN' : number + 0)),
        )
        // Control characters and noncharacters are not allowed in XML and are left out.
        const plain = (shown: unknown) => String(shown ?? '').replace(/[\p{Cc}\uFFFE\uFFFF]/gu, '')
        const words = (shown: unknown) => Buffer.from(plain(shown).trim()).toString()
        expect(read.slice(1).map((row) => words(row[0]))).toEqual(cells.map(([shown]) => words(shown)))
      }),
      { numRuns: 60 },
    )
  })

  it('continues on the next sheet where one is full, for batches of any size', async () => {
    const columns = [{ title: 'n', kind: 'number' } as const]
    const numbers = Array.from({ length: 2_500 }, (_, index) => [index])
    const portions = [numbers.slice(0, 7), [], numbers.slice(7, 1_700), numbers.slice(1_700)]
    const book = await buffer(xlsxStream({ columns, portions }, { ...OPTIONS, sheetRowsMax: 1_001 }))
    const read = async (sheet: number) => ((await readSheet(book, sheet)) as unknown[][]).map((row) => row[0])
    expect(await read(1)).toEqual(['n', ...numbers.slice(0, 1_000).flat()])
    expect(await read(2)).toEqual(['n', ...numbers.slice(1_000, 2_000).flat()])
    expect(await read(3)).toEqual(['n', ...numbers.slice(2_000).flat()])
    const parts = await readZip(book, { entriesMax: 20, bytesMax: 10_000_000 })
    const names = [...(parts.get('xl/workbook.xml') ?? '').toString().matchAll(/sheet name="([^"]+)"/g)]
    expect(names.map(([, name]) => name)).toEqual(['Ölçümler', 'Ölçümler (2)', 'Ölçümler (3)'])
    expect([0, 25, 26, 701, 702, 16_383].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD'])
  })

  it('passes a failure of its source on, and closes the source when the reader stops', async () => {
    async function* failing() {
      yield [[1]]
      throw new Error('the source broke')
    }
    const columns = [{ title: 'n', kind: 'number' } as const]
    await expect(buffer(xlsxStream({ columns, portions: failing() }, OPTIONS))).rejects.toThrow(
      'source broke',
    )
    await expect(text(csvStream({ columns, portions: failing() }, { locale: 'tr' }))).rejects.toThrow(
      'source broke',
    )
    for (const open of [
      (portions: AsyncIterable<OutRow[]>) => xlsxStream({ columns, portions }, OPTIONS),
      (portions: AsyncIterable<OutRow[]>) => csvStream({ columns, portions }, { locale: 'tr' }),
    ]) {
      let close = () => {}
      const closed = new Promise<void>((resolve) => {
        close = resolve
      })
      let given = 0
      async function* endless() {
        try {
          for (;;) {
            given += 1
            yield Array.from({ length: 1_000 }, () => [Math.random()])
          }
        } finally {
          close()
        }
      }
      for await (const _ of open(endless())) if (given > 1) break
      await closed
      expect(given).toBeLessThan(200)
    }
  })

  it('prints in landscape on one page width, with the header on every page', async () => {
    const columns = [{ title: 'n', kind: 'number' } as const]
    const portions = [Array.from({ length: 3 }, (_, index) => [index])]
    const options = { ...OPTIONS, sheetName: "Owner's & sheet", sheetRowsMax: 3 }
    const zip = await readZip(await buffer(xlsxStream({ columns, portions }, options)), {
      entriesMax: 20,
      bytesMax: 1_000_000,
    })
    const textOf = (name: string) => String(zip.get(name))
    for (const name of ['sheet1', 'sheet2']) {
      const sheet = textOf(`xl/worksheets/${name}.xml`)
      expect(sheet).toMatch(/<worksheet[^>]*><sheetPr><pageSetUpPr fitToPage="1"\/><\/sheetPr><sheetViews>/)
      expect(sheet).toMatch(
        /<pageSetup paperSize="9" fitToWidth="1" fitToHeight="0" orientation="landscape"\/>/,
      )
    }
    const titles = [...textOf('xl/workbook.xml').matchAll(/localSheetId="(\d)">([^<]*)</g)]
    expect(titles.map(([, sheet, range]) => [sheet, range])).toEqual([
      ['0', "'Owner''s &amp; sheet'!$1:$1"],
      ['1', "'Owner''s &amp; sheet (2)'!$1:$1"],
    ])
  })

  it.skipIf(!hasProgram('soffice'))('is opened by LibreOffice (needs soffice)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'netsaat-xlsx-'))
    try {
      const file = join(folder, 'out.xlsx')
      await writeFile(file, await writeXlsx({ columns: COLUMNS, rows: ROWS }, OPTIONS))
      const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
      const convert = (format: string) =>
        promisify(execFile)('soffice', [
          ...[profile, '--headless', '--convert-to', format, '--outdir', folder, file],
        ])
      await convert('fods')
      const document = await readFile(join(folder, 'out.fods'), 'utf8')
      expect(document).toContain('style:print-orientation="landscape"')
      expect(document).toContain('style:scale-to-X="1"')
      expect(document).toMatch(
        /<table:table-header-rows>\s*<table:table-row[^>]*>\s*<table:table-cell[^>]*>\s*<text:p>cihaz/,
      )
      await convert('csv:Text - txt - csv (StarCalc):59,34,76,1')
      expect(await readFile(join(folder, 'out.csv'), 'utf8')).toBe(
        '"cihaz";"zaman";"gün";"kWh"\n' +
          '"ĞÜŞİÖÇ ğüşıöç ""a;b"" <&>";05.11.2026 13:00:00;05.11.2026;1234.5\n' +
          '"=HYPERLINK(""http://x"")";06.11.2026 00:00:00;31.12.1999;-0.125\n' +
          '"two\nlines";05.11.2026 13:00:07;;123456789012345\n' +
          ';;"no date";"no number"\n',
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
