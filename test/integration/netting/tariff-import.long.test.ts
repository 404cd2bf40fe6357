import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TARIFF_IMPORT_BYTES_MAX, TARIFF_IMPORT_ROWS_MAX } from '../../../src/areas/netting/tariffs/limits.ts'
import { readTable } from '../../../src/platform/tables/index.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { packWorkbook, type SheetCell, sheetDay, workbookParts } from '../../support/workbook.ts'

const BASE = '/api/v1/admin/regulated-tariffs'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const HEADS = 'valid_from,billing_period,abone_grubu,price_purpose,price,step_no'
const row = (step: number | string, price: number | string = 1.5): string =>
  `2026-10-01,2026-10-01,sanayi,other,${price},${step}`

const TABLE_LIMITS = {
  rowsMax: 100,
  columnsMax: 20,
  cellLengthMax: 100,
  unpackedBytesMax: 1_000_000,
  entriesMax: 20,
}

let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const call = (method: string, path: string, body?: unknown, headers = {}): Promise<ApiResponse> =>
  api.call(method, BASE + path, { token: tenant.superuser.token, body, headers })
const createSet = async (billing_period = '2026-10'): Promise<string> =>
  (await call('POST', '/price-sets', { billing_period })).body.id
const prices = async (setId: string) => (await call('GET', `/price-sets/${setId}/prices?limit=500`)).body

interface File {
  readonly name?: string
  readonly type?: string
  readonly language?: string
}
function send(
  setId: string,
  content: string | Buffer,
  { name = 'prices.csv', type, language }: File = {},
): Promise<ApiResponse> {
  const form = new FormData()
  const isBook = name.toLowerCase().endsWith('.xlsx')
  form.set('file', new Blob([content], { type: type ?? (isBook ? XLSX : 'text/csv') }), name)
  const headers = language === undefined ? {} : { 'accept-language': language }
  return call('POST', `/price-sets/${setId}/import-csv`, form, headers)
}
const book = async (rows: readonly (readonly SheetCell[])[]) => packWorkbook(workbookParts(rows))
const code = ({ status, body }: ApiResponse) => [status, body.detail?.error_code]

const published = (await readFile(new URL('../../../seed/demo/prices-2026-04.csv', import.meta.url), 'utf8'))
  .trim()
  .split(/\r?\n/)
  .map((line) => line.split(','))

describe('import of a price file', () => {
  it.each([
    ['as published here', 'seed/demo/prices-2026-04.csv'],
    ['as LibreOffice saves it', 'test/data/prices-2026-04-libreoffice.xlsx'],
    ['as a Turkish spreadsheet saves it', 'test/data/prices-2026-04-turkish.csv'],
  ])('imports the table of April 2026 %s completely and exactly', async (_how, path) => {
    const file = await readFile(new URL(`../../../${path}`, import.meta.url))
    const setId = await createSet('2026-06')
    const response = await send(setId, file, { name: path })
    expect([response.status, response.body]).toEqual([200, { imported: 38, errors: [], error_count: 0 }])
    const columns = published[0] ?? []
    const stored = (await prices(setId)).map((price: Record<string, unknown>) =>
      columns.map((column) => String(price[column] ?? '')),
    )
    expect(stored.sort()).toEqual(published.slice(1).sort())
  })

  it('reads a Turkish CSV: semicolons, decimal commas, dd.mm.yyyy, a byte order mark', async () => {
    const setId = await createSet()
    const text =
      '\uFEFFprice;Valid_From;billing_period;abone_grubu;price_purpose;valid_to;step_no;time_segment\r\n' +
      '2,985253;01.10.2026;01.10.2026;sanayi;other;31.12.2026;1;tek\r\n' +
      '\r\n' +
      '0,5;1.10.2026;10.2026;mesken;other;;;\r\n'
    expect((await send(setId, text)).body).toEqual({ imported: 2, errors: [], error_count: 0 })
    expect(await prices(setId)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          price: '2.985253',
          valid_from: '2026-10-01',
          billing_period: '2026-10-01',
          valid_to: '2026-12-31',
          step_no: 1,
          time_segment: 'tek',
        }),
        expect.objectContaining({
          price: '0.500000',
          abone_grubu: 'mesken',
          valid_to: null,
          step_no: null,
        }),
      ]),
    )
  })

  it('reads a workbook with date and number cells', async () => {
    const setId = await createSet()
    const day = { day: sheetDay('2026-10-01') }
    const rows: SheetCell[][] = [
      HEADS.split(','),
      [day, day, 'sanayi', 'other', 2.985253, 1],
      [null, null, null, null, null, null],
      ['01.10.2026', '2026-10', 'sanayi', 'other', '2,5', 2],
    ]
    expect((await send(setId, await book(rows), { name: 'Fiyatlar.XLSX' })).body).toEqual({
      imported: 2,
      errors: [],
      error_count: 0,
    })
    expect((await prices(setId)).map(({ price }: { price: string }) => price).sort()).toEqual([
      '2.500000',
      '2.985253',
    ])
  })

  it('accepts the maximum number of rows', async () => {
    const setId = await createSet()
    const steps = Array.from({ length: TARIFF_IMPORT_ROWS_MAX }, (_, index) => row((index % 100) + 1))
    const response = await send(setId, [HEADS, ...steps].join('\n'))
    expect(response.body).toMatchObject({ imported: 0, error_count: TARIFF_IMPORT_ROWS_MAX - 100 })
    expect(response.body.errors).toHaveLength(1000)
    expect(code(await send(setId, [HEADS, ...steps, row(1)].join('\n')))).toEqual([
      422,
      'CSV_IMPORT_TOO_MANY_ROWS',
    ])
  })
})

describe('import of price rows with errors', () => {
  it('reports the physical row numbers and writes nothing', async () => {
    const setId = await createSet()
    const text = [
      HEADS,
      row(1),
      '',
      row(2, 0),
      row(3, 'x'),
      row(1),
      row('1.5'),
      '2026-02-30,,kent,other,1,9',
    ].join('\n')
    const { status, body } = await send(setId, text)
    expect(status).toBe(200)
    expect(body).toMatchObject({ imported: 0, error_count: body.errors.length })
    expect(body.errors.map((error: { row: number }) => error.row)).toEqual([4, 5, 6, 7, 8, 8, 8])
    expect(body.errors[2].message).toContain('of row 2')
    expect(await prices(setId)).toEqual([])
  })

  it('rejects values that a spreadsheet takes for formulas, in a CSV and in a workbook', async () => {
    const setId = await createSet()
    const starts = ['=1+1', '+1', '@SUM', '-1', '\tx', '\rx']
    const lines = starts.map((start, index) => `2026-10-01,2026-10,sanayi,other,1,${index + 1},"${start}"`)
    const csv = await send(setId, [`${HEADS},source_note`, ...lines].join('\n'))
    expect(csv.body.errors.map(({ row: at }: { row: number }) => at)).toEqual([2, 3, 4, 5, 6, 7])
    expect(csv.body.errors.every(({ message }: { message: string }) => message.includes('formula'))).toBe(
      true,
    )
    const cells = starts.map((start, index) => [
      '2026-10-01',
      '2026-10',
      'sanayi',
      'other',
      1,
      index + 1,
      start,
    ])
    const sheet = await send(setId, await book([[...HEADS.split(','), 'source_note'], ...cells]), {
      name: 'a.xlsx',
    })
    expect(sheet.body).toMatchObject({ imported: 0, error_count: starts.length })
  })

  it('rejects rows whose natural key exists in the set, with nulls equal', async () => {
    const setId = await createSet()
    await send(setId, [HEADS, row('')].join('\n'))
    const again = await send(setId, [HEADS, row(1), row('')].join('\n'))
    expect(again.body).toMatchObject({ imported: 0, errors: [{ row: 3 }] })
    expect(await prices(setId)).toHaveLength(1)
  })

  it('describes the errors of rows in the language of the client', async () => {
    const setId = await createSet()
    const bad = [HEADS, row(1).replace('sanayi', 'konut'), row(2), row(2)].join('\n')
    const { body } = await send(setId, bad, { language: 'tr' })
    expect(body.errors.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/^abone_grubu şu değerlerden biri olmalı: mesken, /),
      expect.stringMatching(/^3\. satırdaki .* yineleniyor$/),
    ])
    const other = await send(setId, [HEADS, row(1).replaceAll('2026-10', '2026-11')].join('\n'), {
      language: 'tr',
    })
    expect(other.body.detail.errors).toEqual([
      expect.objectContaining({
        row: 2,
        message: 'fiyatın dönemi Kasım 2026, fiyat setinin dönemi Ekim 2026',
      }),
    ])
  })

  it('refuses rows of another month with 422 and lists them with the other errors', async () => {
    const setId = await createSet()
    const other = row(2).replaceAll('2026-10-01', '2026-11-01')
    const text = [HEADS, row(1), other, row(3, 0)].join('\n')
    const response = await send(setId, text)
    expect(code(response)).toEqual([422, 'TARIFF_PERIOD_MISMATCH'])
    expect(response.body.detail).toMatchObject({
      imported: 0,
      error_count: 2,
      errors: [{ row: 3, message: expect.stringContaining('2026-11') }, { row: 4 }],
    })
    expect(await prices(setId)).toEqual([])
    // The day of valid_from may be in another month: it is the month of the price that counts.
    expect((await send(setId, [HEADS, '2026-09-04,2026-10,sanayi,other,1,2'].join('\n'))).body.imported).toBe(
      1,
    )
  })

  it('rejects values without a header and sheet numbers with more than six decimals', async () => {
    const setId = await createSet()
    const csv = await send(setId, [HEADS, `${row(1)},5`].join('\n'))
    expect(csv.body.errors).toEqual([
      {
        row: 2,
        message: 'column 7 has a value but no header',
        message_code: 'TARIFF_CELL_WITHOUT_HEADER',
        parameters: { column_no: 7 },
      },
    ])
    const sheet = await book([HEADS.split(','), ['2026-10-01', '2026-10', 'sanayi', 'other', 1.23456789, 1]])
    expect((await send(setId, sheet, { name: 'a.xlsx' })).body.errors[0].message).toContain(
      'at most 6 decimals',
    )
  })
})

describe('import of an invalid price file', () => {
  const broken: [
    what: string,
    expected: string,
    content: () => Promise<string | Buffer> | string | Buffer,
    file?: File,
  ][] = [
    [
      'an old workbook',
      'CSV_IMPORT_INVALID_TYPE',
      () => Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      { name: 'a.xls' },
    ],
    [
      'an old workbook under a new name',
      'CSV_IMPORT_INVALID_TYPE',
      () => Buffer.from('d0cf11e0a1b11ae100', 'hex'),
      { name: 'a.xlsx' },
    ],
    ['another extension', 'CSV_IMPORT_INVALID_TYPE', () => HEADS, { name: 'a.txt' }],
    ['a name without one', 'CSV_IMPORT_INVALID_TYPE', () => HEADS, { name: 'prices' }],
    ['another content type', 'CSV_IMPORT_INVALID_TYPE', () => HEADS, { type: 'image/png' }],
    ['a workbook named CSV', 'CSV_IMPORT_INVALID_TYPE', () => book([HEADS.split(',')])],
    ['a quote that never ends', 'CSV_IMPORT_INVALID_TYPE', () => `${HEADS}\n"2026`],
    ['Turkish letters in Windows-1254', 'CSV_IMPORT_INVALID_ENCODING', () => Buffer.from([0x61, 0xfe, 0xfd])],
    ['UTF-16', 'CSV_IMPORT_INVALID_ENCODING', () => Buffer.from(`\uFEFF${HEADS}`, 'utf16le')],
    ['missing headers', 'CSV_IMPORT_MISSING_HEADERS', () => 'valid_from,price\n2026-10-01,1'],
    ['nothing', 'CSV_IMPORT_MISSING_HEADERS', () => ''],
    [
      'a truncated workbook',
      'XLSX_IMPORT_INVALID',
      async () => (await book([HEADS.split(',')])).subarray(0, 900),
      { name: 'a.xlsx' },
    ],
    ['a text named workbook', 'XLSX_IMPORT_INVALID', () => HEADS, { name: 'a.xlsx' }],
    ['a ZIP bomb', 'XLSX_IMPORT_INVALID', () => bomb(), { name: 'a.xlsx' }],
    [
      'a workbook of another kind',
      'XLSX_IMPORT_INVALID',
      () => packWorkbook(new Map([['word/document.xml', '<a/>']])),
      { name: 'a.xlsx' },
    ],
  ]
  it.each(broken)('rejects %s with %s', async (_what, expected, content, file) => {
    const setId = await createSet()
    expect(code(await send(setId, await content(), file))).toEqual([422, expected])
  })

  /** Packs to a few hundred kilobytes and unpacks to a hundred megabytes. */
  const bomb = () =>
    packWorkbook(workbookParts([HEADS.split(',')], `<worksheet>${' '.repeat(100_000_000)}</worksheet>`))

  it('rejects a truncated or damaged workbook with its code or imports it completely', async () => {
    const whole = await book([HEADS.split(','), ['2026-10-01', '2026-10', 'sanayi', 'other', 1.5, 1]])
    const offsets = Array.from(
      { length: 30 },
      (_, index) => 4 + Math.floor(((whole.length - 4) * index) / 30),
    )
    for (const index of offsets) {
      const cut = await send(await createSet(), whole.subarray(0, index), { name: 'a.xlsx' })
      expect([index, ...code(cut)]).toEqual([index, 422, 'XLSX_IMPORT_INVALID'])
      const damaged = Buffer.from(whole)
      damaged[index] = (damaged[index] ?? 0) ^ 0x55
      const setId = await createSet()
      const response = await send(setId, damaged, { name: 'a.xlsx' })
      if (response.status !== 200)
        expect([index, ...code(response)]).toEqual([index, 422, 'XLSX_IMPORT_INVALID'])
      const stored = (await prices(setId)).map(({ price }: { price: string }) => price)
      expect(stored).toEqual(response.status === 200 ? ['1.500000'] : [])
    }
  })

  it('rejects a file that is too large, and a request without a form', async () => {
    const setId = await createSet()
    expect(code(await send(setId, Buffer.alloc(TARIFF_IMPORT_BYTES_MAX + 1, 'a')))).toEqual([
      413,
      'CSV_IMPORT_TOO_LARGE',
    ])
    expect((await call('POST', `/price-sets/${setId}/import-csv`, { file: 'x' })).status).toBe(415)
    expect((await call('POST', `/price-sets/${setId}/import-csv`, new FormData())).status).toBe(422)
  })
})

describe('price import template', () => {
  it.each(['csv', 'xlsx'])(
    'as %s has the 13 headers in order and can be imported unchanged',
    async (format) => {
      const response = await fetch(
        `${api.url}${BASE}/import-template?format=${format}&billing_period=2026-10`,
        {
          headers: { authorization: `Bearer ${tenant.superuser.token}` },
        },
      )
      expect(response.headers.get('content-disposition')).toBe(
        `attachment; filename="tariff-import-template.${format}"`,
      )
      const file = Buffer.from(await response.arrayBuffer())
      const type = response.headers.get('content-type') ?? ''
      const table = await readTable(file, { ...TABLE_LIMITS })
      expect(table[0]?.cells.map((cell) => cell.kind === 'text' && cell.text)).toEqual(published[0])
      const setId = await createSet()
      const imported = await send(setId, file, { name: `template.${format}`, type })
      expect(imported.body).toEqual({ imported: table.length - 1, errors: [], error_count: 0 })
      const sources = (await prices(setId)).map((price: Record<string, string>) => price['price'])
      expect(sources.sort()).toEqual(['1.895808', '2.081065', '2.909687', '5.157441'])
    },
  )

  it('is a CSV by default, and any other format is rejected', async () => {
    const plain = await call('GET', '/import-template')
    expect([plain.status, plain.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect((await call('GET', '/import-template?format=ods')).status).toBe(422)
    expect((await api.call('GET', `${BASE}/import-template`, { token: tenant.admin.token })).status).toBe(403)
  })
})

describe('permissions of the price import', () => {
  it('allow only superusers, and only for drafts', async () => {
    const setId = await createSet()
    const path = `${BASE}/price-sets/${setId}/import-csv`
    const form = () => {
      const data = new FormData()
      data.set('file', new Blob([HEADS], { type: 'text/csv' }), 'a.csv')
      return data
    }
    expect((await api.call('POST', path, { body: form() })).status).toBe(401)
    expect(
      (await api.call('POST', path, { token: tenant.admin.token, body: form() })).body.detail.error_code,
    ).toBe('SUPERUSER_REQUIRED')
    expect(code(await send('00000000-0000-4000-8000-000000000000', HEADS))).toEqual([404, 'NOT_FOUND'])
    await call('POST', `/price-sets/${setId}/approve`)
    expect(code(await send(setId, [HEADS, row(0)].join('\n')))).toEqual([
      409,
      'TARIFF_SET_APPROVED_IMMUTABLE',
    ])
  })
})
