import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { makeNotifier } from '../../src/areas/alarms/notifications/index.ts'
import { compressionMetrics } from '../../src/areas/metering/history/index.ts'
import { buildApp } from '../../src/http/app.ts'
import { schedule } from '../../src/jobs/schedule.ts'
import { PERMISSIONS, SYSTEM_ROLES } from '../../src/kernel/permissions.ts'
import { makeLog } from '../../src/platform/observability/log.ts'
import type { Deps } from '../../src/platform/runtime/deps.ts'
import { makeDeps } from '../../src/service/deps.ts'
import { SETTING_NAMES } from '../../src/service/settings.ts'
import { testConfig } from '../support/config.ts'

const read = (name: string): Promise<string> => readFile(name, 'utf8')

/** The first cells of the tables below a heading. */
function firstCells(text: string, heading: string): string[] {
  const section = text.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| '))
  return rows.map((row) => row.split('|')[1]?.trim() ?? '').slice(1)
}

async function sources(): Promise<string> {
  const names = await readdir('src', { recursive: true })
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return (await Promise.all(files.map((name) => read(`src/${name}`)))).join('\n')
}

const matches = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, word]) => word ?? '')),
]

describe('the documentation', () => {
  it('has exactly one row for every setting', async () => {
    const rows = firstCells(await read('docs/operate/operations.md'), 'Settings')
    expect(SETTING_NAMES.length).toBeGreaterThan(25)
    expect(rows.toSorted()).toEqual(SETTING_NAMES.toSorted())
  })

  it('has exactly one row for every error code that the sources throw', async () => {
    const code = await sources()
    const ofTable = matches(code, /\b(OIDC_[A-Z_]+): \d{3}\b/g)
    const direct = matches(
      code,
      /(?:AppError\(\s*\d+,|conflict\(|unprocessable\(|\b\d{3}: \[)\s*'([A-Za-z_]+)'/g,
    )
    const thrown = [...direct, ...ofTable]
    const rows = firstCells(await read('docs/api/errors.md'), 'Error codes')
    expect(thrown.length).toBeGreaterThan(20)
    expect(thrown.filter((code) => !rows.includes(code))).toEqual([])
    expect(rows.filter((code) => !thrown.includes(code))).toEqual([])
  })

  it('has exactly one row for every warning code', async () => {
    const union = matches(await read('src/kernel/warnings.ts'), /^ {2}\| '([A-Z0-9_]+)'/gm)
    const rows = firstCells(await read('docs/api/errors.md'), 'Warning codes')
    expect(union.length).toBeGreaterThan(15)
    expect(rows.toSorted()).toEqual(union.toSorted())
  })

  it('names every permission, and what an operator may do beyond reading', async () => {
    const text = await read('docs/api/errors.md')
    const section = text.split(/^## /m).find((part) => part.startsWith('Permissions')) ?? ''
    const named = matches(section, /`((?:read|manage|write|import):[a-z_]+)`/g)
    expect(named.toSorted()).toEqual(PERMISSIONS.toSorted())
    const last = section.split('\n').map((row) => row.split('|')[3] ?? '')
    const operator = matches(last.join(' '), /`([a-z]+:[a-z_]+)`/g)
    const beyond = SYSTEM_ROLES.operator.filter((permission) => !permission.startsWith('read:'))
    expect(operator.toSorted()).toEqual(beyond.toSorted())
  })

  it('has exactly one row for every metric of the service', async () => {
    const deps = makeDeps({
      config: testConfig({
        roles: ['api', 'realtime', 'ocpp'],
        databaseReadUrls: ['postgresql://nowhere.invalid/none'],
      }),
      url: 'postgresql://nowhere.invalid/none',
      log: makeLog('silent'),
      now: () => 0,
      mail: { send: async () => {} },
    })
    const app = await buildApp(deps)
    await app.ready()
    // Only a process with the role jobs has these metrics.
    const notifier = makeNotifier(deps)
    compressionMetrics(deps.metrics)
    const ownMetrics = deps.metrics.registry
      .getMetricsAsArray()
      .map(({ name }) => name)
      .filter((name) => name.startsWith('netsaat_'))
    await notifier.stop()
    await app.close()
    await deps.replicas?.close()
    await deps.database.close()
    const rows = firstCells(await read('docs/operate/operations.md'), 'Health and measurements')
    expect(ownMetrics.length).toBeGreaterThan(2)
    expect(rows.toSorted()).toEqual(ownMetrics.toSorted())
  })

  it('has exactly one row for every job of the timetable, with its time', async () => {
    const text = await read('docs/operate/operations.md')
    const jobs = schedule({} as Deps).map(({ name }) => name)
    expect(jobs.length).toBeGreaterThan(10)
    expect(firstCells(text, 'Jobs').toSorted()).toEqual(jobs.toSorted())
    // The table has the Turkey-local time behind the cron expression.
    const files = await Promise.all(
      ['schedule', 'netting-schedule'].map((name) => read(`src/jobs/${name}.ts`)),
    )
    const lines = matches(files.join('\n'), /cron: '[^']+', \/\/ (.+)/g)
    const jobRows = jobs.map((name) => text.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '')
    const times = jobRows.map((line) => line.split('|')[2]?.trim().split(', and')[0] ?? 'none')
    expect(times.filter((time) => !lines.some((line) => line.startsWith(time)))).toEqual([])
  })

  it('lists every decision record under its title, with its area and status', async () => {
    const index = await read('docs/adr/README.md')
    const files = (await readdir('docs/adr')).filter((name) => /^\d{4}-/.test(name)).sort()
    const header =
      /^# \d{4} (.+)\n\n- Status: (accepted(?:, partly superseded by \d{4})?|superseded by \d{4}).*\n(?: .*\n)*- Area: ([a-z]+)\n/
    const rows = await Promise.all(
      files.map(async (file) => {
        const [, title, status, area] = header.exec(await read(`docs/adr/${file}`)) ?? []
        return `| [${file.slice(0, 4)}](${file}) | ${title} | ${area} | ${status} |`
      }),
    )
    expect(index.split('\n').filter((line) => line.startsWith('| ['))).toEqual(rows)
  })

  it('writes every decision record in the same sections', async () => {
    const files = (await readdir('docs/adr')).filter((name) => /^\d{4}-/.test(name))
    const sections = ['Context', 'Decision', 'Consequences', 'Alternatives considered']
    const different = await Promise.all(
      files.map(async (file) => {
        const headings = matches(await read(`docs/adr/${file}`), /^## (.+)$/gm)
        return headings.slice(0, sections.length).join() === sections.join()
          ? []
          : [`${file}: ${headings.join()}`]
      }),
    )
    expect(different.flat()).toEqual([])
  })

  it('refers to existing files only', async () => {
    const names = (await readdir('docs', { recursive: true })).filter((name) => name.endsWith('.md'))
    const pages = [...names.map((name) => `docs/${name}`), 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']
    const missing: string[] = []
    for (const page of pages) {
      const text = await read(page).catch(() => '')
      for (const path of matches(
        text,
        /`((?:docs|src|test|tools|migrations|seed|bench|bin)\/[\w./-]+\.\w+)`/g,
      ))
        await read(path).catch(() => missing.push(`${path} in ${page}`))
    }
    expect(pages.length).toBeGreaterThan(10)
    expect(missing).toEqual([])
  })
})
