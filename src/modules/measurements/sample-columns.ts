import { fromMillionths, GAUGES, isRegister, REGISTERS, toMillionths } from '../../kernel/metrics.ts'
import type { BinaryCopy } from '../../platform/db/binary-copy.ts'
import type { SampleValues } from '../../platform/ingest.ts'

/** The value columns of `measurement`, in the order in which they are written and read. */
export const VALUE_COLUMNS = [...REGISTERS, ...GAUGES] as const
const places: ReadonlyMap<string, number> = new Map(VALUE_COLUMNS.map((name, place) => [name, place]))
const values = new Float64Array(VALUE_COLUMNS.length)

export interface StagedRow {
  readonly tenantId: number
  readonly deviceKey: number
  readonly at: number
  readonly values: SampleValues
}
/** Position in the batch, tenant, device, instant, the values, the extra values. */
const STAGED_COLUMNS = VALUE_COLUMNS.length + 5

/** One row of the staging table; `no` is its position in the batch. */
export function writeRow(copy: BinaryCopy, row: StagedRow, no: number): void {
  const extra = spreadValues(row.values)
  copy.row(STAGED_COLUMNS)
  copy.int4(no)
  copy.int4(row.tenantId)
  copy.int4(row.deviceKey)
  copy.timestamptz(row.at)
  for (let place = 0; place < values.length; place++) {
    const value = values[place] ?? Number.NaN
    if (Number.isNaN(value)) copy.missing()
    else if (place < REGISTERS.length) copy.int8(value)
    else copy.float8(value)
  }
  if (extra) copy.jsonb(extra)
  else copy.missing()
}

/** Fills the scratch list by column, NaN where there is none; returns what has no column. */
function spreadValues(sent: SampleValues): Record<string, number> | undefined {
  values.fill(Number.NaN)
  let extra: Record<string, number> | undefined
  for (const metric in sent) {
    const value = sent[metric] ?? 0
    const place = places.get(metric)
    if (place === undefined) {
      extra ??= {}
      extra[metric] = value
    } else values[place] = place < REGISTERS.length ? toMillionths(value) : value
  }
  return extra
}

/** The values of a stored row as they were sent; `cells` are VALUE_COLUMNS and `extra`, as text or numbers. */
export function readValues(cells: readonly unknown[]): SampleValues {
  const read: Record<string, number> = {}
  for (const [place, metric] of VALUE_COLUMNS.entries()) {
    const cell = cells[place]
    if (cell === null || cell === undefined) continue
    read[metric] = isRegister(metric) ? fromMillionths(Number(cell)) : Number(cell)
  }
  return { ...read, ...(cells[VALUE_COLUMNS.length] as SampleValues | null) }
}
