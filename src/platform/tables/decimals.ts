import type { Cell } from './table.ts'

/** The decimal separator of a file. */
export type DecimalMark = '.' | ','

const COMMA_DECIMALS = /^[-+]?(\d{1,3}(\.\d{3})+|\d+),\d+$/
const POINT_DECIMALS = /^[-+]?(\d{1,3}(,\d{3})+|\d+)\.\d+$/
/** Text in which the mark may separate decimals or thousands: 1.234 or 1,234. */
const UNDECIDED = /^[-+]?\d{1,3}[.,]\d{3}$/

/**
 * Returns the decimal separator that the numbers of a file show first. `1.234` and `1,234` are ambiguous
 * and are used only where no other number decides: then the mark of the first one separates decimals,
 * because energy values have three.
 */
export function decimalMarkOf(cells: Iterable<Cell>): DecimalMark {
  let undecided: DecimalMark | undefined
  for (const cell of cells) {
    if (cell.kind !== 'text') continue
    const text = bare(cell.text)
    if (UNDECIDED.test(text)) undecided ??= text.includes(',') ? ',' : '.'
    else if (COMMA_DECIMALS.test(text)) return ','
    else if (POINT_DECIMALS.test(text)) return '.'
  }
  return undecided ?? '.'
}

const UNIT = /\s*(kwh|tl|try|₺)$/i
const BLANK = /\s/
const GROUPED_BY_BLANKS = /^[-+]?\s?\d{1,3}(?:\s\d{3})*(?:[.,]\d+)?$/

/** Removes the unit and blanks that group thousands; any other blank stays and makes the number invalid. */
function bare(text: string): string {
  const figure = text.replace(UNIT, '')
  return BLANK.test(figure) && GROUPED_BY_BLANKS.test(figure) ? figure.replace(/\s/g, '') : figure
}

const WHOLE = /^([-+]?)(\d{1,12})(?:\.(\d+))?$/
const DECIMALS = 6

/**
 * Returns a number in millionths; undefined where the cell is not a number. From the seventh decimal on the
 * number is rounded.
 */
export function parseFigure(cell: Cell, mark: DecimalMark): bigint | undefined {
  if (cell.kind !== 'text' && cell.kind !== 'number') return undefined
  const text = cell.kind === 'number' ? cell.text : withPoint(cell.text, mark)
  const match = text === undefined ? null : WHOLE.exec(text)
  if (!match) return undefined
  const [, sign, whole = '', decimals = ''] = match
  const kept = decimals.padEnd(DECIMALS, '0').slice(0, DECIMALS)
  const up = Number(decimals[DECIMALS] ?? '0') >= 5 ? 1n : 0n
  const value = BigInt(whole + kept) + up
  return sign === '-' ? -value : value
}

/**
 * Returns the number with a decimal point and without thousands separators and unit; undefined where its
 * marks are inconsistent.
 */
export function withPoint(figure: string, mark: DecimalMark): string | undefined {
  const text = bare(figure)
  const grouping = mark === ',' ? '.' : ','
  const [whole = '', ...rest] = text.split(mark)
  if (rest.length > 1 || rest[0]?.includes(grouping)) return undefined
  const groups = whole.split(grouping)
  if (
    groups.length > 1 &&
    !groups.every((group, index) => (index === 0 ? /^[-+]?\d{1,3}$/ : /^\d{3}$/).test(group))
  ) {
    return undefined
  }
  return [groups.join(''), ...rest].join('.')
}
