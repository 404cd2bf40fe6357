import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RECONCILE_FILE_BYTES_MAX } from '../../../src/areas/netting/limits.ts'
import type { ApiResponse } from '../../support/api.ts'
import {
  base,
  calculate,
  makePair,
  openSite,
  type Row,
  type Site,
} from '../../support/netting/calculation.ts'
import type { TestGroup } from '../../support/netting/netting.ts'
import { windows1254 } from '../../support/turkish-text.ts'
import { packWorkbook, workbookParts } from '../../support/workbook.ts'

// Files as suppliers and attackers send them. The group is that of the worked example.

let site: Site
let group: TestGroup

beforeAll(async () => {
  site = await openSite()
  group = (await makePair('150.000', 30, () => ['12.500', '4.000'])).group
  expect((await calculate(group, 0, 30)).status).toBe(201)
})
afterAll(() => site.api.close())

const PATH = '/reconcile?billing_period=2026-11'
const send = (file: string | Buffer, name = 'invoice'): Promise<ApiResponse> => {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(Buffer.from(file))]), name)
  return site.api.call('POST', `${base(group)}${PATH}`, { token: site.tenant.viewer.token, body })
}

/** The parts that agree with the results, and what is unreadable. */
async function verdictsOf(file: string | Buffer, name?: string) {
  const { status, body, text } = await send(file, name)
  expect(status, text).toBe(201)
  return {
    verdicts: body.lines.map(({ kind, verdict, cause }: Row) => [kind, cause ?? verdict]),
    bad: body.bad_rows.map(({ row, column }: Row) => [row, column]),
  }
}

const HEADER = 'Kalem;Miktar (kWh);Birim Fiyat;Tutar (TL)'
const MATCHED = 'Mahsuplaşan tüketim;120,000;2,985253;358,23'
const PAID = 'Bedelli ihtiyaç fazlası;102,000;2,909687;296,79'
const AGREEING = { verdicts: [['matched', 'agreeing']], bad: [] }

const eFatura = (encoding: string) =>
  `<?xml version="1.0" encoding="${encoding}"?>\n<Invoice><DocumentCurrencyCode>TRY</DocumentCurrencyCode>` +
  '<InvoiceLine><InvoicedQuantity unitCode="KWH">120</InvoicedQuantity>' +
  '<LineExtensionAmount currencyID="TRY">358.23</LineExtensionAmount>' +
  '<Item><Name>Mahsuplaşan tüketim</Name></Item></InvoiceLine></Invoice>'

const pdf = async (
  draw: (page: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> => {
  const page = new PDFDocument(options)
  const content = buffer(page as unknown as NodeJS.ReadableStream)
  draw(page)
  page.end()
  return content
}

describe('an invoice in another form', () => {
  it.each([
    ['with lines that end in CR alone', `${HEADER}\r${MATCHED}\r`],
    [
      'with blank lines and blanks around figures',
      `\n\n${HEADER}\n\nMahsuplaşan tüketim; 120,000 ;2,985253; 358,23 TL\n`,
    ],
    ['in US notation', 'Kalem,Miktar (kWh),Tutar (TL)\nMahsuplaşan tüketim,120.000,358.23\n'],
  ])('%s is read', async (_what, file) => {
    expect(await verdictsOf(file)).toEqual(AGREEING)
  })

  it.each([
    ['CSV in windows-1254', windows1254(`${HEADER}\r\n${MATCHED}\r\n`)],
    ['CSV in UTF-16 with a mark', Buffer.from(`\uFEFF${HEADER}\n${MATCHED}\n`, 'utf16le')],
    ['CSV in UTF-16, the other order', Buffer.from(`\uFEFF${HEADER}\n${MATCHED}\n`, 'utf16le').swap16()],
    ['XML that declares windows-1254', windows1254(eFatura('windows-1254'))],
    ['XML that declares ISO 8859-9', windows1254(eFatura('ISO-8859-9'))],
    ['XML that declares windows-1254 and is UTF-8', Buffer.from(eFatura('windows-1254'))],
    ['XML in UTF-16', Buffer.from(`\uFEFF${eFatura('UTF-16')}`, 'utf16le')],
  ])('in another encoding is read: %s', async (_what, file) => {
    expect(await verdictsOf(file)).toEqual(AGREEING)
    const { body } = await send(file)
    expect(JSON.stringify(body.lines[0])).toContain('Mahsuplaşan tüketim')
  })

  it('is recognized by its content, not by its name', async () => {
    expect(await verdictsOf(`${HEADER}\n${MATCHED}\n`, 'fatura.pdf')).toEqual(AGREEING)
    const rows = [HEADER, MATCHED].map((line) => line.split(';'))
    expect(await verdictsOf(await packWorkbook(workbookParts(rows)), 'fatura.xml')).toEqual(AGREEING)
  })

  it('has the results of formulas in a workbook, and no formulas in text', async () => {
    const parts = workbookParts([HEADER.split(';'), ['Mahsuplaşan tüketim', 120, 2.985253, 358.23]])
    const sheet = 'xl/worksheets/sheet1.xml'
    const formula = (parts.get(sheet) ?? '').replace('<v>358.23</v>', '<f>B2*C2</f><v>358.23</v>')
    expect(formula).toContain('<f>')
    expect(await verdictsOf(await packWorkbook(new Map([...parts, [sheet, formula]])))).toEqual(AGREEING)
    const text = await verdictsOf(`${HEADER}\nMahsuplaşan tüketim;120,000;2,985253;=B2*C2\n${PAID}\n`)
    expect(text).toEqual({ verdicts: [['bedelli', 'agreeing']], bad: [[2, 'Tutar (TL)']] })
  })

  it('with two notations of numbers has the other one as unreadable, and no finding', async () => {
    const file = `${HEADER}\n${MATCHED}\nBedelli ihtiyaç fazlası;102,000;2.909687;1,296.79\n`
    expect(await verdictsOf(file)).toEqual({
      ...AGREEING,
      bad: [
        [3, 'Tutar (TL)'],
        [3, 'Birim Fiyat'],
      ],
    })
  })

  it('with deductions and corrections leaves them undecided', async () => {
    const file = `${HEADER}\n${MATCHED}\nMahsuplaşan tüketim;-120,000;2,985253;-358,23\n`
    expect((await verdictsOf(file)).verdicts).toEqual([
      ['matched', 'undecidable'],
      ['matched', 'agreeing'],
    ])
  })
})

const LAUGHS = Array.from({ length: 10 }, (_, level) => {
  const name = (index: number) => `e${index}`
  return `<!ENTITY ${name(level + 1)} "${`&${name(level)};`.repeat(10)}">`
}).join('')
/** One pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const CURRENCY = '<DocumentCurrencyCode>TRY</DocumentCurrencyCode>'

describe('an invoice that is refused says why', () => {
  it.each<[string, () => Promise<string | Buffer>, number, string]>([
    ['an empty file', async () => '', 422, 'header'],
    [
      'entities that contain each other',
      async () =>
        `<?xml version="1.0"?><!DOCTYPE Invoice [<!ENTITY e0 "x">${LAUGHS}]><Invoice><ID>&e10;</ID></Invoice>`,
      422,
      'declares a document type',
    ],
    [
      'an entity of another file',
      async () =>
        '<!DOCTYPE Invoice [<!ENTITY x SYSTEM "http://127.0.0.1:1/x">]><Invoice><ID>&x;</ID></Invoice>',
      422,
      'declares a document type',
    ],
    [
      'a return invoice',
      async () => `<Invoice>${CURRENCY}<InvoiceTypeCode>IADE</InvoiceTypeCode></Invoice>`,
      422,
      'IADE',
    ],
    [
      'damaged text in UTF-8, which could be taken for windows-1254',
      async () => Buffer.concat([Buffer.from('Kalem;Tutar\nMahsuplaşan;1\n'), Buffer.from([0xfe])]),
      422,
      'CSV UTF-8',
    ],
    [
      'an XML that is not UTF-8 and declares nothing else',
      async () => Buffer.from('<Invoice><ID>\xfe</ID></Invoice>', 'latin1'),
      422,
      'not plain XML',
    ],
    ['text in UTF-16 without a mark', async () => Buffer.from('Kalem;Tutar\nx;1\n', 'utf16le'), 422, 'NUL'],
    [
      'a workbook with a password',
      async () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4_096, 0xff)]),
      422,
      'neither an XLSX workbook',
    ],
    [
      'a sheet that unpacks to a hundred megabytes',
      async () =>
        packWorkbook(
          workbookParts([], `<worksheet><sheetData>${' '.repeat(100_000_000)}</sheetData></worksheet>`),
        ),
      413,
      'workbook',
    ],
    ['a PDF of pictures', () => pdf((page) => page.image(PIXEL, 40, 40, { width: 200 })), 422, 'scanned'],
    [
      'a PDF with a password',
      () => pdf((page) => page.text('Fatura', 40, 40), { userPassword: 'secret' }),
      422,
      'password',
    ],
  ])('%s', async (_what, make, status, reason) => {
    const response = await send(await make())
    expect(response.status, response.text).toBe(status)
    expect(response.text).toContain(reason)
  })

  it('a file of a hundred megabytes, without taking it in when its length is known', async () => {
    const known = await sendLarge({ 'content-length': String(LARGE + 1_000) })
    expect(known.status).toBe(413)
    // The buffers of both ends of the connection hold some megabytes.
    expect(known.bytes).toBeLessThan(RECONCILE_FILE_BYTES_MAX + 30_000_000)
    const unknown = await sendLarge({})
    expect(unknown.status).toBe(413)
    expect(unknown.heapBytes).toBeLessThan(LARGE)
  })
})

const LARGE = 100_000_000

interface Sent {
  readonly status: number
  readonly bytes: number
  /** Growth of the buffers of this process, which has both ends. */
  readonly heapBytes: number
}

/** Sends a form with a PDF of a hundred megabytes until the server answers. */
function sendLarge(length: Readonly<Record<string, string>>): Promise<Sent> {
  const chunk = Buffer.alloc(1_000_000, '0')
  const before = process.memoryUsage().arrayBuffers
  const headers = {
    ...{ authorization: `Bearer ${site.tenant.viewer.token}`, ...length },
    'content-type': 'multipart/form-data; boundary=x',
  }
  return new Promise((resolve, reject) => {
    let bytes = 0
    let heapBytes = 0
    const upload = request(
      `${site.api.url}${base(group)}${PATH}`,
      { method: 'POST', headers },
      (response) => {
        resolve({ status: response.statusCode ?? 0, bytes, heapBytes })
        upload.destroy()
      },
    )
    upload.on('error', reject)
    upload.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n')
    const more = () => {
      if (upload.destroyed) return
      if (bytes >= LARGE) {
        upload.end('\r\n--x--\r\n')
        return
      }
      bytes += chunk.length
      heapBytes = Math.max(heapBytes, process.memoryUsage().arrayBuffers - before)
      if (upload.write(chunk)) setImmediate(more)
      else upload.once('drain', more)
    }
    more()
  })
}
