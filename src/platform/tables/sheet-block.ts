import { byteAt, at as elementAt, floatAt } from '../../kernel/checked.ts'
import { DAY_MS, TURKEY_OFFSET_MS } from '../../kernel/time.ts'
import { ByteWriter, textPart } from '../bytes/byte-writer.ts'
import { areWithin, type OutBlock, type OutVector, writeFloat } from './out-block.ts'

/** How the cells of a column begin and end. */
export interface SheetColumn {
  readonly letters: string
  readonly style: number
  /** The cell content of a text. */
  readonly encode: (text: string) => string
}

interface SheetClock {
  /** The serial number of 1 January 1970. */
  readonly epochDay: number
  /** The first serial number. */
  readonly serialMin: number
}

const CELL_BYTES = 56
const SERIAL_DIGITS = 1e9
/** Serial numbers below it have at most 15 digits, which are then their shortest text. */
const SERIAL_MAX = 1e6
const VALUE_END = textPart('</v></c>')
const TEXT_END = textPart('</c>')
const ROW_START = textPart('<row r="')
const ROW_OPEN = textPart('">')
const ROW_END = textPart('</row>')
const POINT = textPart('.')

/**
 * The rows of a block as XML, byte for byte like those of its rows; `first` is the number of the first one. Undefined
 * when it has instants that a sheet cannot represent.
 */
export function sheetBlock(
  block: OutBlock,
  first: number,
  { columns, clock }: { readonly columns: readonly SheetColumn[]; readonly clock: SheetClock },
): Buffer | undefined {
  const instantOf = (serial: number): number => (serial - clock.epochDay) * DAY_MS - TURKEY_OFFSET_MS
  if (!areWithin(block, instantOf(clock.serialMin), instantOf(SERIAL_MAX))) return undefined
  const writer = new ByteWriter(block.length * columns.length * CELL_BYTES)
  const cells = block.vectors.map((vector, index) =>
    cellWriter(vector, elementAt(columns, index), { writer, clock }),
  )
  for (let row = 0; row < block.length; row++) {
    writer.part(ROW_START)
    writer.whole(first + row)
    writer.part(ROW_OPEN)
    for (let index = 0; index < cells.length; index++) elementAt(cells, index)(row, first + row)
    writer.part(ROW_END)
  }
  return writer.toBuffer()
}

interface Target {
  readonly writer: ByteWriter
  readonly clock: SheetClock
}

type CellWriter = (row: number, number: number) => void

function cellWriter(
  vector: OutVector,
  { letters, style, encode }: SheetColumn,
  { writer, clock }: Target,
): CellWriter {
  const start = textPart(`<c r="${letters}`)
  if (vector.kind === 'constant') {
    if (vector.cell === null) return () => {}
    const text = textPart(`" t="inlineStr">${encode(vector.cell)}`)
    return (_row, number) => {
      writer.part(start)
      writer.whole(number)
      writer.part(text)
      writer.part(TEXT_END)
    }
  }
  const value = textPart(`" s="${style}"><v>`)
  const write = valueWriter(vector, { writer, clock })
  const nulls = vector.kind === 'instants' ? undefined : vector.nulls
  return (row, number) => {
    if (nulls && byteAt(nulls, row) === 1) return
    writer.part(start)
    writer.whole(number)
    writer.part(value)
    write(row)
    writer.part(VALUE_END)
  }
}

function valueWriter(
  { kind, values }: Exclude<OutVector, { kind: 'constant' }>,
  { writer, clock }: Target,
): (row: number) => void {
  if (kind === 'millionths') return (row) => writer.millionths(floatAt(values, row))
  if (kind === 'floats') return (row) => writeFloat(writer, floatAt(values, row), '.')
  return (row) => writeSerial(writer, floatAt(values, row) + TURKEY_OFFSET_MS, clock.epochDay)
}

/** Days since the first day of a sheet, with a resolution of one millisecond. */
function writeSerial(writer: ByteWriter, local: number, epochDay: number): void {
  const count = Math.round((local / DAY_MS + epochDay) * SERIAL_DIGITS)
  const days = Math.floor(count / SERIAL_DIGITS)
  const fraction = count - days * SERIAL_DIGITS
  writer.whole(days)
  if (fraction === 0) return
  writer.part(POINT)
  writer.threeDigits((fraction / 1e6) | 0)
  writer.threeDigits(((fraction / 1000) | 0) % 1000)
  writer.threeDigits(fraction % 1000)
  writer.trimZeros()
}
