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
import { METRICS, REGISTER_MAX, REGISTERS, VALUE_MAX } from '../../../kernel/metrics.ts'
import { plainInstant } from '../../../kernel/time.ts'
import { LOWER_CASE_UUID } from '../../../kernel/uuid.ts'
import { NO, NumberReader, passString } from '../../../platform/http/json-bytes.ts'
import { SampleColumns } from './block.ts'
import { timestampOf } from './decode.ts'
import { SAMPLE_LAYOUTS_MAX } from './limits.ts'

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a]
const [OBJECT, OBJECT_END, ARRAY, ARRAY_END] = [0x7b, 0x7d, 0x5b, 0x5d]
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

const METRIC_INDEXES: ReadonlyMap<string, number> = new Map(METRICS.map((metric, index) => [metric, index]))
/** The kinds of slots that are no values; the kind of a value is its index in METRICS. */
const [DEVICE, INSTANT] = [-1, -2]
/** The layout of a sample: offsets in the body. */
interface Layout {
  readonly from: number
  readonly to: number
  readonly kinds: readonly number[]
  /** The slots, in the order of the text. */
  readonly slotsFrom: readonly number[]
  readonly slotsTo: readonly number[]
}

export function decodeSampleBytes(body: Buffer): SampleColumns | undefined {
  return new BodyDecoder(body).run()
}

class BodyDecoder {
  private readonly bytes: Buffer
  private readonly numbers = new NumberReader()
  private readonly layouts: Layout[] = []
  private readonly columns = new SampleColumns()
  private readonly deviceIndexes = new Map<string, number>()
  private instantFrom = 0
  private instantTo = 0
  private instant = Number.NaN

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  run(): SampleColumns | undefined {
    let at = this.open()
    while (at !== NO) {
      if (this.columns.count === SAMPLES_PER_REQUEST_MAX) return undefined
      at = this.sample(at)
      if (at === NO) return undefined
      at = this.space(at)
      if (this.bytes[at] !== COMMA) return this.isEnd(at) ? this.columns : undefined
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
    const index = this.columns.begin()
    const { layouts } = this
    for (let no = 0; no < layouts.length; no++) {
      const layout = layouts[no]
      const end = layout ? this.read(layout, at, index) : NO
      if (end === NO) continue
      // The layouts that match most often move to the front.
      if (no > 0 && layout) layouts.splice(no - 1, 2, layout, layouts[no - 1] ?? layout)
      return end
    }
    if (layouts.length === SAMPLE_LAYOUTS_MAX) return NO
    const layout = new SampleWalk(this.bytes, at).layout()
    if (!layout) return NO
    layouts.push(layout)
    // The other samples are about as long as the first one.
    if (index === 0) this.columns.reserve(this.roomFor(layout))
    return this.read(layout, at, index)
  }

  private roomFor({ from, to }: Layout): number {
    return Math.min(SAMPLES_PER_REQUEST_MAX, Math.ceil((this.bytes.length - from) / (to - from)))
  }

  /** Reads a sample of a layout into the columns; NO when its text is another. */
  private read(layout: Layout, start: number, index: number): number {
    const { bytes } = this
    const { kinds, slotsFrom, slotsTo } = layout
    let at = start
    let known = layout.from
    this.columns.masks[index] = 0
    for (let slot = 0; slot < kinds.length; slot++) {
      const end = at + (slotsFrom[slot] ?? 0) - known
      for (; at < end; at++, known++) if (bytes[at] !== bytes[known]) return NO
      at = this.take(kinds[slot] ?? 0, at, index)
      if (at === NO) return NO
      known = slotsTo[slot] ?? 0
    }
    const end = at + layout.to - known
    for (; at < end; at++, known++) if (bytes[at] !== bytes[known]) return NO
    return at
  }

  private take(kind: number, at: number, index: number): number {
    if (kind === DEVICE) return this.device(at, index)
    if (kind === INSTANT) return this.time(at, index)
    const end = this.numbers.passAny(this.bytes, at)
    const { value } = this.numbers
    if (!(Math.abs(value) <= (kind < REGISTERS.length ? REGISTER_MAX : VALUE_MAX))) return NO
    this.columns.setValue(index, kind, value)
    return end
  }

  private device(at: number, index: number): number {
    const end = at + 36
    if (end > this.bytes.length) return NO
    const id = this.bytes.toString('latin1', at, end)
    let device = this.deviceIndexes.get(id)
    if (device === undefined) {
      if (!LOWER_CASE_UUID.test(id)) return NO
      device = this.columns.addDevice(id)
      this.deviceIndexes.set(id, device)
    }
    this.columns.deviceOf[index] = device
    return end
  }

  private time(at: number, index: number): number {
    const { bytes } = this
    let instant = this.instant
    let end = at + this.instantTo - this.instantFrom
    // The samples of a reading often have the same instant. A longer text differs at the quote that has to follow.
    if (Number.isNaN(instant) || !this.isInstantText(at)) {
      end = passString(bytes, at)
      if (end === NO) return NO
      instant = plainInstant(bytes, at, end)
      if (Number.isNaN(instant)) instant = timestampOf(bytes.toString('utf8', at, end)) ?? Number.NaN
      if (Number.isNaN(instant)) return NO
      this.instantFrom = at
      this.instantTo = end
      this.instant = instant
    }
    this.columns.at[index] = instant
    return end
  }

  /** Whether the text of the last instant is here once more. */
  private isInstantText(start: number): boolean {
    const { bytes, instantFrom, instantTo } = this
    for (let at = start, known = instantFrom; known < instantTo; at++, known++)
      if (bytes[at] !== bytes[known]) return false
    return true
  }
}

/** Walks over the text of one sample and finds its slots. The values of the slots are not checked. */
class SampleWalk {
  private readonly bytes: Buffer
  private readonly from: number
  private at: number
  private isFit = true
  private readonly kinds: number[] = []
  private readonly slotsFrom: number[] = []
  private readonly slotsTo: number[] = []

  constructor(bytes: Buffer, from: number) {
    this.bytes = bytes
    this.from = from
    this.at = from
  }

  layout(): Layout | undefined {
    const seen = new Set<string>()
    this.members((name) => {
      if (seen.has(name)) this.isFit = false
      seen.add(name)
      if (name === 'device_id') this.text(DEVICE)
      else if (name === 'timestamp') this.text(INSTANT)
      else if (name === 'values') this.members((metric) => this.value(metric))
      else this.isFit = false
    })
    const { from, at: to, kinds, slotsFrom, slotsTo } = this
    // The two texts and at least one value.
    return this.isFit && seen.size === 3 && kinds.length > 2
      ? { from, to, kinds, slotsFrom, slotsTo }
      : undefined
  }

  private members(take: (name: string) => void): void {
    this.pass(OBJECT)
    while (this.isFit) {
      const from = this.pass(QUOTE)
      take(this.bytes.toString('latin1', from, this.string(from)))
      if (this.here() !== COMMA) break
      this.at += 1
    }
    // The offset of the last bracket is the end of the sample, so no space is passed after it.
    if (this.here() === OBJECT_END) this.at += 1
    else this.isFit = false
  }

  /** Passes the rest of a name, and the colon. Returns the offset of its closing quote. */
  private string(from: number): number {
    const end = passString(this.bytes, from)
    if (end === NO) this.isFit = false
    else this.at = end + 1
    this.pass(COLON)
    this.here()
    return end === NO ? from : end
  }

  private text(kind: number): void {
    const from = this.pass(QUOTE)
    const to = passString(this.bytes, from)
    if (to === NO) this.isFit = false
    else this.slot(kind, from, to)
    this.at = to + 1
  }

  private value(metric: string): void {
    const kind = METRIC_INDEXES.get(metric)
    if (kind === undefined || this.kinds.includes(kind)) this.isFit = false
    const from = this.at
    while (isNumeric(this.bytes[this.at] ?? 0)) this.at += 1
    this.slot(kind ?? 0, from, this.at)
  }

  private slot(kind: number, from: number, to: number): void {
    this.kinds.push(kind)
    this.slotsFrom.push(from)
    this.slotsTo.push(to)
  }

  /** The next byte that is no space. */
  private here(): number {
    while (isSpace(this.bytes[this.at] ?? 0)) this.at += 1
    return this.bytes[this.at] ?? 0
  }

  /** Passes a byte; returns the offset after it. */
  private pass(byte: number): number {
    if (this.here() === byte) this.at += 1
    else this.isFit = false
    return this.at
  }
}

/** A digit, a sign, a point or an exponent. */
const isNumeric = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2b || byte === 0x2e || (byte | 0x20) === 0x65
