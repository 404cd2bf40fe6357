/**
 * Import of meter data: register readings or interval energy of one meter from a CSV file or a workbook.
 *
 * The rows become hours (`rows.ts`, `hours.ts`), which are stored like official readings: with a history, in the
 * transaction that also writes their facts. A file is stored completely or not at all: an error in a row stores
 * nothing and reports every error. A dry run is the same transaction, rolled back at its end, so that its report
 * is that of the import.
 */
import { createHash } from 'node:crypto'
import { COMPLETE_FROM_PCT } from '../../../../core/netting/counter/quality.ts'
import { FIRST_BILLING_PERIOD } from '../../../../kernel/limits.ts'
import { type Language, textOf } from '../../../../kernel/messages.ts'
import { HOUR_MS, iso, periodStart } from '../../../../kernel/time.ts'
import { tenantDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { readTable } from '../../../../platform/tables/index.ts'
import { listInstallationChanges } from '../../../metering/meter-changes/index.ts'
import { queueRoleChanges, rebuildAfterChange } from '../../hourly-energy/index.ts'
import { refusingUnreadable } from '../../shared/index.ts'
import { OSOS_FILE_LIMITS } from '../import.ts'
import { OSOS_REPORTED_MAX } from '../limits.ts'
import { type Delivery, type Recorded, recordReadings } from '../record.ts'
import * as installations from '../store.ts'
import { type FileFormat, type FormatFields, formatOf, settingsOf } from './form.ts'
import {
  type FileHour,
  type FileHours,
  gapsOf,
  hoursOfIntervals,
  hoursOfRegisters,
  type RegisterRules,
} from './hours.ts'
import { ROW_TEXTS } from './messages.ts'
import { type ImportedMeter, type MeterFields, meterOf } from './meter.ts'
import { type MeterFile, type RowFault, readMeterRows } from './rows.ts'
import type { MeterDataReport } from './schema.ts'

export interface MeterDataImport extends Pick<Delivery, 'inTx' | 'tenantId' | 'userId'> {
  readonly file: { readonly name: string; readonly bytes: Buffer }
  readonly meter: MeterFields
  readonly format: FormatFields
  readonly isDryRun: boolean
}

type ImportDeps = Pick<Deps, 'clock' | 'database' | 'log'>

/** Imports a file, or reports what the import would do. Throws 413, 422, and 409 for a sealed month. */
export async function importMeterData(
  deps: ImportDeps,
  { file, meter: fields, format: formatFields, isDryRun, ...delivery }: MeterDataImport,
): Promise<ImportedMeterData> {
  const format = formatOf(formatFields)
  const tenant = tenantDb(deps.database.kysely, delivery.tenantId)
  const meter = await meterOf(tenant, fields)
  const now = deps.clock.now()
  const read = await refusingUnreadable(async () =>
    readMeterRows(await readTable(file.bytes, OSOS_FILE_LIMITS), {
      ...format,
      role: meter.role,
      intervalMs: format.valueKind === 'interval' ? format.intervalMs : undefined,
      now,
      firstInstant: periodStart(FIRST_BILLING_PERIOD),
    }),
  )
  const changes = await listInstallationChanges(tenant, meter.id)
  const { hours, faults } = hoursOf(read, {
    ...format,
    maxPowerKw: await installations.powerOf(tenant, meter),
    changes: {
      imported: changes.get('import_active_energy') ?? [],
      exported: changes.get('export_active_energy') ?? [],
    },
  })
  const outcome: Outcome = { read, hours, meter, format, isDryRun }
  const found = [...read.faults, ...faults]
  if (found.length > 0) return reportOf(outcome, { faults: found })
  const recorded = await record(deps, delivery, { ...outcome, file })
  if (!isDryRun) await rebuildAfterChange(deps, delivery.tenantId, declaredAt(meter))
  const rejected = [...recorded.results].filter(({ status }) => status === 'rejected')
  if (rejected.length > 0) {
    const refused = rejected.map(({ row, message }) => ({
      row,
      fault: ROW_TEXTS.ROW_HOUR_REJECTED({ reason: message }),
    }))
    return reportOf(outcome, { faults: refused })
  }
  return reportOf(outcome, { recorded, faults: [] })
}

function hoursOf(
  read: MeterFile,
  format: FileFormat & Pick<RegisterRules, 'changes' | 'maxPowerKw'>,
): FileHours {
  const { intervalMs, valueKind } = format
  return valueKind === 'interval' && intervalMs !== undefined
    ? hoursOfIntervals(read.rows, { ...format, intervalMs })
    : hoursOfRegisters(read.rows, { ...format, reportingIntervalMs: intervalMs })
}

/** The report without the texts of its errors. */
export type ImportedMeterData = Omit<MeterDataReport, 'errors'> & { readonly errors: readonly RowFault[] }

/** The report with texts for its reader. */
export const withErrorTexts = (
  { errors, ...report }: ImportedMeterData,
  language: Language,
): MeterDataReport => ({
  ...report,
  errors: errors.map(({ row, fault }) => ({
    row,
    code: fault.code,
    parameters: { ...fault.parameters },
    message: textOf(fault, language),
  })),
})

interface Outcome {
  readonly read: MeterFile
  readonly hours: readonly FileHour[]
  readonly meter: ImportedMeter
  readonly format: FileFormat
  readonly isDryRun: boolean
}

/** Carries the result out of a transaction that must not be committed. */
class RolledBack extends Error {
  readonly recorded: Recorded
  constructor(recorded: Recorded) {
    super('the transaction is rolled back')
    this.recorded = recorded
  }
}

/** Stores the hours. A dry run, and a file with a rejected hour, are rolled back. */
async function record(
  deps: ImportDeps,
  delivery: Pick<Delivery, 'inTx' | 'tenantId' | 'userId'>,
  { read, hours, meter, format, isDryRun, file }: Outcome & Pick<MeterDataImport, 'file'>,
): Promise<Recorded> {
  const rows = hours.map(({ row, ...sent }) => ({ row, installationId: meter.id, sent }))
  try {
    return await recordReadings(deps, {
      ...delivery,
      installationId: meter.id,
      label: format.label,
      multiplied: true,
      settings: settingsOf(format, read.decimalMark),
      fileName: file.name.slice(0, 255),
      sha256: createHash('sha256').update(file.bytes).digest('hex'),
      rows,
      inTx: (work) =>
        delivery.inTx((tx) =>
          // A declared meter puts its role in force, which the facts of the other meters have to follow.
          queueRoleChanges(tx, { facilityIds: declaredAt(meter), now: deps.clock.now() }, () => work(tx)),
        ),
      beforeWrite: (tx) => installations.createDeclared(tx, meter),
      beforeCommit: (recorded) => {
        if (isDryRun || recorded.counts.rejected > 0) throw new RolledBack(recorded)
      },
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.recorded
    throw error
  }
}

const declaredAt = ({ source, facilityId }: ImportedMeter): string[] =>
  source === 'customer_declared' && facilityId !== null ? [facilityId] : []

interface Result {
  /** Undefined where the rows have faults. */
  readonly recorded?: Recorded
  readonly faults: readonly RowFault[]
}

function reportOf(
  { read, hours, meter, format, isDryRun }: Outcome,
  { recorded, faults }: Result,
): ImportedMeterData {
  const isStored = recorded !== undefined && !isDryRun
  const { accepted = 0, unchanged = 0, corrected = 0, suspect = 0 } = recorded?.counts ?? {}
  const gaps = gapsOf(read.rows, hours, format.valueKind === 'register')
  const [first, last] = [hours[0], hours.at(-1)]
  return {
    dry_run: isDryRun,
    is_stored: isStored,
    import_id: isStored ? recorded.importId : null,
    installation_id: isStored || meter.newNumber === undefined ? meter.id : null,
    facility_id: meter.facilityId,
    measurement_role: meter.role,
    fact_source: meter.source,
    decimal_mark: read.decimalMark,
    ignored_columns: [...read.header.ignored],
    rows_read: read.rowsRead,
    rows_empty: read.rowsEmpty,
    rows_repeated: read.rowsRepeated,
    from_hour: first ? iso(first.hour) : null,
    to_hour: last ? iso(last.hour + HOUR_MS) : null,
    hours_read: hours.length,
    ...{ accepted, unchanged, corrected, suspect },
    partial: hours.filter(({ completenessPct = 100 }) => completenessPct < COMPLETE_FROM_PCT).length,
    resets: hours.filter(({ isReset }) => isReset).length,
    facts_written: recorded?.factsWritten ?? 0,
    missing_hours: gaps.reduce((sum, gap) => sum + gap.hours, 0),
    gaps: gaps
      .slice(0, OSOS_REPORTED_MAX)
      .map((gap) => ({ from_hour: iso(gap.from), to_hour: iso(gap.to), hours: gap.hours })),
    errors: [...faults].sort((a, b) => a.row - b.row).slice(0, OSOS_REPORTED_MAX),
    error_count: faults.length,
  }
}
