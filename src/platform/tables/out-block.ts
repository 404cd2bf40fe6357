import { byteAt, floatAt } from '../../kernel/checked.ts'
import type { ByteWriter } from '../bytes/byte-writer.ts'
import { FLOAT_PLAIN_MIN, floatText, millionthsText } from './decimal-text.ts'

/**
 * A cell, by the kind of its column: text; a number, or its decimal text, which is written digit for digit;
 * an instant in epoch milliseconds; a date `YYYY-MM-DD`. null is an empty cell. A value that does not match
 * its column is written as text.
 */
export type OutCell = string | number | null
export type OutRow = readonly OutCell[]

/** The cells of a column in the rows of a block. */
export type OutVector =
  /** The same cell in each row. */
  | { readonly kind: 'constant'; readonly cell: string | null }
  /** Epoch milliseconds. */
  | { readonly kind: 'instants'; readonly values: Float64Array }
  /** Whole numbers of millionths below 10^15, or any other numbers below FLOAT_TEXT_MAX. */
  | {
      readonly kind: 'millionths' | 'floats'
      readonly values: Float64Array
      /** 1 where a row has no value; absent when each has one. */
      readonly nulls: Uint8Array | undefined
    }

/** Rows as columns of numbers, which are written without an object for each row and a text for each cell. */
export interface OutBlock {
  readonly length: number
  /** In the order of the columns of the table. */
  readonly vectors: readonly OutVector[]
}

export const isBlock = (portion: readonly OutRow[] | OutBlock): portion is OutBlock => !Array.isArray(portion)

/** Some rows of a block, which share its memory. */
export const sliceBlock = (block: OutBlock, from: number, to: number): OutBlock => ({
  length: to - from,
  vectors: block.vectors.map((vector) => sliceVector(vector, from, to)),
})

function sliceVector(vector: OutVector, from: number, to: number): OutVector {
  if (vector.kind === 'constant') return vector
  const values = vector.values.subarray(from, to)
  if (vector.kind === 'instants') return { kind: 'instants', values }
  return { kind: vector.kind, values, nulls: vector.nulls?.subarray(from, to) }
}

/** The same rows as cells, for a style that no block can be written in. */
export const rowsOfBlock = ({ length, vectors }: OutBlock): OutRow[] =>
  Array.from({ length }, (_, row) => vectors.map((vector) => cellAt(vector, row)))

function cellAt(vector: OutVector, row: number): OutCell {
  if (vector.kind === 'constant') return vector.cell
  const value = floatAt(vector.values, row)
  if (vector.kind === 'instants') return value
  if (vector.nulls && byteAt(vector.nulls, row) === 1) return null
  return vector.kind === 'millionths' ? millionthsText(String(value)) : floatText(value)
}

/** Whether the instants of a block are within a range. */
export const areWithin = ({ vectors }: OutBlock, min: number, max: number): boolean =>
  vectors.every(
    (vector) => vector.kind !== 'instants' || vector.values.every((value) => value >= min && value < max),
  )

/** Writes a number as the database prints it, with the decimal mark of the writer. */
export function writeFloat(writer: ByteWriter, value: number, mark: '.' | ','): void {
  const isPlain = Math.abs(value) >= FLOAT_PLAIN_MIN || Object.is(value, 0)
  if (isPlain && writer.decimal(value)) return
  writer.ascii(floatText(value).replace('.', mark))
}
