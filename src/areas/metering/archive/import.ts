import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type LocalDate, localDate, localDay, periodRange } from '../../../kernel/time.ts'
import { systemDb, tenantDb } from '../../../platform/db/tenant.ts'
import { openParquetFile, type ParquetCells, ParquetFault } from '../../../platform/parquet/index.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { cellTexts, readDeviceDay } from '../history/index.ts'
import type { Sample } from '../intake-contract/index.ts'
import { COLUMNS, DEVICE_COLUMN, rowOf, sampleOf, TIME_COLUMN, textsOf } from './cells.ts'
import { IMPORT_SAMPLES_AT_ONCE } from './limits.ts'
import { type MonthFile, readManifest } from './manifest.ts'
import { listDevices, listSealed } from './store.ts'

export interface SampleImport {
  readonly tenantId: number
  readonly folder: string
  readonly isDryRun: boolean
  /** Called when a month is complete. */
  readonly onMonth: (report: MonthReport) => void
}

export interface MonthReport {
  readonly month: MonthFile
  /** Why nothing of the file was imported, or nothing after the samples that are counted. */
  fault: string | undefined
  /** Samples that are stored with the same values. */
  unchanged: number
  /** Samples that are new or add values to a stored one; of a dry run those that would be submitted. */
  accepted: number
  /** Samples that are in quarantine now, by the reason. */
  readonly quarantined: Map<string, number>
  /** Samples of devices that the tenant does not have. */
  unknownDevices: number
  /** Samples that intake cannot store as they are. */
  unusable: number
}

type ImportDeps = Pick<Deps, 'database' | 'ingest'>

/** Whether everything of a file is stored. */
export const isComplete = ({ fault, quarantined, unknownDevices, unusable }: MonthReport): boolean =>
  fault === undefined && quarantined.size === 0 && unknownDevices === 0 && unusable === 0

export interface ImportReport {
  readonly months: readonly MonthReport[]
  /** Whether the export was not interrupted. */
  readonly isWhole: boolean
}

/**
 * Imports the files of an export through intake, so that duplicates, conflicts, late samples and roll-ups are treated
 * as those of every source. Samples that are stored already are not submitted: their days stay compressed.
 */
export async function importSamples(deps: ImportDeps, request: SampleImport): Promise<ImportReport> {
  const { kysely } = deps.database
  const { months, isWhole } = await readManifest(request.folder)
  const sealed = await listSealed(systemDb(kysely))
  const keys = new Map<string, number>()
  for await (const { id, key } of listDevices(tenantDb(kysely, request.tenantId))) keys.set(id, key)
  const reports: MonthReport[] = []
  for (const month of months) {
    const fault = sealed.has(month.month)
      ? `the month is sealed: run "netsaat storage unseal ${month.month.slice(0, 7)}" first`
      : await faultOf(join(request.folder, month.file), month)
    const counts = { unchanged: 0, accepted: 0, quarantined: new Map(), unknownDevices: 0, unusable: 0 }
    const report: MonthReport = { month, fault, ...counts }
    if (fault === undefined) await importMonth({ ...deps, ...request, keys }, report)
    reports.push(report)
    request.onMonth(report)
  }
  return { months: reports, isWhole }
}

/** Why a file is not the one that was exported. */
async function faultOf(path: string, { bytes, sha256 }: MonthFile): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return `${path} cannot be read`
  if (found.size !== bytes) return `${path} has ${found.size} bytes, and not ${bytes}`
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part as Buffer)
  return hash.digest('hex') === sha256 ? undefined : `the hash of ${path} is not that of the manifest`
}

interface ImportContext extends ImportDeps, SampleImport {
  readonly keys: ReadonlyMap<string, number>
}

/** Imports a file, or what precedes the first damaged group of rows. */
async function importMonth(context: ImportContext, report: MonthReport): Promise<void> {
  try {
    await importFile(context, report)
  } catch (error) {
    if (!(error instanceof ParquetFault)) throw error
    report.fault = error.message
  }
}

async function importFile(context: ImportContext, report: MonthReport): Promise<void> {
  const { month } = report
  const file = await openParquetFile(join(context.folder, month.file), COLUMNS)
  try {
    if (file.rows !== month.rows)
      throw new ParquetFault(`${month.file} has ${file.rows} samples, and not ${month.rows}`)
    for await (const cells of file.groups())
      for (const rows of byDeviceDay(cells, month)) await importDay(context, report, { cells, rows })
  } finally {
    await file.close()
  }
}

interface DayRows {
  readonly deviceId: string
  readonly day: LocalDate
  /** Numbers of rows in the group. */
  readonly indexes: number[]
}

/** The rows of each device and local day; a day at the end of a group continues in the next one. */
function byDeviceDay(cells: ReadonlyMap<string, ParquetCells>, month: MonthFile): Iterable<DayRows> {
  const days = new Map<string, DayRows>()
  const [devices, times] = [cells.get(DEVICE_COLUMN) ?? [], cells.get(TIME_COLUMN) ?? []]
  const { from, to } = periodRange(month.month)
  for (let index = 0; index < devices.length; index++) {
    const at = Math.floor(Number(times[index]) / 1000)
    if (!(at >= from && at < to))
      throw new ParquetFault(`${month.file} has a sample outside of ${month.month.slice(0, 7)}`)
    const deviceId = String(devices[index])
    const key = `${deviceId} ${localDay(at)}`
    const rows = days.get(key)
    if (rows) rows.indexes.push(index)
    else days.set(key, { deviceId, day: localDate(at), indexes: [index] })
  }
  return days.values()
}

interface GroupRows {
  readonly cells: ReadonlyMap<string, ParquetCells>
  readonly rows: DayRows
}

async function importDay(context: ImportContext, report: MonthReport, group: GroupRows): Promise<void> {
  const { deviceId, day, indexes } = group.rows
  const deviceKey = context.keys.get(deviceId)
  if (deviceKey === undefined) {
    report.unknownDevices += indexes.length
    return
  }
  const stored = new Set<string>()
  const wanted = new Set(indexes.map((index) => String(rowOf(group.cells, index)(TIME_COLUMN))))
  const days = { tenantId: context.tenantId, deviceKey, day }
  for await (const samples of readDeviceDay(context.database.pool, days)) {
    for (let row = 0; row < samples.rows; row++)
      if (wanted.has(String(samples.times[row]))) stored.add(JSON.stringify(cellTexts(samples, row)))
  }
  const samples: Sample[] = []
  for (const index of indexes) {
    const row = rowOf(group.cells, index)
    if (stored.has(JSON.stringify(textsOf(row)))) {
      report.unchanged += 1
      continue
    }
    const sample = sampleOf(row)
    if (sample) samples.push({ deviceId, ...sample })
    else report.unusable += 1
  }
  if (context.isDryRun) report.accepted += samples.length
  else await submit(context, report, samples)
}

async function submit(
  { ingest, tenantId }: ImportContext,
  report: MonthReport,
  samples: readonly Sample[],
): Promise<void> {
  for (let from = 0; from < samples.length; from += IMPORT_SAMPLES_AT_ONCE) {
    const outcome = await ingest.submit(tenantId, samples.slice(from, from + IMPORT_SAMPLES_AT_ONCE))
    report.accepted += outcome.accepted
    report.unchanged += outcome.duplicates
    for (const { reason } of outcome.setAside)
      report.quarantined.set(reason, (report.quarantined.get(reason) ?? 0) + 1)
  }
}
