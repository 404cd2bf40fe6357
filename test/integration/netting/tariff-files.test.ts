import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureShippedTariffs } from '../../../src/areas/netting/index.ts'
import { runCli } from '../../../src/cli/cli.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const BASE = '/api/v1/admin/regulated-tariffs/price-sets'
const HEADS = 'valid_from,billing_period,abone_grubu,price_purpose,price,step_no'
const row = (month: string, step: number, price = 1.5): string =>
  `${month}-01,${month},sanayi,other,${price},${step}`

interface SetBody {
  readonly id: string
  readonly name: string | null
  readonly approval_status: string
}

let api: TestApi
let tenant: TestTenant
let folder: string
beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
  folder = await mkdtemp(join(tmpdir(), 'netsaat-tariffs-'))
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

const call = async (method: string, path: string, body?: unknown) => {
  const response = await api.call(method, BASE + path, { token: tenant.superuser.token, body })
  expect(response.status, response.text).toBeLessThan(300)
  return response.body
}
const setsOf = (month: string): Promise<SetBody[]> => call('GET', `?billing_period=${month}`)
const pricesOf = async (id: string): Promise<Record<string, string | null>[]> =>
  call('GET', `/${id}/prices?limit=500`)

describe('price sets of the package', () => {
  const ensure = () => ensureShippedTariffs(api.deps)

  it('exist as drafts of April 2026 for low and medium voltage after several starts', async () => {
    await Promise.all([ensure(), ensure(), ensure()])
    const sets = (await setsOf('2026-04')).sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1))
    expect(sets.map(({ name, approval_status }) => [name, approval_status])).toEqual([
      ['EPDK 2026-04 AG', 'draft'],
      ['EPDK 2026-04 OG', 'draft'],
    ])
    const [low, medium] = await Promise.all(sets.map(({ id }) => pricesOf(id)))
    expect([low?.length, medium?.length]).toEqual([34, 12])
    expect(new Set(medium?.map((price) => price['gerilim_seviyesi']))).toEqual(new Set(['OG']))
    expect(low?.some((price) => price['price_purpose'] === 'sktt_active_energy')).toBe(false)
    expect(medium).toContainEqual(
      expect.objectContaining({
        abone_grubu: 'sanayi',
        price_purpose: 'mahsuplasma_related_tariff',
        price: '2.909687',
        valid_from: '2026-04-04',
        billing_period: '2026-04-01',
      }),
    )
  })

  it('are approved with one call each, and no start changes an edited or an approved one', async () => {
    const [one, two] = (await setsOf('2026-04')) as [SetBody, SetBody]
    await call('POST', `/${one.id}/approve`)
    await call('PATCH', `/${two.id}`, { name: 'ours', billing_period: '2026-05' })
    const before = [await setsOf('2026-04'), await setsOf('2026-05'), await pricesOf(one.id)]
    await ensure()
    expect([await setsOf('2026-04'), await setsOf('2026-05'), await pricesOf(one.id)]).toEqual(before)
    await call('PATCH', `/${two.id}`, { billing_period: '2026-04' })
    await call('POST', `/${two.id}/approve`)
    expect((await setsOf('2026-04')).map((set) => set.approval_status)).toEqual(['approved', 'approved'])
  })
})

describe('netsaat tariffs import', () => {
  async function run(args: readonly string[]) {
    const { rows } = await api.deps.database.pool.query('select current_database() as name')
    const url = new URL(api.deps.database.pool.options.connectionString ?? '')
    url.pathname = `/${rows[0].name}`
    const texts: { out: string[]; err: string[] } = { out: [], err: [] }
    const io = {
      out: (line: string) => void texts.out.push(line),
      err: (line: string) => void texts.err.push(line),
      readInput: async () => '',
      now: () => api.clock.now(),
    }
    const code = await runCli(
      ['tariffs', 'import', ...args],
      { DATABASE_URL: url.href, LOG_LEVEL: 'silent' },
      io,
    )
    return { code, ...texts }
  }
  const file = async (name: string, ...lines: string[]): Promise<string> => {
    await writeFile(join(folder, name), [HEADS, ...lines].join('\n'))
    return join(folder, name)
  }

  it('only checks the file with --dry-run, and then imports it into a new draft of its month', async () => {
    const path = await file('January.csv', row('2027-01', 1), row('2027-01', 2))
    const dry = await run([path, '--approve', '--dry-run'])
    expect([dry.code, dry.out, dry.err]).toEqual([
      0,
      ['2 prices of 2027-01 can be imported. Dry run: nothing was written.'],
      [],
    ])
    expect(await setsOf('2027-01')).toEqual([])
    const { code, out } = await run([path])
    const [set] = (await setsOf('2027-01')) as [SetBody]
    expect([code, out[0]]).toEqual([
      0,
      `Imported 2 prices of 2027-01 into the new price set January (${set.id}).`,
    ])
    expect(out[1]).toContain(`/price-sets/${set.id}/approve`)
    expect(set).toMatchObject({ name: 'January', approval_status: 'draft', created_by: null })
    expect(await pricesOf(set.id)).toHaveLength(2)
  })

  it('fills the draft of the same name, or an empty one of the month, and approves it with --approve', async () => {
    const empty = await call('POST', '', { billing_period: '2027-02' })
    const first = await file('first.csv', row('2027-02', 1))
    expect((await run([first, '--name', 'February'])).out[0]).toContain(`price set February (${empty.id})`)
    const second = await file('second.csv', row('2027-02', 2))
    const { code, out } = await run([second, '--name', 'February', '--approve'])
    expect([code, out[1]]).toEqual([0, 'It is approved.'])
    expect(await setsOf('2027-02')).toMatchObject([
      { id: empty.id, name: 'February', approval_status: 'approved', approved_by: null },
    ])
    expect(await pricesOf(empty.id)).toHaveLength(2)
    const again = await run([second, '--name', 'February'])
    expect([again.code, again.err]).toEqual([
      1,
      ['netsaat: the price set February of 2027-02 is approved already (TARIFF_ALREADY_APPROVED)'],
    ])
  })

  it('writes nothing and names the rows when a row has an error', async () => {
    const wrong = await file(
      'wrong.csv',
      row('2027-03', 1),
      row('2027-03', 2, 0),
      'x,2027-03,sanayi,other,1,3',
    )
    const { code, err } = await run([wrong])
    expect(code).toBe(1)
    expect(err).toEqual([
      expect.stringMatching(/^row 3: price /),
      expect.stringMatching(/^row 4: valid_from must be a date/),
      'netsaat: 2 errors in the rows: nothing was written',
    ])
    const months = await file('months.csv', row('2027-03', 1), row('2027-04', 2))
    expect((await run([months])).err[0]).toBe(
      'row 3: the price belongs to 2027-04, but the price set to 2027-03',
    )
    const known = await file('known.csv', row('2027-03', 1))
    expect((await run([known])).code).toBe(0)
    expect((await run([known])).err[0]).toMatch(/^row 2: the set already has a price/)
    expect([await setsOf('2027-03'), await setsOf('2027-04')].map((sets) => sets.length)).toEqual([1, 0])
  })

  it('refuses a file that is missing, empty or no table of prices', async () => {
    expect((await run([join(folder, 'none.csv')])).err[0]).toContain('ENOENT')
    expect((await run([await file('empty.csv')])).err).toEqual(['netsaat: the file has no prices'])
    await writeFile(join(folder, 'old.xls'), 'x')
    const { code, err } = await run([join(folder, 'old.xls')])
    expect([code, err[0]]).toEqual([1, expect.stringContaining('(CSV_IMPORT_INVALID_TYPE)')])
  })
})
