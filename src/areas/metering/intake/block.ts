import { byteAt, floatAt, intAt, outOfRange } from '../../../kernel/checked.ts'
import { SAMPLE_EPOCH_FLOOR_MS, SAMPLE_FUTURE_MAX_MS } from '../../../kernel/limits.ts'
import { fromMillionths, isRegister, REGISTERS, toMillionths } from '../../../kernel/metrics.ts'
import {
  type Columns,
  type Sample,
  type SampleOutcome,
  type SampleSink,
  type SampleValues,
  SET_ASIDE_REASONS,
  type SetAsideReason,
} from '../intake-contract/index.ts'
import { VALUE_COLUMNS } from '../sample-columns.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'measurement.extra': SampleValues
  }
}

/**
 * The status of a sample: 0 until its batch is stored; a reason is SET_ASIDE plus its index in
 * SET_ASIDE_REASONS.
 */
export const ACCEPTED = 1
export const DUPLICATE = 2
export const SET_ASIDE = 3
const statusOf = (reason: SetAsideReason): number => SET_ASIDE + SET_ASIDE_REASONS.indexOf(reason)
export const CONFLICT = statusOf('conflicts_with_stored')
export const SEALED = statusOf('sealed_month')
const FUTURE = statusOf('future_timestamp')
const EPOCH = statusOf('epoch_timestamp')
const NEGATIVE = statusOf('negative_register')

/** The status of a new sample by its time alone: set aside when the time cannot be right, otherwise 0. */
function statusByTime(at: number, now: number): number {
  if (at > now + SAMPLE_FUTURE_MAX_MS) return FUTURE
  return at < SAMPLE_EPOCH_FLOOR_MS ? EPOCH : 0
}

const columnIndexes: ReadonlyMap<string, number> = new Map(VALUE_COLUMNS.map((name, index) => [name, index]))
/** The bit of a mask that stands for extra values. */
export const EXTRA_BIT = 1 << VALUE_COLUMNS.length
const scratch = new Float64Array(VALUE_COLUMNS.length)
/** Values per sample for which a new block reserves memory. */
const VALUES_USUAL = 12

/** The bits of the registers, which are the first columns. */
const REGISTER_BITS = (1 << REGISTERS.length) - 1

/** The columns of a block; `valuesFrom` is ascending and without gaps. */
interface CompleteColumns {
  readonly count: number
  readonly deviceIds: string[]
  readonly deviceKeys: number[]
  readonly deviceOf: Int32Array
  readonly at: Float64Array
  readonly masks: Int32Array
  readonly valuesFrom: Int32Array
  readonly values: Float64Array
}

/** Columns grow by this factor: a large factor means few copies. */
const GROWTH = 4

type Column = Int32Array | Float64Array | Uint8Array

export function larger<C extends Column>(column: C, length = Math.max(16, column.length * GROWTH)): C {
  const grown = new (column.constructor as new (length: number) => C)(length)
  grown.set(column)
  return grown
}

/**
 * Samples of one tenant as columns, in the order of arrival; a block implements the sink that senders write
 * to.
 *
 * Ten thousand samples as objects would live until the commit, and the garbage collector would need more time
 * for them than all other work on the path together. As columns they are a few arrays.
 *
 * A sample is checked against the clock and the registers when it is added: a time that cannot be right and a
 * negative cumulative register (a misread word, which as a reading would look like a reset) set it aside,
 * regardless of the stored rows.
 */
export class SampleBlock implements SampleSink {
  readonly tenantId: number
  count = 0
  /** The devices that occur, and their short keys; `deviceOf` is an index into both. */
  deviceIds: string[] = []
  deviceKeys: number[] = []
  deviceOf: Int32Array
  /** Epoch milliseconds. */
  at: Float64Array
  /** The value columns that a sample has, one bit each, and EXTRA_BIT. */
  masks: Int32Array
  /**
   * The index in `values` at which the values of a sample begin, in the order of the columns; registers in
   * millionths.
   */
  valuesFrom: Int32Array
  private values: Float64Array
  private valuesTo = 0
  private readonly extras = new Map<number, SampleValues>()
  private readonly devices = new Map<string, number>()
  status: Uint8Array
  /** Epoch milliseconds: the time against which samples are checked when they are added. */
  now = 0

  /** Reserves memory for `room` samples and grows beyond. */
  constructor(tenantId: number, room: number) {
    this.tenantId = tenantId
    this.deviceOf = new Int32Array(room)
    this.at = new Float64Array(room)
    this.masks = new Int32Array(room)
    this.valuesFrom = new Int32Array(room)
    this.values = new Float64Array(room * VALUES_USUAL + VALUE_COLUMNS.length)
    this.status = new Uint8Array(room)
  }

  /**
   * A block of columns that are complete, which it takes over; the registers are not in millionths yet. Nothing can be
   * added to it.
   */
  static of(tenantId: number, now: number, columns: CompleteColumns): SampleBlock {
    const block = new SampleBlock(tenantId, 0)
    block.now = now
    block.count = columns.count
    block.deviceIds = columns.deviceIds
    block.deviceKeys = columns.deviceKeys
    block.deviceOf = columns.deviceOf
    block.at = columns.at
    block.masks = columns.masks
    block.valuesFrom = columns.valuesFrom
    block.values = columns.values
    block.status = new Uint8Array(columns.count)
    for (let index = 0; index < block.count; index++) block.check(index)
    return block
  }

  /** Fills the status of a sample, and converts its registers to millionths. */
  private check(index: number): void {
    this.status[index] = statusByTime(floatAt(this.at, index), this.now)
    let at = intAt(this.valuesFrom, index)
    for (let rest = intAt(this.masks, index) & REGISTER_BITS; rest !== 0; rest &= rest - 1) {
      const value = floatAt(this.values, at)
      if (value < 0) this.setAsideAsNegative(index)
      this.values[at++] = toMillionths(value)
    }
  }

  add({ deviceId, at, values }: Sample, deviceKey: number): void {
    this.addValues(this.begin(deviceId, deviceKey, at), values)
  }

  addColumns(deviceId: string, deviceKey: number, at: number, { mask, values }: Columns): void {
    const index = this.begin(deviceId, deviceKey, at)
    if (this.valuesTo + VALUE_COLUMNS.length > this.values.length) this.values = larger(this.values)
    this.valuesFrom[index] = this.valuesTo
    this.masks[index] = mask
    for (let column = 0; column < VALUE_COLUMNS.length; column++) {
      if ((mask & (1 << column)) === 0) continue
      const value = floatAt(values, column)
      if (column >= REGISTERS.length) this.values[this.valuesTo++] = value
      else {
        this.values[this.valuesTo++] = toMillionths(value)
        if (value < 0) this.setAsideAsNegative(index)
      }
    }
  }

  /** Returns the index of the new sample. */
  private begin(deviceId: string, deviceKey: number, at: number): number {
    if (this.count === this.at.length) this.grow()
    const index = this.count
    this.count += 1
    this.deviceOf[index] = this.deviceIndexOf(deviceId, deviceKey)
    this.at[index] = at
    this.status[index] = statusByTime(at, this.now)
    return index
  }

  /** Sets a sample with a negative register aside, unless its time has already set it aside. */
  private setAsideAsNegative(index: number): void {
    if (this.status[index] === 0) this.status[index] = NEGATIVE
  }

  private deviceIndexOf(deviceId: string, deviceKey: number): number {
    const known = this.devices.get(deviceId)
    if (known !== undefined) return known
    this.devices.set(deviceId, this.deviceIds.length)
    this.deviceKeys.push(deviceKey)
    return this.deviceIds.push(deviceId) - 1
  }

  private addValues(index: number, sent: SampleValues): void {
    let mask = 0
    let extra: Record<string, number> | undefined
    for (const metric in sent) {
      const value = sent[metric] as number
      const column = columnIndexes.get(metric)
      if (column === undefined) {
        extra ??= {}
        extra[metric] = value
        continue
      }
      mask |= 1 << column
      if (column < REGISTERS.length) {
        scratch[column] = toMillionths(value)
        if (value < 0) this.setAsideAsNegative(index)
      } else scratch[column] = value
    }
    this.valuesFrom[index] = this.valuesTo
    if (this.valuesTo + VALUE_COLUMNS.length > this.values.length) this.values = larger(this.values)
    for (let column = 0; column < VALUE_COLUMNS.length; column++) {
      if ((mask & (1 << column)) !== 0) this.values[this.valuesTo++] = floatAt(scratch, column)
    }
    if (extra) {
      this.extras.set(index, extra)
      mask |= EXTRA_BIT
    }
    this.masks[index] = mask
  }

  private grow(): void {
    this.deviceOf = larger(this.deviceOf)
    this.at = larger(this.at)
    this.masks = larger(this.masks)
    this.valuesFrom = larger(this.valuesFrom)
    this.status = larger(this.status)
  }

  keyOf(index: number): number {
    return this.deviceKeys[intAt(this.deviceOf, index)] ?? outOfRange(this.deviceKeys, index)
  }

  deviceIdOf(index: number): string {
    return this.deviceIds[intAt(this.deviceOf, index)] ?? outOfRange(this.deviceIds, index)
  }

  /** An element of `values`. */
  value(index: number): number {
    return floatAt(this.values, index)
  }

  extraOf(index: number): SampleValues | undefined {
    return this.extras.get(index)
  }

  /** Returns the values as they were sent; registers are rounded to six decimals. */
  valuesOf(index: number): SampleValues {
    const read: Record<string, number> = {}
    const mask = intAt(this.masks, index)
    let from = intAt(this.valuesFrom, index)
    for (const [column, metric] of VALUE_COLUMNS.entries()) {
      if ((mask & (1 << column)) === 0) continue
      const value = this.value(from++)
      read[metric] = isRegister(metric) ? fromMillionths(value) : value
    }
    return { ...read, ...this.extras.get(index) }
  }

  sampleAt(index: number): Sample {
    return { deviceId: this.deviceIdOf(index), at: floatAt(this.at, index), values: this.valuesOf(index) }
  }

  /** Returns the outcome of the samples of a range; the indexes in `setAside` are relative to its start. */
  outcome(from: number, to: number): SampleOutcome {
    let accepted = 0
    let duplicates = 0
    const setAside: { index: number; reason: SetAsideReason }[] = []
    for (let index = from; index < to; index++) {
      const status = byteAt(this.status, index)
      const reason = SET_ASIDE_REASONS[status - SET_ASIDE]
      if (status === ACCEPTED) accepted += 1
      else if (status === DUPLICATE) duplicates += 1
      else if (reason) setAside.push({ index: index - from, reason })
    }
    return { accepted, duplicates, setAside }
  }
}

/** A range of a block; `size` is its number of samples. */
export interface Part {
  readonly block: SampleBlock
  readonly from: number
  readonly to: number
  readonly size: number
}
