import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeNotifier } from '../../../src/areas/alarms/notifications/index.ts'
import { clearOldChecks } from '../../../src/areas/netting/index.ts'
import { remindOfObjections } from '../../../src/jobs/invoice-objections.ts'
import { makeSmtpMailer } from '../../../src/platform/mail/mail.ts'
import { readInThread } from '../../../src/platform/pdf/read-text.ts'
import type { ApiResponse } from '../../support/api.ts'
import { calculate, makePair, openSite, type Row, type Site } from '../../support/netting/calculation.ts'
import { asEFatura, charge, type DraftInvoice } from '../../support/netting/invoices.ts'
import type { TestGroup } from '../../support/netting/netting.ts'
import { startSmtpServer, textOfMail } from '../../support/smtp-server.ts'

const NETTING = '/api/mahsuplasma'
const PERIOD = 'billing_period=2026-11'
let site: Site
/** The group of the worked example: 12.5 kWh produced and 4 kWh consumed in 30 hours, a limit of 150 kWh. */
let group: TestGroup

beforeAll(async () => {
  site = await openSite()
  group = (await makePair('150.000', 30, () => ['12.500', '4.000'])).group
  expect((await calculate(group, 0, 30)).status).toBe(201)
})
afterAll(() => site.api.close())

const call = (method: string, path: string, body?: unknown, token = site.tenant.admin.token) =>
  site.api.call(method, `${NETTING}${path}`, { token, ...(body !== undefined && { body }) })
const formOf = (file: string | Buffer, name = 'fatura.csv'): FormData => {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(Buffer.from(file))]), name)
  return form
}
const check = (file: string | Buffer, query = '', name?: string): Promise<ApiResponse> =>
  call('POST', `/groups/${group.id}/invoice-checks?${PERIOD}${query}`, formOf(file, name))
const download = async (path: string) => {
  const response = await fetch(`${site.api.url}${NETTING}${path}`, {
    headers: { authorization: `Bearer ${site.tenant.viewer.token}` },
  })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

/** An invoice with the price of paid surplus; 2.909687 agrees. */
const invoice = (price: bigint): DraftInvoice => ({
  charges: [
    charge('Mahsuplaşan tüketim', 120_000n, 2_985_253n),
    charge('Bedelli ihtiyaç fazlası', 102_000n, price),
  ],
  hours: [],
  wrongTotal: 0n,
})
const WRONG = () => asEFatura(invoice(2_985_253n))
const codeOf = ({ body }: ApiResponse) => body.detail?.error_code ?? body.error_code

/** Reminders that are open, with their severity. */
async function reminders(): Promise<Row[]> {
  const { rows } = await site.api.deps.database.pool.query(
    `select i.severity, i.message from alarm_incident i
      join alarm_policy p on p.tenant_id = i.tenant_id and p.id = i.policy_id
     where p.name = 'netting_objection_due' and i.status <> 'closed' order by i.message`,
  )
  return rows
}
const atDay = async <T>(date: string, work: () => Promise<T>): Promise<T> => {
  const now = site.api.clock.now()
  site.api.clock.set(Date.parse(`${date}T09:30:00Z`))
  try {
    return await work()
  } finally {
    site.api.clock.set(now)
  }
}
const remind = () => {
  const context = { signal: new AbortController().signal, after: undefined, partFailed: () => {} }
  return remindOfObjections(site.api.deps, site.api.clock.now(), context)
}

describe('the fields of an unknown layout', () => {
  const FILE = [
    'Vergi No: 5555555555',
    'Hizmet türü;Enerji miktarı;Bedel toplamı',
    'Mahsup bedeli X;120,000;358,23',
    'Gizli kalem;102,000;304,50',
    '',
  ].join('\n')

  it('are shown with suggestions and the first rows, corrected, remembered and used', async () => {
    const shown = await call('POST', `/invoice-preview?${PERIOD}`, formOf(FILE), site.tenant.viewer.token)
    expect([shown.status, shown.body.is_readable, shown.body.reading.mapping]).toEqual([201, false, null])
    expect(shown.body.invoice.supplier_tax_id).toBe('5555555555')
    const fieldOf = ({ body }: ApiResponse, source: string) =>
      body.reading.fields.find((field: Row) => field['source'] === source)
    expect(fieldOf(shown, 'Enerji miktarı')).toMatchObject({
      ...{
        row: 2,
        column: null,
        certainty: 'similar',
        suggestion: 'quantity',
        values: ['120,000', '102,000'],
      },
    })
    expect(shown.body.rows[2]).toEqual({ row: 3, cells: ['Mahsup bedeli X', '120,000', '358,23'] })
    expect(codeOf(await check(FILE))).toBe('FILE_COLUMNS_UNKNOWN')

    const corrected = {
      supplier: '5555555555',
      layout: shown.body.reading.layout,
      columns: [
        { source: 'Hizmet türü', column: 'item' },
        { source: 'Enerji miktarı', column: 'quantity' },
        { source: 'Bedel toplamı', column: 'amount' },
      ],
      lines: [{ text: 'Gizli kalem', kind: 'bedelli' }],
    }
    const saved = await call('POST', '/invoice-mappings', corrected)
    expect([saved.status, saved.body.label]).toEqual([201, null])
    expect(codeOf(await call('POST', '/invoice-mappings', corrected))).toBe('STATE_CONFLICT')

    const { body } = await check(FILE)
    expect(body.report.reading.mapping).toEqual({
      ...{ id: saved.body.id, supplier: '5555555555', matched_by: 'layout' },
    })
    expect(fieldOf({ body: body.report } as ApiResponse, 'Bedel toplamı')).toMatchObject({
      ...{ column: 'amount', certainty: 'corrected' },
    })
    expect(body.report.reading.line_texts).toEqual([
      { text: 'Mahsup bedeli X', kind: 'matched', certainty: 'known', count: 1 },
      { text: 'Gizli kalem', kind: 'bedelli', certainty: 'corrected', count: 1 },
    ])
    expect([body.agreeing, body.differing, body.supplier]).toEqual([1, 1, '5555555555'])

    const otherLayout = FILE.replace('Bedel toplamı', 'Bedel toplamı;Not').replaceAll(/(\d)\n/g, '$1;\n')
    const other = (await check(otherLayout)).body
    expect(other.report.reading.mapping.matched_by).toBe('supplier')

    const { body: changed } = await call('PUT', `/invoice-mappings/${saved.body.id}`, {
      ...corrected,
      lines: [{ text: 'Gizli kalem', kind: null }],
    })
    expect(changed.lines).toEqual([{ text: 'Gizli kalem', kind: null }])
    const again = (await call('POST', `/invoice-checks/${body.id}/repeat`)).body
    expect([again.repeats, again.agreeing, again.undecidable]).toEqual([body.id, 1, 1])
    const { body: compared } = await call('GET', `/invoice-checks/${again.id}/comparison`)
    expect(compared).toMatchObject({
      ...{ is_file_changed: false, is_reading_changed: true, are_results_changed: false },
      lines: [{ line: 4, before_verdict: 'differing', after_verdict: 'undecidable' }],
    })
    const { body: untouched } = await call('GET', `/invoice-checks/${body.id}`)
    expect(untouched.report).toEqual(body.report)

    expect((await call('DELETE', `/invoice-mappings/${saved.body.id}`)).status).toBe(204)
    expect(codeOf(await call('POST', `/invoice-checks/${body.id}/repeat`))).toBe('FILE_COLUMNS_UNKNOWN')
    const log = await site.api.call('GET', '/api/changes?resource_type=invoice_mapping', {
      token: site.tenant.admin.token,
    })
    const actions = (log.body.items ?? log.body).map((change: Row) => change['action'])
    expect(actions.sort()).toEqual(['create', 'delete', 'update'])
  })

  it('of a table of figures, and elements of an e-Fatura, are corrected as well', async () => {
    const figures = 'Gün no;Slot;Üretilen miktar\n01.11.2026;00:00;12,500\n'
    const { body: shown } = await call('POST', `/invoice-preview?${PERIOD}&supplier=OSB`, formOf(figures))
    await call('POST', '/invoice-mappings', {
      ...{ supplier: 'OSB', layout: shown.reading.layout, lines: [] },
      columns: [
        { source: 'Gün no', column: 'date' },
        { source: 'Slot', column: 'hour' },
        { source: 'Üretilen miktar', column: 'production_kwh' },
      ],
    })
    const { body } = await check(figures, '&supplier=osb')
    expect(body.report).toMatchObject({
      format: 'table',
      line_counts: { agreeing: 1, differing: 0, undecidable: 0 },
    })

    const xml = Buffer.from(
      (await WRONG())
        .toString()
        .replaceAll(
          /<cac:Item><cbc:Name>([^<]*)<\/cbc:Name>/g,
          '<cac:Item><cbc:Description>$1</cbc:Description><cbc:Name>Kod</cbc:Name>',
        ),
    )
    const before = (await check(xml, '', 'fatura.xml')).body
    expect(before.report.reading.line_texts).toContainEqual({
      ...{ text: 'Kod', kind: null, certainty: 'unknown', count: 2 },
    })
    await call('POST', '/invoice-mappings', {
      ...{ supplier: '1234567890', layout: before.report.reading.layout, lines: [] },
      columns: [{ source: 'Item/Description', column: 'item' }],
    })
    const after = (await call('POST', `/invoice-checks/${before.id}/repeat`)).body
    expect(after.report.reading.fields).toContainEqual(
      expect.objectContaining({ source: 'Item/Description', column: 'item', certainty: 'corrected' }),
    )
    expect(after.report.lines.map((line: Row) => line['kind'])).toContain('bedelli')
  })

  it('are refused when a header is mapped twice, or to an unknown column', async () => {
    const twice = [
      { source: 'Kalem', column: 'item' },
      { source: 'KALEM', column: 'amount' },
    ]
    const mapping = { supplier: 'x', layout: 'x', lines: [] }
    expect(codeOf(await call('POST', '/invoice-mappings', { ...mapping, columns: twice }))).toBe(
      'BUSINESS_RULE_VIOLATION',
    )
    const odd = [{ source: 'Kalem', column: 'nonsense' }]
    expect((await call('POST', '/invoice-mappings', { ...mapping, columns: odd })).status).toBe(422)
    const viewer = site.tenant.viewer.token
    expect((await call('POST', '/invoice-mappings', { ...mapping, columns: [] }, viewer)).status).toBe(403)
  })
})

describe('a stored check', () => {
  it('keeps its file, is listed, found, exported and compared with the results that follow', async () => {
    const bytes = await WRONG()
    const { status, body } = await check(bytes, '&received_on=2026-11-18', 'kasım faturası.xml')
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...{ format: 'e_fatura', supplier: '1234567890', invoice_number: 'ABC2026000000042', is_stale: false },
      ...{ claim_try: '7.711920', repeats: null, objection_status: 'open', received_from: 'user' },
      ...{ received_on: '2026-11-18', objection_due_on: '2026-11-26', objection_reminder_on: '2026-11-23' },
      file_sha256: createHash('sha256').update(bytes).digest('hex'),
      input_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const listed = await call(
      'GET',
      `/invoice-checks?group_id=${group.id}&${PERIOD}&search=KASIM&status=open`,
    )
    expect(listed.body.map((row: Row) => row['id'])).toEqual([body.id])
    const file = await download(`/invoice-checks/${body.id}/file`)
    expect([file.status, file.bytes.equals(bytes)]).toEqual([200, true])
    expect(file.headers.get('content-disposition')).toContain("UTF-8''kas%C4%B1m")
    const csv = (
      await download(`/invoice-checks/${body.id}/report?format=csv&headers=names`)
    ).bytes.toString()
    expect(csv.split('\r\n')[0]).toContain('theirs_unit_price_try_per_kwh')
    expect(csv).toContain('price_row')
    for (const format of ['xlsx', 'pdf'])
      expect((await download(`/invoice-checks/${body.id}/report?format=${format}`)).status).toBe(200)
    const english = await site.api.call('GET', `${NETTING}/invoice-checks/${body.id}`, {
      token: site.tenant.viewer.token,
      headers: { 'accept-language': 'en' },
    })
    expect(english.body.report.lines[0].reason).not.toBe(
      (
        await site.api.call('GET', `${NETTING}/invoice-checks/${body.id}`, {
          token: site.tenant.viewer.token,
          headers: { 'accept-language': 'tr' },
        })
      ).body.report.lines[0].reason,
    )

    const objection = await download(`/invoice-checks/${body.id}/objection`)
    const text = (await readInThread(objection.bytes))
      .flatMap(({ cells }) => cells.map((cell) => cell.text))
      .join(' ')
    expect(text).toContain('itirazın son günü: 26.11.2026')

    expect((await calculate(group, 0, 31)).status).toBe(201)
    expect((await call('GET', `/invoice-checks/${body.id}`)).body).toMatchObject({ is_stale: true })
    const again = (await call('POST', `/invoice-checks/${body.id}/repeat`)).body
    expect([again.is_stale, again.received_on]).toEqual([false, '2026-11-18'])
    expect((await call('GET', `/invoice-checks/${again.id}/comparison`)).body).toMatchObject({
      ...{ are_results_changed: true, is_reading_changed: false, is_file_changed: false },
    })
    expect(codeOf(await call('GET', `/invoice-checks/${body.id}/comparison`))).toBe('BUSINESS_RULE_VIOLATION')
  })

  it('cannot be changed, not even by the service', async () => {
    const update = site.api.deps.database.pool.query('update invoice_check set differing = 0')
    await expect(update).rejects.toThrow('permission denied')
  })

  it('is deleted with its file and objection by the last check of the file, and after ten years', async () => {
    const count = async (table: string) =>
      (await site.api.deps.database.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n
    const [files, objections] = [await count('invoice_file'), await count('invoice_objection')]
    const { body } = await check('Kalem;Tutar\nMahsuplaşan tüketim;358,23\n')
    const again = (await call('POST', `/invoice-checks/${body.id}/repeat`)).body
    await call('DELETE', `/invoice-checks/${body.id}`)
    expect([await count('invoice_file'), await count('invoice_objection')]).toEqual([
      files + 1,
      objections + 1,
    ])
    expect((await call('DELETE', `/invoice-checks/${again.id}`)).status).toBe(204)
    expect([await count('invoice_file'), await count('invoice_objection')]).toEqual([files, objections])
    expect((await call('GET', `/invoice-checks/${again.id}`)).status).toBe(404)

    await clearOldChecks(site.api.deps, site.tenant.id)
    expect(await count('invoice_check')).toBeGreaterThan(0)
    await atDay('2037-01-01', () => clearOldChecks(site.api.deps, site.tenant.id))
    expect([
      await count('invoice_check'),
      await count('invoice_file'),
      await count('invoice_objection'),
    ]).toEqual([0, 0, 0])
  })
})

describe('the term of an objection', () => {
  it('follows the setting, and the day of receipt that is stated later', async () => {
    const defaults = await call('GET', '/settings')
    expect(defaults.body).toMatchObject({ objection_days: 8, objection_reminder_days: 3 })
    const settings = await call('PATCH', '/settings', { objection_days: 10, objection_reminder_days: 2 })
    expect(settings.body).toMatchObject({ strict_storage_export: true, objection_days: 10 })
    const { body } = await check(await WRONG(), '', 'fatura.xml')
    expect(body).toMatchObject({
      received_on: '2026-07-05',
      received_from: 'invoice',
      objection_due_on: '2026-07-15',
    })
    const moved = await call('PATCH', `/invoice-checks/${body.id}/objection`, { received_on: '2026-11-19' })
    expect(moved.body).toMatchObject({
      ...{ received_from: 'user', objection_due_on: '2026-11-29', objection_reminder_on: '2026-11-27' },
    })
    const longer = await call('PATCH', `/invoice-checks/${body.id}/objection`, { objection_days: 12 })
    expect(longer.body).toMatchObject({ objection_days: 12, objection_due_on: '2026-12-01' })
    expect((await call('PATCH', `/invoice-checks/${body.id}/objection`, {})).status).toBe(422)
    expect(await reminders()).toEqual([])
  })

  it('is reminded of by an alarm until the objection is sent, and again when it is reopened', async () => {
    const { body: list } = await call('GET', '/invoice-checks')
    const [{ id }] = list
    await call('PATCH', `/invoice-checks/${id}/objection`, { received_on: '2026-11-13', objection_days: 10 })
    await atDay('2026-11-20', remind)
    expect(await reminders()).toEqual([])
    await atDay('2026-11-21', remind)
    const due = 'invoice ABC2026000000042 differ by 7.711920 TL; the last day of an objection is 2026-11-23'
    expect(await reminders()).toEqual([{ severity: 'warning', message: expect.stringContaining(due) }])
    await atDay('2026-11-23', remind)
    expect((await reminders()).map(({ severity }) => severity)).toEqual(['critical'])
    const inbox = await site.api.call('GET', '/api/alarms/incidents?status=active', {
      token: site.tenant.admin.token,
    })
    expect(JSON.stringify(inbox.body)).toContain('netting_objection_due')

    const step = (body: object, on = '2026-11-20') =>
      call('POST', `/invoice-checks/${id}/objection-steps`, { on, ...body })
    expect(codeOf(await step({ status: 'answered' }))).toBe('STATE_CONFLICT')
    expect(codeOf(await step({ status: 'sent' }, '2026-11-21'))).toBe('BUSINESS_RULE_VIOLATION')
    const sent = await step({ status: 'sent', amount_try: '7.71', note: 'KEP' })
    expect([sent.status, sent.body.objection_status]).toEqual([201, 'sent'])
    expect(await reminders()).toEqual([])
    await step({ status: 'open' })
    await atDay('2026-11-22', remind)
    expect(await reminders()).toHaveLength(1)
    await step({ status: 'sent' })
    await step({ status: 'answered', amount_try: 7.71 })
    const settled = await step({ status: 'settled', amount_try: '7.71' })
    expect(settled.body.steps.map((each: Row) => [each['status'], each['amount_try']])).toEqual([
      ['sent', '7.710000'],
      ['open', null],
      ['sent', null],
      ['answered', '7.710000'],
      ['settled', '7.710000'],
    ])
    expect(await reminders()).toEqual([])
  })

  it('is reminded of by mail, in the language of the user, and again on the last day', async () => {
    const smtp = await startSmtpServer()
    const mail = makeSmtpMailer({ smtpUrl: smtp.url, from: 'netsaat@example.test' })
    const notifier = makeNotifier({ ...site.api.deps, mail })
    const mailsOf = async (date: string) => {
      smtp.mails.length = 0
      await atDay(date, async () => {
        await remind()
        await notifier.work()
        site.api.clock.advance(60_000)
        await notifier.work()
      })
      return smtp.mails.filter(({ to }) => to === site.tenant.admin.email).map((each) => textOfMail(each))
    }
    try {
      await mailsOf('2026-11-20')
      const { body } = await check(`Fatura No: MAIL1\nKalem;Tutar\nMahsuplaşan tüketim;401,00\n`)
      await call('PATCH', `/invoice-checks/${body.id}/objection`, {
        ...{ received_on: '2026-11-14', objection_days: 10 },
      })
      expect(await mailsOf('2026-11-20')).toEqual([])
      const [warning = '', ...others] = await mailsOf('2026-11-22')
      expect(others).toEqual([])
      expect(warning).toContain('MAIL1')
      expect(warning).toContain('24.11.2026')
      expect(await mailsOf('2026-11-23')).toEqual([])
      expect((await mailsOf('2026-11-24')).join()).toContain('MAIL1')
      await call('POST', `/invoice-checks/${body.id}/objection-steps`, { on: '2026-11-20', status: 'sent' })
    } finally {
      await notifier.stop()
      await smtp.close()
    }
  })

  it('needs no reminder for an invoice without a difference, and none after its last day', async () => {
    await check(await asEFatura(invoice(2_909_687n)), '&received_on=2026-11-10', 'doğru.xml')
    const { body } = await check(`Kalem;Tutar\nMahsuplaşan tüketim;400,00\n`, '&received_on=2026-11-11')
    expect(body.differing).toBe(1)
    const open = async () => (await reminders()).map(({ message }) => message)
    expect(await open()).toEqual([expect.stringContaining('fatura.csv')])
    await atDay('2026-11-22', remind)
    expect(await open()).toEqual([])
  })
})

describe('the limits of stored checks', () => {
  it('are those of a reader for a viewer, and of its tenant for another one', async () => {
    const { body } = await check('Kalem;Tutar\nMahsuplaşan tüketim;358,23\n')
    const viewer = site.tenant.viewer.token
    const path = `/invoice-checks/${body.id}`
    expect((await call('GET', path, undefined, viewer)).status).toBe(200)
    expect((await call('POST', `${path}/repeat`, undefined, viewer)).status).toBe(403)
    expect((await call('GET', path, undefined, site.foreignTenant.admin.token)).status).toBe(404)
  })
})
