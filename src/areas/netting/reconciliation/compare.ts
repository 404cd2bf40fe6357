import { formatKwh, formatTry, type Kwh, type Try } from '../../../kernel/decimal.ts'
import type { Message } from '../../../kernel/messages.ts'
import { type CalculatedFigures, isByMonthOnly } from './calculated-figures.ts'
import { type Field, isMoney } from './columns.ts'
import { CELL_TEXTS } from './messages.ts'
import type { BadCell, Figure } from './parse.ts'
import type { Reconciliation } from './schema.ts'
import { nameOf, type Span } from './times.ts'
import type { Tolerance } from './tolerance.ts'

export type Compared = Pick<
  Reconciliation,
  'rows' | 'missing_theirs' | 'missing_ours' | 'totals' | 'matched_rows' | 'different_rows'
> & { readonly badCells: readonly BadCell[] }

const format = (field: Field, value: bigint): string =>
  isMoney(field) ? formatTry(value as Try) : formatKwh(value as Kwh)
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

interface FieldSum {
  inFile: bigint
  calculated: bigint
  compared: number
  different: number
}

/** Compares every figure of the file with the calculated one. */
export function compareFigures(
  figures: readonly Figure[],
  calculated: CalculatedFigures,
  tolerance: Tolerance,
): Compared {
  const badCells: BadCell[] = []
  const rows: Reconciliation['rows'] = []
  const missing = new Map<number, string>()
  const sums = new Map<Field, FieldSum>()
  const [agreeing, differing] = [new Set<number>(), new Set<number>()]
  const firstRow = new Map<string, number>()
  for (const figure of figures) {
    const { row, span, field, value: inFile } = figure
    const facilityId = figure.facility === undefined ? undefined : calculated.facilityIdOf(figure.facility)
    const key = `${span.unit} ${span.from} ${facilityId ?? ''} ${field}`
    const refusal = refusalOf(figure, calculated, { facilityId, repeats: firstRow.get(key) })
    if (refusal !== undefined) {
      badCells.push({ row, column: field, content: refusal })
      continue
    }
    firstRow.set(key, row)
    const value = calculated.valueOf({ span, facilityId, field })
    if (value === undefined) {
      missing.set(row, nameOf(span))
      continue
    }
    const sum = sums.get(field) ?? { inFile: 0n, calculated: 0n, compared: 0, different: 0 }
    sums.set(field, sum)
    sum.inFile += inFile
    sum.calculated += value ?? 0n
    sum.compared += 1
    const limit = isMoney(field) ? tolerance.lira : tolerance.kwh
    if (value !== null && magnitude(inFile - value) <= limit) {
      agreeing.add(row)
      continue
    }
    sum.different += 1
    differing.add(row)
    rows.push({
      row,
      key: nameOf(span),
      facility_id: facilityId ?? null,
      field,
      theirs: format(field, inFile),
      ours: value === null ? null : format(field, value),
      difference: value === null ? null : format(field, inFile - value),
    })
  }
  return {
    badCells,
    rows,
    missing_ours: [...missing].map(([row, key]) => ({ row, key })),
    missing_theirs: missingInFile(figures, calculated),
    totals: [...sums].map(([field, sum]) => totalOf(field, sum)),
    matched_rows: [...agreeing].filter((row) => !differing.has(row) && !missing.has(row)).length,
    different_rows: differing.size,
  }
}

interface FigureContext {
  readonly facilityId: string | undefined
  /** The row number of an earlier row with the same figure. */
  readonly repeats: number | undefined
}

function refusalOf(
  { facility, field, span }: Figure,
  calculated: CalculatedFigures,
  { facilityId, repeats }: FigureContext,
): Message | undefined {
  if (facility !== undefined && facilityId === undefined) {
    return CELL_TEXTS.CELL_FACILITY_UNKNOWN({ facility: facility.slice(0, 100) })
  }
  if (facility !== undefined && !(field === 'matched_try' || field === 'sktt_try')) {
    return CELL_TEXTS.CELL_NOT_BY_FACILITY()
  }
  if (calculated.isResidential && span.unit !== 'month' && isByMonthOnly(field)) {
    return CELL_TEXTS.CELL_OF_RESIDENTIAL_GROUP()
  }
  return repeats === undefined ? undefined : CELL_TEXTS.CELL_REPEATED({ first_row: repeats })
}

/** Returns the calculated hours or days that are missing in an hourly or daily file. */
function missingInFile(figures: readonly Figure[], calculated: CalculatedFigures): string[] {
  const given = new Set(figures.map(({ span }) => `${span.unit} ${span.from}`))
  const units = (['hour', 'day'] as const).filter((unit) => figures.some(({ span }) => span.unit === unit))
  const left = (span: Span): boolean => !given.has(`${span.unit} ${span.from}`)
  return units.flatMap((unit) => calculated.spans(unit).filter(left).map(nameOf))
}

const totalOf = (
  field: Field,
  { inFile, calculated, compared, different }: FieldSum,
): Reconciliation['totals'][number] => ({
  field,
  theirs: format(field, inFile),
  ours: format(field, calculated),
  difference: format(field, inFile - calculated),
  compared,
  different,
})
