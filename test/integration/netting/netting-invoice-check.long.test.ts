import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDocument } from '../../../src/platform/pdf/page.ts'
import { readInThread } from '../../../src/platform/pdf/read-text.ts'
import type { ApiResponse } from '../../support/api.ts'
import {
  base,
  calculate,
  makePair,
  openSite,
  type Row,
  type Site,
} from '../../support/netting/calculation.ts'
import { asEFatura, asPdf, charge, type DraftInvoice, fund } from '../../support/netting/invoices.ts'
import type { TestGroup } from '../../support/netting/netting.ts'

let site: Site
/** The group of the worked example: 12.5 kWh produced and 4 kWh consumed in 30 hours, a limit of 150 kWh. */
let group: TestGroup

beforeAll(async () => {
  site = await openSite()
  group = (await makePair('150.000', 30, () => ['12.500', '4.000'])).group
  expect((await calculate(group, 0, 30)).status).toBe(201)
})
afterAll(() => site.api.close())

const send = (file: string | Buffer): Promise<ApiResponse> => {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(Buffer.from(file))]), 'invoice')
  const path = `${base(group)}/reconcile?billing_period=2026-11`
  return site.api.call('POST', path, { token: site.tenant.viewer.token, body })
}

/** The invoice of the worked example; `price` is that of paid surplus. */
const invoice = (price: bigint): DraftInvoice => ({
  charges: [
    charge('Mahsuplaşan tüketim', 120_000n, 2_985_253n),
    charge('Bedelli ihtiyaç fazlası', 102_000n, price),
    charge('Sistem kullanım bedeli (SKB)', 153_000n, 656_008n),
    fund('Belediye tüketim vergisi', '4071', 358_230_000n, 1),
  ],
  hours: [],
  wrongTotal: 0n,
})

const textPdf = async (text: string): Promise<Buffer> => {
  const page = openDocument({ title: 'x', at: 0, language: 'tr' })
  const content = buffer(page as unknown as NodeJS.ReadableStream)
  page.text(text, 40, 40)
  page.end()
  return content
}

describe('an uploaded invoice', () => {
  it('of the worked example is classified as the documentation says', async () => {
    const doc = await readFile('docs/understand/netting/invoice-check.md', 'utf8')
    const { status, body } = await send(/```csv\n([\s\S]*?)```/.exec(doc)?.[1] ?? '')
    expect([status, body.bad_rows, body.format]).toEqual([201, [], 'invoice_table'])
    expect(body.invoice.number).toBe('GTS2026000000117')
    expect(body.line_counts).toEqual({ agreeing: 6, differing: 2, undecidable: 0 })
    expect(body.claim_try).toBe('14.871920')
    const [paid, trt] = body.lines
    expect(paid).toMatchObject({
      kind: 'bedelli',
      cause: 'price_row',
      claim_try: '7.711920',
      their_price: { price_try_per_kwh: '2.985253' },
      our_prices: [{ price_try_per_kwh: '2.909687' }],
    })
    expect(paid.their_price.name).toContain('mahsuplasma_related_tariff')
    expect(trt).toMatchObject({ kind: 'trt_share', cause: 'fund', claim_try: '7.160000' })
    expect(body.runs).toEqual([
      expect.objectContaining({ input_hash: expect.stringMatching(/^[0-9a-f]{64}$/) }),
    ])
  })

  it.each([
    ['e_fatura', asEFatura],
    ['pdf', asPdf],
  ] as const)('as %s agrees, and differs with another price', async (format, make) => {
    const clean = (await send(await make(invoice(2_909_687n)))).body
    expect([clean.format, clean.line_counts, clean.claim_try]).toEqual([
      format,
      { agreeing: 7, differing: 0, undecidable: 0 },
      '0.000000',
    ])
    expect([clean.rows, clean.bad_rows]).toEqual([[], []])
    expect(clean.invoice).toMatchObject({ number: 'ABC2026000000042', supplier_tax_id: '1234567890' })
    const wrong = (await send(await make(invoice(2_985_253n)))).body
    expect(wrong.lines.filter((line: Row) => line['verdict'] === 'differing')).toEqual([
      expect.objectContaining({ kind: 'bedelli', cause: 'price_row' }),
    ])
  })

  it('leaves unknown charges and months without results undecided', async () => {
    const file = 'Kalem;Miktar;Tutar\nSayaç okuma bedeli;;12,50\nMahsuplaşan tüketim;120,000;358,23\n'
    const { body } = await send(file)
    expect(body.lines.map((line: Row) => [line['kind'], line['verdict']])).toEqual([
      [null, 'undecidable'],
      ['matched', 'agreeing'],
    ])
  })

  it('of figures by the hour has a classified line for each figure', async () => {
    const { body } = await send('Tarih;Saat;Üretim (kWh);Bedelli (kWh)\n01.11.2026;00:00;12,500;8,250\n')
    expect([body.format, body.line_counts]).toEqual(['table', { agreeing: 1, differing: 1, undecidable: 0 }])
    expect(body.lines[0]).toMatchObject({ kind: 'bedelli', cause: 'hour', key: '2026-11-01 00:00' })
  })
})

describe('the objection to an invoice', () => {
  const object = async (price: bigint, query = '') => {
    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(await asEFatura(invoice(price)))]), 'fatura.xml')
    const path = `${base(group)}/objection?billing_period=2026-11${query}`
    const response = await fetch(`${site.api.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.tenant.viewer.token}` },
      body,
    })
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  it('is a dated PDF with the figures, their cause and their evidence', async () => {
    const { status, bytes } = await object(2_985_253n, '&received_on=2026-11-18')
    expect(status).toBe(201)
    const lines = await readInThread(bytes)
    const text = lines.flatMap(({ cells }) => cells.map((cell) => cell.text)).join(' ')
    for (const part of [
      'Fatura itirazı',
      'Tarih: 20.11.2026',
      'Örnek Elektrik A.Ş., 1234567890',
      'ABC2026000000042',
      'itirazın son günü: 26.11.2026',
      'madde 21/2',
      'Bedelli ihtiyaç',
      '2,985253',
      '2,909687',
      '304,500000',
      '296,788080',
      '7,711920',
      'Tarife satırı',
      'girdi SHA-256',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('Mahsuplaşan tüketim')
  })

  it('is refused where no line differs', async () => {
    const { status, bytes } = await object(2_909_687n)
    expect([status, JSON.parse(bytes.toString()).detail.error_code]).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
  })
})

describe('an invoice that cannot be read', () => {
  const ubl = (content: string, root = 'Invoice') => `<?xml version="1.0"?><${root}>${content}</${root}>`
  it.each([
    ['an XML that is not closed', async () => '<Invoice><ID>1</ID>', 'FILE_NOT_READABLE'],
    ['an XML of another kind', async () => ubl('<ID>1</ID>', 'DespatchAdvice'), 'FILE_NOT_READABLE'],
    [
      'an XML with an external entity',
      async () =>
        '<!DOCTYPE Invoice [<!ENTITY x SYSTEM "file:///etc/passwd">]><Invoice><ID>&x;</ID></Invoice>',
      'FILE_NOT_READABLE',
    ],
    ['an XML with an unknown entity', async () => ubl('<ID>&x;</ID>'), 'FILE_NOT_READABLE'],
    ['an e-Fatura without lines', async () => ubl('<ID>1</ID>'), 'FILE_COLUMNS_UNKNOWN'],
    [
      'an e-Fatura in euros',
      async () => ubl('<DocumentCurrencyCode>EUR</DocumentCurrencyCode><InvoiceLine/>'),
      'FILE_NOT_READABLE',
    ],
    [
      'an e-Fatura with too many lines',
      async () => ubl('<InvoiceLine/>'.repeat(10_001)),
      'FILE_TOO_MANY_ROWS',
    ],
    ['an XML that is nested too deeply', async () => ubl('<a>'.repeat(200)), 'FILE_NOT_READABLE'],
    ['a PDF that is cut off', async () => '%PDF-1.7\n1 0 obj <<', 'FILE_NOT_READABLE'],
    ['a PDF without a table', () => textPdf('Sayın müşterimiz'), 'FILE_COLUMNS_UNKNOWN'],
    ['a PDF without text', () => textPdf(' '), 'FILE_NOT_READABLE'],
    [
      'a table of charges with too many rows',
      async () => `Kalem;Tutar\n${'x;1\n'.repeat(10_001)}`,
      'FILE_TOO_MANY_ROWS',
    ],
  ])('%s is refused', async (_what, make, code) => {
    const { status, body } = await send(await make())
    expect([status, body.error_code ?? body.detail.error_code]).toEqual([422, code])
  })

  it('names the lines of an e-Fatura and a table that it skips', async () => {
    const line = (content: string) => `<InvoiceLine>${content}<Item><Name>Mahsup</Name></Item></InvoiceLine>`
    const xml = ubl(
      line('<InvoicePeriod><StartDate>2026-10-31</StartDate></InvoicePeriod>') +
        line('<InvoicePeriod><StartDate>soon</StartDate></InvoicePeriod>') +
        line('<InvoicedQuantity unitCode="KWH">many</InvoicedQuantity>') +
        line('<InvoicedQuantity unitCode="MWH">0.120</InvoicedQuantity>'),
    )
    const { body } = await send(xml)
    expect(body.bad_rows.map(({ row, column }: Row) => [row, column])).toEqual([
      [1, 'StartDate'],
      [2, 'StartDate'],
      [3, 'InvoicedQuantity'],
    ])
    expect(body.line_counts).toEqual({ agreeing: 1, differing: 0, undecidable: 0 })
    const table = await send('Kalem;Tarih;Tutar\nMahsup;31.10.2026;1,00\nMahsup;;çok\nMahsup;;358,23\n')
    expect(table.body.bad_rows.map(({ row, column }: Row) => [row, column])).toEqual([
      [2, 'Tarih'],
      [3, 'Tutar'],
    ])
  })
})

describe('the thread that reads a PDF', () => {
  it('is ended when it takes too long or too much memory', async () => {
    const pdf = await textPdf('Fatura')
    await expect(readInThread(pdf, { maxMs: 1, heapMb: 256 })).rejects.toThrow('too long')
    await expect(readInThread(pdf, { maxMs: 60_000, heapMb: 4 })).rejects.toThrow('too much memory')
    expect(await readInThread(pdf)).toEqual([
      { page: 1, cells: [expect.objectContaining({ text: 'Fatura' })] },
    ])
  })
})
