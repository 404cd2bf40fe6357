import { randomUUID } from 'node:crypto'
import { at } from '../../../kernel/checked.ts'
import { parseTry } from '../../../kernel/decimal.ts'
import {
  DAY_MS,
  dayStart,
  HOUR_MS,
  periodOf,
  periodRange,
  type Range,
  TURKEY_OFFSET_MS,
} from '../../../kernel/time.ts'
import { inChunks } from '../../../platform/async/yield.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { applyOfficialReadings, mergeNearbyRanges, prepareOfficialFacts } from '../hourly-energy/index.ts'
import type { Label } from '../shared/index.ts'
import { Classifier, timeFault } from './classify.ts'
import type { DeliveredRows } from './delivered-rows.ts'
import { OSOS_ROWS_AT_ONCE } from './limits.ts'
import { READING_TEXTS } from './messages.ts'
import { Outcomes, type RowResult } from './outcomes.ts'
import * as readings from './reading-store.ts'
import type { Status } from './schema.ts'
import * as installations from './store.ts'

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
  readonly rows: DeliveredRows
  readonly inTx: <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>
  /** Runs at the beginning of the transaction. */
  readonly beforeWrite?: (tx: TenantTx) => Promise<void>
  /** Runs at the end of the transaction; an error rolls it back. */
  readonly beforeCommit?: (recorded: Recorded) => void
}

export interface Recorded {
  readonly importId: string
  readonly counts: Readonly<Record<Status, number>>
  readonly results: Iterable<RowResult>
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
    const multipliers = await lockMultipliers(tx, [...hours.keys()])
    const importId = randomUUID()
    const { outcomes, changed } = await storeRows(tx, delivery, { importId, now, multipliers })
    const ranges = new Map([...changed].map(([id, list]) => [id, mergeNearbyRanges(monthsOf(list))]))
    const factsWritten = ranges.size > 0 ? await applyOfficialReadings(deps, tx, ranges) : 0
    const counts = outcomes.counts()
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
    const recorded = { importId, counts, results: outcomes, factsWritten, shortDays }
    delivery.beforeCommit?.(recorded)
    return recorded
  })
}

type Hours = ReadonlyMap<string, readonly number[]>

/** The hours to be stored, by installation. */
async function hoursOf(rows: DeliveredRows, now: number): Promise<Hours> {
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

type Batch = Pick<readings.ReadingBatch, 'importId' | 'now'>

interface StoredRows {
  readonly outcomes: Outcomes
  /** The changed hours by installation. */
  readonly changed: Hours
}

/** Classifies and stores the rows block by block, so that the readings of one block only exist at a time. */
async function storeRows(
  tx: TenantTx,
  { rows, multiplied }: Delivery,
  { multipliers, ...batch }: Batch & { readonly multipliers: ReadonlyMap<string, bigint> },
): Promise<StoredRows> {
  const outcomes = new Outcomes(rows)
  const changed = new Map<string, number[]>()
  const classifier = new Classifier({ rows, outcomes, multipliers, multiplied, now: batch.now })
  let index = 0
  for await (const portion of inChunks(rows)) {
    for (const row of portion) {
      classifier.add(row, index)
      index += 1
      if (classifier.readings.length === OSOS_ROWS_AT_ONCE) await storeBlock(tx, batch, classifier, changed)
    }
  }
  await storeBlock(tx, batch, classifier, changed)
  return { outcomes, changed }
}

/** Stores the readings found so far, and completes their outcomes. */
async function storeBlock(
  tx: TenantTx,
  batch: Batch,
  classifier: Classifier,
  changed: Map<string, number[]>,
): Promise<void> {
  const { outcomes } = classifier
  const { readings: list, indexes } = classifier.take()
  if (list.length === 0) return
  for (const { index, before } of await readings.writeReadings(tx, { ...batch, readings: list })) {
    completeOutcome(outcomes, at(indexes, index), before)
  }
  for (const [index, { installationId, hour }] of list.entries()) {
    if (outcomes.statusOf(at(indexes, index)) === 'unchanged') continue
    const hours = changed.get(installationId)
    if (hours) hours.push(hour)
    else changed.set(installationId, [hour])
  }
}

function completeOutcome(outcomes: Outcomes, index: number, before: readings.KnownReading['before']): void {
  if (!before) {
    outcomes.set(index, 'unchanged')
    return
  }
  const was = { import_kwh: before.importKwh ?? 'nothing', export_kwh: before.exportKwh ?? 'nothing' }
  if (outcomes.statusOf(index) !== 'suspect') {
    outcomes.set(index, 'corrected', READING_TEXTS.READING_REPLACED(was))
    return
  }
  const value = outcomes.messageOf(index)?.parameters['value'] ?? ''
  outcomes.set(index, 'suspect', READING_TEXTS.READING_NEGATIVE_REPLACED({ value, ...was }))
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
