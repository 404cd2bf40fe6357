import { iso } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import type { SampleValues } from '../../../platform/ingest.ts'
import { epochMs, readValues, VALUE_COLUMNS } from '../sample-columns.ts'

const COLUMNS = [...VALUE_COLUMNS, 'extra'].map((name) => `m."${name}"`).join(', ')
// One index scan per device, so that the cost follows the number of returned rows and not of stored ones.
const NEWEST = {
  name: 'measurement_newest',
  text: `
    select k.device_key, m.at, ${COLUMNS}
    from unnest($2::int[]) as k (device_key) cross join lateral (
      select ${epochMs('ts')} as at, * from measurement
      where tenant_id = $1 and device_key = k.device_key and ts >= $3 order by ts desc limit $4
    ) m`,
}

export interface NewestSamplesOptions {
  readonly tenantId: number
  readonly deviceKeys: readonly number[]
  /** Epoch milliseconds; included. */
  readonly from: number
  readonly perDevice: number
}

export interface NewestSample {
  readonly deviceKey: number
  readonly at: number
  readonly values: SampleValues
}

/**
 * Reads the newest stored samples of each device from an instant on, at most `perDevice` of each,
 * unordered.
 */
export async function readNewestSamples(
  db: Queryable,
  options: NewestSamplesOptions,
): Promise<NewestSample[]> {
  const { tenantId, deviceKeys, from, perDevice } = options
  const rows = await readRows(db, { ...NEWEST, values: [tenantId, deviceKeys, iso(from), perDevice] })
  return rows.map(([key, at, ...cells]) => ({
    deviceKey: Number(key),
    at: Number(at),
    values: readValues(cells),
  }))
}
