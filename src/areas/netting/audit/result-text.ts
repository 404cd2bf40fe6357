import { type Static, Type } from 'typebox'
import { reapplyMovements, usageMovements } from '../../../core/netting/ledger.ts'
import type { PeriodResult } from '../../../core/netting/types.ts'
import { formatKwh, formatPrice, formatTry, type Kwh, type Try } from '../../../kernel/decimal.ts'
import { iso } from '../../../kernel/time.ts'

const Cell = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
const Row = Type.Record(Type.String(), Cell)
const Rows = Type.Array(Row)

/** The lists of a run's result, each with the key columns of its rows. */
export const LISTS = {
  hours: ['hour'],
  virtual_meters: ['hour', 'virtual_meter_type', 'grid_operator_id', 'source_kind', 'reason_code'],
  amounts: [
    'hour',
    'amount_type',
    'facility_id',
    'grid_operator_id',
    'source_kind',
    'step_no',
    'tariff_price_id',
  ],
  usage: ['account_id', 'hour'],
  movements: ['account_id', 'movement_type'],
} as const
export type ListName = keyof typeof LISTS
export const LIST_NAMES = Object.keys(LISTS) as ListName[]

/** Returns the rows that a run has written, without ids and without flags that do not affect the figures. */
export const ResultText = Type.Object({
  hours: Rows,
  virtual_meters: Rows,
  amounts: Rows,
  usage: Rows,
  movements: Rows,
})
export type Row = Static<typeof Row>
export type ResultText = Static<typeof ResultText>

const kwh = (value: Kwh | null): string | null => (value === null ? null : formatKwh(value))
const lira = (value: Try | null): string | null => (value === null ? null : formatTry(value))

/**
 * Returns the rows that a run with this result writes. A correction books `correction_reapply` instead of
 * usage.
 */
export const resultTextOf = (
  result: PeriodResult,
  { isCorrection }: { isCorrection: boolean },
): ResultText => ({
  hours: result.hours.map((row) => ({
    hour: iso(row.hour),
    production_kwh: kwh(row.productionKwh),
    consumption_kwh: kwh(row.consumptionKwh),
    matched_kwh: kwh(row.matchedKwh),
    surplus_kwh: kwh(row.surplusKwh),
    net_import_kwh: kwh(row.netImportKwh),
    bedelli_kwh: kwh(row.bedelliKwh),
    skb_kwh: kwh(row.skbKwh),
    bedelsiz_kwh: kwh(row.bedelsizKwh),
    matched_over_limit_kwh: kwh(row.matchedOverLimitKwh),
    limit_before_kwh: kwh(row.limitBeforeKwh),
    limit_used_kwh: kwh(row.limitUsedKwh),
    limit_after_kwh: kwh(row.limitAfterKwh),
    mesken_informational: row.meskenInformational,
    data_quality: row.dataQuality,
  })),
  virtual_meters: result.virtualMeters.map((row) => ({
    hour: iso(row.hour),
    virtual_meter_type: row.virtualMeterType,
    grid_operator_id: row.gridOperatorId,
    source_kind: row.sourceKind,
    reason_code: row.reasonCode,
    energy_kwh: kwh(row.quantityKwh),
  })),
  amounts: result.amounts.map((row) => ({
    hour: iso(row.hour),
    facility_id: row.facilityId,
    amount_type: row.amountType,
    grid_operator_id: row.gridOperatorId,
    source_kind: row.sourceKind,
    step_no: row.stepNo,
    quantity_kwh: kwh(row.quantityKwh),
    unit_price_try_per_kwh: row.unitPriceTryPerKwh === null ? null : formatPrice(row.unitPriceTryPerKwh),
    amount_try: lira(row.amountTry),
    tariff_price_id: row.tariffPriceId,
  })),
  usage: result.usage.map((row) => ({
    account_id: row.accountId,
    hour: iso(row.hour),
    matched_kwh: kwh(row.matchedKwh),
    bedelli_kwh: kwh(row.paidSurplusKwh),
  })),
  movements: (isCorrection ? reapplyMovements : usageMovements)(result.usageByAccount).map((row) => ({
    account_id: row.accountId,
    movement_type: row.movementType,
    amount_kwh: kwh(row.amountKwh),
  })),
})

export interface RowDifference {
  readonly list: ListName
  /** The key columns of the row with their values. */
  readonly row: string
  /** Undefined when only one side has the row. */
  readonly field?: string
  readonly stored: string
  readonly computed: string
}

/** Returns the first difference of two results. The order of their rows is irrelevant. */
export function firstDifference(stored: ResultText, computed: ResultText): RowDifference | undefined {
  for (const list of LIST_NAMES) {
    const difference = differenceIn(list, sortByKey(list, stored[list]), sortByKey(list, computed[list]))
    if (difference) return difference
  }
  return undefined
}

interface Keyed {
  readonly key: string
  readonly text: string
  readonly row: Row
}

const keyOf = (list: ListName, row: Row): string =>
  LISTS[list].map((column) => `${column} ${row[column] ?? 'none'}`).join(', ')

const sortByKey = (list: ListName, rows: readonly Row[]): Keyed[] =>
  rows
    .map((row) => ({ key: keyOf(list, row), text: JSON.stringify(Object.entries(row).sort()), row }))
    .sort((a, b) => compare(a.key, b.key) || compare(a.text, b.text))

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
const NONE = 'no such row'

function differenceIn(list: ListName, stored: readonly Keyed[], computed: readonly Keyed[]) {
  for (let index = 0; index < Math.max(stored.length, computed.length); index += 1) {
    const [one, other] = [stored[index], computed[index]]
    if (one?.text === other?.text) continue
    if (one && (!other || one.key < other.key))
      return { list, row: one.key, stored: one.text, computed: NONE }
    if (other && (!one || other.key < one.key))
      return { list, row: other.key, stored: NONE, computed: other.text }
    if (one && other) return { list, row: one.key, ...fieldDifference(one.row, other.row) }
  }
  return undefined
}

function fieldDifference(stored: Row, computed: Row) {
  const names = [...new Set([...Object.keys(computed), ...Object.keys(stored)])]
  const field = names.find((name) => stored[name] !== computed[name]) ?? ''
  return { field, stored: cellText(stored[field]), computed: cellText(computed[field]) }
}

const cellText = (value: unknown): string => (value === undefined ? 'absent' : String(value))
