/**
 * The line protocol of InfluxDB: `measurement[,tag=value…] field=value[,field=value…] [timestamp]`.
 * Line breaks are allowed inside quoted text, so a body cannot be split into lines first.
 */
import type { Message } from '../../../kernel/messages.ts'
import { COLLECTOR_POINT_PARTS_MAX } from './limits.ts'
import { COLLECTOR_TEXTS } from './messages.ts'

export type FieldValue = number | boolean | string

export interface Point {
  readonly measurement: string
  readonly tags: ReadonlyMap<string, string>
  readonly fields: ReadonlyMap<string, FieldValue>
  /** Epoch milliseconds; undefined when the line has no timestamp. */
  readonly at: number | undefined
}

export type ParsedLine = { readonly line: number } & (
  | { readonly point: Point; readonly fault?: undefined }
  | { readonly point?: undefined; readonly fault: Message }
)

export const PRECISIONS = ['ns', 'us', 'ms', 's'] as const
export type Precision = (typeof PRECISIONS)[number]

class LineFault extends Error {
  readonly content: Message
  constructor(content: Message) {
    super(content.code)
    this.content = content
  }
}

/** Yields the points of a body, and the lines that cannot be read; comments and empty lines are skipped. */
export function* parseLines(text: string, precision: Precision): Generator<ParsedLine> {
  const reader = new Reader(text)
  while (reader.skipToLine()) {
    const { line } = reader
    try {
      yield { line, point: readPoint(reader, precision) }
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      reader.skipLine()
      yield { line, fault: error.content }
    }
  }
}

const MEASUREMENT_ENDS = ', \n'
const KEY_ENDS = '=, \n'
const VALUE_ENDS = ', \n'

function readPoint(reader: Reader, precision: Precision): Point {
  const measurement = reader.name(MEASUREMENT_ENDS)
  if (measurement === '') throw new LineFault(COLLECTOR_TEXTS.LINE_MEASUREMENT_MISSING())
  const tags = new Map<string, string>()
  while (reader.take(',')) {
    const key = readKey(reader)
    const value = reader.name(KEY_ENDS)
    if (value === '') throw new LineFault(COLLECTOR_TEXTS.LINE_VALUE_MISSING({ name: key }))
    addPart(tags, key, value)
  }
  if (!reader.spaces()) throw new LineFault(COLLECTOR_TEXTS.LINE_FIELDS_MISSING())
  const fields = new Map<string, FieldValue>()
  do {
    const key = readKey(reader)
    addPart(fields, key, reader.peek === '"' ? reader.quoted() : plainValue(reader.raw(VALUE_ENDS), key))
  } while (reader.take(','))
  return { measurement, tags, fields, at: readTime(reader, precision) }
}

function addPart<T>(parts: Map<string, T>, key: string, value: T): void {
  if (parts.has(key)) throw new LineFault(COLLECTOR_TEXTS.LINE_PART_REPEATED({ name: key }))
  parts.set(key, value)
  if (parts.size > COLLECTOR_POINT_PARTS_MAX)
    throw new LineFault(COLLECTOR_TEXTS.LINE_PARTS_EXCEEDED({ max: COLLECTOR_POINT_PARTS_MAX }))
}

function readKey(reader: Reader): string {
  const key = reader.name(KEY_ENDS)
  if (key === '') throw new LineFault(COLLECTOR_TEXTS.LINE_FIELDS_MISSING())
  if (!reader.take('=')) throw new LineFault(COLLECTOR_TEXTS.LINE_VALUE_MISSING({ name: key }))
  return key
}

const FLOAT = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
const INTEGER = /^([+-]?\d+)i$|^(\d+)u$/
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['t', 'T', 'true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['f', 'F', 'false', 'False', 'FALSE'].map((word) => [word, false] as const),
])

function plainValue(text: string, name: string): FieldValue {
  if (FLOAT.test(text)) return Number(text)
  if (INTEGER.test(text)) return Number(text.slice(0, -1))
  const boolean = BOOLEANS.get(text)
  if (boolean !== undefined) return boolean
  throw new LineFault(COLLECTOR_TEXTS.LINE_VALUE_INVALID({ name }))
}

const PER_MILLISECOND: Readonly<Record<Precision, bigint>> = { ns: 1_000_000n, us: 1_000n, ms: 1n, s: 1n }

function readTime(reader: Reader, precision: Precision): number | undefined {
  const hasSpaces = reader.spaces()
  if (reader.isLineEnd) return undefined
  const text = hasSpaces ? reader.raw(' \n') : ''
  reader.spaces()
  if (!/^-?\d{1,19}$/.test(text) || !reader.isLineEnd)
    throw new LineFault(COLLECTOR_TEXTS.LINE_TIMESTAMP_INVALID())
  const at = Number(BigInt(text) / PER_MILLISECOND[precision]) * (precision === 's' ? 1_000 : 1)
  // The range of instants in JavaScript.
  if (Math.abs(at) > 8.64e15) throw new LineFault(COLLECTOR_TEXTS.LINE_TIMESTAMP_INVALID())
  return at
}

class Reader {
  line = 1
  #position = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  get peek(): string | undefined {
    return this.#text[this.#position]
  }
  get isLineEnd(): boolean {
    const next = this.peek
    return next === undefined || next === '\n' || (next === '\r' && this.#text[this.#position + 1] === '\n')
  }

  /** Moves to the next line with a point; false at the end. */
  skipToLine(): boolean {
    for (;;) {
      while (this.peek === ' ' || this.peek === '\t' || this.peek === '\r' || this.peek === '\n') this.#step()
      if (this.peek === undefined) return false
      if (this.peek !== '#') return true
      this.skipLine()
    }
  }

  skipLine(): void {
    while (this.peek !== undefined && this.peek !== '\n') this.#position += 1
  }

  take(character: string): boolean {
    const isNext = this.peek === character
    if (isNext) this.#position += 1
    return isNext
  }

  /** Skips spaces; false when there are none. */
  spaces(): boolean {
    const before = this.#position
    while (this.peek === ' ') this.#position += 1
    return this.#position > before
  }

  /** Reads to one of the end characters; a backslash escapes them, and is a character of its own before others. */
  name(ends: string): string {
    let text = ''
    for (let next = this.peek; next !== undefined && !ends.includes(next); next = this.peek) {
      const escaped = this.#text[this.#position + 1]
      const isEscape = next === '\\' && escaped !== undefined && ', ='.includes(escaped)
      text += isEscape ? escaped : next
      this.#position += isEscape ? 2 : 1
    }
    return text
  }

  raw(ends: string): string {
    const from = this.#position
    while (!this.isLineEnd && !ends.includes(this.peek ?? '')) this.#position += 1
    return this.#text.slice(from, this.#position)
  }

  /** Reads a quoted text, in which \" and \\ are escapes. */
  quoted(): string {
    const begin = this.#position
    const { line } = this
    this.#position += 1
    let text = ''
    for (let next = this.peek; next !== undefined; next = this.peek) {
      if (next === '"') {
        this.#position += 1
        return text
      }
      const escaped = this.#text[this.#position + 1]
      const isEscape = next === '\\' && (escaped === '"' || escaped === '\\')
      if (isEscape) this.#position += 1
      text += isEscape ? escaped : next
      this.#step()
    }
    // The rest of the body would be lost with this line.
    this.#position = begin
    this.line = line
    throw new LineFault(COLLECTOR_TEXTS.LINE_TEXT_OPEN())
  }

  #step(): void {
    if (this.peek === '\n') this.line += 1
    this.#position += 1
  }
}
