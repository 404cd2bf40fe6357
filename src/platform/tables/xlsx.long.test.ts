import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { readSheet } from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import yazl from 'yazl'
import { sheetDay, workbookParts } from '../../../test/support/workbook.ts'
import { type Cell, TableFault, type TableRow } from './index.ts'
import { readHere } from './read.ts'
import { makeTableThread } from './thread.ts'
import { xlsxRows } from './xlsx.ts'
import { isTimeFormat } from './xlsx-cells.ts'

const MIB = 1024 * 1024
const LIMITS = {
  rowsMax: 1_000,
  columnsMax: 30,
  cellLengthMax: 1_000,
  unpackedBytesMax: 8 * MIB,
  entriesMax: 20,
}
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const SHEET = 'xl/worksheets/sheet1.xml'
const sheetXml = (data: string): string =>
  `<?xml version="1.0"?>\n<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData></worksheet>`

type Parts = ReadonlyMap<string, string | Buffer>
const sheetParts = (data: string): Parts => workbookParts([], sheetXml(data))

/**
 * Packs a ZIP file with the given options; `piped` writes sizes and checksums after the data, as streaming
 * writers do.
 */
function pack(
  parts: Parts,
  how: { compress?: boolean; forceZip64Format?: boolean; piped?: boolean } = {},
): Promise<Buffer> {
  const { piped, ...options } = how
  const zip = new yazl.ZipFile()
  for (const [name, text] of parts) {
    const content = Buffer.from(text)
    if (piped) zip.addReadStream(Readable.from([content]), name, options)
    else zip.addBuffer(content, name, options)
  }
  zip.end()
  return buffer(zip.outputStream)
}

const shown = (cell: Cell): string => {
  if (cell.kind === 'time') return `${cell.date ?? ''} ${cell.time}`
  return cell.kind === 'empty' ? '' : cell.text
}
const texts = (rows: readonly TableRow[]) => rows.map(({ number, cells }) => [number, ...cells.map(shown)])
const read = async (parts: Parts, limits = LIMITS) => texts(await readHere(await pack(parts), limits))
const readData = (data: string) => read(sheetParts(data))

describe('workbook cell', () => {
  it.each([
    ['inline text', '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row>', [[1, 'a']]],
    [
      'rich text without phonetic runs',
      '<row r="1"><c r="A1" t="inlineStr"><is><r><rPr><b/></rPr><t>a</t></r><r><t> b</t></r>' +
        '<rPh sb="0" eb="1"><t>x</t></rPh></is></c></row>',
      [[1, 'a b']],
    ],
    [
      'entities, numeric characters, CDATA, and the escapes of the format',
      '<row r="1"><c t="str"><v>&lt;&amp;&#246;&#x1F600;<![CDATA[<&amp;]]>_x0041__xD83D__xDE00_</v></c></row>',
      [[1, '<&ö😀<&amp;A😀']],
    ],
    [
      'the results of a shared formula',
      '<row r="2"><c r="A2"><f t="shared" ref="A2:A3" si="0">B2*2</f><v>3.5</v></c></row>' +
        '<row r="3"><c r="A3"><f t="shared" si="0"/><v>1E2</v></c></row>',
      [
        [2, '3.5'],
        [3, '100'],
      ],
    ],
    [
      'results that are text, boolean or an error',
      '<row r="1"><c r="A1" t="str"><f>A2</f><v>x</v></c><c r="B1" t="b"><v>1</v></c><c r="C1" t="b"><v>0</v></c>' +
        '<c r="D1" t="e"><v>#DIV/0!</v></c><c r="E1" t="str"><f>""</f><v></v></c></row>',
      [[1, 'x', 'true', 'false', '#DIV/0!']],
    ],
    [
      'dates as text',
      '<row r="1"><c t="d"><v>2026-11-05</v></c><c t="d"><v>2026-11-05T13:30:00Z</v></c><c ' +
        't="d"><v>13:30</v></c></row>',
      [[1, '2026-11-05 00:00', '2026-11-05 13:30', ' 13:30']],
    ],
    [
      'no references: each cell follows the one before',
      '<row><c><v>1</v></c><c/><c><v>2</v></c></row><row/><row><c><v>3</v></c></row>',
      [
        [1, '1', '', '2'],
        [3, '3'],
      ],
    ],
    [
      'a row number that only its cells have',
      '<row><c r="B4"><v>1</v></c></row><row><c r="A7"><v>2</v></c></row><row><c><v>3</v></c></row>',
      [
        [4, '', '1'],
        [7, '2'],
        [8, '3'],
      ],
    ],
    [
      'only a style, in the last column',
      '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1" s="1"/></row><row r="1048576"><c ' +
        'r="XFD1048576" s="1"><v/></c></row>',
      [[1, '1']],
    ],
    [
      'no value: formulas alone, extensions',
      '<row r="1"><c r="A1"><f>1+1</f></c><c r="B1"><v>2</v><extLst><ext><v>9</v></ext></extLst></c></row>',
      [[1, '', '2']],
    ],
  ])('is read with %s', async (_what, data, rows) => {
    expect(await readData(data)).toEqual(rows)
  })

  it.each([
    ['an invalid number', '<row><c><v>0x10</v></c></row>'],
    ['a number that is too long', `<row><c><v>${'1'.repeat(500_000)}x</v></c></row>`],
    ['an infinite number', '<row><c><v>INF</v></c></row>'],
    ['an invalid date', '<row><c t="d"><v>2026-02-30</v></c></row>'],
    ['an empty date', '<row><c t="d"><v>-</v></c></row>'],
    ['an unknown type', '<row><c t="x"><v>1</v></c></row>'],
    ['an unknown shared string', '<row><c t="s"><v>0</v></c></row>'],
    ['a NUL character', '<row><c t="str"><v>a_x0000_b</v></c></row>'],
    ['a numeric NUL character', '<row><c t="str"><v>&#0;</v></c></row>'],
    ['an undeclared entity', '<row><c t="str"><v>&nbsp;</v></c></row>'],
    ['a bare ampersand', '<row><c t="str"><v>a & b</v></c></row>'],
    ['a character out of range', '<row><c t="str"><v>&#x110000;</v></c></row>'],
    ['a numeric lone surrogate', '<row><c t="str"><v>&#xD83D;</v></c></row>'],
    ['a lone surrogate', '<row><c t="str"><v>_xD83D_</v></c></row>'],
    ['two values', '<row><c><v>1</v><v>2</v></c></row>'],
    ['a value and a text', '<row><c t="inlineStr"><v>1</v><is><t>2</t></is></c></row>'],
    ['an empty reference', '<row r="1"><c r="1A"><v>1</v></c></row>'],
    ['a reference to another row', '<row r="1"><c r="A2"><v>1</v></c></row>'],
    ['a repeated reference', '<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>2</v></c></row>'],
    ['a repeated row', '<row r="2"><c><v>1</v></c></row><row r="2"><c><v>1</v></c></row>'],
    ['row 0', '<row r="0"><c><v>1</v></c></row>'],
    ['a column out of range', '<row r="1"><c r="AE1"><v>1</v></c></row>'],
    ['too much text', `<row><c t="str"><v>${'x'.repeat(LIMITS.cellLengthMax + 1)}</v></c></row>`],
    ['unclosed text', '<row><c t="str"><v>'],
    ['a mismatched end tag', '<row><c><v>1</c></v></row>'],
    ['a repeated attribute', '<row r="1" r="2"></row>'],
    ['an unquoted attribute', '<row r=1><c><v>1</v></c></row>'],
    ['unclosed elements', '<a>'.repeat(200)],
    ['a comment that is too long', `<!--${'<'.repeat(2 * MIB)}-->`],
    ['a tag that is too long', `<row a="${'x'.repeat(2 * MIB)}"/>`],
    ['a text that is too long', 'x'.repeat(2 * MIB)],
  ])('is rejected with %s', async (_what, data) => {
    await expect(readData(data)).rejects.toThrow(TableFault)
    await expect(readData(data)).rejects.toMatchObject({ kind: 'unreadable' })
  })

  it('has no time after the last day of a sheet', async () => {
    const last = { kind: 'time', date: '9999-12-31', time: '23:59' }
    const data = '<row><c s="1"><v>2958465.9999999</v></c></row>'
    expect((await readHere(await pack(sheetParts(data)), LIMITS))[0]?.cells).toEqual([last])
  })

  it('is rejected in a row out of range', async () => {
    const data = `<row r="${LIMITS.rowsMax + 1}"><c><v>1</v></c></row>`
    await expect(readData(data)).rejects.toMatchObject({ kind: 'tooManyRows' })
  })

  it.each([
    ['dd.mm.yyyy', true],
    ['[$-41F]d mmmm yyyy;@', true],
    ['[h]:mm', true],
    ['mm:ss.00', true],
    ['"Tarih: "yyyy', true],
    ['General', false],
    ['#,##0.00 "saat"', false],
    ['#,##0.00\\ \\T\\L;[Red]-#,##0.00', false],
    ['0.00_d', false],
    ['0.000E+00', false],
    ['0.00 kWh', false],
  ])('of the format %s is a time or none', (code, isTime) => {
    expect(isTimeFormat(code)).toBe(isTime)
    expect(isTimeFormat(`${code}${'['.repeat(500_000)}`)).toBe(false)
  })
})

describe('workbook', () => {
  const rows = [
    ['Tarih', 'ş & <ğ>'],
    [{ day: sheetDay('2026-11-05', 13) }, 1.5],
  ]
  const parts = workbookParts(rows)
  const expected = [
    [1, 'Tarih', 'ş & <ğ>'],
    [2, '2026-11-05 13:00', '1.5'],
  ]
  const changed = (change: (text: string, name: string) => string | Buffer): Parts =>
    new Map([...parts].map(([name, text]) => [name, change(text, name)]))
  const replaced = (...pairs: readonly (readonly [string | RegExp, string])[]): Parts =>
    changed((text) => pairs.reduce((all, [from, to]) => all.replaceAll(from, to), text))
  const moved = (names: Readonly<Record<string, string>>, from: Parts = parts): Parts =>
    new Map([...from].map(([name, text]) => [names[name] ?? name, text]))

  it.each<[string, Parts]>([
    ['with its parts in another order', new Map([...parts].reverse())],
    [
      'with a prefix for every element',
      replaced([/<(\/?)(?=[a-z])(?!Rel)/g, '<$1x:'], ['xmlns=', 'xmlns:x=']),
    ],
    [
      'in the strict form',
      replaced(
        [
          'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
          'http://purl.oclc.org/ooxml/spreadsheetml/main',
        ],
        [
          'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
          'http://purl.oclc.org/ooxml/officeDocument/relationships',
        ],
      ),
    ],
    ['in UTF-16 with a byte order mark', changed((text) => Buffer.from(`\uFEFF${text}`, 'utf16le'))],
    ['in UTF-16 without one', changed((text) => Buffer.from(text, 'utf16le'))],
    [
      'in UTF-16 with the other byte order',
      changed((text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()),
    ],
    ['in UTF-8 with a byte order mark', changed((text) => `\uFEFF${text}`)],
    ['with absolute targets', replaced(['Target="', 'Target="/xl/'], ['/xl/xl/', '/xl/'])],
    ['with targets to a parent folder', replaced(['Target="work', 'Target="../xl/./work'])],
    ['with part names in another case', moved({ 'xl/sharedStrings.xml': 'xl/SharedStrings.XML' })],
    [
      'with parts in other folders',
      moved(
        {
          'xl/workbook.xml': 'book/main.bin',
          'xl/_rels/workbook.xml.rels': 'book/_rels/main.bin.rels',
          [SHEET]: 'leaf',
          'xl/styles.xml': 'book/a/styles.xml',
          'xl/sharedStrings.xml': 'book/texts',
        },
        replaced(
          ['Target="xl/workbook.xml"', 'Target="book/main.bin"'],
          ['"worksheets/sheet1.xml"', '"/leaf"'],
          ['"styles.xml"', '"a/styles.xml"'],
          ['"sharedStrings.xml"', '"texts"'],
        ),
      ),
    ],
    [
      'with days counted from 1904',
      replaced(
        ['date1904="false"', 'date1904="1"'],
        [String(sheetDay('2026-11-05', 13)), String(sheetDay('2026-11-05', 13) - 1462)],
      ),
    ],
    [
      'with rich text',
      replaced(
        ['>Tarih</t>', '>Ta</t></r><r><t>rih</t></r><rPh><t>x</t></rPh><r><t/>'],
        [/<si><t([^>]*)>Ta</g, '<si><r><t$1>Ta<'],
        ['<r><t/></si>', '</si>'],
      ),
    ],
    [
      'with a > in an attribute, comments and instructions',
      replaced(['<row ', '<!-- <row> & --><?x y?><row a=">>" ']),
    ],
  ])('%s has the same content', async (_what, other) => {
    expect(await read(other)).toEqual(expected)
  })

  it.each([
    ['stored', { compress: false }],
    ['in the large form of the ZIP', { forceZip64Format: true }],
    ['written as a stream', { piped: true }],
    ['stored and written as a stream', { piped: true, compress: false }],
  ])('%s has the same content', async (_what, how) => {
    expect(texts(await readHere(await pack(parts, how), LIMITS))).toEqual(expected)
  })

  it('gives the sheet of the first tab, with any part names', async () => {
    const sheet = (text: string) => sheetXml(`<row><c t="str"><v>${text}</v></c></row>`)
    const book = new Map([
      ...replaced(
        [
          '<sheet name',
          '<sheet name="Grafik" sheetId="9" r:id="rId9"/><sheet name="B" sheetId="2" r:id="rId8"/><sheet name',
        ],
        [
          '</Relationships>',
          '<Relationship Id="rId8" Type="x/worksheet" Target="worksheets/sheet2.xml"/>' +
            '<Relationship Id="rId9" Type="x/chartsheet" Target="chartsheets/sheet1.xml"/></Relationships>',
        ],
      ),
      [SHEET, sheet('second')] as const,
      ['xl/worksheets/sheet2.xml', sheet('first')] as const,
      ['xl/chartsheets/sheet1.xml', '<chartsheet/>'] as const,
    ])
    expect(await read(book)).toEqual([[1, 'first']])
  })

  it.each<[string, Parts]>([
    [
      'declares a document type',
      replaced(['<worksheet', '<!DOCTYPE worksheet [<!ENTITY a "b">]><worksheet']),
    ],
    [
      'has a lone surrogate in UTF-16',
      changed((text) => Buffer.from(text.replace('ş', '\uD83D'), 'utf16le')),
    ],
    [
      'ends within a character',
      changed((text) => Buffer.concat([Buffer.from(text, 'utf16le'), Buffer.from([0x20])])),
    ],
    ['has an unknown encoding', changed((text) => Buffer.from(text.replace('ş', 'þ'), 'latin1'))],
    ['lacks a referenced part', new Map([...parts].filter(([name]) => name !== 'xl/styles.xml'))],
    ['lacks its sheet', new Map([...parts].filter(([name]) => name !== SHEET))],
    ['lacks its workbook', new Map([...parts].filter(([name]) => name !== 'xl/workbook.xml'))],
    ['has a part twice in different cases', new Map([...parts, ['XL/Styles.xml', '<a/>']])],
    ['ends within its XML', changed((text) => text.slice(0, -9))],
    ['is empty', changed(() => '')],
  ])('that %s is rejected', async (_what, other) => {
    await expect(read(other)).rejects.toMatchObject({ kind: 'unreadable' })
  })

  it('that unpacks to too much, or has too many entries or texts, is rejected', async () => {
    const tooLarge = { kind: 'tooLarge' }
    await expect(read(parts, { ...LIMITS, unpackedBytesMax: 2_000 })).rejects.toMatchObject(tooLarge)
    await expect(read(parts, { ...LIMITS, entriesMax: 6 })).rejects.toMatchObject(tooLarge)
    await expect(read(parts, { ...LIMITS, rowsMax: 1, columnsMax: 1 })).rejects.toMatchObject(tooLarge)
  })

  it('with one shared string in every cell, beyond the unpacked limit, is rejected', async () => {
    const text = 'x'.repeat(LIMITS.cellLengthMax)
    const rows = '<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>'.repeat(LIMITS.rowsMax)
    const book = workbookParts([[text]], sheetXml(rows))
    await expect(read(book, { ...LIMITS, unpackedBytesMax: 1_900_000 })).rejects.toMatchObject({
      kind: 'tooLarge',
    })
    expect(await read(book, { ...LIMITS, unpackedBytesMax: 2_100_000 })).toHaveLength(LIMITS.rowsMax)
  })

  it('that is truncated or damaged gives its content or a fault, and no other error', async () => {
    const whole = [
      await pack(parts),
      await pack(parts, { compress: false }),
      await pack(parts, { piped: true }),
    ]
    const outcome = async (bytes: Buffer): Promise<unknown> => {
      try {
        return texts(await readHere(bytes, LIMITS))
      } catch (error) {
        expect(error).toBeInstanceOf(TableFault)
        return expected
      }
    }
    const book = fc.constantFrom(...whole)
    const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    await fc.assert(
      fc.asyncProperty(book, share, async (bytes, at) => {
        await expect(readHere(bytes.subarray(0, 2 + at * (bytes.length - 2)), LIMITS)).rejects.toThrow(
          TableFault,
        )
      }),
      { numRuns: 200 },
    )
    await fc.assert(
      fc.asyncProperty(book, share, fc.integer({ min: 1, max: 255 }), async (bytes, at, bits) => {
        const damaged = Buffer.from(bytes)
        const offset = 2 + Math.floor(at * (bytes.length - 2))
        damaged[offset] = (damaged[offset] ?? 0) ^ bits
        expect(await outcome(damaged)).toEqual(expected)
      }),
      { numRuns: 400 },
    )
  })

  it.each(['osos-libreoffice', 'prices-2026-04-libreoffice'])(
    'of LibreOffice is read like by another reader: %s',
    async (name) => {
      const bytes = await readFile(new URL(`../../../test/data/${name}.xlsx`, import.meta.url))
      const expected = ((await readSheet(bytes)) as unknown[][]).map((row) =>
        row.map((cell) => {
          if (cell instanceof Date)
            return cell
              .toISOString()
              .replace(/:\d\d\.000Z$/, '')
              .replace(/^1899-12-\d\d/, '')
          return typeof cell === 'string' ? cell : Number(cell ?? 0)
        }),
      )
      const ownTenant = (await readHere(bytes, LIMITS)).map(({ cells }) =>
        cells.map((cell) => {
          if (cell.kind === 'time') return `${cell.date ?? ''}T${cell.time}`
          return cell.kind === 'number' || cell.kind === 'empty' ? Number(shown(cell)) : shown(cell)
        }),
      )
      const width = expected[0]?.length ?? 0
      expect(ownTenant.map((row) => [...row, ...Array(width - row.length).fill(0)])).toEqual(expected)
    },
  )
})

describe('sheet', () => {
  it('returns its first rows before the rest is parsed', async () => {
    const row = (number: number) => `<row r="${number}"><c r="A${number}"><v>${number}</v></c></row>`
    const many = Array.from({ length: 100_000 }, (_, at) => row(at + 1)).join('')
    const bytes = await pack(sheetParts(`${many}<row r="1"/>`))
    const rows = xlsxRows(bytes, { ...LIMITS, rowsMax: 200_000, unpackedBytesMax: 64 * MIB })
    let seen = 0
    const readAll = async () => {
      for await (const some of rows) seen += some.length
    }
    await expect(readAll()).rejects.toThrow('not in order')
    expect(seen).toBeGreaterThan(90_000)
  })

  it('is streamed: one that unpacks to more than the heap of the thread is read', async () => {
    const heapMb = 48
    const styled = '<c s="0"/>'.repeat(1_000)
    const rows = Array.from({ length: 6_600 }, (_, at) => `<row><c><v>${at}</v></c>${styled}</row>`)
    const bytes = await pack(sheetParts(rows.join('')))
    const limits = { ...LIMITS, rowsMax: 10_000, unpackedBytesMax: 80 * MIB }
    expect(bytes.length).toBeLessThan(2 * MIB)
    const { rows: thread } = makeTableThread({ waitingMax: 1, readingMaxMs: 120_000, heapMb, idleMs: 1 })
    expect(await thread(bytes, limits)).toHaveLength(rows.length)
    const tooLarge = { ...limits, unpackedBytesMax: 60 * MIB }
    await expect(thread(bytes, tooLarge)).rejects.toMatchObject({ kind: 'tooLarge' })
  })
})
