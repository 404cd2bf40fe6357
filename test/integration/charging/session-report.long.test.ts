import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { type ChargingFixture, openCharging } from '../../support/charging/charging.ts'
import { startOcppApi } from '../../support/field/ocpp.ts'
import { hasProgram } from '../../support/process/programs.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const RANGE = 'from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z'
const SESSIONS = 103
let api: TestApi
let tenant: TestTenant
let foreign: TestTenant
let charging: ChargingFixture & { readonly tag: string }

beforeAll(async () => {
  api = await startOcppApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  foreign = await createTenant(api)
  charging = await openCharging(api, tenant, { name: 'Otopark Şarj 1' })
  // More sessions than one page.
  for (let index = 0; index < SESSIONS; index++) {
    const minute = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 0, index * 4 + minutes)).toISOString()
    const { transactionId } = await charging.start({ at: minute(0), meterStart: index * 1_500 })
    await charging.stop({ transactionId, meterStop: (index + 1) * 1_500, at: minute(3), reason: 'Local' })
  }
})
afterAll(async () => {
  await charging.station.end()
  await api.close()
})

async function download(query: string, token = tenant.viewer.token) {
  const response = await fetch(`${api.url}/api/ocpp/sessions/report?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('a report of charging sessions', () => {
  it('has a row for each session, in the order of the start, with the figures of the API', async () => {
    const { response, bytes } = await download(`${RANGE}&format=csv&locale=en&headers=names`)
    expect(response.headers.get('content-disposition')).toContain(
      'filename="netsaat-charging-sessions-2026-11-20-2026-11-21.csv"',
    )
    const [head = [], ...rows] = bytes
      .toString()
      .replace('\uFEFF', '')
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    const column = (name: string) => rows.map((row) => row[head.indexOf(name)])
    expect(rows).toHaveLength(SESSIONS)
    expect(new Set(column('energy_kwh'))).toEqual(new Set(['1.500']))
    expect(new Set(column('charger'))).toEqual(new Set(['Otopark Şarj 1']))
    expect(column('started_at')).toEqual(column('started_at').toSorted())
    const listed = await charging.sessions('&limit=100')
    expect(column('transaction_number').slice(0, 100)).toEqual(
      listed
        .map(({ transaction_number }) => String(transaction_number))
        .toSorted((a, b) => Number(a) - Number(b)),
    )
    expect(column('cost_reason')[0]).toBe(listed[0].cost_reason)
  })

  it.each([
    ['', 'en-GB,en;q=0.9', 'en', 'Charging station'],
    ['&locale=tr', 'en', null, 'Şarj istasyonu'],
    ['', '', 'tr', 'Şarj istasyonu'],
  ])(
    'with the parameters "%s" and Accept-Language "%s" has its language',
    async (locale, accept, sent, title) => {
      const response = await fetch(`${api.url}/api/ocpp/sessions/report?${RANGE}&format=csv${locale}`, {
        headers: { authorization: `Bearer ${tenant.viewer.token}`, 'accept-language': accept },
      })
      expect(response.headers.get('content-language')).toBe(sent)
      expect(await response.text()).toContain(title)
    },
  )

  it('is a workbook with Turkish titles, numbers and times', async () => {
    const { bytes } = await download(`${RANGE}&format=xlsx`)
    const [head = [], first = []] = await readSheet(bytes)
    expect(head.slice(0, 3)).toEqual(['İşlem no', 'Şarj istasyonu', 'Soket'])
    expect(first[head.indexOf('Enerji (kWh)')]).toBe(1.5)
    expect(first[head.indexOf('Başlangıç (Türkiye saati)')]).toBeInstanceOf(Date)
    expect(first[head.indexOf('Durum')]).toBe('Bitti')
  })

  it.skipIf(!hasProgram('pdftotext'))('is a PDF in both languages (needs pdftotext)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'netsaat-sessions-'))
    for (const [locale, words] of [
      ['tr', ['Şarj oturumları', 'Otopark Şarj 1', '1,500', '20.11.2026 03:00', 'Sayfa 1 /']],
      ['en', ['Charging sessions', 'Otopark Şarj 1', '1.500', '2026-11-20 03:00', 'Page 1 of']],
    ] as const) {
      const { bytes } = await download(`${RANGE}&format=pdf&locale=${locale}`)
      await writeFile(join(folder, 'report.pdf'), bytes)
      const { stdout } = await promisify(execFile)('pdftotext', ['-layout', join(folder, 'report.pdf'), '-'])
      for (const word of words) expect(stdout).toContain(word)
    }
    await rm(folder, { recursive: true, force: true })
  })

  it('contains no session of another tenant, another charger or another time', async () => {
    const rowsOf = async (query: string, token?: string) =>
      (await download(`${query}&format=csv`, token)).bytes.toString().trimEnd().split('\r\n').length - 1
    expect(await rowsOf(RANGE, foreign.viewer.token)).toBe(0)
    expect(await rowsOf(`${RANGE}&charger_id=${charging.charger.id}`)).toBe(SESSIONS)
    expect(await rowsOf(`${RANGE}&charger_id=00000000-0000-4000-8000-000000000000`)).toBe(0)
    expect(await rowsOf('from=2026-11-20T00:00:00Z&to=2026-11-20T00:04:00Z')).toBe(1)
  })

  it.each([
    ['without a range', 'format=csv'],
    ['without a format', RANGE],
    ['with an empty range', 'from=2026-11-20T00:00:00Z&to=2026-11-20T00:00:00Z&format=csv'],
    ['with more than 400 days', 'from=2025-01-01T00:00:00Z&to=2026-11-20T00:00:00Z&format=csv'],
  ])('%s is rejected with 422', async (_what, query) => {
    expect((await download(query)).response.status).toBe(422)
  })
})
