import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureFirstAdmin } from '../../../src/areas/admin/tenants/index.ts'
import { continueCalculations, ensureShippedTariffs } from '../../../src/areas/netting/index.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import {
  type PageExamples,
  readExamples,
  runCurl,
  runNetsaatHere,
  shellWords,
} from '../../support/page-commands.ts'

/**
 * Executes the page about the import of history as it is written: its CSV files, and its commands in their order,
 * once on the command line and once over HTTP, each in an empty service. Only the rows of readings after those of
 * the page are generated.
 */
const PAGE = 'docs/integrate/history-import.md'
const NOW = '2026-11-20T09:30:00Z'
const MONTHS = ['2026-05-01', '2026-06-01', '2026-07-01', '2026-08-01', '2026-09-01']
const FIRST = Date.parse('2026-05-01T00:00:00+03:00')
const HOURS = (31 + 30 + 31 + 31 + 30) * 24
const PASSWORD = 'A password of the page 1'

/** Energy of an hour in Wh: the first hours are those of the page. */
const sunWh = (hour: number): number =>
  hour % 24 > 5 && hour % 24 < 19 ? 40 * (6000 + ((hour * 37) % 3000)) : 0
const factoryWh = (hour: number): number => [412_500, 398_250][hour] ?? 150_000 + ((hour * 7919) % 200_000)
const depotQuarterWh = (quarter: number): number =>
  [12_500, 12_250][quarter] ?? 9000 + ((quarter * 31) % 5000)

const two = (value: number): string => String(value).padStart(2, '0')
/** The local date and time of an instant; the end of a day is 24:00 of the day where `endsDay`. */
function localTexts(at: number, endsDay = false): [day: string, time: string] {
  const local = new Date(at + 3 * 3_600_000 - (endsDay ? 1 : 0))
  const day = `${two(local.getUTCDate())}.${two(local.getUTCMonth() + 1)}.${local.getUTCFullYear()}`
  const end = new Date(at + 3 * 3_600_000)
  const time = `${two(end.getUTCHours())}:${two(end.getUTCMinutes())}`
  return [day, endsDay && time === '00:00' ? '24:00' : time]
}
const comma = (wh: number): string => (wh / 1000).toFixed(3).replace('.', ',')
const instant = (hour: number): number => FIRST + hour * 3_600_000

function readingRows(): Record<string, string[]> {
  let register = 1_250_000
  const sun = [`${localTexts(FIRST).join(';')};${comma(register)}`]
  for (let hour = 0; hour < HOURS; hour += 1) {
    register += sunWh(hour) / 40
    sun.push(`${localTexts(instant(hour + 1)).join(';')};${comma(register)}`)
  }
  const hours = Array.from({ length: HOURS }, (_, hour) => hour)
  const factory = hours.map(
    (hour) => `${localTexts(instant(hour + 1), true).join(';')};${comma(factoryWh(hour))}`,
  )
  const quarters = Array.from({ length: HOURS * 4 }, (_, quarter) => quarter)
  const depot = quarters.map(
    (quarter) => `${localTexts(instant(quarter / 4)).join(' ')};${depotQuarterWh(quarter)}`,
  )
  return { 'gunes-1.csv': sun, 'fabrika.csv': factory, 'depo.csv': depot }
}

/** Matched and surplus energy of a month in Wh. */
function expectedOf(month: string) {
  const [from, index] = [Date.parse(`${month}T00:00:00+03:00`), MONTHS.indexOf(month)]
  const to = Date.parse(`${MONTHS[index + 1] ?? '2026-10-01'}T00:00:00+03:00`)
  let [matched, surplus] = [0, 0]
  for (let hour = (from - FIRST) / 3_600_000; instant(hour) < to; hour += 1) {
    const depot = [0, 1, 2, 3].reduce((sum, part) => sum + depotQuarterWh(4 * hour + part), 0)
    const both = Math.min(sunWh(hour), factoryWh(hour) + depot)
    matched += both
    surplus += sunWh(hour) - both
  }
  return { matched_kwh: (matched / 1000).toFixed(3), surplus_kwh: (surplus / 1000).toFixed(3) }
}

let examples: PageExamples
let folder: string
let api: TestApi
let variables: Record<string, string> = {}

beforeAll(async () => {
  examples = await readExamples(PAGE)
  folder = await mkdtemp(join(tmpdir(), 'netsaat-page-'))
  await mkdir(join(folder, 'history'))
  await mkdir(join(folder, 'readings'))
  await symlink(resolve('seed'), join(folder, 'seed'))
  const rows = readingRows()
  for (const [name, text] of Object.entries(examples.files)) {
    const own = rows[name]
    if (own) {
      const [header, ...shown] = text.trim().split('\n')
      expect(own.slice(0, shown.length)).toEqual(shown)
      await writeFile(join(folder, 'readings', name), [header, ...own].join('\n'))
    } else await writeFile(join(folder, 'history', name), text)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const words = (command: string): string[] => shellWords(command.replaceAll('…', PASSWORD), variables)

/** The commands of the page that begin with a program and contain a text. */
const commandsWith = (program: string, part: string): string[] => {
  const found = examples.commands.filter((text) => text.startsWith(program) && text.includes(part))
  if (found.length === 0) throw new Error(`the page has no ${program} with ${part}`)
  return found
}

const curl = async (command: string): Promise<ApiResponse> => {
  const response = await runCurl(words(command), folder)
  expect(response.status, `${command}: ${response.text}`).toBeLessThan(300)
  return response
}
const curls = (part: string) => Promise.all(commandsWith('curl', part).map(curl))

async function open(): Promise<void> {
  api = await startApi({ now: NOW })
  await ensureFirstAdmin(api.deps, { email: 'admin@localhost', password: PASSWORD })
  await ensureShippedTariffs(api.deps)
  variables = { URL: api.url }
  const [login] = await curls('/api/auth/login')
  variables['TOKEN'] = login?.body.access_token
}

async function signInAsAdmin(password: string): Promise<void> {
  const body = { email: 'admin@ege.example', password }
  const login = await api.call('POST', '/api/auth/login', { body })
  variables['ADMIN_TOKEN'] = login.body.access_token
}

/** The five months of the page as the overview of the groups shows them. */
async function checkMonths(): Promise<unknown[]> {
  const [overview = ''] = commandsWith('curl', 'groups/overview')
  const months: unknown[] = []
  for (const month of MONTHS) {
    const { body } = await curl(overview.replace('2026-09-01', month))
    const figures = { ...expectedOf(month), completeness_pct: 100, data_quality: 'complete' }
    expect(body).toMatchObject([{ name: 'Ege grubu', month_status: 'calculated', stale: false, figures }])
    months.push(body[0].figures)
  }
  return months
}

async function walkByCommandLine(): Promise<unknown[]> {
  await open()
  try {
    const { pool } = api.deps.database
    const { rows } = await pool.query('select current_database() as name')
    const url = new URL(pool.options.connectionString ?? '')
    url.pathname = `/${rows[0].name}`
    const lines: string[] = []
    for (const command of examples.commands.filter((text) => text.startsWith('netsaat '))) {
      const located = words(command).map((word) =>
        /^(history|readings|seed)\//.test(word) ? join(folder, word) : word,
      )
      lines.push(...(await runNetsaatHere(located, { databaseUrl: url.href, now: Date.parse(NOW) })))
    }
    expect(lines.filter((line) => line.includes('calculated ('))).toHaveLength(7)
    await signInAsAdmin(/password is (\S+)/.exec(lines.join('\n'))?.[1] ?? '')
    return await checkMonths()
  } finally {
    await api.close()
  }
}

async function walkOverHttp(): Promise<unknown[]> {
  await open()
  try {
    const [tenant] = await curls('/api/v1/admin/tenants')
    variables['TENANT_ID'] = tenant?.body.id
    await signInAsAdmin(PASSWORD)
    await curls('/approve')
    const [imported] = await curls('file=@history/')
    expect(imported?.body).toMatchObject({ applied: true, errors: [] })
    const [installations] = await curls('/api/osos/installations')
    for (const { id, installation_no } of installations?.body ?? []) {
      const name = { 4001001: 'GUNES_1', 4001002: 'FABRIKA', 4001003: 'DEPO' }[installation_no as number]
      variables[name ?? ''] = id
    }
    for (const response of await curls('/meter-data/import')) {
      expect(response.body).toMatchObject({ is_stored: true, accepted: HOURS, errors: [], gaps: [] })
    }
    const [started] = await curls('/history/calculate')
    expect(started?.body).toMatchObject({ state: 'open', steps_total: MONTHS.length })
    await continueCalculations(api.deps, { signal: new AbortController().signal })
    const path = `/api/mahsuplasma/history/jobs/${started?.body.id}`
    const done = await api.call('GET', path, { token: String(variables['TOKEN']) })
    expect(done.body).toMatchObject({ state: 'done', steps_done: MONTHS.length })
    return await checkMonths()
  } finally {
    await api.close()
  }
}

it('the page leads from an empty service to five netted months, by command line and over HTTP', async () => {
  expect(Object.keys(examples.files)).toHaveLength(10)
  const months = await walkByCommandLine()
  expect(await walkOverHttp()).toEqual(months)
})
