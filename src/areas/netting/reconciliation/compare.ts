import { formatKwh, formatTry, type Kwh, type Try } from '../../../kernel/decimal.ts'
import { type Field, isMoney } from './columns.ts'
import { isByMonthOnly, type Ours } from './ours.ts'
import type { BadCell, Figure } from './parse.ts'
import type { Reconciliation } from './schema.ts'
import { nameOf, type Span } from './times.ts'

export interface Tolerance {
  readonly kwh: bigint
  readonly lira: bigint
}

export type Compared = Pick<
  Reconciliation,
  'rows' | 'missing_theirs' | 'missing_ours' | 'totals' | 'matched_rows' | 'different_rows'
> & { readonly badCells: readonly BadCell[] }

const format = (field: Field, value: bigint): string =>
  isMoney(field) ? formatTry(value as Try) : formatKwh(value as Kwh)
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

interface Sum {
  theirs: bigint
  ours: bigint
  compared: number
  different: number
}

/** Holds every figure of the file against ours. */
export function compareFigures(figures: readonly Figure[], ours: Ours, tolerance: Tolerance): Compared {
  const badCells: BadCell[] = []
  const rows: Reconciliation['rows'] = []
  const missing = new Map<number, string>()
  const sums = new Map<Field, Sum>()
  const [agreeing, differing] = [new Set<number>(), new Set<number>()]
  const firstRow = new Map<string, number>()
  for (const figure of figures) {
    const { row, span, field, theirs } = figure
    const facilityId = figure.facility === undefined ? undefined : ours.facilityIdOf(figure.facility)
    const key = `${span.unit} ${span.from} ${facilityId ?? ''} ${field}`
    const refusal = refusalOf(figure, ours, { facilityId, repeats: firstRow.get(key) })
    if (refusal !== undefined) {
      badCells.push({ row, column: field, message: refusal })
      continue
    }
    firstRow.set(key, row)
    const value = ours.valueOf({ span, facilityId, field })
    if (value === undefined) {
      missing.set(row, nameOf(span))
      continue
    }
    const sum = sums.get(field) ?? { theirs: 0n, ours: 0n, compared: 0, different: 0 }
    sums.set(field, sum)
    sum.theirs += theirs
    sum.ours += value ?? 0n
    sum.compared += 1
    const limit = isMoney(field) ? tolerance.lira : tolerance.kwh
    if (value !== null && magnitude(theirs - value) <= limit) {
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
      theirs: format(field, theirs),
      ours: value === null ? null : format(field, value),
      difference: value === null ? null : format(field, theirs - value),
    })
  }
  return {
    badCells,
    rows,
    missing_ours: [...missing].map(([row, key]) => ({ row, key })),
    missing_theirs: missingTheirs(figures, ours),
    totals: [...sums].map(([field, sum]) => totalOf(field, sum)),
    matched_rows: [...agreeing].filter((row) => !differing.has(row) && !missing.has(row)).length,
    different_rows: differing.size,
  }
}

interface Known {
  readonly facilityId: string | undefined
  /** The row that said the same before. */
  readonly repeats: number | undefined
}

function refusalOf(
  { facility, field, span }: Figure,
  ours: Ours,
  { facilityId, repeats }: Known,
): string | undefined {
  if (facility !== undefined && facilityId === undefined) {
    return `${JSON.stringify(facility.slice(0, 100))} is no facility of the group in this month`
  }
  if (facility !== undefined && !(field === 'matched_try' || field === 'sktt_try')) {
    return 'is not known by facility: leave the facility empty, or give matched_try or sktt_try'
  }
  if (ours.isResidential && span.unit !== 'month' && isByMonthOnly(field)) {
    return 'a residential group is netted by the month: give it in a row of the month'
  }
  return repeats === undefined ? undefined : `says again what row ${repeats} has said`
}

/** What a file by the hour, or by the day, leaves out of what is calculated. */
function missingTheirs(figures: readonly Figure[], ours: Ours): string[] {
  const given = new Set(figures.map(({ span }) => `${span.unit} ${span.from}`))
  const units = (['hour', 'day'] as const).filter((unit) => figures.some(({ span }) => span.unit === unit))
  const left = (span: Span): boolean => !given.has(`${span.unit} ${span.from}`)
  return units.flatMap((unit) => ours.spans(unit).filter(left).map(nameOf))
}

const totalOf = (
  field: Field,
  { theirs, ours, compared, different }: Sum,
): Reconciliation['totals'][number] => ({
  field,
  theirs: format(field, theirs),
  ours: format(field, ours),
  difference: format(field, theirs - ours),
  compared,
  different,
})
