import { METRICS } from '../../../kernel/metrics.ts'
import { NO, passString } from '../../../platform/http/json-bytes.ts'

export const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a]
export const [OBJECT, OBJECT_END, ARRAY, ARRAY_END] = [0x7b, 0x7d, 0x5b, 0x5d]
export const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

const METRIC_INDEXES: ReadonlyMap<string, number> = new Map(METRICS.map((metric, index) => [metric, index]))
/** The kinds of slots that are no values; the kind of a value is its index in METRICS. */
export const DEVICE = -1
const INSTANT = -2

/** The layout of a sample: offsets in the body. */
export interface Layout {
  readonly from: number
  readonly to: number
  readonly kinds: readonly number[]
  /** The slots, in the order of the text. */
  readonly slotsFrom: readonly number[]
  readonly slotsTo: readonly number[]
  /** The index of the value of each slot among the values of a sample, which are in the order of the columns. */
  readonly valueIndexes: readonly number[]
  /** The value columns, one bit each, and their number. */
  readonly mask: number
  readonly values: number
}

/** The layout of the sample that begins here; undefined when the text is not of the usual form. */
export const findLayout = (bytes: Buffer, from: number): Layout | undefined =>
  new SampleWalk(bytes, from).layout()

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
    if (!this.isFit || seen.size !== 3 || kinds.length <= 2) return undefined
    const columns = kinds.filter((kind) => kind >= 0).sort((one, other) => one - other)
    const mask = columns.reduce((bits, column) => bits | (1 << column), 0)
    const valueIndexes = kinds.map((kind) => columns.indexOf(kind))
    return { from, to, kinds, slotsFrom, slotsTo, valueIndexes, mask, values: columns.length }
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
