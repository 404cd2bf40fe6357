import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../../src/cli/cli.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { makeFacility } from '../../support/netting/netting.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')

let api: TestApi
let tenant: TestTenant
let folder: string
let facilityId: string
let facilityName: string
beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  folder = await mkdtemp(join(tmpdir(), 'netsaat-readings-'))
  ;({ id: facilityId, name: facilityName } = await makeFacility(api.deps, tenant, {}))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await api.close()
})

async function run(
  text: string,
  args: readonly string[],
  meter: readonly string[] = ['--facility', facilityId],
) {
  const file = join(folder, 'readings.csv')
  await writeFile(file, text)
  const { pool } = api.deps.database
  const { rows } = await pool.query(
    'select current_database() as name, (select slug from tenant where id = $1) as slug',
    [tenant.id],
  )
  const url = new URL(pool.options.connectionString ?? '')
  url.pathname = `/${rows[0].name}`
  const lines: string[] = []
  const note = (line: string) => void lines.push(line)
  const io = { out: note, err: note, readInput: async () => '', now: () => NOW }
  const argv = ['readings', 'import', file, '--tenant', rows[0].slug, ...meter, ...args]
  return { code: await runCli(argv, { DATABASE_URL: url.href, LOG_LEVEL: 'silent' }, io), lines }
}

const FORMAT = ['--role', 'main_consumption', '--values', 'register', '--unit', 'MWh']

describe('netsaat readings import', () => {
  const file = 'Tarih;Endeks (MWh)\n01.11.2026 08:00;1,5\n01.11.2026 09:00;1,7525'

  it('reports a dry run, then stores the same', async () => {
    const dry = await run(file, [...FORMAT, '--dry-run'])
    expect(dry.lines[0]).toContain('Dry run, nothing was stored: 2 rows give 1 hours, 1 new')
    expect(dry.code).toBe(0)
    const stored = await run(file, FORMAT)
    expect(stored.lines[0]).toContain('Stored: 2 rows give 1 hours, 1 new')
    expect((await run(file, FORMAT)).lines[0]).toContain('0 new, 0 corrected, 1 unchanged')
    const path = `/api/mahsuplasma/facilities/${facilityId}/hourly-energy?from=2026-11-01&to=2026-11-02`
    const { body } = await api.call('GET', path, { token: tenant.viewer.token })
    expect(body).toMatchObject([{ source: 'customer_declared', consumption_kwh: '252.500' }])
  })

  it('finds the meter by the name of its facility or the number of its installation', async () => {
    const named = await run(file, FORMAT, ['--facility', facilityName])
    expect(named.lines[0]).toContain('0 new, 0 corrected, 1 unchanged')
    const body = { installation_no: '4001', facility_id: facilityId, measurement_role: 'main_consumption' }
    const created = await api.call('POST', '/api/osos/installations', { token: tenant.admin.token, body })
    expect(created.status).toBe(201)
    const ofNumber = await run(file, FORMAT.slice(2), ['--installation', '4001'])
    expect(ofNumber.lines.slice(0, 2)).toEqual([
      expect.stringContaining('Stored: 2 rows give 1 hours, 1 new'),
      '1 hourly facts of the source osos_official_meter were written.',
    ])
    const unknown = await run(file, FORMAT, ['--facility', 'Yok'])
    expect([unknown.code, unknown.lines[0]]).toEqual([1, 'netsaat: There is no facility "Yok"'])
    const noNumber = await run(file, FORMAT.slice(2), ['--installation', '4002'])
    expect([noNumber.code, noNumber.lines[0]]).toEqual([1, 'netsaat: There is no installation 4002'])
    await makeFacility(api.deps, tenant, { name: facilityName })
    const several = await run(file, FORMAT, ['--facility', facilityName])
    expect(several.lines[0]).toContain(`Several facilities have the name "${facilityName}"`)
  })

  it('lists the errors of rows and exits with 1', async () => {
    const { code, lines } = await run('Tarih;Endeks\n32.11.2026 08:00;1\n01.11.2026 09:00;x', FORMAT)
    expect(code).toBe(1)
    expect(lines).toEqual([
      expect.stringMatching(/^row 2: ROW_TIME_UNREADABLE: /),
      expect.stringMatching(/^row 3: ROW_VALUE_UNREADABLE: /),
      'Nothing was stored: 2 rows have errors.',
    ])
  })

  it('refuses wrong options with 2, and a file without the columns with 1', async () => {
    const wrong = await run(file, [...FORMAT, '--interval', '7'])
    expect([wrong.code, wrong.lines[0]]).toEqual([2, 'netsaat: --interval is one of 5, 10, 15, 20, 30, 60'])
    const missing = await run(file, ['--role', 'main_consumption', '--values', 'register'])
    expect([missing.code, missing.lines[0]]).toEqual([2, 'netsaat: --unit is missing'])
    expect((await run('a;b\n1;2', FORMAT)).code).toBe(1)
  })
})
