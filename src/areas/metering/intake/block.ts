import { fromMillionths, isRegister, REGISTERS, toMillionths } from '../../../kernel/metrics.ts'
import {
  type Columns,
  type Sample,
  type SampleOutcome,
  type SampleValues,
  SET_ASIDE_REASONS,
  type SetAsideReason,
} from '../../../platform/ingest.ts'
import { VALUE_COLUMNS } from '../sample-columns.ts'

/** What becomes of a sample, as a small number: 0 while unknown; a reason is SET_ASIDE plus its place in the list. */
export const ACCEPTED = 1
export const DUPLICATE = 2
export const SET_ASIDE = 3
export const CONFLICT = SET_ASIDE + SET_ASIDE_REASONS.indexOf('conflicts_with_stored')
export const SEALED = SET_ASIDE + SET_ASIDE_REASONS.indexOf('sealed_month')

const places: ReadonlyMap<string, number> = new Map(VALUE_COLUMNS.map((name, place) => [name, place]))
/** The bit of a mask that says: there are extra values. */
export const EXTRA_BIT = 1 << VALUE_COLUMNS.length
const scratch = new Float64Array(VALUE_COLUMNS.length)
/** Values that a sample is reckoned to have. */
const VALUES_USUAL = 12

/** Few steps: an array that has become too small is copied. */
const GROWTH = 4

type Column = Int32Array | Float64Array | Uint8Array

function larger<C extends Column>(column: C): C {
  const grown = new (column.constructor as new (length: number) => C)(Math.max(16, column.length * GROWTH))
  grown.set(column)
  return grown
}

/**
 * Samples of one tenant, column by column, in the order in which they were added. As objects they are ten thousand small
 * things that live until the commit, and moving them about costs the collector more than all the rest of the way; here
 * it is a few arrays.
 */
export class SampleBlock {
  readonly tenantId: number
  count = 0
  /** The devices that occur; `deviceOf` points into it, `keys` runs beside it and is filled by the directory. */
  readonly deviceIds: string[] = []
  keys = new Int32Array(0)
  deviceOf: Int32Array
  at: Float64Array
  /** Which value columns a sample has, by bit, and whether it has extra values. */
  masks: Int32Array
  /** Where the values of a sample begin in `values`; registers in millionths, in the order of the columns. */
  valuesFrom: Int32Array
  private values: Float64Array
  private valuesTo = 0
  private readonly extras = new Map<number, SampleValues>()
  private readonly negative = new Set<number>()
  private readonly devices = new Map<string, number>()
  status: Uint8Array

  /** With room for so many samples; it grows when there are more. */
  constructor(tenantId: number, room: number) {
    this.tenantId = tenantId
    this.deviceOf = new Int32Array(room)
    this.at = new Float64Array(room)
    this.masks = new Int32Array(room)
    this.valuesFrom = new Int32Array(room)
    this.values = new Float64Array(room * VALUES_USUAL + VALUE_COLUMNS.length)
    this.status = new Uint8Array(room)
  }

  add({ deviceId, at, values }: Sample): void {
    this.keepValues(this.begun(deviceId, at), values)
  }

  addColumns(deviceId: string, at: number, { mask, values }: Columns): void {
    const index = this.begun(deviceId, at)
    if (this.valuesTo + VALUE_COLUMNS.length > this.values.length) this.values = larger(this.values)
    this.valuesFrom[index] = this.valuesTo
    this.masks[index] = mask
    for (let place = 0; place < VALUE_COLUMNS.length; place++) {
      if ((mask & (1 << place)) === 0) continue
      const value = values[place] ?? 0
      if (place >= REGISTERS.length) this.values[this.valuesTo++] = value
      else {
        this.values[this.valuesTo++] = toMillionths(value)
        if (value < 0) this.negative.add(index)
      }
    }
  }

  /** The index of one more sample. */
  private begun(deviceId: string, at: number): number {
    if (this.count === this.at.length) this.grow()
    const index = this.count
    this.count += 1
    this.deviceOf[index] = this.placeOf(deviceId)
    this.at[index] = at
    return index
  }

  /**
   * Begins an attempt to store the block: gives the devices their keys, and says which samples are kept but not taken as
   * data, whatever is stored already. A cumulative register never falls below zero: a negative one is a misread word, and
   * as a reading it would look like a reset.
   */
  begin(keys: ReadonlyMap<string, number>, doubtIn: (at: number) => SetAsideReason | undefined): void {
    this.keys = Int32Array.from(this.deviceIds, (id) => keys.get(id) ?? 0)
    for (let index = 0; index < this.count; index++) {
      const doubt =
        doubtIn(this.at[index] ?? 0) ?? (this.negative.has(index) ? 'negative_register' : undefined)
      this.status[index] = doubt ? SET_ASIDE + SET_ASIDE_REASONS.indexOf(doubt) : 0
    }
  }

  private placeOf(deviceId: string): number {
    const known = this.devices.get(deviceId)
    if (known !== undefined) return known
    this.devices.set(deviceId, this.deviceIds.length)
    return this.deviceIds.push(deviceId) - 1
  }

  private keepValues(index: number, sent: SampleValues): void {
    let mask = 0
    let extra: Record<string, number> | undefined
    for (const metric in sent) {
      const value = sent[metric] ?? 0
      const place = places.get(metric)
      if (place === undefined) {
        extra ??= {}
        extra[metric] = value
        continue
      }
      mask |= 1 << place
      if (place < REGISTERS.length) {
        scratch[place] = toMillionths(value)
        if (value < 0) this.negative.add(index)
      } else scratch[place] = value
    }
    this.valuesFrom[index] = this.valuesTo
    if (this.valuesTo + VALUE_COLUMNS.length > this.values.length) this.values = larger(this.values)
    for (let place = 0; place < VALUE_COLUMNS.length; place++) {
      if ((mask & (1 << place)) !== 0) this.values[this.valuesTo++] = scratch[place] ?? 0
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
    return this.keys[this.deviceOf[index] ?? 0] ?? 0
  }

  /** The value at a place of `values`. */
  value(place: number): number {
    return this.values[place] ?? 0
  }

  extraOf(index: number): SampleValues | undefined {
    return this.extras.get(index)
  }

  /** The values as they were sent; registers to six decimals. */
  valuesOf(index: number): SampleValues {
    const read: Record<string, number> = {}
    const mask = this.masks[index] ?? 0
    let from = this.valuesFrom[index] ?? 0
    for (const [place, metric] of VALUE_COLUMNS.entries()) {
      if ((mask & (1 << place)) === 0) continue
      const value = this.value(from++)
      read[metric] = isRegister(metric) ? fromMillionths(value) : value
    }
    return { ...read, ...this.extras.get(index) }
  }

  sampleAt(index: number): Sample {
    const deviceId = this.deviceIds[this.deviceOf[index] ?? 0] ?? ''
    return { deviceId, at: this.at[index] ?? 0, values: this.valuesOf(index) }
  }

  outcome(): SampleOutcome {
    let accepted = 0
    let duplicates = 0
    const setAside: { index: number; reason: SetAsideReason }[] = []
    for (let index = 0; index < this.count; index++) {
      const status = this.status[index] ?? 0
      const reason = SET_ASIDE_REASONS[status - SET_ASIDE]
      if (status === ACCEPTED) accepted += 1
      else if (status === DUPLICATE) duplicates += 1
      else if (reason) setAside.push({ index, reason })
    }
    return { accepted, duplicates, setAside }
  }
}

/** A stretch of a block: what one batch takes of it. */
export interface Part {
  readonly block: SampleBlock
  readonly from: number
  readonly to: number
  readonly size: number
}

/** The block in parts of at most so many samples. */
export function partsOf(block: SampleBlock, size: number): Part[] {
  const parts: Part[] = []
  for (let from = 0; from < block.count; from += size) {
    const to = Math.min(block.count, from + size)
    parts.push({ block, from, to, size: to - from })
  }
  return parts
}
