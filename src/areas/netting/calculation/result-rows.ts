import type { PeriodPart } from '../../../core/netting/period.ts'
import type { AmountRow, HourRow, UsageRow, VirtualMeterRow } from '../../../core/netting/types.ts'
import { formatKwh, formatPrice, formatTry } from '../../../kernel/decimal.ts'
import {
  type BulkColumn,
  type EncodedColumn,
  encodeColumns,
  ROWS_PER_STATEMENT,
} from '../../../platform/db/bulk-text.ts'

/** Rows of one statement, without the columns that all rows of a run share. */
export interface EncodedRows {
  readonly table: 'limit_usage_hour' | 'calculation_hour' | 'virtual_meter_hour' | 'amount'
  readonly columns: readonly EncodedColumn[]
}

/** The rows of one hour or of the month. */
export type ResultPart = Omit<PeriodPart, 'netted'>

/** The rows of a result, in pieces of one statement, each encoded when it is requested. */
export function* encodeParts(parts: Iterable<ResultPart>): Generator<EncodedRows> {
  const usage = rowQueue('limit_usage_hour', usageColumns)
  const hours = rowQueue('calculation_hour', hourColumns)
  const meters = rowQueue('virtual_meter_hour', meterColumns)
  const amounts = rowQueue('amount', amountColumns)
  for (const part of parts) {
    yield* usage.add(part.usage)
    yield* hours.add(part.hours)
    yield* meters.add(part.meters.map(({ row }) => row))
    yield* amounts.add(part.amounts)
  }
  for (const queue of [usage, hours, meters, amounts]) yield* queue.rest()
}

interface RowQueue<Row> {
  /** Adds rows, and returns those for which a statement is full. */
  add(rows: readonly Row[]): Generator<EncodedRows>
  rest(): Generator<EncodedRows>
}

function rowQueue<Row>(
  table: EncodedRows['table'],
  columnsOf: (rows: readonly Row[]) => readonly BulkColumn[],
): RowQueue<Row> {
  let waiting: Row[] = []
  const encode = (rows: readonly Row[]): EncodedRows => ({ table, columns: encodeColumns(columnsOf(rows)) })
  return {
    *add(rows) {
      for (const row of rows) {
        waiting.push(row)
        if (waiting.length < ROWS_PER_STATEMENT) continue
        yield encode(waiting)
        waiting = []
      }
    },
    *rest() {
      if (waiting.length > 0) yield encode(waiting)
      waiting = []
    },
  }
}

/** The usage by account and hour, from which a balance can be read as of any hour. */
const usageColumns = (rows: readonly UsageRow[]): BulkColumn[] => [
  { name: 'account_id', type: 'uuid', values: rows.map((row) => row.accountId) },
  { name: 'hour', type: 'timestamptz', values: rows.map((row) => new Date(row.hour)) },
  { name: 'matched_kwh', type: 'numeric', values: rows.map((row) => formatKwh(row.matchedKwh)) },
  { name: 'bedelli_kwh', type: 'numeric', values: rows.map((row) => formatKwh(row.paidSurplusKwh)) },
]

const hourOf = (rows: readonly { readonly hour: number }[]): BulkColumn => {
  const texts = new Map<number, Date>()
  const values = rows.map(({ hour }) => {
    const known = texts.get(hour) ?? new Date(hour)
    texts.set(hour, known)
    return known
  })
  return { name: 'hour', type: 'timestamptz', values }
}

type KwhField = Extract<keyof HourRow, `${string}Kwh`>
const HOUR_FIELDS: readonly (readonly [name: string, field: KwhField])[] = [
  ['production_kwh', 'productionKwh'],
  ['consumption_kwh', 'consumptionKwh'],
  ['matched_kwh', 'matchedKwh'],
  ['surplus_kwh', 'surplusKwh'],
  ['net_import_kwh', 'netImportKwh'],
  ['bedelli_kwh', 'bedelliKwh'],
  ['skb_kwh', 'skbKwh'],
  ['bedelsiz_kwh', 'bedelsizKwh'],
  ['matched_over_limit_kwh', 'matchedOverLimitKwh'],
  ['limit_before_kwh', 'limitBeforeKwh'],
  ['limit_used_kwh', 'limitUsedKwh'],
  ['limit_after_kwh', 'limitAfterKwh'],
]

const hourColumns = (rows: readonly HourRow[]): BulkColumn[] => [
  hourOf(rows),
  ...HOUR_FIELDS.map(
    ([name, field]): BulkColumn => ({
      name,
      type: 'numeric',
      values: rows.map(({ [field]: kwh }) => (kwh === null ? null : formatKwh(kwh))),
    }),
  ),
  { name: 'mesken_informational', type: 'boolean', values: rows.map((row) => row.meskenInformational) },
  { name: 'data_quality', type: 'text', values: rows.map((row) => row.dataQuality) },
]

const meterColumns = (rows: readonly VirtualMeterRow[]): BulkColumn[] => [
  hourOf(rows),
  { name: 'virtual_meter_type', type: 'text', values: rows.map((row) => row.virtualMeterType) },
  { name: 'grid_operator_id', type: 'uuid', values: rows.map((row) => row.gridOperatorId) },
  { name: 'source_kind', type: 'text', values: rows.map((row) => row.sourceKind) },
  { name: 'reason_code', type: 'text', values: rows.map((row) => row.reasonCode) },
  { name: 'energy_kwh', type: 'numeric', values: rows.map((row) => formatKwh(row.quantityKwh)) },
]

const amountColumns = (rows: readonly AmountRow[]): BulkColumn[] => [
  hourOf(rows),
  { name: 'facility_id', type: 'uuid', values: rows.map((row) => row.facilityId) },
  { name: 'amount_type', type: 'text', values: rows.map((row) => row.amountType) },
  { name: 'grid_operator_id', type: 'uuid', values: rows.map((row) => row.gridOperatorId) },
  { name: 'source_kind', type: 'text', values: rows.map((row) => row.sourceKind) },
  { name: 'step_no', type: 'integer', values: rows.map((row) => row.stepNo) },
  { name: 'quantity_kwh', type: 'numeric', values: rows.map((row) => formatKwh(row.quantityKwh)) },
  {
    name: 'unit_price_try_per_kwh',
    type: 'numeric',
    values: rows.map(({ unitPriceTryPerKwh: price }) => (price === null ? null : formatPrice(price))),
  },
  {
    name: 'amount_try',
    type: 'numeric',
    values: rows.map(({ amountTry }) => (amountTry === null ? null : formatTry(amountTry))),
  },
  { name: 'tariff_price_id', type: 'uuid', values: rows.map((row) => row.tariffPriceId) },
]
