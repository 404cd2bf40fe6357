import { byteAt, at as elementAt, floatAt } from '../../kernel/checked.ts'
import { DAY_MS, iso, TURKEY_OFFSET_MS } from '../../kernel/time.ts'
import { ByteWriter, type Part, textPart } from '../bytes/byte-writer.ts'
import { areWithin, type OutBlock, type OutVector, writeFloat } from './out-block.ts'
import { LAST_CLOCK_MS } from './out-table.ts'

/**
 * The format of numbers and times. `tr`: 1,5 and 05.11.2026 13:00. `en`: 1.5 and 2026-11-05T13:00:00+03:00.
 */
export type CsvLocale = 'tr' | 'en'

interface BlockStyle {
  readonly locale: CsvLocale
  readonly delimiter: string
  /** A text as it is in a cell. */
  readonly encode: (text: string) => string
}

const CELL_BYTES = 16
const COLON = textPart(':')
const SPACE = textPart(' ')
const LETTER_T = textPart('T')
const OFFSET = textPart('+03:00')
const LINE_END = textPart('\r\n')
/** The first instant whose year has four digits. */
const FIRST_MS = Date.UTC(1, 0, 1)

/**
 * The lines of a block, byte for byte like those of its rows. Undefined when it has instants that are written as
 * numbers.
 */
export function csvBlock(block: OutBlock, style: BlockStyle): Buffer | undefined {
  if (!areWithin(block, FIRST_MS, LAST_CLOCK_MS - TURKEY_OFFSET_MS)) return undefined
  const mark = style.locale === 'tr' ? ',' : '.'
  const writer = new ByteWriter(block.length * block.vectors.length * CELL_BYTES, mark)
  const delimiter = textPart(style.delimiter)
  const cells = block.vectors.map((vector) => cellWriter(vector, { ...style, writer, mark }))
  for (let row = 0; row < block.length; row++) {
    for (let index = 0; index < cells.length; index++) {
      if (index > 0) writer.part(delimiter)
      elementAt(cells, index)(row)
    }
    writer.part(LINE_END)
  }
  return writer.toBuffer()
}

interface Target extends BlockStyle {
  readonly writer: ByteWriter
  readonly mark: '.' | ','
}

function cellWriter(vector: OutVector, target: Target): (row: number) => void {
  const { writer, mark } = target
  if (vector.kind === 'constant') {
    const part = textPart(vector.cell === null ? '' : target.encode(vector.cell))
    return () => writer.part(part)
  }
  if (vector.kind === 'instants') return instantWriter(vector.values, target)
  const { kind, values, nulls } = vector
  return (row) => {
    if (nulls && byteAt(nulls, row) === 1) return
    if (kind === 'millionths') writer.millionths(floatAt(values, row))
    else writeFloat(writer, floatAt(values, row), mark)
  }
}

/** The text of a date is cached, because consecutive rows mostly have the same date. */
function instantWriter(values: Float64Array, { writer, locale, mark }: Target): (row: number) => void {
  const fraction = textPart(mark)
  let day = Number.NaN
  let date: Part = textPart('')
  return (row) => {
    const local = floatAt(values, row) + TURKEY_OFFSET_MS
    const today = Math.floor(local / DAY_MS)
    if (today !== day) {
      day = today
      date = textPart(dateText(today, locale))
    }
    writer.part(date)
    writer.part(locale === 'tr' ? SPACE : LETTER_T)
    writeClock(writer, local - today * DAY_MS, { withSeconds: locale === 'en', fraction })
    if (locale === 'en') writer.part(OFFSET)
  }
}

function dateText(day: number, locale: CsvLocale): string {
  const [year, month, date] = iso(day * DAY_MS)
    .slice(0, 10)
    .split('-')
  return locale === 'tr' ? `${date}.${month}.${year}` : `${year}-${month}-${date}`
}

interface Clock {
  readonly withSeconds: boolean
  /** The mark before the milliseconds. */
  readonly fraction: Part
}

/** Seconds and milliseconds are written where they are not zero. */
function writeClock(writer: ByteWriter, ofDay: number, { withSeconds, fraction }: Clock): void {
  const minutes = Math.floor(ofDay / 60_000)
  const rest = ofDay - minutes * 60_000
  writer.twoDigits(Math.floor(minutes / 60))
  writer.part(COLON)
  writer.twoDigits(minutes % 60)
  if (rest === 0 && !withSeconds) return
  const seconds = Math.floor(rest / 1000)
  const ms = rest - seconds * 1000
  writer.part(COLON)
  writer.twoDigits(seconds)
  if (ms === 0) return
  writer.part(fraction)
  writer.threeDigits(ms)
}
