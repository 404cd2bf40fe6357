import { iso, type Range } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import { readRanges } from '../history/index.ts'
import type { SampleValues } from '../intake-contract/index.ts'
import { epochMs, readValues, VALUE_COLUMNS } from '../sample-columns.ts'

const COLUMNS = [...VALUE_COLUMNS, 'extra'].map((name) => `m."${name}"`).join(', ')
const DEVICE_KEY = {
  name: 'measurement_curve_device',
  text: 'select key from device where tenant_id = $1 and id = $2',
}
const CURVE = {
  name: 'measurement_curve',
  text: `
    select at, count, ${COLUMNS.replaceAll('m.', '')} from (
      select ${epochMs('m.ts')} as at, ${COLUMNS}, part, count(*) over ()::int as count,
        row_number() over (partition by part order by m.ts desc) as rank
      from (
        select *, floor(extract(epoch from ts - $3::timestamptz) / $5::float8) as part from measurement
        where tenant_id = $1 and device_key = $2
          and ts >= $3 and ts < $4
      ) m
    ) n where rank = 1 order by at`,
}

export interface CurveOptions {
  readonly tenantId: number
  readonly deviceId: string
  readonly range: Range
  readonly points: number
}

export interface Curve {
  /** Ascending. */
  readonly points: readonly { readonly at: number; readonly values: SampleValues }[]
  /** Stored samples of the range. */
  readonly samples: number
}

/**
 * Reads the samples of a range, downsampled to `points`: the last sample of each of `points` equal parts of
 * the range.
 */
export async function readCurve(
  db: Queryable,
  { tenantId, deviceId, range, points }: CurveOptions,
): Promise<Curve> {
  const { from, to } = range
  if (to <= from) return { points: [], samples: 0 }
  const partS = (to - from) / points / 1000
  const [device] = await readRows(db, { ...DEVICE_KEY, values: [tenantId, deviceId] })
  if (!device) return { points: [], samples: 0 }
  const deviceKey = Number(device[0])
  const rows = await readRanges(
    db,
    { tenantId, ranges: [{ deviceKey, range }] },
    { ...CURVE, values: [tenantId, deviceKey, iso(from), iso(to), partS] },
  )
  return {
    points: rows.map(([at, , ...cells]) => ({ at: Number(at), values: readValues(cells) })),
    samples: Number(rows[0]?.[1] ?? 0),
  }
}
