import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { importFile, makeInstallation } from '../../support/netting/osos.ts'
import { hasProgram } from '../../support/process/programs.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { packWorkbook, sheetDay, workbookParts } from '../../support/workbook.ts'

const data = (name: string) => new URL(`../../data/${name}`, import.meta.url)
const NO = '4005123'

let api: TestApi
let tenant: TestTenant
let id: string
beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  ;({ id } = await makeInstallation(api, tenant, { installation_no: NO, multiplier: '40' }))
})
afterAll(() => api.close())

type Row = Record<string, string | null>
const readingsOf = async (installationId: string): Promise<Row[]> =>
  (
    await api.call('GET', `/api/osos/installations/${installationId}/readings?limit=2000`, {
      token: tenant.viewer.token,
    })
  ).body
const values = async (installationId: string) =>
  (await readingsOf(installationId)).map(({ hour, import_kwh, export_kwh }) => [hour, import_kwh, export_kwh])
const code = ({ status, body }: ApiResponse) => [status, body.detail.error_code]

describe('import of a file that a Turkish spreadsheet wrote', () => {
  const expected = Array.from({ length: 48 }, (_, at) => {
    const hour = (at % 24) + 1
    const fed = hour < 8 ? '0.000' : hour === 12 ? '1234.500' : `${hour}.750`
    const isSuspect = hour === 5
    return [
      new Date(Date.parse('2026-11-01T00:00:00+03:00') + at * HOUR_MS).toISOString(),
      isSuspect ? null : `${1001 + at}.${String(hour).padStart(3, '0')}`,
      isSuspect ? null : fed,
    ]
  })

  it('reads semicolons, decimal commas, dates with points and 24:00', async () => {
    const file = await readFile(data('osos-turkish.csv'))
    const first = await importFile(api, tenant, { id, file })
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({
      rows_read: 48,
      accepted: 46,
      suspect: 2,
      rejected: 0,
      decimal_mark: ',',
      ignored_columns: [],
      short_days_total: 2,
    })
    expect(first.body.rows).toEqual([
      { row: 6, status: 'suspect', message: 'is negative (-0,125 | 0): kept without a value' },
      { row: 30, status: 'suspect', message: 'is negative (-0,125 | 0): kept without a value' },
    ])
    expect(await values(id)).toEqual(expected)
    expect((await importFile(api, tenant, { id, file })).body).toMatchObject({ accepted: 0, unchanged: 48 })
  })

  it('gives the same as the XLSX of LibreOffice, which shows 24:00 as 00:00', async () => {
    const file = await readFile(data('osos-libreoffice.xlsx'))
    const many = await importFile(api, tenant, { file })
    // The same instants and energies; only the text of the two suspect hours differs.
    expect(many.body).toMatchObject({
      rows_read: 48,
      unchanged: 46,
      suspect: 2,
      rejected: 0,
      decimal_mark: '.',
    })
    expect(await values(id)).toEqual(expected)
  })

  it.skipIf(!hasProgram('soffice'))(
    'gives the same as a conversion at run time (needs soffice)',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'netsaat-osos-'))
      try {
        await writeFile(join(folder, 'in.csv'), await readFile(data('osos-turkish.csv')))
        await promisify(execFile)('soffice', [
          ...[`-env:UserInstallation=file://${join(folder, 'profile')}`, '--headless'],
          ...['--infilter=CSV:59,34,UTF8,1,,1055,false,true', '--convert-to', 'xlsx'],
          ...['--outdir', folder, join(folder, 'in.csv')],
        ])
        const other = await makeInstallation(api, tenant)
        const bytes = await readFile(join(folder, 'in.xlsx'))
        const refused = await importFile(api, tenant, { id: other.id, file: bytes })
        expect(refused.body).toMatchObject({ accepted: 0, rejected: 48 })
        expect(refused.body.rows[0].message).toBe(`is of installation ${NO}`)
        expect((await importFile(api, tenant, { id, file: bytes })).body).toMatchObject({
          rejected: 0,
          accepted: 0,
        })
        expect(await values(id)).toEqual(expected)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})

describe('import of a file of readings', () => {
  it.each([
    ['Tarih-Saat;Tüketim;Üretim\n01.11.2026 01:00;1,5;0\n01.11.2026 02:00;2,5;0,25', 'hour_ending'],
    ['Tarih,Saat,ÇEKİŞ (kWh),VERİŞ (kWh)\n2026-11-01,1,1.5,0\n2026-11-01,2,2.5,0.25', 'hour_ending'],
    [
      'x\ty\nTarih\tSaat Aralığı\tAktif Çekiş\tAktif ' +
        'Veriş\n1/11/2026\t00:00-01:00\t1,5\t0\n1/11/2026\t01:00-02:00\t2,5\t0,25',
      'hour_ending',
    ],
    ['date,hour,import,export\n2026-11-01,0,1.5,0\n2026-11-01,01:00,2.5,0.25', 'hour_starting'],
    ['timestamp,import,export\n2026-10-31T21:00:00Z,1.5,0\n2026-10-31T22:00:00Z,2.5,.25', 'hour_starting'],
  ])('understands the layout %j', async (text, label) => {
    const installation = await makeInstallation(api, tenant)
    const file = text.replace(',.25', ',0.25')
    const report = await importFile(api, tenant, { id: installation.id, file, label })
    expect(report.body).toMatchObject({ accepted: 2, rejected: 0 })
    expect(await values(installation.id)).toEqual([
      ['2026-10-31T21:00:00.000Z', '1.500', '0.000'],
      ['2026-10-31T22:00:00.000Z', '2.500', '0.250'],
    ])
  })

  it('multiplies meter steps by the multiplier of each installation', async () => {
    const [one, two] = [
      await makeInstallation(api, tenant, { multiplier: '1890' }),
      await makeInstallation(api, tenant, { multiplier: '3150' }),
    ]
    const file = [
      'Tesisat No;Tarih;Saat;Çekiş',
      `${one.installation_no};01.11.2026;01:00;0,001`,
      `${two.installation_no};01.11.2026;01:00;0,001`,
      'unknown;01.11.2026;01:00;0,001',
      ';01.11.2026;01:00;0,001',
      `${two.installation_no};01.11.2026;25:00;0,001`,
    ].join('\r\n')
    const report = (await importFile(api, tenant, { file, multiplied: 'false' })).body
    expect(report).toMatchObject({ rows_read: 5, accepted: 2, rejected: 3 })
    expect(report.rows).toEqual([
      { row: 4, status: 'rejected', message: 'there is no installation unknown' },
      { row: 5, status: 'rejected', message: 'has no installation number' },
      { row: 6, status: 'rejected', message: 'is no whole hour, such as 01.11.2026 13:00' },
    ])
    expect((await values(one.id))[0]?.[1]).toBe('1.890')
    expect((await values(two.id))[0]?.[1]).toBe('3.150')
  })

  it('reads a workbook with instants in one column', async () => {
    const installation = await makeInstallation(api, tenant)
    const book = await packWorkbook(
      workbookParts([
        ['Tarih', 'Çekiş', 'Veriş'],
        [{ day: sheetDay('2026-11-01', 1) }, 0.1 + 0.2, 0],
        [{ day: sheetDay('2026-11-02', 0) }, 5, null],
      ]),
    )
    expect((await importFile(api, tenant, { id: installation.id, file: book })).body).toMatchObject({
      accepted: 2,
    })
    expect(await values(installation.id)).toEqual([
      ['2026-10-31T21:00:00.000Z', '0.300', '0.000'],
      ['2026-11-01T20:00:00.000Z', '5.000', null],
    ])
  })

  it('rejects an invalid file as a whole and stores nothing', async () => {
    const before = await readingsOf(id)
    const send = async (file: string | Buffer, rest: Record<string, string> = { id }) =>
      code(await importFile(api, tenant, { file, ...rest }))
    expect(await send(Buffer.from([0xff, 0xfe, 0x80]))).toEqual([422, 'FILE_NOT_READABLE'])
    expect(await send(Buffer.from('PK\u0003\u0004 broken'))).toEqual([422, 'FILE_NOT_READABLE'])
    expect(await send('a;b\n1;2')).toEqual([422, 'FILE_COLUMNS_UNKNOWN'])
    expect(await send('Tarih;Çekiş;Tüketim\n01.11.2026 01:00;1;1')).toEqual([422, 'FILE_COLUMNS_UNKNOWN'])
    expect(await send('Tarih;Çekiş\n01.11.2026 01:00;1', {})).toEqual([422, 'FILE_COLUMNS_UNKNOWN'])
    const line = '01.11.2026 01:00;1\n'
    expect(await send(`Tarih;Çekiş\n${line.repeat(100_001)}`)).toEqual([422, 'FILE_TOO_MANY_ROWS'])
    const large = await importFile(api, tenant, { id, file: Buffer.alloc(16 * 1024 * 1024 + 1, 32) })
    expect([large.status, large.body.error_code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect((await importFile(api, tenant, { id, file: 'x', label: 'middle' })).status).toBe(422)
    expect((await importFile(api, tenant, { id, file: 'x', multiplied: 'perhaps' })).status).toBe(422)
    const path = `/api/osos/installations/${id}/readings/import`
    const token = tenant.admin.token
    expect((await api.call('POST', path, { token, body: {} })).status).toBe(415)
    expect((await api.call('POST', path, { token, body: new FormData() })).status).toBe(422)
    expect(await readingsOf(id)).toEqual(before)
  })

  it('logs the import with its counts', async () => {
    const installation = await makeInstallation(api, tenant)
    await importFile(api, tenant, { id: installation.id, file: 'Tarih;Çekiş\n01.11.2026 01:00;1\nsoon;2' })
    const imports = await api.call('GET', `/api/osos/imports?installation_id=${installation.id}`, {
      token: tenant.viewer.token,
    })
    expect(imports.body).toEqual([
      expect.objectContaining({
        file_name: 'readings',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        rows_read: 2,
        accepted: 1,
        rejected: 1,
        created_by: tenant.admin.id,
      }),
    ])
  })
})
