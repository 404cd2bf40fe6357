import type { Cell } from '../../../platform/tables/index.ts'

/** Which mark stands before the decimals of a file. */
export type DecimalMark = '.' | ','

const COMMA_DECIMALS = /^[-+]?(\d{1,3}(\.\d{3})+|\d+),\d+$/
const POINT_DECIMALS = /^[-+]?(\d{1,3}(,\d{3})+|\d+)\.\d+$/
/** Either: 1.234 or 1,234. */
const UNDECIDED = /^[-+]?\d{1,3}[.,]\d{3}$/

/**
 * The mark that the figures of a file show. `1.234` and `1,234` may be either and decide only where nothing else does: then
 * the one mark that occurs is taken for the decimals, since figures of energy have three of them.
 */
export function decimalMarkOf(cells: readonly Cell[]): DecimalMark {
  const texts = cells.flatMap((cell) => (cell.kind === 'text' ? [bare(cell.text)] : []))
  const clear = texts.filter((text) => !UNDECIDED.test(text))
  for (const list of [clear, texts]) {
    if (list.some((text) => COMMA_DECIMALS.test(text))) return ','
    if (list.some((text) => POINT_DECIMALS.test(text))) return '.'
  }
  return '.'
}

/** Without blanks between digits and without the unit. */
const bare = (text: string): string => text.replace(/\s|(kwh|tl|try|₺)$/gi, '')

const WHOLE = /^([-+]?)(\d{1,12})(?:\.(\d+))?$/
const DECIMALS = 6

/** A figure in millionths; undefined where the cell is none. A seventh decimal and those behind it are rounded. */
export function parseFigure(cell: Cell, mark: DecimalMark): bigint | undefined {
  if (cell.kind !== 'text' && cell.kind !== 'number') return undefined
  const text = cell.kind === 'number' ? cell.text : withPoint(bare(cell.text), mark)
  const match = text === undefined ? null : WHOLE.exec(text)
  if (!match) return undefined
  const [, sign, whole = '', decimals = ''] = match
  const kept = decimals.padEnd(DECIMALS, '0').slice(0, DECIMALS)
  const up = Number(decimals[DECIMALS] ?? '0') >= 5 ? 1n : 0n
  const value = BigInt(whole + kept) + up
  return sign === '-' ? -value : value
}

/** The text with a point for its decimals and no thousands; undefined where its marks do not fit. */
function withPoint(text: string, mark: DecimalMark): string | undefined {
  const grouping = mark === ',' ? '.' : ','
  const [whole = '', ...rest] = text.split(mark)
  if (rest.length > 1 || rest[0]?.includes(grouping)) return undefined
  const groups = whole.split(grouping)
  if (
    groups.length > 1 &&
    !groups.every((group, place) => (place === 0 ? /^[-+]?\d{1,3}$/ : /^\d{3}$/).test(group))
  ) {
    return undefined
  }
  return [groups.join(''), ...rest].join('.')
}
