import type { PeriodPart } from '../../../core/netting/period.ts'
import type { AmountRow, HourRow, UsageRow, VirtualMeterRow } from '../../../core/netting/types.ts'
import { type EncodedRows, RowEncoder, uuidBytes } from '../../../platform/db/copy-rows.ts'

/** The rows of one hour or of the month. */
export type ResultPart = Omit<PeriodPart, 'netted'>

/** What all rows of a run share. */
export interface RowOwner {
  readonly tenantId: number
  readonly runId: string
  readonly groupId: string
  /** The time of the run, of which the ids of its rows begin. */
  readonly at: number
}

/** Rows of one COPY, about 200 kB: while the server stores them, the engine computes the next. */
const ROWS_PER_COPY = 1_000

/**
 * The rows of a result, in pieces of one COPY, each encoded as the parts are computed. `spares`: buffers of inserted
 * pieces, which are taken out and used for later ones.
 */
export function* encodeParts(
  parts: Iterable<ResultPart>,
  owner: RowOwner,
  spares: ArrayBuffer[],
): Generator<EncodedRows> {
  const shared = { owner, spares, ids: new RowIds(owner) }
  const usage = rowQueue('limit_usage_hour', usageColumns, { owner, spares })
  const hours = rowQueue('calculation_hour', hourColumns, shared)
  const meters = rowQueue('virtual_meter_hour', meterColumns, shared)
  const amounts = rowQueue('amount', amountColumns, shared)
  for (const part of parts) {
    yield* usage.add(part.usage)
    yield* hours.add(part.hours)
    yield* meters.add(part.meters.map(({ row }) => row))
    yield* amounts.add(part.amounts)
  }
  for (const queue of [usage, hours, meters, amounts]) yield* queue.rest()
}

/** The stored input of a run: one row. */
export function encodeInput(packed: Uint8Array, { tenantId, runId }: RowOwner): EncodedRows {
  const row = new RowEncoder()
  row.begin(3)
  row.int4(tenantId)
  row.uuid(runId)
  row.raw(packed)
  const columns = ['tenant_id', 'calculation_run_id', 'input']
  return { table: 'calculation_input', columns, bytes: row.take() }
}

/**
 * Ids that ascend within a run (RFC 9562, version 7): the time and a part of the run's id, then a counter. Their index
 * grows at its end, where random ids change all of its pages.
 */
class RowIds {
  readonly #bytes = new Uint8Array(16)
  readonly #view = new DataView(this.#bytes.buffer)
  #count = 0

  constructor({ runId, at }: RowOwner) {
    this.#view.setUint16(0, Math.floor(at / 2 ** 32))
    this.#view.setUint32(2, at % 2 ** 32)
    this.#bytes.set(uuidBytes(runId).subarray(0, 6), 6)
    this.#view.setUint8(6, 0x70 | (this.#view.getUint8(6) & 0x0f))
    this.#view.setUint8(8, 0x80 | (this.#view.getUint8(8) & 0x3f))
  }

  /** Valid until the next call. */
  next(): Uint8Array {
    this.#view.setUint32(12, this.#count)
    this.#count += 1
    return this.#bytes
  }
}

/** A column and how its value is written. */
type Column<Row> = readonly [name: string, write: (to: RowEncoder, row: Row) => void]

interface RowQueue<Row> {
  /** Adds rows, and returns those for which a COPY is full. */
  add(rows: readonly Row[]): Generator<EncodedRows>
  rest(): Generator<EncodedRows>
}

interface QueueOptions {
  readonly owner: RowOwner
  readonly spares: ArrayBuffer[]
  /** Absent for a table whose rows have no id and name no group. */
  readonly ids?: RowIds
}

function rowQueue<Row>(
  table: EncodedRows['table'],
  columns: readonly Column<Row>[],
  { owner: { tenantId, runId, groupId }, spares, ids }: QueueOptions,
): RowQueue<Row> {
  const ofRow = columns.map(([name]) => name)
  const names = ['tenant_id', 'calculation_run_id', ...(ids ? ['id', 'group_id'] : []), ...ofRow]
  const writes = columns.map(([, write]) => write)
  const rows = new RowEncoder()
  let waiting = 0
  function* taken(): Generator<EncodedRows> {
    if (waiting > 0) yield { table, columns: names, bytes: rows.take(spares.pop()) }
    waiting = 0
  }
  return {
    *add(added) {
      for (const row of added) {
        rows.begin(names.length)
        rows.int4(tenantId)
        rows.uuid(runId)
        if (ids) {
          rows.raw(ids.next())
          rows.uuid(groupId)
        }
        for (const write of writes) write(rows, row)
        waiting += 1
        if (waiting === ROWS_PER_COPY) yield* taken()
      }
    },
    rest: taken,
  }
}

const KWH_DECIMALS = 3
const TRY_DECIMALS = 6

/** The usage by account and hour, from which a balance can be read as of any hour. */
const usageColumns: readonly Column<UsageRow>[] = [
  ['account_id', (to, row) => to.uuid(row.accountId)],
  ['hour', (to, row) => to.timestamptz(row.hour)],
  ['matched_kwh', (to, row) => to.numeric(row.matchedKwh, KWH_DECIMALS)],
  ['bedelli_kwh', (to, row) => to.numeric(row.paidSurplusKwh, KWH_DECIMALS)],
]

const hourColumns: readonly Column<HourRow>[] = [
  ['hour', (to, row) => to.timestamptz(row.hour)],
  ['production_kwh', (to, row) => to.numeric(row.productionKwh, KWH_DECIMALS)],
  ['consumption_kwh', (to, row) => to.numeric(row.consumptionKwh, KWH_DECIMALS)],
  ['matched_kwh', (to, row) => to.numeric(row.matchedKwh, KWH_DECIMALS)],
  ['surplus_kwh', (to, row) => to.numeric(row.surplusKwh, KWH_DECIMALS)],
  ['net_import_kwh', (to, row) => to.numeric(row.netImportKwh, KWH_DECIMALS)],
  ['bedelli_kwh', (to, row) => to.numeric(row.bedelliKwh, KWH_DECIMALS)],
  ['skb_kwh', (to, row) => to.numeric(row.skbKwh, KWH_DECIMALS)],
  ['bedelsiz_kwh', (to, row) => to.numeric(row.bedelsizKwh, KWH_DECIMALS)],
  ['matched_over_limit_kwh', (to, row) => to.numeric(row.matchedOverLimitKwh, KWH_DECIMALS)],
  ['limit_before_kwh', (to, row) => to.numeric(row.limitBeforeKwh, KWH_DECIMALS)],
  ['limit_used_kwh', (to, row) => to.numeric(row.limitUsedKwh, KWH_DECIMALS)],
  ['limit_after_kwh', (to, row) => to.numeric(row.limitAfterKwh, KWH_DECIMALS)],
  ['mesken_informational', (to, row) => to.bool(row.meskenInformational)],
  ['data_quality', (to, row) => to.text(row.dataQuality)],
]

const meterColumns: readonly Column<VirtualMeterRow>[] = [
  ['hour', (to, row) => to.timestamptz(row.hour)],
  ['virtual_meter_type', (to, row) => to.text(row.virtualMeterType)],
  ['grid_operator_id', (to, row) => to.uuid(row.gridOperatorId)],
  ['source_kind', (to, row) => to.text(row.sourceKind)],
  ['reason_code', (to, row) => to.text(row.reasonCode)],
  ['energy_kwh', (to, row) => to.numeric(row.quantityKwh, KWH_DECIMALS)],
]

const amountColumns: readonly Column<AmountRow>[] = [
  ['hour', (to, row) => to.timestamptz(row.hour)],
  ['facility_id', (to, row) => to.uuid(row.facilityId)],
  ['amount_type', (to, row) => to.text(row.amountType)],
  ['grid_operator_id', (to, row) => to.uuid(row.gridOperatorId)],
  ['source_kind', (to, row) => to.text(row.sourceKind)],
  ['step_no', (to, row) => to.int4(row.stepNo)],
  ['quantity_kwh', (to, row) => to.numeric(row.quantityKwh, KWH_DECIMALS)],
  ['unit_price_try_per_kwh', (to, row) => to.numeric(row.unitPriceTryPerKwh, TRY_DECIMALS)],
  ['amount_try', (to, row) => to.numeric(row.amountTry, TRY_DECIMALS)],
  ['tariff_price_id', (to, row) => to.uuid(row.tariffPriceId)],
]
