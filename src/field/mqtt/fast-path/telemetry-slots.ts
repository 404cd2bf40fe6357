import { METRICS } from '../../../kernel/metrics.ts'
import type { NameTable } from '../dialects/values.ts'
import { SHAPE_READINGS_MAX, SHAPE_SLOTS_MAX } from '../limits.ts'

/** What a slot holds. `unread`, `unreadText`: a number or a text that is checked and not used. */
export type SlotKind =
  | 'device'
  | 'seq'
  | 'sentAt'
  | 'sentText'
  | 'at'
  | 'atText'
  | 'value'
  | 'unread'
  | 'unreadText'

/**
 * A part of a message that differs from message to message: a number, or the text between two quotes. `from`
 * and `to` are byte offsets.
 */
export interface Slot {
  readonly kind: SlotKind
  readonly from: number
  readonly to: number
  /** Index in the readings of the message. */
  readonly reading: number
  readonly metricIndex: number
}

export interface Slots {
  readonly slots: readonly Slot[]
  /** The device of each reading. */
  readonly devices: readonly string[]
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const [OBJECT, OBJECT_END, ARRAY, ARRAY_END] = [0x7b, 0x7d, 0x5b, 0x5d]
const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
const isNumeric = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || byte === 0x2d
const isEnd = (byte: number): boolean =>
  byte === COMMA || byte === OBJECT_END || byte === ARRAY_END || isSpace(byte)

const METRIC_INDEXES: ReadonlyMap<string, number> = new Map(METRICS.map((metric, index) => [metric, index]))
/** JavaScript objects enumerate integer-like names first, so that the order of the message would be lost. */
const IS_INDEX = /^\d+$/

interface Member {
  readonly key: string
  readonly from: number
  readonly to: number
}

/**
 * Walks over the bytes of a telemetry message that was parsed before, so that they are known to be valid
 * JSON.
 */
class Walk {
  private readonly bytes: Buffer
  private readonly names: NameTable
  private at = 0
  private reading = -1
  private readonly slots: Slot[] = []
  private readonly devices: string[] = []
  private isFit = true

  constructor(bytes: Buffer, names: NameTable) {
    this.bytes = bytes
    this.names = names
  }

  result(): Slots | undefined {
    this.object(({ key }) => {
      if (key === 'devices') this.device()
      else if (key === 'seq') this.slot('seq')
      else if (key === 'sent_at') this.instant('sentAt', 'sentText')
      else this.unread()
    })
    return this.isFit ? { slots: this.slots, devices: this.devices } : undefined
  }

  private device(): void {
    const members: Member[] = []
    const before = this.slots.length
    this.object((member) => {
      // A message with one device matches for any device name; several devices are matched by their names.
      if (members.push(member) === 1) this.add('device', member)
      this.points(member.key)
    })
    if (members.length === 1) return
    this.slots.splice(before, 1)
    if (members.some(({ key }) => IS_INDEX.test(key))) this.isFit = false
  }

  private points(device: string): void {
    if (this.here() !== ARRAY) return void this.point(device)
    this.list(() => this.point(device))
  }

  private point(device: string): void {
    this.reading += 1
    this.devices.push(device)
    if (this.reading >= SHAPE_READINGS_MAX) this.isFit = false
    this.object(({ key }) => {
      if (key === 'v') this.object((member) => this.value(member))
      else if (key === 'ts') this.instant('at', 'atText')
      // The quality decides whether the value is used, so it has to be the same text again.
      else if (key === 'q') this.skip()
      else this.unread()
    })
  }

  private value({ key }: Member): void {
    const metric = Object.hasOwn(this.names, key) ? this.names[key]?.metric : key
    const metricIndex = metric === undefined ? undefined : METRIC_INDEXES.get(metric)
    if (metricIndex === undefined || !isNumeric(this.here())) return void this.skip()
    // Two names of one metric: only the decoder decides which of them is used.
    if (
      this.slots.some(
        (slot) => slot.metricIndex === metricIndex && slot.reading === this.reading && slot.kind === 'value',
      )
    )
      this.isFit = false
    this.slot('value', metricIndex)
  }

  private instant(number: SlotKind, text: SlotKind): void {
    if (this.here() !== QUOTE) return void this.slot(number)
    this.text(text)
  }

  private unread(): void {
    if (this.here() === QUOTE) this.text('unreadText')
    else this.slot('unread')
  }

  private text(kind: SlotKind): void {
    const from = this.at + 1
    this.string()
    this.add(kind, { from, to: this.at - 1 })
  }

  /** Only a number becomes a slot; any other value has to be the same text again. */
  private slot(kind: SlotKind, metricIndex = 0): void {
    if (!isNumeric(this.here())) return void this.skip()
    const from = this.at
    this.skip()
    this.add(kind, { from, to: this.at }, metricIndex)
  }

  private add(kind: SlotKind, { from, to }: Pick<Member, 'from' | 'to'>, metricIndex = 0): void {
    if (this.slots.length >= SHAPE_SLOTS_MAX) this.isFit = false
    else this.slots.push({ kind, from, to, metricIndex, reading: Math.max(0, this.reading) })
  }

  /** The next byte that is not space. */
  private here(): number {
    while (isSpace(this.bytes[this.at] ?? 0)) this.at += 1
    return this.bytes[this.at] ?? 0
  }

  private object(take: (member: Member) => void): void {
    if (this.here() !== OBJECT) {
      this.isFit = false
      return void this.skip()
    }
    const keys = new Set<string>()
    this.list(() => {
      this.here()
      const from = this.at + 1
      this.string()
      const to = this.at - 1
      const bytes = this.bytes.subarray(from, to)
      const key = bytes.toString('utf8')
      // Of two members with the same name JSON uses the last one; such a message is left to the decoder.
      if (keys.has(key) || bytes.includes(BACKSLASH)) this.isFit = false
      keys.add(key)
      if (this.here() === COLON) this.at += 1
      take({ key, from, to })
    })
  }

  /** Walks from the opening bracket to the closing one. */
  private list(item: () => void): void {
    this.at += 1
    for (let next = this.here(); next !== OBJECT_END && next !== ARRAY_END; next = this.here()) {
      if (this.at >= this.bytes.length) return
      if (next === COMMA) this.at += 1
      item()
    }
    this.at += 1
  }

  private skip(): void {
    const next = this.here()
    if (next === QUOTE) this.string()
    else if (next === ARRAY) this.list(() => this.skip())
    else if (next === OBJECT) this.object(() => this.skip())
    else while (this.at < this.bytes.length && !isEnd(this.bytes[this.at] ?? 0)) this.at += 1
  }

  private string(): void {
    this.at += 1
    while (this.at < this.bytes.length && this.bytes[this.at] !== QUOTE) {
      this.at += this.bytes[this.at] === BACKSLASH ? 2 : 1
    }
    this.at += 1
  }
}

/** Finds the slots of a message; undefined when a shape cannot be derived from the text alone. */
export const slotsOf = (payload: Buffer, names: NameTable): Slots | undefined =>
  new Walk(payload, names).result()
