/**
 * Decodes the usual body of `POST /api/measurements` from its bytes into columns, without objects and almost without
 * strings.
 *
 * How. The samples of a body are the same text with other devices, instants and numbers. The layout of a sample (the
 * pieces of text between these slots) is found by a strict walk over the first one; each further sample is compared
 * with it piece by piece, and the slots are parsed where they stand. A sample that matches no layout is walked over
 * itself. A layout lives as long as its body.
 *
 * When. `decodeSampleBytes` returns undefined, and the body is parsed as JSON and checked by `decode.ts`, unless it
 * consists of nothing but samples within the limits, with the three known properties, names without escapes and metrics
 * that have a column. So a doubt costs time and never changes a result or an error; a property test compares both ways.
 */

import { SAMPLES_PER_REQUEST_MAX } from '../../../kernel/limits.ts'
import { REGISTER_MAX, REGISTERS, VALUE_MAX } from '../../../kernel/metrics.ts'
import { plainInstant } from '../../../kernel/time.ts'
import { LOWER_CASE_UUID } from '../../../kernel/uuid.ts'
import { NO, NumberReader, passString } from '../../../platform/http/json-bytes.ts'
import { timestampOf } from './decode.ts'
import { DecodedSamples } from './decoded-samples.ts'
import { SAMPLE_LAYOUTS_MAX } from './limits.ts'
import {
  ARRAY,
  ARRAY_END,
  COLON,
  COMMA,
  DEVICE,
  findLayout,
  isSpace,
  type Layout,
  OBJECT,
  OBJECT_END,
  QUOTE,
} from './sample-layout.ts'

/** The length of a UUID. */
const ID_BYTES = 36

export function decodeSampleBytes(body: Buffer): DecodedSamples | undefined {
  return new BodyDecoder(body).run()
}

class BodyDecoder {
  private readonly bytes: Buffer
  private readonly view: DataView
  private readonly numbers = new NumberReader()
  private readonly layouts: Layout[] = []
  private readonly samples = new DecodedSamples()
  private readonly deviceIndexes = new Map<string, number>()
  /** Where the id of each device stands for the first time. */
  private readonly deviceFrom: number[] = []
  /** The device of the last sample. */
  private lastDevice = 0
  private instantFrom = 0
  private instantTo = 0
  private instant = Number.NaN

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  run(): DecodedSamples | undefined {
    let at = this.open()
    while (at !== NO) {
      if (this.samples.count === SAMPLES_PER_REQUEST_MAX) return undefined
      at = this.sample(at)
      if (at === NO) return undefined
      at = this.space(at)
      if (this.bytes[at] !== COMMA) return this.isEnd(at) ? this.samples : undefined
      at = this.space(at + 1)
    }
    return undefined
  }

  /** Passes `{"samples": [`. */
  private open(): number {
    const { bytes } = this
    let at = this.byte(0, OBJECT)
    const end = at === NO || bytes[at] !== QUOTE ? NO : passString(bytes, at + 1)
    if (end === NO || bytes.toString('latin1', at + 1, end) !== 'samples') return NO
    at = this.byte(end + 1, COLON)
    return at === NO ? NO : this.byte(at, ARRAY)
  }

  /** Whether the list, the document and the body end here. */
  private isEnd(start: number): boolean {
    const at = this.byte(start, ARRAY_END)
    return at !== NO && this.byte(at, OBJECT_END) === this.bytes.length
  }

  /** Passes a byte and the space around it. */
  private byte(start: number, byte: number): number {
    const at = this.space(start)
    return this.bytes[at] === byte ? this.space(at + 1) : NO
  }

  private space(start: number): number {
    let at = start
    while (at < this.bytes.length && isSpace(this.bytes[at] ?? 0)) at += 1
    return at
  }

  private sample(at: number): number {
    const { layouts } = this
    for (let no = 0; no < layouts.length; no++) {
      const layout = layouts[no]
      const end = layout ? this.read(layout, at) : NO
      if (end === NO) continue
      // The layouts that match most often move to the front.
      if (no > 0 && layout) layouts.splice(no - 1, 2, layout, layouts[no - 1] ?? layout)
      return end
    }
    if (layouts.length === SAMPLE_LAYOUTS_MAX) return NO
    const layout = findLayout(this.bytes, at)
    if (!layout) return NO
    layouts.push(layout)
    // The other samples are about as long as the first one.
    if (layouts.length === 1) this.samples.reserve(this.roomFor(layout), layout.values)
    return this.read(layout, at)
  }

  private roomFor({ from, to }: Layout): number {
    return Math.min(SAMPLES_PER_REQUEST_MAX, Math.ceil((this.bytes.length - from) / (to - from)))
  }

  /** Reads a sample of a layout into the columns; NO when its text is another. */
  private read(layout: Layout, start: number): number {
    const { samples } = this
    const { kinds, slotsFrom, slotsTo, valueIndexes } = layout
    samples.begin(layout.values)
    let at = start
    let known = layout.from
    for (let slot = 0; slot < kinds.length; slot++) {
      const length = (slotsFrom[slot] ?? 0) - known
      if (!this.isSame(at, known, length)) return NO
      at += length
      const kind = kinds[slot] ?? 0
      if (kind >= 0) at = this.value(kind, at, samples.valuesTo + (valueIndexes[slot] ?? 0))
      else at = kind === DEVICE ? this.device(at) : this.time(at)
      if (at === NO) return NO
      known = slotsTo[slot] ?? 0
    }
    const length = layout.to - known
    if (!this.isSame(at, known, length)) return NO
    samples.end(layout.mask, layout.values)
    return at + length
  }

  /** Whether the text at one offset is that at another one, compared four bytes at a time. */
  private isSame(start: number, knownFrom: number, length: number): boolean {
    const { bytes, view } = this
    const end = start + length
    if (end > bytes.length) return false
    let at = start
    let known = knownFrom
    for (; at + 4 <= end; at += 4, known += 4) if (view.getInt32(at) !== view.getInt32(known)) return false
    for (; at < end; at++, known++) if (bytes[at] !== bytes[known]) return false
    return true
  }

  private value(kind: number, at: number, index: number): number {
    const end = this.numbers.passAny(this.bytes, at)
    const { value } = this.numbers
    if (!(Math.abs(value) <= (kind < REGISTERS.length ? REGISTER_MAX : VALUE_MAX))) return NO
    this.samples.values[index] = value
    return end
  }

  private device(at: number): number {
    const end = at + ID_BYTES
    if (end > this.bytes.length) return NO
    // The devices of a body usually repeat, one by one or in their first order, so that their ids need no look-up.
    const { lastDevice, deviceFrom } = this
    const next = lastDevice + 1 < deviceFrom.length ? lastDevice + 1 : 0
    if (this.isDevice(next, at)) this.lastDevice = next
    else if (!this.isDevice(lastDevice, at)) {
      const found = this.findDevice(at)
      if (found === undefined) return NO
      this.lastDevice = found
    }
    this.samples.deviceOf[this.samples.count] = this.lastDevice
    return end
  }

  private isDevice(device: number, at: number): boolean {
    const from = this.deviceFrom[device]
    return from !== undefined && this.isSame(at, from, ID_BYTES)
  }

  private findDevice(at: number): number | undefined {
    const id = this.bytes.toString('latin1', at, at + ID_BYTES)
    const known = this.deviceIndexes.get(id)
    if (known !== undefined) return known
    if (!LOWER_CASE_UUID.test(id)) return undefined
    const added = this.samples.addDevice(id)
    this.deviceIndexes.set(id, added)
    this.deviceFrom.push(at)
    return added
  }

  private time(at: number): number {
    const { bytes } = this
    let instant = this.instant
    const length = this.instantTo - this.instantFrom
    let end = at + length
    // The samples of a reading often have the same instant. A longer text differs at the quote that has to follow.
    if (Number.isNaN(instant) || !this.isSame(at, this.instantFrom, length)) {
      end = passString(bytes, at)
      if (end === NO) return NO
      instant = plainInstant(bytes, at, end)
      if (Number.isNaN(instant)) instant = timestampOf(bytes.toString('utf8', at, end)) ?? Number.NaN
      if (Number.isNaN(instant)) return NO
      this.instantFrom = at
      this.instantTo = end
      this.instant = instant
    }
    this.samples.at[this.samples.count] = instant
    return end
  }
}
