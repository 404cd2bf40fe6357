import { byteAt, floatAt, intAt } from '../../../kernel/checked.ts'
import { isRegister, toMillionths } from '../../../kernel/metrics.ts'
import { floorHour, HOUR_MS, type Range } from '../../../kernel/time.ts'
import type { SampleValues } from '../intake-contract/index.ts'
import { ACCEPTED, CONFLICT, DUPLICATE, type Part, type SampleBlock, SEALED, SET_ASIDE } from './block.ts'

/** A reference to one sample of a batch. */
export interface SampleRef {
  readonly block: SampleBlock
  readonly index: number
}

/**
 * The samples of a batch as rows: one row for a device and instant, ordered by device and time. The order is
 * the lock order of every batch, so two batches with the same rows wait for each other and never deadlock.
 * Samples are numbered by arrival; `order` lists them row by row, and row r is `order[rowFrom[r]]` up to
 * `order[rowFrom[r + 1]]`.
 */
export class Batch {
  readonly parts: readonly Part[]
  readonly rows: number
  private readonly blockOf: SampleBlock[] = []
  private readonly indexOf: Int32Array
  private readonly order: Int32Array
  private readonly rowFrom: Int32Array

  constructor(parts: readonly Part[]) {
    this.parts = parts
    const count = parts.reduce((sum, { size }) => sum + size, 0)
    this.indexOf = new Int32Array(count)
    for (const { block, from, to } of parts) {
      for (let index = from; index < to; index++) {
        this.indexOf[this.blockOf.length] = index
        this.blockOf.push(block)
      }
    }
    this.order = this.sortByDevice()
    this.rowFrom = new Int32Array(this.order.length + 1)
    this.rows = this.findRows()
  }

  /** The first sample of a row, which represents the row where it is the only one. */
  first(row: number): SampleRef {
    return this.ref(this.firstNo(row))
  }

  blockAt(row: number): SampleBlock {
    return this.blockOfSample(this.firstNo(row))
  }

  indexAt(row: number): number {
    return intAt(this.indexOf, this.firstNo(row))
  }

  /** The instant of a row, epoch milliseconds. */
  atRow(row: number): number {
    return this.atOf(this.firstNo(row))
  }

  /** Whether a row is of an instant before the given one. */
  hasBefore(at: number): boolean {
    for (let row = 0; row < this.rows; row++) if (this.atRow(row) < at) return true
    return false
  }

  /** Whether a row consists of a single sample. */
  isSingle(row: number): boolean {
    return intAt(this.rowFrom, row + 1) - intAt(this.rowFrom, row) === 1
  }

  /** The samples of a row in order of arrival. */
  samplesOf(row: number): SampleRef[] {
    const samples = this.order.subarray(intAt(this.rowFrom, row), intAt(this.rowFrom, row + 1))
    return Array.from(samples, (no) => this.ref(no))
  }

  /** The samples with a reason to be quarantined. */
  quarantined(): SampleRef[] {
    const refs: SampleRef[] = []
    for (let no = 0; no < this.blockOf.length; no++)
      if (this.statusOf(no) >= SET_ASIDE) refs.push(this.ref(no))
    return refs
  }

  private firstNo(row: number): number {
    return intAt(this.order, intAt(this.rowFrom, row))
  }

  private ref(no: number): SampleRef {
    return { block: this.blockOfSample(no), index: intAt(this.indexOf, no) }
  }

  private blockOfSample(no: number): SampleBlock {
    const block = this.blockOf[no]
    if (!block) throw new RangeError(`no sample ${no} in a batch of ${this.blockOf.length}`)
    return block
  }

  private keyOf(no: number): number {
    return this.blockOfSample(no).keyOf(intAt(this.indexOf, no))
  }

  private atOf(no: number): number {
    return floatAt(this.blockOfSample(no).at, intAt(this.indexOf, no))
  }

  private statusOf(no: number): number {
    return byteAt(this.blockOfSample(no).status, intAt(this.indexOf, no))
  }

  /**
   * True when a sample may be data. A status that an earlier attempt derived from the stored rows (CONFLICT,
   * SEALED) says nothing about the sample itself, so it does not count.
   */
  private isData(no: number): boolean {
    const status = this.statusOf(no)
    return status < SET_ASIDE || status === CONFLICT || status === SEALED
  }

  /**
   * Returns the valid samples by device, then by time. It uses a counting sort, because most samples arrive
   * in order.
   */
  private sortByDevice(): Int32Array {
    const counts = new Map<number, number>()
    let total = 0
    for (let no = 0; no < this.blockOf.length; no++) {
      if (!this.isData(no)) continue
      const key = this.keyOf(no)
      counts.set(key, (counts.get(key) ?? 0) + 1)
      total += 1
    }
    const next = new Map<number, number>()
    let from = 0
    for (const [key, count] of [...counts].sort(([a], [b]) => a - b)) {
      next.set(key, from)
      from += count
    }
    const order = new Int32Array(total)
    for (let no = 0; no < this.blockOf.length; no++) {
      if (!this.isData(no)) continue
      const key = this.keyOf(no)
      const to = next.get(key) as number
      order[to] = no
      next.set(key, to + 1)
    }
    for (const [key, count] of counts) {
      const to = next.get(key) as number
      this.sortByTime(order.subarray(to - count, to))
    }
    return order
  }

  private sortByTime(samples: Int32Array): void {
    for (let index = 1; index < samples.length; index++) {
      if (this.atOf(intAt(samples, index - 1)) <= this.atOf(intAt(samples, index))) continue
      samples.sort((a, b) => this.atOf(a) - this.atOf(b) || a - b)
      return
    }
  }

  /** Finds the rows and fills the status of their samples as if nothing were stored yet. */
  private findRows(): number {
    let rows = 0
    for (let from = 0; from < this.order.length; ) {
      const no = intAt(this.order, from)
      let to = from + 1
      while (to < this.order.length && this.isSameRow(no, intAt(this.order, to))) to += 1
      this.rowFrom[rows] = from
      this.rowFrom[rows + 1] = to
      if (to === from + 1) this.accept(no)
      else fold(undefined, this.samplesOf(rows))
      rows += 1
      from = to
    }
    return rows
  }

  private isSameRow(a: number, b: number): boolean {
    return this.atOf(a) === this.atOf(b) && this.keyOf(a) === this.keyOf(b)
  }

  private accept(no: number): void {
    this.blockOfSample(no).status[intAt(this.indexOf, no)] = ACCEPTED
  }
}

/**
 * Merges samples of one device and instant into the stored row, in order of arrival, and fills their status.
 * A sample that contradicts a single stored value is quarantined as a whole, because it is unknown which of
 * its values are correct.
 */
export function fold(
  stored: SampleValues | undefined,
  samples: readonly SampleRef[],
): { values: SampleValues; isChanged: boolean } {
  let values = stored
  let isChanged = false
  for (const { block, index } of samples) {
    const sent = block.valuesOf(index)
    const relation = values === undefined ? ACCEPTED : compare(values, sent)
    if (relation === ACCEPTED) {
      values = { ...values, ...sent }
      isChanged = true
    }
    block.status[index] = relation
  }
  return { values: values ?? {}, isChanged }
}

function compare(stored: SampleValues, sent: SampleValues): number {
  let relation = DUPLICATE
  for (const metric in sent) {
    const known = stored[metric]
    const value = sent[metric] as number
    if (known === undefined) relation = ACCEPTED
    else if (known !== value && !(isRegister(metric) && toMillionths(known) === toMillionths(value))) {
      return CONFLICT
    }
  }
  return relation
}

export interface Mark extends Range {
  readonly tenantId: number
  readonly deviceKey: number
}

/**
 * Returns the ended hours that rows of a batch change, as one mark for a device and a run of neighbouring
 * hours. The rows are in ascending order.
 */
export function marksOf(batch: Batch, rows: Iterable<number>, now: number): Mark[] {
  const marks: Mark[] = []
  let open: { tenantId: number; deviceKey: number; from: number; to: number } | undefined
  for (const row of rows) {
    const from = floorHour(batch.atRow(row))
    if (from + HOUR_MS > now) continue
    const block = batch.blockAt(row)
    const deviceKey = block.keyOf(batch.indexAt(row))
    if (open?.deviceKey === deviceKey && from <= open.to) {
      open.to = from + HOUR_MS
      continue
    }
    open = { tenantId: block.tenantId, deviceKey, from, to: from + HOUR_MS }
    marks.push(open)
  }
  return marks
}

/** A device and the first instant from which its samples have changed. */
export interface Arrival {
  readonly tenantId: number
  readonly deviceKey: number
  readonly from: number
}

/** Returns the first changed instant of each device. The rows are in ascending order by device and time. */
export function arrivalsOf(batch: Batch, rows: Iterable<number>): Arrival[] {
  const arrivals: Arrival[] = []
  let known: number | undefined
  for (const row of rows) {
    const block = batch.blockAt(row)
    const deviceKey = block.keyOf(batch.indexAt(row))
    if (deviceKey === known) continue
    known = deviceKey
    arrivals.push({ tenantId: block.tenantId, deviceKey, from: batch.atRow(row) })
  }
  return arrivals
}
