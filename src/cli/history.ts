import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { findTenant } from '../areas/admin/tenants/index.ts'
import {
  doNextStep,
  errorText,
  findCalculation,
  HISTORY_FILE_BYTES_MAX,
  HISTORY_FILES_MAX,
  type HistoryReport,
  importHistory,
  makeHistoryTemplate,
} from '../areas/netting/index.ts'
import { AppError } from '../kernel/errors.ts'
import { type Language, textOf } from '../kernel/messages.ts'
import { systemDb } from '../platform/db/tenant.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { type Command, type Invocation, type Io, UsageError } from './command.ts'
import { withDeps } from './database.ts'

const OPTIONS = {
  tenant: { type: 'string' },
  template: { type: 'string' },
  language: { type: 'string', default: 'en' },
  'dry-run': { type: 'boolean', default: false },
  calculate: { type: 'boolean', default: false },
} as const

function parse(rest: readonly string[]) {
  try {
    return parseArgs({ args: [...rest], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function languageOf(text: string): Language {
  if (text !== 'tr' && text !== 'en') throw new UsageError('--language is tr or en')
  return text
}

/** The files that arguments name; of a folder its CSV files and workbooks, by name. */
async function filesOf(paths: readonly string[]): Promise<string[]> {
  const files: string[] = []
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined)
    if (!found) throw new Error(`${path} cannot be read`)
    if (!found.isDirectory()) files.push(path)
    else {
      const names = (await readdir(path)).filter((name) => /\.(csv|xlsx)$/i.test(name)).sort()
      files.push(...names.map((name) => join(path, name)))
    }
  }
  if (files.length === 0) throw new UsageError('"import" takes a workbook, CSV files or a folder with them')
  if (files.length > HISTORY_FILES_MAX) throw new Error(`more than ${HISTORY_FILES_MAX} files`)
  return files
}

async function readLimited(path: string) {
  const { size } = await stat(path)
  if (size > HISTORY_FILE_BYTES_MAX) throw new Error(`${path} is larger than ${HISTORY_FILE_BYTES_MAX} bytes`)
  return { name: basename(path), bytes: await readFile(path) }
}

function printReport(io: Io, report: HistoryReport, language: Language): void {
  for (const error of report.errors) {
    const sheet = error.sheet === null ? '' : ` ${error.sheet}`
    const column = error.column === null ? '' : ` ${error.column}`
    const text = errorText(error, language).replace(/\p{Cc}/gu, ' ')
    io.err(`${error.file}${sheet} row ${error.row}${column}: ${error.code}: ${text}`)
  }
  const more = report.errorCount - report.errors.length
  if (more > 0) io.err(`and ${more} more errors`)
  const countOf = (result: string) => report.rows.filter((row) => row.result === result).length
  const counts = `${countOf('created')} created, ${countOf('unchanged')} unchanged`
  if (report.errorCount > 0) io.out(`Nothing was stored: ${report.errorCount} errors.`)
  else io.out(report.isDryRun ? `Dry run, nothing was stored: ${counts}.` : `Stored: ${counts}.`)
}

/** Calculates all months of a calculation and prints each. A service that runs shares the work. */
async function calculate(deps: Deps, io: Io, key: { tenantId: number; id: string }): Promise<number> {
  while (await doNextStep(deps, key)) {
    const { steps_done: done, steps_total: total } = await findCalculation(deps, key.id)
    io.out(`${done} of ${total} months of groups are calculated`)
  }
  const { state, steps } = await findCalculation(deps, key.id)
  for (const step of steps) {
    const text = step.error_message === null ? '' : textOf(step.error_message)
    const error = step.error_code === null ? '' : ` ${step.error_code}: ${text}`
    const hours = step.hours === null ? '' : ` (${step.hours} hours)`
    io.out(`${step.billing_period.slice(0, 7)}  ${step.group_name}: ${step.state}${hours}${error}`)
  }
  return state === 'done' ? 0 : 1
}

async function importFiles(invocation: Invocation, parsed: ReturnType<typeof parse>): Promise<number> {
  const { io } = invocation
  const { tenant: slug, language: wanted, calculate: isToCalculate, 'dry-run': isDryRun } = parsed.values
  if (!slug) throw new UsageError('--tenant is missing')
  const language = languageOf(wanted)
  const files = await Promise.all((await filesOf(parsed.positionals)).map(readLimited))
  return withDeps(invocation, async (deps) => {
    const tenant = await findTenant(systemDb(deps.database.kysely), slug)
    if (!tenant) throw new Error(`There is no tenant ${slug}`)
    const order = { tenantId: tenant.key, userId: null, files, isDryRun, isToCalculate }
    const report = await importHistory(deps, order).catch((error: unknown) => {
      throw error instanceof AppError ? new Error(error.message, { cause: error }) : error
    })
    printReport(io, report, language)
    if (report.errorCount > 0) return 1
    if (report.calculationId === null) return 0
    return calculate(deps, io, { tenantId: tenant.key, id: report.calculationId })
  })
}

export const historyImport: Command = {
  options: {},
  positionals: 0,
  takesRest: true,
  async run(invocation) {
    const parsed = parse(invocation.rest)
    const { template, language } = parsed.values
    if (template === undefined) return importFiles(invocation, parsed)
    await writeFile(template, await makeHistoryTemplate(languageOf(language), invocation.io.now()))
    invocation.io.out(`The template is in ${template}`)
    return 0
  },
}
