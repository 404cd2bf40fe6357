import { decodeChunk, type SampleColumns } from '../../../core/sample-chunks/index.ts'
import type { LocalDate } from '../../../kernel/time.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import type { SampleValues } from '../intake-contract/index.ts'
import { readValues, VALUE_COLUMNS } from '../sample-columns.ts'
import { type RunRows, runOnConnection } from './chunk-store.ts'
import { cellTexts, toArrays } from './rows.ts'

export interface DeviceDay {
  readonly tenantId: number
  readonly deviceKey: number
  readonly day: LocalDate
}

const CHUNKS = `from unnest($2::int[], $3::date[]) as w (device_key, day)
  join measurement_chunk c on c.tenant_id = $1 and c.device_key = w.device_key and c.day = w.day`
const BY_KEY = 'order by c.device_key, c.day'

/** Groups days by tenant, in the order of the key, so that two batches lock them in one order. */
function* byTenant(days: readonly DeviceDay[]): Generator<readonly [tenantId: number, values: unknown[]]> {
  for (const tenantId of [...new Set(days.map((day) => day.tenantId))].sort((a, b) => a - b)) {
    const own = days.filter((day) => day.tenantId === tenantId)
    yield [tenantId, [tenantId, own.map(({ deviceKey }) => deviceKey), own.map(({ day }) => day)]]
  }
}

const COLUMNS = ['device_key', 'ts', ...VALUE_COLUMNS, 'extra'].map((name) => `"${name}"`).join(', ')

export interface ReopenLimits {
  /** The instant of the monotonic clock after which no further day is returned, except for the first one. */
  readonly until?: number
}

/**
 * Returns the samples of compressed days to the rows, before a batch that may have samples of these days is stored
 * in the same transaction. The chunks remain, and are locked until the transaction ends; the job replaces them
 * later. Rows that exist are newer than the chunk and stay. Days without a chunk are left out, and those whose
 * samples are rows already, as for all batches of a backfill but the first one, are only locked. Days are read one
 * after the other, so that the memory does not depend on their number. False when the time was over before the last
 * one: those that are done may be committed, since a day has the same samples in either form.
 */
export async function reopenDays(
  db: Queryable,
  days: readonly DeviceDay[],
  { until = Number.POSITIVE_INFINITY }: ReopenLimits = {},
): Promise<boolean> {
  const run = runOnConnection(db)
  let isFirst = true
  for (const [tenantId, values] of byTenant(days)) {
    const locked = await run(
      `select c.device_key, c.day::text, c.has_rows ${CHUNKS} ${BY_KEY} for update of c`,
      values,
    )
    for (const [deviceKey, day, hasRows] of locked) {
      if (hasRows === true) continue
      if (!isFirst && performance.now() > until) return false
      isFirst = false
      await returnRows(run, { tenantId, deviceKey: Number(deviceKey), day: String(day) })
    }
  }
  return true
}

const OF_DAY = 'tenant_id = $1 and device_key = $2 and day = $3'
const CONTENT = `select content from measurement_chunk where ${OF_DAY}`

async function returnRows(run: RunRows, { tenantId, deviceKey, day }: DeviceDay): Promise<void> {
  const key = [tenantId, deviceKey, day]
  const [chunk] = await run(CONTENT, key)
  const arrays = toArrays([{ deviceKey, samples: decodeChunk(chunk?.[0] as Uint8Array) }])
  await run(
    `insert into measurement (tenant_id, ${COLUMNS}) select $1::int, c.* from (${arrays.text(2)}) c
      on conflict do nothing`,
    [tenantId, ...arrays.values],
  )
  await run(`update measurement_chunk set has_rows = true where ${OF_DAY}`, key)
}

/** Reads stored values of a compressed day that cannot be reopened, because its month is sealed, by instants. */
export async function readCompressed(
  db: Queryable,
  { tenantId, deviceKey, day }: DeviceDay,
  instants: readonly number[],
): Promise<(SampleValues | undefined)[]> {
  const [chunk] = await runOnConnection(db)(CONTENT, [tenantId, deviceKey, day])
  let rows = instants.map(() => -1)
  const countWanted = (times: Float64Array): number => {
    rows = instants.map((at) => times.indexOf(at * MICROSECONDS))
    return Math.max(...rows) + 1
  }
  const samples = chunk && decodeChunk(chunk[0] as Uint8Array, { countWanted })
  return rows.map((row) => (samples && row >= 0 ? valuesOf(samples, row) : undefined))
}

const MICROSECONDS = 1000

function valuesOf(samples: SampleColumns, row: number): SampleValues {
  const [, ...cells] = cellTexts(samples, row)
  const extra = cells.pop() ?? null
  return readValues([...cells, extra === null ? null : (JSON.parse(extra) as SampleValues)])
}
