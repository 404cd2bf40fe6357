import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AMOUNT_TYPE_OF } from '../../../src/areas/netting/reconciliation/columns.ts'
import type { ApiResponse } from '../../support/api.ts'
import {
  base,
  calculate,
  makePair,
  openSite,
  type Row,
  read,
  type Site,
} from '../../support/netting/calculation.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { makeGroup, type TestGroup } from '../../support/netting/netting.ts'
import { packWorkbook, type SheetCell, sheetDay, workbookParts } from '../../support/workbook.ts'

let site: Site
/**
 * 12.5 kWh produced and 4 kWh consumed in each of the first 30 hours of November; the limit ends at 150 kWh.
 */
let group: TestGroup
let consumer: { readonly id: string; readonly name: string }
let hours: Row[]
let summary: ApiResponse['body']

beforeAll(async () => {
  site = await openSite()
  const pair = await makePair('150.000', 30, () => ['12.500', '4.000'])
  group = pair.group
  consumer = pair.consumer
  expect((await calculate(group, 0, 30)).status).toBe(201)
  hours = (await read(group, 'hourly')).body
  summary = (await read(group, 'monthly-summary')).body[0]
})
afterAll(() => site.api.close())

function form(file: string | Buffer, name = 'file'): FormData {
  const body = new FormData()
  body.append(name, new Blob([new Uint8Array(Buffer.from(file))]), 'figures')
  return body
}
const send = (file: string | Buffer, query = '', id = group.id): Promise<ApiResponse> =>
  site.api.call('POST', `${base({ id })}/reconcile?billing_period=2026-11${query}`, {
    token: site.tenant.viewer.token,
    body: form(file),
  })
const report = async (file: string | Buffer, query = ''): Promise<ApiResponse['body']> => {
  const response = await send(file, query)
  expect([response.status, response.text.slice(0, 300)]).toEqual([201, expect.any(String)])
  return response.body
}
const local = (row: Row): [date: string, hour: string] => {
  const text = new Date(Date.parse(row['hour'] ?? '') + 3 * 3_600_000).toISOString()
  return [text.slice(0, 10), text.slice(11, 16)]
}

describe('reconciliation of an invoice file', () => {
  it('accepts the example of the documentation', async () => {
    const doc = await readFile('docs/understand/netting/reconcile.md', 'utf8')
    const example = /```csv\n([\s\S]*?)```/.exec(doc)?.[1] ?? ''
    const body = await report(example)
    expect(body.bad_rows).toEqual([])
    expect(body.ignored_columns).toEqual([])
    expect(body.decimal_mark).toBe(',')
    expect(Object.keys(body.columns)).toHaveLength(8)
    expect(body.rows).toEqual([
      expect.objectContaining({
        row: 3,
        key: '2026-11-01 01:00',
        field: 'bedelli_kwh',
        theirs: '8.250',
        ours: '8.500',
        difference: '-0.250',
      }),
      expect.objectContaining({
        row: 3,
        field: 'skb_kwh',
        theirs: '0.250',
        ours: '0.000',
        difference: '0.250',
      }),
    ])
    expect([body.rows_read, body.matched_rows, body.different_rows]).toEqual([3, 2, 1])
    expect(body.counts).toEqual({ rows: 2, missing_theirs: 27, missing_ours: 0, bad_rows: 0 })
    expect(body.missing_theirs[0]).toBe('2026-11-01 03:00')
  })

  it.each([
    ['commas and decimal points', ',', (text: string) => text, ''],
    ['semicolons and decimal commas', ';', (text: string) => text.replace('.', ','), ''],
    ['a byte order mark and CRLF', ';', (text: string) => text, '\uFEFF'],
  ])('finds no difference to our own hours in a file with %s', async (_what, mark, number, start) => {
    const lines = hours.map((row) => {
      const [date, hour] = local(row)
      const figures = ['production_kwh', 'matched_kwh', 'bedelli_kwh', 'skb_kwh', 'bedelsiz_kwh']
      return [date, hour, ...figures.map((name) => number(row[name] ?? ''))].join(mark)
    })
    const head = [
      'date',
      'hour',
      'production_kwh',
      'matched_kwh',
      'bedelli_kwh',
      'skb_kwh',
      'bedelsiz_kwh',
    ].join(mark)
    const body = await report(start + [head, ...lines, 'TOPLAM'].join('\r\n'))
    expect([body.rows, body.bad_rows, body.missing_ours, body.missing_theirs]).toEqual([[], [], [], []])
    expect(body.matched_rows).toBe(30)
  })

  it('compares days, the month and money, by type and by facility', async () => {
    const [bedelli, matched] = [
      summary.amounts_try[AMOUNT_TYPE_OF.bedelli_try],
      summary.amounts_try[AMOUNT_TYPE_OF.matched_try],
    ]
    const body = await report(
      [
        'GTŞ faturası;;;;;',
        'Dönem;Tarih;Tesis;Mahsuplaşan Tüketim (kWh);Tutar (TL);Tutar Türü',
        `11.2026;;;${summary.matched_kwh};${bedelli};bedelli`,
        `2026-11;;;;${matched};supplier_payment_for_matched_consumption`,
        `2026-11;;${consumer.name.toUpperCase()};;${matched};mahsuplaşan tutar`,
        ';1.11.2026;;96.000;;',
        ';2026-11-02;;24.002;;',
      ].join('\n'),
    )
    expect(body.bad_rows).toEqual([])
    expect(body.rows).toEqual([
      {
        row: 7,
        key: '2026-11-02',
        facility_id: null,
        field: 'matched_kwh',
        theirs: '24.002',
        ours: '24.000',
        difference: '0.002',
      },
    ])
    expect(body.matched_rows).toBe(4)
    const wide = await report('date,matched_kwh\n2026-11-02,24.002\n', '&tolerance_kwh=0.002')
    expect([wide.rows, wide.tolerance_kwh]).toEqual([[], '0.002'])
  })

  it('lists unreadable rows with their physical row number, and continues', async () => {
    const body = await report(
      [
        '"a title',
        'of two lines"',
        'date,hour,matched_kwh,tesis,x',
        '2026-11-01,0,4.000,,',
        '2026-10-31,0,4.000,,',
        '',
        '31.11.2026,0,4.000,,',
        '2026-11-01,24,4.000,,',
        '2026-11-01,1,four,,',
        '2026-11-01,0,4.000,,',
        '2026-11-01,2,4.000,nobody,',
        '2026-11-19,2,4.000,,',
      ].join('\n'),
    )
    expect(body.bad_rows.map(({ row, column }: Row) => [row, column])).toEqual([
      [5, 'date'],
      [7, 'date'],
      [8, 'hour'],
      [9, 'matched_kwh'],
      [10, 'matched_kwh'],
      [11, 'matched_kwh'],
    ])
    expect(body.missing_ours).toEqual([{ row: 12, key: '2026-11-19 02:00' }])
    expect([body.matched_rows, body.ignored_columns]).toEqual([1, ['x']])
  })

  it('reads a workbook as LibreOffice writes it', async () => {
    const rows: SheetCell[][] = [
      ['Tarih', 'Üretim (kWh)', 'Mahsuplaşan (kWh)', 'Açıklama & not'],
      [{ day: sheetDay('2026-11-01') }, 12.5, 4, null],
      [{ day: sheetDay('2026-11-01', 1) }, 12.500000000000002, '4,000', 'x'],
      [{ day: sheetDay('2026-11-01', 23) }, 12.5, 5, null],
    ]
    const body = await report(await packWorkbook(workbookParts(rows)))
    expect(body.bad_rows).toEqual([])
    expect(body.rows).toEqual([
      expect.objectContaining({ row: 4, key: '2026-11-01 23:00', field: 'matched_kwh', difference: '1.000' }),
    ])
    expect([body.matched_rows, body.ignored_columns]).toEqual([2, ['Açıklama & not']])
  })

  it('compares the hours of homes by their meters alone, and their month', async () => {
    const homes = await makeGroup(site.api.deps, site.tenant, {
      members: [
        { role: 'production', aboneGrubu: 'mesken' },
        { role: 'consumption', aboneGrubu: 'mesken' },
      ],
    })
    const range = { from: '2026-11-01T00:00:00+03:00', to: '2026-11-02T00:00:00+03:00' }
    for (const [index, role] of (['main_production', 'main_consumption'] as const).entries()) {
      const fact = { facilityId: homes.facilities[index]?.id ?? '', role }
      const name = index === 0 ? 'production' : 'consumption'
      await addFacts(
        site.api.deps,
        site.tenant,
        hourlyFacts(range, fact, () => ({ [name]: '2.000' })),
      )
    }
    expect((await calculate(homes, 0, 24)).status).toBe(201)
    const file = 'date,hour,consumption_kwh,matched_kwh\n2026-11-01,0,2,2\n,,48,48\n'
    const { body } = await send(file, '', homes.id)
    expect(body.bad_rows).toEqual([expect.objectContaining({ row: 2, column: 'matched_kwh' })])
    expect([body.rows, body.matched_rows]).toEqual([[], 2])
  })
})

describe('hour labels of a file', () => {
  /** 30 hours with different production. */
  let varied: TestGroup
  let rows: Row[]
  beforeAll(async () => {
    varied = (await makePair('10000.000', 30, (hour) => [`${20 + hour}.000`, '4.000'])).group
    expect((await calculate(varied, 0, 30)).status).toBe(201)
    rows = (await read(varied, 'hourly')).body
  })
  const fileOf = (label: (date: string, hour: number) => string): string =>
    [
      'date,hour,production_kwh',
      ...rows.map((row) => [fileLine(row, label), row['production_kwh']].join()),
    ].join('\n')
  const fileLine = (row: Row, label: (date: string, hour: number) => string) => {
    const [date, hour] = local(row)
    return label(date, Number(hour.slice(0, 2)))
  }
  const sent = async (file: string, query = '') => (await send(file, query, varied.id)).body
  const nextDay = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)
  const from1To24 = (date: string, hour: number) => `${date},${hour + 1}`
  /** Ends of hours as instants of the clock: the last one of a day is 00:00 of the next date. */
  const ends = (date: string, hour: number) =>
    hour === 23 ? `${nextDay(date)},00:00` : `${date},${hour + 1}:00`

  it('from 1 to 24 are the ends of the hours', async () => {
    const body = await sent(fileOf(from1To24))
    expect([body.label, body.rows, body.bad_rows, body.hints]).toEqual(['hour_ending', [], [], []])
    expect(body.matched_rows).toBe(30)
    const explicit = await sent(fileOf(from1To24), '&label=hour_starting')
    expect(explicit.bad_rows).toEqual([
      { row: 25, column: 'hour', message: '24:00 ends a day and begins no hour' },
    ])
  })

  it('of the ends of the hours are read with label=hour_ending, which a hint proposes', async () => {
    const wrong = await sent(fileOf(ends))
    expect([wrong.label, wrong.different_rows > 25]).toEqual(['hour_starting', true])
    expect(wrong.hints).toEqual([
      {
        code: 'HOURS_SHIFTED',
        parameters: { hours: -1, label: 'hour_ending' },
        message: 'the hours of the file agree with those one hour earlier: send label=hour_ending',
      },
    ])
    const right = await sent(fileOf(ends), '&label=hour_ending')
    expect([right.rows, right.bad_rows, right.hints, right.matched_rows]).toEqual([[], [], [], 30])
  })

  it('of the starts of the hours that are read as ends lead to the opposite hint', async () => {
    const body = await sent(
      fileOf((date, hour) => `${date},${hour}`),
      '&label=hour_ending',
    )
    expect(body.hints).toEqual([
      expect.objectContaining({ code: 'HOURS_SHIFTED', parameters: { hours: 1, label: 'hour_starting' } }),
    ])
  })

  it('beside their dates, and ranges, mean the same with either label', async () => {
    const inCell = rows.map((row) => {
      const [date, hour] = local(row)
      return `${date} ${hour},${row['production_kwh']}`
    })
    const body = await sent(['date,production_kwh', ...inCell].join('\n'))
    expect([body.rows, body.matched_rows]).toEqual([[], 30])
    for (const label of ['hour_starting', 'hour_ending']) {
      const file = fileOf((date, hour) => `${date},${hour}:00-${hour + 1}:00`)
      const ranges = await sent(file, `&label=${label}`)
      expect([ranges.rows, ranges.bad_rows, ranges.matched_rows]).toEqual([[], [], 30])
    }
  })

  it('are not suspected when single hours differ or all hours are alike', async () => {
    const one = await sent(fileOf((date, hour) => `${date},${hour}`).replace(',25.000', ',26.000'))
    expect([one.different_rows, one.hints]).toEqual([1, []])
    const alike = hours.map((row) => `${local(row).join()},12.500`)
    expect((await report(['date,hour,production_kwh', ...alike].join('\n'))).hints).toEqual([])
  })

  it('of any other name are rejected', async () => {
    expect((await send('date,matched_kwh\n', '&label=ending')).status).toBe(422)
  })
})

describe('amounts of a file', () => {
  it.each([20, 10])('with %i %% value added tax lead to a hint', async (rate) => {
    const taxed = (type: string) => {
      const [whole = '', decimals = ''] = String(summary.amounts_try[type]).split('.')
      const millionths = BigInt(whole + decimals) * BigInt(100 + rate)
      return (Number(millionths / 1_000_000n) / 100).toFixed(2)
    }
    const file = [
      'Dönem;Bedelli (TL);Mahsuplaşan (TL)',
      `2026-11;${taxed(AMOUNT_TYPE_OF.bedelli_try)};${taxed(AMOUNT_TYPE_OF.matched_try)}`,
    ]
    const body = await report(file.join('\n'))
    expect(body.rows).toHaveLength(2)
    expect(body.hints).toEqual([
      expect.objectContaining({ code: 'DIFFERENCES_LOOK_LIKE_VAT', parameters: { rate_pct: rate } }),
    ])
  })

  it('that differ by another ratio, or differently, lead to no hint', async () => {
    const bedelli = Number(summary.amounts_try[AMOUNT_TYPE_OF.bedelli_try])
    const matched = Number(summary.amounts_try[AMOUNT_TYPE_OF.matched_try])
    for (const [one, other] of [
      [1.15, 1.15],
      [1.2, 0.9],
    ] as const) {
      const file = `Dönem;Bedelli (TL);Mahsuplaşan (TL)\n2026-11;${(bedelli * one).toFixed(2)};${(matched * other).toFixed(2)}`
      const body = await report(file)
      expect([body.rows.length, body.hints]).toEqual([2, []])
    }
  })
})

describe('reconciliation of an invalid file', () => {
  const parts = workbookParts([['date', 'matched_kwh']])
  const withSheet = (rows: string) =>
    packWorkbook(workbookParts([], `<worksheet><sheetData>${rows}</sheetData></worksheet>`))
  it.each([
    ['empty', async () => '', 422, 'FILE_COLUMNS_UNKNOWN'],
    ['without known headers', async () => 'a,b\n1,2\n', 422, 'FILE_COLUMNS_UNKNOWN'],
    ['with a repeated header', async () => 'matched_kwh,Mahsuplaşan\n1,2\n', 422, 'FILE_COLUMNS_UNKNOWN'],
    ['in no known encoding', async () => Buffer.from([0x54, 0xfc, 0x81, 0x0a]), 422, 'FILE_NOT_READABLE'],
    [
      'that is an image',
      async () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]),
      422,
      'FILE_NOT_READABLE',
    ],
    ['with an unclosed quote', async () => 'date,matched_kwh\n"2026', 422, 'FILE_NOT_READABLE'],
    ['with a giant cell', async () => `date,matched_kwh\n${'x'.repeat(5_000)},1\n`, 422, 'FILE_NOT_READABLE'],
    ['with too many rows', async () => `matched_kwh\n${'1\n'.repeat(10_200)}`, 422, 'FILE_TOO_MANY_ROWS'],
    ['with one row too many', async () => `matched_kwh\n${'1\n'.repeat(10_001)}`, 422, 'FILE_TOO_MANY_ROWS'],
    ['that is too large', async () => `matched_kwh\n${' '.repeat(2_200_000)}`, 413, 'PAYLOAD_TOO_LARGE'],
    ['with a broken ZIP', async () => 'PK but not really', 422, 'FILE_NOT_READABLE'],
    [
      'that is a ZIP of other content',
      async () => packWorkbook(new Map([['a.xml', '<a/>']])),
      422,
      'FILE_NOT_READABLE',
    ],
    [
      'that is a ZIP bomb',
      async () => packWorkbook(new Map([...parts, ['xl/sharedStrings.xml', ' '.repeat(40_000_000)]])),
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'with a cell in the last possible column',
      async () => withSheet('<row r="1"><c r="XFD1"><v>1</v></c></row>'),
      422,
      'FILE_NOT_READABLE',
    ],
    [
      'with a row at the last possible number',
      async () => withSheet("<row r = '999999999'><c t='n'><v>1</v></c></row>"),
      422,
      'FILE_NOT_READABLE',
    ],
    [
      'with a row beyond the last possible number',
      async () => withSheet("<row r='1048576'><c r='A1048576'><v>1</v></c></row>"),
      422,
      'FILE_TOO_MANY_ROWS',
    ],
    [
      'with a cell reference in a disguised form',
      async () => withSheet('<row r="&#49;0000000"><c><v>1</v></c></row>'),
      422,
      'FILE_NOT_READABLE',
    ],
    ['whose sheet is no XML', async () => withSheet('<row><<<'), 422, 'FILE_NOT_READABLE'],
    [
      'with a formula error',
      async () => withSheet('<row r="1"><c r="A1" t="e"><v>#N/A</v></c></row>'),
      422,
      'FILE_COLUMNS_UNKNOWN',
    ],
  ])('%s answers 4xx and never 500', async (_what, make, status, code) => {
    const response = await send(await make())
    expect([response.status, response.body.error_code ?? response.body.detail.error_code]).toEqual([
      status,
      code,
    ])
  })

  it('rejects a request without a form, without a file, and for a foreign group', async () => {
    const path = `${base(group)}/reconcile?billing_period=2026-11`
    const { token } = site.tenant.viewer
    expect((await site.api.call('POST', path, { token, body: {} })).status).toBe(415)
    expect((await site.api.call('POST', path, { token })).status).toBe(415)
    const elsewhere = await site.api.call('POST', path, { token, body: form('a', 'other') })
    expect([elsewhere.status, elsewhere.body.detail[0].loc]).toEqual([422, ['body', 'file']])
    const broken = { token, body: 'nothing', headers: { 'content-type': 'multipart/form-data; boundary=x' } }
    expect((await site.api.call('POST', path, broken)).status).toBe(400)
    const foreignTenant = { token: site.foreignTenant.viewer.token, body: form('date,matched_kwh\n') }
    expect((await site.api.call('POST', path, foreignTenant)).status).toBe(404)
    expect((await site.api.call('POST', path, { body: form('a') })).status).toBe(401)
  })
})
