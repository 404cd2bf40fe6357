import { formatKwh, parseKwh, subtract } from '../../../kernel/decimal.ts'
import {
  AGGREGATE_FIRST_MS,
  AGGREGATE_LAST_MS,
  AGGREGATE_RANGE_DEFAULT_MS,
  AGGREGATE_RANGE_MAX_MS,
} from '../../../kernel/limits.ts'
import { DAY_MS, floorHour, HOUR_MS, iso, type Range } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { bucketEnd, wholeBuckets } from '../../metering/rollup/index.ts'
import { epochMsOf } from '../shared/index.ts'
import { type BucketRow, sumReadings } from './reading-store.ts'
import type { Consumption, ConsumptionQuery } from './schema.ts'

const UNITS = { hourly: 'hour', daily: 'day', monthly: 'month' } as const

/**
 * Returns the import and export of an installation in every bucket of a range, for the consumption widget.
 */
export async function consumptionOf(
  tenant: TenantDb,
  installationId: string,
  { query, now }: { readonly query: ConsumptionQuery; readonly now: number },
): Promise<Consumption> {
  const { interval } = query
  const range = rangeOf(query, now)
  const rows = await sumReadings(tenant, installationId, { range, unit: UNITS[interval] })
  const sums = new Map(rows.map((row) => [row.at, row]))
  const data: Consumption['data'] = []
  for (let at = range.from; at < range.to; at = bucketEnd(interval, at)) {
    const over = Math.min(bucketEnd(interval, at), Math.max(at, floorHour(now)))
    data.push({ ...bucketOf(at, sums.get(at)), hours_expected: (over - at) / HOUR_MS })
  }
  return { installation_id: installationId, interval, from: iso(range.from), to: iso(range.to), data }
}

function bucketOf(at: number, row: BucketRow | undefined) {
  const { importKwh = null, exportKwh = null, hoursPresent = 0 } = row ?? {}
  return {
    timestamp: iso(at),
    import_kwh: importKwh,
    export_kwh: exportKwh,
    net_kwh:
      importKwh === null || exportKwh === null
        ? null
        : formatKwh(subtract(parseKwh(importKwh), parseKwh(exportKwh))),
    hours_present: hoursPresent,
  }
}

function rangeOf({ interval, ...query }: ConsumptionQuery, now: number): Range {
  const to = query.to === undefined ? now : epochMsOf(query.to)
  const from = query.from === undefined ? to - AGGREGATE_RANGE_DEFAULT_MS[interval] : epochMsOf(query.from)
  if (from >= to) throw invalidInput(['query', 'to'], 'must be later than from')
  if (to - from > AGGREGATE_RANGE_MAX_MS[interval]) {
    const days = AGGREGATE_RANGE_MAX_MS[interval] / DAY_MS
    throw invalidInput(
      ['query', 'from'],
      `at most ${days} days of ${interval} values can be asked for at once`,
    )
  }
  if (from < AGGREGATE_FIRST_MS) throw invalidInput(['query', 'from'], 'must not lie before 1900')
  if (to > AGGREGATE_LAST_MS) throw invalidInput(['query', 'to'], 'must not lie after 2999')
  return wholeBuckets(interval, { from, to })
}
