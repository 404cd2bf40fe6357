import { randomUUID } from 'node:crypto'
import { at } from '../../../kernel/checked.ts'
import { formatKwh, type Kwh, parseTry } from '../../../kernel/decimal.ts'
import { FIRST_BILLING_PERIOD } from '../../../kernel/limits.ts'
import type { Message } from '../../../kernel/messages.ts'
import {
  DAY_MS,
  dayStart,
  HOUR_MS,
  periodOf,
  periodRange,
  periodStart,
  type Range,
  TURKEY_OFFSET_MS,
} from '../../../kernel/time.ts'
import { inChunks } from '../../../platform/async/yield.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { applyOfficialReadings, mergeNearbyRanges, prepareOfficialFacts } from '../hourly-energy/index.ts'
import type { Label } from '../shared/index.ts'
import { classifyHour, type SentHour } from './energy.ts'
import { OSOS_ROWS_AT_ONCE } from './limits.ts'
import { READING_TEXTS } from './messages.ts'
import * as readings from './reading-store.ts'
import type { Status } from './schema.ts'
import * as installations from './store.ts'

/** One row of a request or file: a reading of an hour of an installation, or the reason why it is invalid. */
export interface SentRow {
  /** Index in the request, or row of the file. */
  readonly row: number
  readonly installationId: string
  readonly sent: SentHour | Message
}

export interface Delivery {
  readonly tenantId: number
  readonly userId: string | null
  /** Null for register readings, which have an instant and no label. */
  readonly label: Label | null
  readonly multiplied: boolean
  /** The installation; null for a file with many installations. */
  readonly installationId: string | null
  readonly fileName: string | null
  readonly sha256: string | null
  /** How a file of meter data was read; undefined for hourly official readings. */
  readonly settings?: JsonColumns['osos_import.settings']
  readonly rows: readonly SentRow[]
  readonly inTx: <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>
  /** Runs at the beginning of the transaction. */
  readonly beforeWrite?: (tx: TenantTx) => Promise<void>
  /** Runs at the end of the transaction; an error rolls it back. */
  readonly beforeCommit?: (recorded: Recorded) => void
}

export interface RowResult {
  readonly row: number
  readonly status: Status
  readonly message: Message | null
}

export interface Recorded {
  readonly importId: string
  readonly counts: Readonly<Record<Status, number>>
  /** In the order of the rows. */
  readonly results: readonly RowResult[]
  readonly factsWritten: number
  readonly shortDays: readonly readings.ShortDay[]
}

type RecordDeps = Pick<Deps, 'clock' | 'database' | 'log'>

/**
 * Stores readings and applies them to the facts in one transaction, so that a failed delivery has no effect.
 * Invalid rows are reported and skipped. 409 where facts of a sealed month would change.
 */
export async function recordReadings(deps: RecordDeps, delivery: Delivery): Promise<Recorded> {
  const now = deps.clock.now()
  const hours = await hoursOf(delivery.rows, now)
  await prepareOfficialFacts(deps, [...hours.values()].flatMap(monthsOf))
  return delivery.inTx(async (tx) => {
    await delivery.beforeWrite?.(tx)
    const classifiedRows = await classifyRows(delivery, {
      now,
      multipliers: await lockMultipliers(tx, [...hours.keys()]),
    })
    const importId = randomUUID()
    const changed = await writeReadings(tx, classifiedRows, { importId, now })
    const ranges = new Map([...changed].map(([id, list]) => [id, mergeNearbyRanges(monthsOf(list))]))
    const factsWritten = ranges.size > 0 ? await applyOfficialReadings(deps, tx, ranges) : 0
    const counts = countOf(classifiedRows.results)
    await readings.logImport(tx, {
      id: importId,
      installation_id: delivery.installationId,
      file_name: delivery.fileName,
      sha256: delivery.sha256,
      label: delivery.label,
      multiplied: delivery.multiplied,
      settings: delivery.settings ? toJson(delivery.settings) : null,
      rows_read: delivery.rows.length,
      ...counts,
      created_by: delivery.userId,
      created_at: new Date(now),
    })
    const shortDays = await findShortDays(tx, hours)
    const recorded = { importId, counts, results: classifiedRows.results, factsWritten, shortDays }
    delivery.beforeCommit?.(recorded)
    return recorded
  })
}

type Hours = ReadonlyMap<string, readonly number[]>

/** The hours to be stored, by installation. */
async function hoursOf(rows: readonly SentRow[], now: number): Promise<Hours> {
  const hours = new Map<string, number[]>()
  for await (const portion of inChunks(rows)) {
    for (const { installationId, sent } of portion) {
      if ('code' in sent || timeFault(sent.hour, now)) continue
      const list = hours.get(installationId)
      if (list) list.push(sent.hour)
      else hours.set(installationId, [sent.hour])
    }
  }
  return hours
}

const FIRST_HOUR = periodStart(FIRST_BILLING_PERIOD)

function timeFault(hour: number, now: number): Message | undefined {
  if (hour + HOUR_MS > now) return READING_TEXTS.READING_HOUR_NOT_OVER()
  return hour < FIRST_HOUR ? READING_TEXTS.READING_TOO_EARLY({ first: FIRST_BILLING_PERIOD }) : undefined
}

/** One range for each Turkey-local month, from its first to its last hour. */
function monthsOf(hours: readonly number[]): Range[] {
  const months = new Map<number, Range>()
  let month: Range = { from: 0, to: 0 }
  for (const hour of hours) {
    if (hour < month.from || hour >= month.to) month = periodRange(periodOf(hour))
    const known = months.get(month.from)
    if (known && known.from <= hour && hour < known.to) continue
    const { from, to } = known ?? { from: hour, to: hour }
    months.set(month.from, { from: Math.min(from, hour), to: Math.max(to, hour + HOUR_MS) })
  }
  return [...months.values()]
}

/**
 * The multipliers in millionths by installation. Each installation stays locked until the transaction ends.
 */
async function lockMultipliers(tx: TenantTx, ids: readonly string[]): Promise<Map<string, bigint>> {
  const rows = ids.length === 0 ? [] : await installations.lockAll(tx, ids)
  return new Map(rows.map(({ id, multiplier }) => [id, parseTry(multiplier)]))
}

interface ClassifiedRows {
  /** One for each row; those in `resultIndexes` may still become unchanged or corrected. */
  readonly results: RowResult[]
  readonly readings: readings.NewReading[]
  /** The outcome of each reading. */
  readonly resultIndexes: number[]
}

interface FirstRow {
  readonly row: number
  readonly sent: SentHour
}

async function classifyRows({ rows, multiplied }: Delivery, against: RowContext): Promise<ClassifiedRows> {
  const classifiedRows: ClassifiedRows = { results: [], readings: [], resultIndexes: [] }
  const firstRows: FirstRows = new Map()
  for await (const portion of inChunks(rows)) {
    for (const row of portion) classifyRow(classifiedRows, row, { ...against, multiplied, firstRows })
  }
  return classifiedRows
}

interface RowContext {
  readonly now: number
  readonly multipliers: ReadonlyMap<string, bigint>
}
/** The first rows of each installation and hour, whose outcome is already known. */
type FirstRows = Map<string, Map<number, FirstRow>>

function classifyRow(
  classifiedRows: ClassifiedRows,
  { row, installationId, sent }: SentRow,
  { now, multipliers, multiplied, firstRows }: RowContext & { multiplied: boolean; firstRows: FirstRows },
): void {
  const fault = 'code' in sent ? sent : timeFault(sent.hour, now)
  const multiplier = multipliers.get(installationId)
  if (fault !== undefined || 'code' in sent || multiplier === undefined) {
    const message = fault ?? READING_TEXTS.READING_INSTALLATION_DELETED()
    classifiedRows.results.push({ row, status: 'rejected', message })
    return
  }
  const known = firstRows.get(installationId) ?? new Map<number, FirstRow>()
  firstRows.set(installationId, known)
  const first = known.get(sent.hour)
  if (first) {
    classifiedRows.results.push(repeatedResult(row, sent, first))
    return
  }
  known.set(sent.hour, { row, sent })
  addReading(classifiedRows, { row, installationId, sent }, { multiplied, multiplier })
}

const repeatedResult = (row: number, sent: SentHour, first: FirstRow): RowResult =>
  sent.imported === first.sent.imported && sent.exported === first.sent.exported
    ? { row, status: 'unchanged', message: null }
    : { row, status: 'rejected', message: READING_TEXTS.READING_REPEATED({ first_row: first.row }) }

function addReading(
  { results, readings: list, resultIndexes }: ClassifiedRows,
  { row, installationId, sent }: SentRow & { sent: SentHour },
  scale: { multiplied: boolean; multiplier: bigint },
): void {
  const classified = classifyHour(sent, scale)
  if (classified.kind === 'rejected') {
    results.push({ row, status: 'rejected', message: classified.content })
    return
  }
  const isSuspect = classified.kind === 'suspect'
  resultIndexes.push(results.length)
  list.push({
    installationId,
    hour: sent.hour,
    importKwh: isSuspect ? null : text(classified.importKwh),
    exportKwh: isSuspect ? null : text(classified.exportKwh),
    rawText: isSuspect ? classified.rawText : null,
    completenessPct: sent.completenessPct ?? 100,
    isReset: sent.isReset ?? false,
  })
  const message = isSuspect ? READING_TEXTS.READING_NEGATIVE({ value: classified.rawText }) : null
  results.push({ row, status: isSuspect ? 'suspect' : 'accepted', message })
}

const text = (value: Kwh | null): string | null => (value === null ? null : formatKwh(value))

/** Stores the accepted rows, completes their outcomes, and returns the changed hours by installation. */
async function writeReadings(
  tx: TenantTx,
  { results, readings: list, resultIndexes }: ClassifiedRows,
  batch: Pick<readings.ReadingBatch, 'importId' | 'now'>,
): Promise<Hours> {
  for (let start = 0; start < list.length; start += OSOS_ROWS_AT_ONCE) {
    const portion = list.slice(start, start + OSOS_ROWS_AT_ONCE)
    for (const { index, before } of await readings.writeReadings(tx, { ...batch, readings: portion })) {
      const resultIndex = at(resultIndexes, start + index)
      results[resultIndex] = completedResult(at(results, resultIndex), before)
    }
  }
  const changed = new Map<string, number[]>()
  for (const [index, { installationId, hour }] of list.entries()) {
    if (at(results, at(resultIndexes, index)).status === 'unchanged') continue
    const hours = changed.get(installationId)
    if (hours) hours.push(hour)
    else changed.set(installationId, [hour])
  }
  return changed
}

function completedResult(
  { row, status, message }: RowResult,
  before: readings.KnownReading['before'],
): RowResult {
  if (!before) return { row, status: 'unchanged', message: null }
  const was = { import_kwh: before.importKwh ?? 'nothing', export_kwh: before.exportKwh ?? 'nothing' }
  if (status !== 'suspect') return { row, status: 'corrected', message: READING_TEXTS.READING_REPLACED(was) }
  const value = message?.parameters['value'] ?? ''
  return { row, status, message: READING_TEXTS.READING_NEGATIVE_REPLACED({ value, ...was }) }
}

function countOf(results: readonly RowResult[]): Record<Status, number> {
  const counts = { accepted: 0, unchanged: 0, corrected: 0, suspect: 0, rejected: 0 }
  for (const { status } of results) counts[status] += 1
  return counts
}

const dayOf = (hour: number): number => Math.floor((hour + TURKEY_OFFSET_MS) / DAY_MS)

/** The days of a delivery that still lack hours. */
async function findShortDays(tx: TenantTx, hours: Hours): Promise<readings.ShortDay[]> {
  const short: readings.ShortDay[] = []
  for (const [id, list] of hours) {
    const days = new Set(list.map(dayOf))
    for (const { from, to } of mergeNearbyRanges(monthsOf(list))) {
      const range = {
        from: dayOf(from) * DAY_MS - TURKEY_OFFSET_MS,
        to: (dayOf(to - 1) + 1) * DAY_MS - TURKEY_OFFSET_MS,
      }
      const found = await readings.listShortDays(tx, id, range)
      short.push(...found.filter(({ date }) => days.has(dayOf(dayStart(date)))))
    }
  }
  return short
}
