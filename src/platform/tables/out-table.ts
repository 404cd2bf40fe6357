import { isCalendarDate, type LocalDate, TURKEY_OFFSET_MS } from '../../kernel/time.ts'

/**
 * A cell by the kind of its column: text; a number, or its decimal text, which is written digit for digit; an
 * instant in epoch milliseconds; a date `YYYY-MM-DD`. null is an empty cell. What does not fit its column is
 * written as text.
 */
export type OutCell = string | number | null
export type OutRow = readonly OutCell[]

export interface OutColumn {
  readonly title: string
  readonly kind: 'text' | 'number' | 'instant' | 'date'
  /**
   * In a sheet: of a number, without it as many as there are; of an instant's seconds. A CSV has as many as
   * there are.
   */
  readonly decimals?: number
  /** In a sheet, in characters. */
  readonly width?: number
}

/**
 * A table that is written while it is read: its rows come in portions, and are asked for one portion at a
 * time.
 */
export interface OutTable {
  readonly columns: readonly OutColumn[]
  readonly portions: AsyncIterable<readonly OutRow[]> | Iterable<readonly OutRow[]>
}

/** Rows that become one piece of text: small enough to die young, large enough to be few. */
const PIECE_ROWS = 500

/** The rows of a table as they are asked for, across the borders of its portions. */
export class RowSource {
  private readonly portions: AsyncIterator<readonly OutRow[]> | Iterator<readonly OutRow[]>
  private rows: readonly OutRow[] = []
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
      this.rows = done ? [] : (value as readonly OutRow[])
      this.at = 0
    }
    return this.at < this.rows.length
  }

  /** The next rows, at most `max`; none at the end. */
  async take(max: number): Promise<readonly OutRow[]> {
    if (!(await this.hasMore())) return []
    const taken = this.rows.slice(this.at, this.at + Math.min(max, PIECE_ROWS))
    this.at += taken.length
    return taken
  }

  /** Lets the source give back what it holds, also when nobody has read it to its end. */
  async close(): Promise<void> {
    this.isDone = true
    this.rows = []
    await this.portions.return?.()
  }
}

const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/

/** The digits of a number cell with a point, or undefined when it is none. */
export function digitsOf(cell: string | number): string | undefined {
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : undefined
  return DECIMAL.test(cell) ? cell : undefined
}

export const isDate = (cell: string | number): cell is LocalDate =>
  typeof cell === 'string' && isCalendarDate(cell)

/**
 * The Turkey-local clock of an instant, as if it were UTC; undefined for what is no instant that can be
 * printed.
 */
export function localClock(cell: string | number): number | undefined {
  const local = typeof cell === 'number' ? cell + TURKEY_OFFSET_MS : Number.NaN
  return Math.abs(local) <= LAST_CLOCK_MS ? local : undefined
}
const LAST_CLOCK_MS = Date.UTC(9999, 11, 31)
