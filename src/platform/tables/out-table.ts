import { isCalendarDate, type LocalDate, TURKEY_OFFSET_MS } from '../../kernel/time.ts'
import { isBlock, type OutBlock, type OutRow, sliceBlock } from './out-block.ts'

export type { OutCell, OutRow } from './out-block.ts'
export type OutPortion = readonly OutRow[] | OutBlock

export interface OutColumn {
  readonly title: string
  readonly kind: 'text' | 'number' | 'instant' | 'date'
  /**
   * The decimals in a sheet: of a number (default: all), or of the seconds of an instant. A CSV always has
   * all decimals.
   */
  readonly decimals?: number
  /** The width in a sheet, in characters. */
  readonly width?: number
}

/** A table that is written as a stream: its rows come in chunks that are read on demand, one at a time. */
export interface OutTable {
  readonly columns: readonly OutColumn[]
  readonly portions: AsyncIterable<OutPortion> | Iterable<OutPortion>
}

/**
 * Rows per piece of text: small enough for the young generation of the heap, large enough to keep the
 * number of pieces low.
 */
const PIECE_ROWS = 500

/** Reads the rows of a table on demand, across chunk boundaries. */
export class RowSource {
  private readonly portions: AsyncIterator<OutPortion> | Iterator<OutPortion>
  private rows: OutPortion = []
  private at = 0
  private isDone = false

  constructor({ portions }: Pick<OutTable, 'portions'>) {
    this.portions =
      Symbol.asyncIterator in portions ? portions[Symbol.asyncIterator]() : portions[Symbol.iterator]()
  }

  async hasMore(): Promise<boolean> {
    while (this.at >= this.rows.length && !this.isDone) {
      const { value, done } = await this.portions.next()
      this.isDone = done === true
      this.rows = done ? [] : (value as OutPortion)
      this.at = 0
    }
    return this.at < this.rows.length
  }

  /** Returns the next rows, at most `max`; an empty list at the end. */
  async take(max: number): Promise<OutPortion> {
    if (!(await this.hasMore())) return []
    const { rows, at } = this
    const end = Math.min(rows.length, at + Math.min(max, PIECE_ROWS))
    this.at = end
    return isBlock(rows) ? sliceBlock(rows, at, end) : rows.slice(at, end)
  }

  /** Releases the resources of the source, also when it was not read to its end. */
  async close(): Promise<void> {
    this.isDone = true
    this.rows = []
    await this.portions.return?.()
  }
}

const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/

/** Returns the digits of a number cell with a decimal point, or undefined for any other cell. */
export function digitsOf(cell: string | number): string | undefined {
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : undefined
  return DECIMAL.test(cell) ? cell : undefined
}

export const isDate = (cell: string | number): cell is LocalDate =>
  typeof cell === 'string' && isCalendarDate(cell)

/**
 * Returns the Turkey-local time of an instant as if it were UTC; undefined for an instant that cannot be
 * printed.
 */
export function localClock(cell: string | number): number | undefined {
  const local = typeof cell === 'number' ? cell + TURKEY_OFFSET_MS : Number.NaN
  return Math.abs(local) <= LAST_CLOCK_MS ? local : undefined
}
export const LAST_CLOCK_MS = Date.UTC(9999, 11, 31)
