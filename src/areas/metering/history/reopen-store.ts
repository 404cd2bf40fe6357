import { decodeChunk, type SampleColumns } from '../../../core/sample-chunks/index.ts'
import type { LocalDate } from '../../../kernel/time.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import type { SampleValues } from '../intake-contract/index.ts'
import { readValues, VALUE_COLUMNS } from '../sample-columns.ts'
import { runOnConnection } from './chunk-store.ts'
import { cellTexts, toArrays } from './rows.ts'

export interface DeviceDay {
  readonly tenantId: number
  readonly deviceKey: number
  readonly day: LocalDate
}

interface DayChunk extends DeviceDay {
  readonly samples: SampleColumns
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

const toChunk = (tenantId: number, [deviceKey, day, content]: readonly unknown[]): DayChunk => ({
  tenantId,
  deviceKey: Number(deviceKey),
  day: String(day),
  samples: decodeChunk(content as Uint8Array),
})

const COLUMNS = ['device_key', 'ts', ...VALUE_COLUMNS, 'extra'].map((name) => `"${name}"`).join(', ')

/** The values of compressed samples by device-day and instant. */
export type CompressedValues = (day: DeviceDay, at: number) => SampleValues | undefined

/**
 * Returns the samples of compressed days to the rows, before a batch that may have samples of these days is stored
 * in the same transaction. The chunks remain, and are locked until the transaction ends; the job replaces them
 * later. Rows that exist are newer than the chunk and stay. Days without a chunk are left out, and those whose
 * samples are rows already, as for all batches of a backfill but the first one, are only locked.
 */
export async function reopenDays(db: Queryable, days: readonly DeviceDay[]): Promise<void> {
  const run = runOnConnection(db)
  for (const [tenantId, values] of byTenant(days)) {
    const locked = await run(
      `select c.device_key, c.day::text, c.has_rows ${CHUNKS} ${BY_KEY} for update of c`,
      values,
    )
    const closed = locked.filter(([, , hasRows]) => hasRows !== true)
    if (closed.length === 0) continue
    const keys = [tenantId, closed.map(([deviceKey]) => deviceKey), closed.map(([, day]) => day)]
    for (const row of await run(`select c.device_key, c.day::text, c.content ${CHUNKS} ${BY_KEY}`, keys)) {
      const arrays = toArrays([toChunk(tenantId, row)])
      await run(
        `insert into measurement (tenant_id, ${COLUMNS}) select $1::int, c.* from (${arrays.text(2)}) c
          on conflict do nothing`,
        [tenantId, ...arrays.values],
      )
    }
    await run(
      `update measurement_chunk c set has_rows = true from unnest($2::int[], $3::date[]) as w (device_key, day)
        where c.tenant_id = $1 and c.device_key = w.device_key and c.day = w.day`,
      keys,
    )
  }
}

/** Reads compressed days that cannot be reopened, because their month is sealed. */
export async function readCompressed(db: Queryable, days: readonly DeviceDay[]): Promise<CompressedValues> {
  const chunks: DayChunk[] = []
  for (const [tenantId, values] of byTenant(days))
    for (const row of await runOnConnection(db)(
      `select c.device_key, c.day::text, c.content ${CHUNKS}`,
      values,
    ))
      chunks.push(toChunk(tenantId, row))
  return valuesIn(chunks)
}

function valuesIn(list: readonly DayChunk[]): CompressedValues {
  const keyOf = ({ tenantId, deviceKey, day }: DeviceDay) => `${tenantId} ${deviceKey} ${day}`
  const chunks = new Map(list.map((chunk) => [keyOf(chunk), chunk.samples]))
  return (day, at) => {
    const samples = chunks.get(keyOf(day))
    const row = samples?.times.indexOf(at * 1000) ?? -1
    if (!samples || row < 0) return undefined
    const [, ...cells] = cellTexts(samples, row)
    const extra = cells.pop() ?? null
    return readValues([...cells, extra === null ? null : (JSON.parse(extra) as SampleValues)])
  }
}
