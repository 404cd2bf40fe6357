import { fromMillionths, isRegister, REGISTERS, toMillionths } from '../../kernel/metrics.ts'
import {
  type Sample,
  type SampleOutcome,
  type SampleValues,
  SET_ASIDE_REASONS,
  type SetAsideReason,
} from '../../platform/ingest.ts'
import { VALUE_COLUMNS } from './sample-columns.ts'

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

/**
 * Samples of one request, column by column. A full request as objects is ten thousand small things that live until
 * the commit, and moving them about costs the collector more than all the rest of the way; here it is a few arrays.
 */
export class SampleBlock {
  readonly tenantId: number
  readonly count: number
  /** The devices that occur; `deviceOf` points into it, `keys` runs beside it and is filled by the directory. */
  readonly deviceIds: readonly string[]
  readonly keys: Int32Array
  readonly deviceOf: Int32Array
  readonly at: Float64Array
  /** Which value columns a sample has, by bit, and whether it has extra values. */
  readonly masks: Int32Array
  /** Where the values of a sample begin in `values`; registers in millionths, in the order of the columns. */
  readonly valuesFrom: Int32Array
  private values: Float64Array
  private valuesTo = 0
  private readonly extras = new Map<number, SampleValues>()
  readonly status: Uint8Array

  constructor(
    tenantId: number,
    samples: readonly Sample[],
    doubtIn: (sample: Sample) => SetAsideReason | undefined,
  ) {
    this.tenantId = tenantId
    this.count = samples.length
    this.deviceOf = new Int32Array(this.count)
    this.at = new Float64Array(this.count)
    this.masks = new Int32Array(this.count)
    this.valuesFrom = new Int32Array(this.count)
    this.values = new Float64Array(this.count * 12 + VALUE_COLUMNS.length)
    this.status = new Uint8Array(this.count)
    const devices = new Map<string, number>()
    for (let index = 0; index < samples.length; index++) {
      const sample = samples[index]
      if (!sample) continue
      let device = devices.get(sample.deviceId)
      if (device === undefined) {
        device = devices.size
        devices.set(sample.deviceId, device)
      }
      this.deviceOf[index] = device
      this.at[index] = sample.at
      const doubt = doubtIn(sample)
      if (doubt) this.status[index] = SET_ASIDE + SET_ASIDE_REASONS.indexOf(doubt)
      this.keepValues(index, sample.values)
    }
    this.deviceIds = [...devices.keys()]
    this.keys = new Int32Array(this.deviceIds.length)
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
      } else {
        mask |= 1 << place
        scratch[place] = place < REGISTERS.length ? toMillionths(value) : value
      }
    }
    this.valuesFrom[index] = this.valuesTo
    if (this.valuesTo + VALUE_COLUMNS.length > this.values.length) this.growValues()
    for (let place = 0; place < VALUE_COLUMNS.length; place++) {
      if ((mask & (1 << place)) !== 0) this.values[this.valuesTo++] = scratch[place] ?? 0
    }
    if (extra) {
      this.extras.set(index, extra)
      mask |= EXTRA_BIT
    }
    this.masks[index] = mask
  }

  private growValues(): void {
    const larger = new Float64Array(this.values.length * 2)
    larger.set(this.values)
    this.values = larger
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

  outcome(): SampleOutcome {
    let accepted = 0
    let duplicates = 0
    const setAside: { index: number; reason: SetAsideReason }[] = []
    for (const [index, status] of this.status.entries()) {
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
