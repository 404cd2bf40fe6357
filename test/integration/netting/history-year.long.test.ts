import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { continueCalculations, ensureShippedTariffs } from '../../../src/areas/netting/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { findFaults } from '../../support/netting/corrections.ts'
import { importFile } from '../../support/netting/osos.ts'
import {
  decemberPrices,
  energyOf,
  FACILITIES,
  historyFiles,
  METERS,
  PRICES,
  readingLines,
  YEAR_FROM,
  YEAR_TO,
} from '../../support/netting/realistic-year.ts'
import { computeAgain, type SecondResult } from '../../support/netting/second-computation.ts'
import { runNetsaatHere } from '../../support/page-commands.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/**
 * A year of three plants and eleven consumers with a changed meter, a member that leaves, missing readings, a month
 * without prices and a change of prices, imported by command line and over HTTP. Every hour, virtual meter and amount
 * equals a second computation that shares no code with the service.
 */
const NOW = '2026-11-20T09:30:00Z'
const DAY_MS = 86_400_000
const HEADER = 'installation_no;date;import;export'

let api: TestApi
let folder: string
let databaseUrl: string
beforeAll(async () => {
  api = await startApi({ now: NOW })
  folder = await mkdtemp(join(tmpdir(), 'netsaat-year-'))
  await mkdir(join(folder, 'history'))
  for (const [name, text] of Object.entries(historyFiles()))
    await writeFile(join(folder, 'history', name), text)
  const { pool } = api.deps.database
  const { rows } = await pool.query('select current_database() as name')
  const url = new URL(pool.options.connectionString ?? '')
  url.pathname = `/${rows[0].name}`
  databaseUrl = url.href
  await ensureShippedTariffs(api.deps)
  await writeFile(join(folder, 'december.csv'), decemberPrices())
  const files = [
    join(folder, 'december.csv'),
    ...['ag', 'og'].map((name) => `seed/tariffs/epdk-2026-04-${name}.csv`),
  ]
  for (const file of files) await netsaat('tariffs', 'import', '--approve', file)
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await api.close()
})

const netsaat = (...words: string[]): Promise<string[]> =>
  runNetsaatHere(['netsaat', ...words], { databaseUrl, now: Date.parse(NOW) })

async function importByCommandLine(name: string): Promise<void> {
  await netsaat('import', '--tenant', name, join(folder, 'history'))
  for (const meter of METERS) {
    const file = join(folder, `${meter.installationNo}.csv`)
    await writeFile(file, [HEADER, ...readingLines(meter)].join('\n'))
    const format = ['--values', 'interval', '--interval', '60', '--label', 'hour_starting', '--unit', 'kWh']
    await netsaat(
      'readings',
      'import',
      file,
      '--tenant',
      name,
      '--installation',
      meter.installationNo,
      ...format,
    )
  }
  const lines = await netsaat('import', '--tenant', name, '--calculate', join(folder, 'history'))
  expect(lines.filter((line) => line.includes(': calculated ('))).toHaveLength(26)
}

async function importOverHttp(tenant: TestTenant): Promise<void> {
  const form = new FormData()
  for (const [name, text] of Object.entries(historyFiles())) form.append('file', new Blob([text]), name)
  const { token } = tenant.superuser
  const imported = await api.call('POST', '/api/mahsuplasma/history', { token, body: form })
  expect(imported.body).toMatchObject({ applied: true, errors: [] })
  const lines = METERS.map(readingLines)
  for (const half of [lines.slice(0, 8), lines.slice(8)]) {
    const file = [HEADER, ...half.flat()].join('\n')
    const { status, body } = await importFile(api, tenant, { file, label: 'hour_starting' })
    expect([status, body.rejected]).toEqual([201, 0])
  }
  const months = { from: '2025-11-01', to: '2026-10-01' }
  const started = await api.call('POST', '/api/mahsuplasma/history/calculate', { token, body: months })
  await continueCalculations(api.deps, { signal: new AbortController().signal })
  const done = await api.call('GET', `/api/mahsuplasma/history/jobs/${started.body.id}`, { token })
  expect(done.body).toMatchObject({ state: 'done', steps_total: 24, steps_done: 24 })
}

type Row = Readonly<Record<string, unknown>>
const get = async (tenant: TestTenant, path: string): Promise<Row[]> =>
  (await api.call('GET', `/api/mahsuplasma/${path}`, { token: tenant.viewer.token })).body

/** Reads a list of a group over the year in windows that stay below the limit of rows. */
async function readYear(tenant: TestTenant, path: string, days: number): Promise<Row[]> {
  const rows: Row[] = []
  for (let from = YEAR_FROM; from < YEAR_TO; from += days * DAY_MS) {
    const to = Math.min(from + days * DAY_MS, YEAR_TO)
    const range = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`
    const page = await get(tenant, `${path}?${range}&limit=2000`)
    expect(page.length).toBeLessThan(2000)
    rows.push(...page)
  }
  return rows
}

const cells = (row: Row, names: readonly string[]): string =>
  [new Date(String(row['hour'])).toISOString(), ...names.map((name) => String(row[name] ?? 'null'))].join(' ')

const HOUR_FIELDS = ['production_kwh', 'consumption_kwh', 'matched_kwh', 'surplus_kwh', 'net_import_kwh']
const SPLIT_FIELDS = ['bedelli_kwh', 'skb_kwh', 'bedelsiz_kwh', 'matched_over_limit_kwh']
const LIMIT_FIELDS = ['limit_before_kwh', 'limit_used_kwh', 'limit_after_kwh']

async function answeredOf(
  tenant: TestTenant,
  groupId: string,
  isBlocked: (row: Row) => boolean,
): Promise<SecondResult> {
  const hours = await readYear(tenant, `groups/${groupId}/hourly`, 31)
  const meters = await readYear(tenant, `groups/${groupId}/virtual-meters`, 14)
  const amounts = await readYear(tenant, `groups/${groupId}/amounts`, 3)
  return {
    hours: hours.map((row) =>
      isBlocked(row)
        ? `${cells(row, HOUR_FIELDS.slice(0, 2))} free ${row['bedelsiz_kwh']}`
        : cells(row, [...HOUR_FIELDS, ...SPLIT_FIELDS, ...LIMIT_FIELDS]),
    ),
    virtualMeters: meters.map((row) =>
      cells(row, ['virtual_meter_type', 'source_kind', 'reason_code', 'energy_kwh']),
    ),
    amounts: amounts.map((row) => {
      const named = { ...row, facility_id: row['facility_id'] ?? '-', step_no: row['step_no'] ?? '-' }
      const money = ['quantity_kwh', 'unit_price_try_per_kwh', 'amount_try']
      return cells(named, ['amount_type', 'facility_id', 'step_no', ...money])
    }),
  }
}

function expectedOf(idOf: ReadonlyMap<string, string>, group: string): SecondResult {
  const byId = new Map(FACILITIES.map((each) => [idOf.get(each.name) ?? '', each]))
  const found = (id: string) => byId.get(id) ?? FACILITIES[0]
  return computeAgain({
    members: FACILITIES.filter((each) => each.group === group).map((each) => ({
      facility: {
        id: idOf.get(each.name) ?? '',
        aboneGrubu: group === 'Sanayi' ? 'sanayi' : 'ticarethane',
        voltage: each.voltage,
        producerClass: each.producerClass ?? '2',
        source: each.source ?? '',
      },
      role: each.role,
      from: '2025-11-01',
      to: each.leaves ?? null,
    })),
    energy: (id, at) => {
      const facility = found(id)
      return facility ? energyOf(facility, at) : null
    },
    from: YEAR_FROM,
    to: YEAR_TO,
    limit: (id, year) => BigInt(found(id)?.limits?.[year as '2025'] ?? 0) * 1000n,
    prices: PRICES,
    blocked: new Set(['2025-11']),
  })
}

/** The first lines that only one side has. */
function differences(own: readonly string[], service: readonly string[]) {
  const [ownSet, serviceSet] = [new Set(own), new Set(service)]
  return {
    expected: own.filter((line) => !serviceSet.has(line)).slice(0, 5),
    answered: service.filter((line) => !ownSet.has(line)).slice(0, 5),
  }
}

async function compare(tenant: TestTenant): Promise<void> {
  const facilities = await get(tenant, 'facilities?limit=100')
  const idOf = new Map(facilities.map((row) => [String(row['name']), String(row['id'])]))
  const isBlocked = (row: Row) => Date.parse(String(row['hour'])) < Date.parse('2025-12-01T00:00:00+03:00')
  for (const { id, name } of await get(tenant, 'groups')) {
    const expected = expectedOf(idOf, String(name))
    const answered = await answeredOf(tenant, String(id), isBlocked)
    for (const list of ['hours', 'virtualMeters', 'amounts'] as const) {
      expect([name, list, differences(expected[list], answered[list])]).toEqual([
        ...[name, list],
        { expected: [], answered: [] },
      ])
      expect(answered[list]).toHaveLength(expected[list].length)
    }
    expect(expected.hours).toHaveLength(365 * 24)
    expect(expected.amounts.length).toBeGreaterThan(10_000)
    for (const type of ['bedelli', 'skb_odemeli', 'bedelsiz']) {
      expect(expected.virtualMeters.filter((line) => line.includes(` ${type} `)).length).toBeGreaterThan(50)
    }
  }
  expect(await findFaults(api.deps, tenant.id)).toEqual([])
}

it('a year imported by command line equals a second computation', async () => {
  const tenant = await createTenant(api, 'ege cli')
  await importByCommandLine('ege-cli')
  await compare(tenant)
})

it('a year imported over HTTP equals a second computation', async () => {
  const tenant = await createTenant(api)
  await importOverHttp(tenant)
  await compare(tenant)
})
