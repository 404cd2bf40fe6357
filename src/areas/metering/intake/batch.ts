import { isRegister, toMillionths } from '../../../kernel/metrics.ts'
import { floorHour, HOUR_MS, type Range } from '../../../kernel/time.ts'
import type { SampleValues } from '../../../platform/ingest.ts'
import { ACCEPTED, CONFLICT, DUPLICATE, type Part, type SampleBlock, SEALED, SET_ASIDE } from './block.ts'

/** One sample of a batch. */
export interface Place {
  readonly block: SampleBlock
  readonly index: number
}

/**
 * A batch, gathered: one row for a device and instant, ordered by device and time. The order is the same in every
 * batch, so that two that meet wait for each other and never in a circle. Samples are numbered as they came; `order`
 * lists them row by row, and row r is `order[rowFrom[r]]` up to `order[rowFrom[r + 1]]`.
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

  /** The first sample of a row, which stands for it where it is alone. */
  first(row: number): Place {
    return this.place(this.order[this.rowFrom[row] ?? 0] ?? 0)
  }

  blockAt(row: number): SampleBlock {
    return this.blockOfSample(this.order[this.rowFrom[row] ?? 0] ?? 0)
  }

  indexAt(row: number): number {
    return this.indexOf[this.order[this.rowFrom[row] ?? 0] ?? 0] ?? 0
  }

  atRow(row: number): number {
    return this.atOf(this.order[this.rowFrom[row] ?? 0] ?? 0)
  }

  isAlone(row: number): boolean {
    return (this.rowFrom[row + 1] ?? 0) - (this.rowFrom[row] ?? 0) === 1
  }

  /** The samples of a row in order of arrival. */
  places(row: number): Place[] {
    return Array.from(this.order.subarray(this.rowFrom[row], this.rowFrom[row + 1]), (no) => this.place(no))
  }

  /** Every sample with a reason to be kept aside. */
  asides(): Place[] {
    const asides: Place[] = []
    for (let no = 0; no < this.blockOf.length; no++) {
      const place = this.place(no)
      if ((place.block.status[place.index] ?? 0) >= SET_ASIDE) asides.push(place)
    }
    return asides
  }

  private place(no: number): Place {
    return { block: this.blockOfSample(no), index: this.indexOf[no] ?? 0 }
  }

  private blockOfSample(no: number): SampleBlock {
    const block = this.blockOf[no]
    if (!block) throw new RangeError('no such sample in the batch')
    return block
  }

  private keyOf(no: number): number {
    return this.blockOf[no]?.keyOf(this.indexOf[no] ?? 0) ?? 0
  }

  private atOf(no: number): number {
    return this.blockOf[no]?.at[this.indexOf[no] ?? 0] ?? 0
  }

  /** What an earlier attempt to store the batch has met in the store is not a doubt about the sample itself. */
  private isData(no: number): boolean {
    const status = this.blockOf[no]?.status[this.indexOf[no] ?? 0] ?? 0
    return status < SET_ASIDE || status === CONFLICT || status === SEALED
  }

  /** Samples that may be data, by device, then by time: counted into place, since most come in order already. */
  private sortByDevice(): Int32Array {
    const counts = new Map<number, number>()
    let total = 0
    for (let no = 0; no < this.blockOf.length; no++) {
      if (!this.isData(no)) continue
      const key = this.keyOf(no)
      counts.set(key, (counts.get(key) ?? 0) + 1)
      total += 1
    }
    const keys = Int32Array.from(counts.keys()).sort()
    const next = new Map<number, number>()
    let from = 0
    for (const key of keys) {
      next.set(key, from)
      from += counts.get(key) ?? 0
    }
    const order = new Int32Array(total)
    for (let no = 0; no < this.blockOf.length; no++) {
      if (!this.isData(no)) continue
      const key = this.keyOf(no)
      const to = next.get(key) ?? 0
      order[to] = no
      next.set(key, to + 1)
    }
    for (const key of keys) {
      const to = next.get(key) ?? 0
      this.sortByTime(order.subarray(to - (counts.get(key) ?? 0), to))
    }
    return order
  }

  private sortByTime(samples: Int32Array): void {
    for (let at = 1; at < samples.length; at++) {
      if (this.atOf(samples[at - 1] ?? 0) <= this.atOf(samples[at] ?? 0)) continue
      samples.sort((a, b) => this.atOf(a) - this.atOf(b) || a - b)
      return
    }
  }

  /** Finds the rows and fills the status of their samples as if nothing were stored yet. */
  private findRows(): number {
    let rows = 0
    for (let from = 0; from < this.order.length; ) {
      const no = this.order[from] ?? 0
      let to = from + 1
      while (to < this.order.length && this.isSameRow(no, this.order[to] ?? 0)) to += 1
      this.rowFrom[rows] = from
      this.rowFrom[rows + 1] = to
      if (to === from + 1) this.accept(no)
      else fold(undefined, this.places(rows))
      rows += 1
      from = to
    }
    return rows
  }

  private isSameRow(a: number, b: number): boolean {
    return this.atOf(a) === this.atOf(b) && this.keyOf(a) === this.keyOf(b)
  }

  private accept(no: number): void {
    const status = this.blockOf[no]?.status
    if (status) status[this.indexOf[no] ?? 0] = ACCEPTED
  }
}

/**
 * Adds samples of one device and instant to what is stored, in order of arrival, and fills their status. A sample
 * that contradicts a single value is kept aside whole: which of its values to believe is not ours to guess.
 */
export function fold(
  stored: SampleValues | undefined,
  samples: readonly Place[],
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
    const value = sent[metric] ?? 0
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
 * The hours that rows of a batch change although they have ended, as one mark for a device and run of neighbouring
 * hours. The rows ascend.
 */
export function marksOf(batch: Batch, rows: Iterable<number>, now: number): Mark[] {
  const marks: Mark[] = []
  let open: { tenantId: number; deviceKey: number; from: number; to: number } | undefined
  for (const row of rows) {
    const { block, index } = batch.first(row)
    const from = floorHour(block.at[index] ?? 0)
    if (from + HOUR_MS > now) continue
    const deviceKey = block.keyOf(index)
    if (open?.deviceKey === deviceKey && from <= open.to) {
      open.to = from + HOUR_MS
      continue
    }
    open = { tenantId: block.tenantId, deviceKey, from, to: from + HOUR_MS }
    marks.push(open)
  }
  return marks
}

/** A device whose samples from an instant on have changed. */
export interface Arrival {
  readonly tenantId: number
  readonly deviceKey: number
  readonly from: number
}

/** The first changed instant of each device. The rows ascend by device and time. */
export function arrivalsOf(batch: Batch, rows: Iterable<number>): Arrival[] {
  const arrivals: Arrival[] = []
  let known: number | undefined
  for (const row of rows) {
    const { block, index } = batch.first(row)
    const deviceKey = block.keyOf(index)
    if (deviceKey === known) continue
    known = deviceKey
    arrivals.push({ tenantId: block.tenantId, deviceKey, from: batch.atRow(row) })
  }
  return arrivals
}
