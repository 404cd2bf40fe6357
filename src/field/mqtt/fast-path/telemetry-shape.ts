import type { Columns } from '../../../areas/metering/intake-contract/index.ts'
import { METRICS, REGISTER_MAX, REGISTERS, VALUE_MAX } from '../../../kernel/metrics.ts'
import { instantOf } from '../../../kernel/time.ts'
import { NO, NumberReader, passString } from '../../../platform/http/json-bytes.ts'
import type { Decoded, Sequence } from '../dialects/types.ts'
import type { NameTable } from '../dialects/values.ts'
import { SHAPE_BYTES_MAX, SHAPES_PER_GATEWAY_MAX } from '../limits.ts'
import { type Slot, type SlotKind, slotsOf } from './telemetry-slots.ts'

/** One reading of a message as columns. */
interface ShapedReading extends Columns {
  readonly device: string
  readonly at: number | undefined
}

/** A message that matched a shape. It is overwritten by the next one. */
export interface ShapedMessage {
  readonly sequence: Sequence | undefined
  readonly count: number
  readonly readings: readonly ShapedReading[]
}

class ReadingColumns implements ShapedReading {
  device = ''
  at: number | undefined
  mask = 0
  readonly values = new Float64Array(METRICS.length)
}

/** The message that is being read; there is one for all messages. */
class Scratch implements ShapedMessage {
  count = 0
  readonly readings: ReadingColumns[] = []
  seq: number | undefined
  sentAt: number | undefined

  get sequence(): Sequence | undefined {
    const { seq, sentAt } = this
    if (seq === undefined) return undefined
    return sentAt === undefined ? { seq } : { seq, sentAt }
  }

  begin(devices: readonly string[]): void {
    this.count = devices.length
    this.seq = undefined
    this.sentAt = undefined
    for (let index = 0; index < devices.length; index++) {
      const reading = this.reading(index)
      reading.device = devices[index] ?? ''
      reading.at = undefined
      reading.mask = 0
    }
  }

  reading(index: number): ReadingColumns {
    const known = this.readings[index]
    if (known) return known
    const reading = new ReadingColumns()
    this.readings[index] = reading
    return reading
  }
}

const scratch = new Scratch()

const QUOTE = 0x22
/** Pieces longer than this are compared by native code, whose calls have a fixed cost. */
const PIECE_LONG = 48

/**
 * The shape of a gateway's messages: most messages are the same text with other numbers. The text between the
 * numbers is compared byte by byte, and the numbers are parsed from the bytes, without strings or objects for
 * the garbage collector. This is correct because a JSON text stays valid, with the same structure, when one
 * number is replaced by another. A message that differs in any other way (an unusual notation of a number, a
 * number out of range, a text instead of a number) does not match and is decoded by the full path.
 */
class TelemetryShape {
  private readonly text: Buffer
  private readonly slots: readonly Slot[]
  private readonly devices: readonly string[]
  private readonly numbers = new NumberReader()

  constructor(text: Buffer, slots: readonly Slot[], devices: readonly string[]) {
    this.text = text
    this.slots = slots
    this.devices = devices
  }

  /** Fills `scratch`; false when the message has another shape. */
  reads(bytes: Buffer): boolean {
    scratch.begin(this.devices)
    let at = 0
    let known = 0
    for (const slot of this.slots) {
      at = this.passText(bytes, at, known, slot.from)
      if (at !== NO) at = this.take(slot, bytes, at)
      if (at === NO) return false
      known = slot.to
    }
    return this.passText(bytes, at, known, this.text.length) === bytes.length
  }

  /** Compares a piece of the text with the message. Returns the offset after it, or NO. */
  private passText(bytes: Buffer, start: number, from: number, to: number): number {
    const { text } = this
    const end = start + to - from
    if (end > bytes.length) return NO
    if (to - from > PIECE_LONG) return bytes.compare(text, from, to, start, end) === 0 ? end : NO
    for (let at = start, known = from; at < end; at++, known++) if (bytes[at] !== text[known]) return NO
    return end
  }

  /**
   * The offset after a text whose value is not used. The part that equals the learned message is known to be
   * valid.
   */
  private passUnread({ from, to }: Slot, bytes: Buffer, at: number): number {
    const { text } = this
    const same = Math.min(bytes.indexOf(QUOTE, at) - at, to - from)
    const isKnown = same > PIECE_LONG && bytes.compare(text, from, from + same, at, at + same) === 0
    return passString(bytes, isKnown ? at + same : at)
  }

  private take(slot: Slot, bytes: Buffer, at: number): number {
    const { kind, reading, metricIndex } = slot
    if (kind === 'value') {
      const end = this.numbers.pass(bytes, at)
      const { value } = this.numbers
      if (!(Math.abs(value) <= (metricIndex < REGISTERS.length ? REGISTER_MAX : VALUE_MAX))) return NO
      const figure = scratch.reading(reading)
      figure.mask |= 1 << metricIndex
      figure.values[metricIndex] = value
      return end
    }
    if (kind === 'unreadText') return this.passUnread(slot, bytes, at)
    const isText = kind === 'device' || kind === 'atText' || kind === 'sentText'
    const end = isText ? passString(bytes, at) : this.numbers.pass(bytes, at)
    if (end === NO || kind === 'unread') return end
    const said = isText ? bytes.toString('utf8', at, end) : this.numbers.value
    return this.note(kind, said, reading) ? end : NO
  }

  private note(kind: SlotKind, said: number | string, reading: number): boolean {
    if (kind === 'seq') {
      scratch.seq = said as number
      return Number.isSafeInteger(said) && scratch.seq >= 0
    }
    if (kind === 'device') {
      for (let index = 0; index < scratch.count; index++) scratch.reading(index).device = said as string
      return true
    }
    const instant = instantOf(said)
    if (kind === 'at' || kind === 'atText') scratch.reading(reading).at = instant
    else scratch.sentAt = instant
    return instant !== undefined
  }
}

/** True when the shape reads the message exactly as the decoder did. */
function isReadAs({ readings = [], refused = [], sequence }: Decoded): boolean {
  const read = scratch.sequence
  return (
    refused.length === 0 &&
    Object.is(read?.seq, sequence?.seq) &&
    Object.is(read?.sentAt, sequence?.sentAt) &&
    readings.length === scratch.count &&
    readings.every(({ device, at, values }, index) => {
      const figure = scratch.reading(index)
      const names = Object.keys(values)
      const isSame = (metric: string, metricIndex: number) =>
        Object.hasOwn(values, metric)
          ? (figure.mask & (1 << metricIndex)) !== 0 && Object.is(figure.values[metricIndex], values[metric])
          : (figure.mask & (1 << metricIndex)) === 0
      const known = METRICS.filter((metric) => Object.hasOwn(values, metric)).length
      return device === figure.device && at === figure.at && known === names.length && METRICS.every(isSame)
    })
  )
}

/** The cost of learning a shape, and the maximum credit, in messages that the decoder had to decode. */
const LEARN_COST = 8
const CREDIT_MAX = 64
/** One in this number of messages is learned even without credit. */
const LEARN_EVERY = 100

/** The shapes of one gateway; those that match most often move to the front. */
export class Shapes {
  private readonly shapes: TelemetryShape[] = []
  /**
   * Learning costs more than decoding, so a gateway whose messages never match is learned from only rarely.
   */
  private credit = SHAPES_PER_GATEWAY_MAX * LEARN_COST
  private refused = 0

  /** The message as columns if it has a known shape; valid until the next call for any gateway. */
  read(payload: Buffer): ShapedMessage | undefined {
    for (let index = 0; index < this.shapes.length; index++) {
      const shape = this.shapes[index]
      if (!shape?.reads(payload)) continue
      if (index > 0) this.shapes.splice(index - 1, 2, shape, this.shapes[index - 1] ?? shape)
      if (this.credit < CREDIT_MAX) this.credit += 1
      return scratch
    }
    return undefined
  }

  /** Records the shape of a message that had to be decoded. */
  learn(payload: Buffer, decoded: Decoded, names: NameTable): void {
    if (payload.length > SHAPE_BYTES_MAX) return
    // A message may match a shape and still be decoded, because its device has a template or is not known
    // yet.
    if (this.shapes.some((shape) => shape.reads(payload)) || !this.mayLearn()) return
    const found = slotsOf(payload, names)
    if (!found || found.devices.length === 0) return
    // A copy, because the message is a part of the socket's read buffer.
    const shape = new TelemetryShape(Buffer.from(payload), found.slots, found.devices)
    if (!shape.reads(payload) || !isReadAs(decoded)) return
    if (this.shapes.length >= SHAPES_PER_GATEWAY_MAX) this.shapes.pop()
    this.shapes.push(shape)
  }

  private mayLearn(): boolean {
    if (this.credit >= LEARN_COST) {
      this.credit -= LEARN_COST
      return true
    }
    this.refused += 1
    return this.refused % LEARN_EVERY === 0
  }
}
