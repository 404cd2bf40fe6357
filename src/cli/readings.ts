import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { findTenant } from '../areas/admin/tenants/index.ts'
import {
  facilityIdOf,
  type ImportedMeterData,
  importMeterData,
  installationIdOf,
  type MeterDataFields,
  meterDataFault,
} from '../areas/netting/index.ts'
import { AppError } from '../kernel/errors.ts'
import { textOf } from '../kernel/messages.ts'
import { inTenantTx, systemDb, tenantDb } from '../platform/db/tenant.ts'
import { type Command, type Invocation, optionalText, required, UsageError } from './command.ts'
import { withDeps } from './database.ts'
import { READINGS_FILE_BYTES_MAX } from './limits.ts'

/** The option of each field of the import; the meter is named by `--facility` or `--installation`. */
const OPTION_OF = {
  measurement_role: 'role',
  value_kind: 'values',
  unit: 'unit',
  label: 'label',
  interval_minutes: 'interval',
  multiplier: 'multiplier',
  utc_offset: 'utc-offset',
  decimal_mark: 'decimal-mark',
  columns: 'columns',
} as const

function fieldsOf(invocation: Invocation): MeterDataFields {
  const fields = Object.fromEntries(
    Object.entries(OPTION_OF).flatMap(([field, option]) => {
      const text = optionalText(invocation, option)
      return text === undefined ? [] : [[field, text]]
    }),
  )
  const fault = meterDataFault(fields)
  if (fault === undefined) return fields as unknown as MeterDataFields
  const [field = '', ...rest] = fault.split(' ')
  throw new UsageError(`--${OPTION_OF[field as keyof typeof OPTION_OF] ?? field} ${rest.join(' ')}`)
}

async function readImport(file: string): Promise<Buffer> {
  const { size } = await stat(file).catch(() => ({ size: undefined }))
  if (size === undefined) throw new Error(`${file} cannot be read`)
  if (size > READINGS_FILE_BYTES_MAX)
    throw new Error(`${file} is larger than ${READINGS_FILE_BYTES_MAX} bytes`)
  return readFile(file)
}

/** The lines of the report of an import. */
function linesOf(report: ImportedMeterData): string[] {
  const { errors, error_count: count } = report
  if (count > 0) {
    const more = count > errors.length ? [`and ${count - errors.length} more`] : []
    const lines = errors.map(({ row, fault }) => `row ${row}: ${fault.code}: ${textOf(fault, 'en')}`)
    return [...lines, ...more, `Nothing was stored: ${count} rows have errors.`]
  }
  const state = report.dry_run ? 'Dry run, nothing was stored' : 'Stored'
  return [
    `${state}: ${report.rows_read} rows give ${report.hours_read} hours, ` +
      `${report.accepted} new, ${report.corrected} corrected, ${report.unchanged} unchanged, ` +
      `${report.suspect} suspect, ${report.partial} partial, ${report.resets} with a reset.`,
    `${report.facts_written} hourly facts of the source ${report.fact_source} were written.`,
    ...report.gaps.map(
      ({ from_hour, to_hour, hours }) => `No value for ${hours} hours: ${from_hour} to ${to_hour}`,
    ),
  ]
}

export const readingsImport: Command = {
  options: {
    tenant: { type: 'string' },
    facility: { type: 'string' },
    installation: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    ...Object.fromEntries(Object.values(OPTION_OF).map((name) => [name, { type: 'string' }] as const)),
  },
  positionals: 1,
  async run(invocation) {
    const { positionals, io } = invocation
    const [path = ''] = positionals
    const slug = required(invocation, 'tenant')
    const { measurement_role, ...format } = fieldsOf(invocation)
    const [facility, installation] = [
      optionalText(invocation, 'facility'),
      optionalText(invocation, 'installation'),
    ]
    const bytes = await readImport(path)
    return withDeps(invocation, async (deps) => {
      const { kysely } = deps.database
      const tenant = await findTenant(systemDb(kysely), slug)
      if (!tenant) throw new Error(`There is no tenant ${slug}`)
      const db = tenantDb(kysely, tenant.key)
      const report = await importMeterData(deps, {
        tenantId: tenant.key,
        userId: null,
        file: { name: basename(path), bytes },
        meter: {
          ...(facility !== undefined && { facility_id: await facilityIdOf(db, facility) }),
          ...(measurement_role !== undefined && { measurement_role }),
          ...(installation !== undefined && { installation_id: await installationIdOf(db, installation) }),
        },
        format,
        isDryRun: invocation.options['dry-run'] === true,
        inTx: (work) => inTenantTx(kysely, tenant.key, work),
      }).catch((error: unknown) => {
        throw error instanceof AppError ? new Error(error.message, { cause: error }) : error
      })
      for (const line of linesOf(report)) io.out(line)
      return report.error_count > 0 ? 1 : 0
    })
  },
}
