import { findTenant } from '../areas/admin/tenants/index.ts'
import {
  exportSamples,
  importSamples,
  isComplete,
  type MonthFile,
  type MonthReport,
} from '../areas/metering/archive/index.ts'
import { isRecord } from '../kernel/checked.ts'
import { type BillingPeriod, parsePeriod } from '../kernel/time.ts'
import { systemDb } from '../platform/db/tenant.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { type Command, type Invocation, optionalText, required, UsageError } from './command.ts'
import { withDeps } from './database.ts'

/** `storage export` and `storage import`: samples of a tenant as Parquet files. */

async function tenantOf({ database }: Deps, slug: string): Promise<number> {
  const tenant = await findTenant(systemDb(database.kysely), slug)
  if (!tenant) throw new Error(`There is no tenant ${slug}`)
  return tenant.key
}

function monthOption(invocation: Invocation, name: string): BillingPeriod | undefined {
  const text = optionalText(invocation, name)
  if (text === undefined) return undefined
  const period = /^\d{4}-\d{2}$/.test(text) ? parsePeriod(text) : undefined
  if (period === undefined) throw new UsageError(`--${name} ${text} is not a month, such as 2025-05`)
  return period
}

const exported = ({ file, rows, bytes }: MonthFile): string => `${file}  ${rows} samples  ${bytes} bytes`

export const storageExport: Command = {
  options: { tenant: { type: 'string' }, from: { type: 'string' }, to: { type: 'string' } },
  positionals: 1,
  run(invocation) {
    const { positionals, io } = invocation
    const [folder = ''] = positionals
    const slug = required(invocation, 'tenant')
    const [from, to] = [monthOption(invocation, 'from'), monthOption(invocation, 'to')]
    if (from !== undefined && to !== undefined && from > to) throw new UsageError('--from is after --to')
    return withDeps(invocation, async (deps) => {
      const tenantId = await tenantOf(deps, slug)
      const onMonth = (month: MonthFile) => io.out(exported(month))
      const months = await exportSamples(deps, { tenantId, slug, folder, from, to, onMonth }).catch(
        (error: unknown) => {
          if (!isRecord(error) || error['code'] !== 'ENOSPC') throw error
          throw new Error('the disk is full; the months that were printed are complete', { cause: error })
        },
      )
      const rows = months.reduce((sum, month) => sum + month.rows, 0)
      io.out(`${rows} samples of ${months.length} months are in ${folder}`)
      return 0
    })
  },
}

function imported(report: MonthReport, isDryRun: boolean): string {
  const { month, fault, unchanged, accepted, quarantined, unknownDevices, unusable } = report
  const name = month.month.slice(0, 7)
  const counts = [
    `${accepted} ${isDryRun ? 'would be submitted' : 'new'}`,
    `${unchanged} unchanged`,
    ...[...quarantined].map(([reason, count]) => `${count} quarantined (${reason})`),
    ...(unknownDevices > 0 ? [`${unknownDevices} of unknown devices`] : []),
    ...(unusable > 0 ? [`${unusable} that cannot be stored`] : []),
  ].join(', ')
  if (fault === undefined) return `${name}  ${month.rows} samples: ${counts}`
  const isStarted = accepted + unchanged + quarantined.size + unknownDevices + unusable > 0
  return `${name}  ${isStarted ? `not imported to the end (${counts})` : 'not imported'}: ${fault}`
}

export const storageImport: Command = {
  options: { tenant: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  positionals: 1,
  run(invocation) {
    const { positionals, io } = invocation
    const [folder = ''] = positionals
    const slug = required(invocation, 'tenant')
    const isDryRun = invocation.options['dry-run'] === true
    return withDeps(invocation, async (deps) => {
      const tenantId = await tenantOf(deps, slug)
      const onMonth = (report: MonthReport) =>
        (isComplete(report) ? io.out : io.err)(imported(report, isDryRun))
      const { months, isWhole } = await importSamples(deps, { tenantId, folder, isDryRun, onMonth })
      if (!isWhole) io.err('The export was interrupted: its later months are missing.')
      if (isDryRun) io.out('Dry run, nothing was stored.')
      return isWhole && months.every(isComplete) ? 0 : 1
    })
  },
}
