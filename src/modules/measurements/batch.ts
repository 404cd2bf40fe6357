import { isRegister, toMillionths } from '../../kernel/metrics.ts'
import { floorHour, HOUR_MS, type Range } from '../../kernel/time.ts'
import type { SampleValues, SetAsideReason } from '../../platform/ingest.ts'

export type SampleStatus = 'accepted' | 'duplicate' | SetAsideReason

/** A sample on its way into the store. Its status is filled by the batch that commits it. */
export interface Entry {
  readonly tenantId: number
  readonly deviceKey: number
  readonly deviceId: string
  readonly at: number
  readonly values: SampleValues
  /** Position in its request. */
  readonly index: number
  /** Kept aside whatever is stored. */
  readonly doubt: SetAsideReason | undefined
  status: SampleStatus | undefined
}

/** What a batch wants stored for one device and instant. */
export interface Row {
  readonly tenantId: number
  readonly deviceKey: number
  readonly at: number
  readonly values: SampleValues
  /** The samples that ask for it, in order of arrival. */
  readonly entries: readonly Entry[]
}

/**
 * Gathers a batch: one row for a device and instant, ordered by device and time. The order is the same in every
 * batch, so that two that meet wait for each other and never in a circle. Fills the status of every entry as if
 * nothing were stored yet.
 */
export function rowsOf(entries: readonly Entry[]): Row[] {
  const byDevice = new Map<number, Entry[]>()
  for (const entry of entries) {
    if (entry.doubt) {
      entry.status = entry.doubt
      continue
    }
    const list = byDevice.get(entry.deviceKey)
    if (list) list.push(entry)
    else byDevice.set(entry.deviceKey, [entry])
  }
  const rows: Row[] = []
  for (const key of [...byDevice.keys()].sort((a, b) => a - b)) addDevice(rows, byDevice.get(key) ?? [])
  return rows
}

const ascends = (entries: readonly Entry[]): boolean =>
  entries.every((entry, index) => index === 0 || (entries[index - 1]?.at ?? 0) < entry.at)

function addDevice(rows: Row[], entries: Entry[]): void {
  if (ascends(entries)) {
    for (const entry of entries) {
      entry.status = 'accepted'
      rows.push({ ...place(entry), values: entry.values, entries: [entry] })
    }
    return
  }
  const byInstant = new Map<number, Entry[]>()
  for (const entry of entries) {
    const list = byInstant.get(entry.at)
    if (list) list.push(entry)
    else byInstant.set(entry.at, [entry])
  }
  for (const at of [...byInstant.keys()].sort((a, b) => a - b)) {
    const [first, ...others] = byInstant.get(at) ?? []
    if (!first) continue
    const all = [first, ...others]
    rows.push({ ...place(first), values: fold(undefined, all).values, entries: all })
  }
}

const place = ({ tenantId, deviceKey, at }: Entry): Pick<Row, 'tenantId' | 'deviceKey' | 'at'> => ({
  tenantId,
  deviceKey,
  at,
})

/**
 * Adds samples of one device and instant to what is stored, in order of arrival, and fills their status. A sample
 * that contradicts a single value is kept aside whole: which of its values to believe is not ours to guess.
 */
export function fold(
  stored: SampleValues | undefined,
  entries: readonly Entry[],
): { values: SampleValues; isChanged: boolean } {
  let values = stored
  for (const entry of entries) {
    const relation = values === undefined ? 'adds' : compare(values, entry.values)
    if (relation === 'adds') values = { ...values, ...entry.values }
    entry.status =
      relation === 'adds' ? 'accepted' : relation === 'same' ? 'duplicate' : 'conflicts_with_stored'
  }
  return { values: values ?? {}, isChanged: entries.some(({ status }) => status === 'accepted') }
}

function compare(stored: SampleValues, sent: SampleValues): 'same' | 'adds' | 'contradicts' {
  let adds = false
  for (const metric in sent) {
    const known = stored[metric]
    const value = sent[metric] ?? 0
    if (known === undefined) adds = true
    else if (known !== value && !(isRegister(metric) && toMillionths(known) === toMillionths(value))) {
      return 'contradicts'
    }
  }
  return adds ? 'adds' : 'same'
}

export interface Mark extends Range {
  readonly tenantId: number
  readonly deviceKey: number
}

/**
 * The hours that a batch changes although they have ended, as one mark for a device and run of neighbouring hours.
 * Rows come ordered by device and time.
 */
export function marksOf(rows: readonly Row[], now: number): Mark[] {
  const marks: Mark[] = []
  let open: { tenantId: number; deviceKey: number; from: number; to: number } | undefined
  for (const { tenantId, deviceKey, at } of rows) {
    const from = floorHour(at)
    if (from + HOUR_MS > now) continue
    if (open?.deviceKey === deviceKey && from <= open.to) {
      open.to = from + HOUR_MS
      continue
    }
    open = { tenantId, deviceKey, from, to: from + HOUR_MS }
    marks.push(open)
  }
  return marks
}
