import { iso } from '../../../kernel/time.ts'
import type { ReadDatabase } from '../../../platform/db/replica-reads.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { readNewestValues } from '../../metering/samples/index.ts'
import {
  OVERVIEW_METERS_MAX,
  OVERVIEW_POWER_AGE_MAX_MS,
  OVERVIEW_STALE_DEFAULT_S,
  OVERVIEW_STALE_INTERVALS,
  OVERVIEW_STALE_MIN_S,
} from './limits.ts'
import { type OverviewPower, type OverviewQuery, POWER_ROLES } from './schema.ts'
import { listMeters, type MeterRow } from './store.ts'

type Times = Pick<MeterRow, 'reporting_interval_s' | 'offline_threshold_s'>

const staleAfter = ({ reporting_interval_s, offline_threshold_s }: Times): number =>
  Math.min(
    offline_threshold_s,
    reporting_interval_s === null
      ? OVERVIEW_STALE_DEFAULT_S
      : Math.max(OVERVIEW_STALE_MIN_S, OVERVIEW_STALE_INTERVALS * reporting_interval_s),
  )

/** The meters whose power is the power flow, with their latest values, in two statements. */
export async function readPower(
  { database, tenant }: { readonly database: ReadDatabase; readonly tenant: TenantDb },
  query: OverviewQuery,
  now: number,
): Promise<OverviewPower> {
  const limit = OVERVIEW_METERS_MAX + 1
  const rows = await listMeters(tenant, { ...query, at: new Date(now), roles: POWER_ROLES, limit })
  const meters = rows.slice(0, OVERVIEW_METERS_MAX)
  const from = now - OVERVIEW_POWER_AGE_MAX_MS
  const newest = await readNewestValues(
    database.pool,
    tenant.tenantId,
    meters.map(({ device_key }) => ({ deviceKey: device_key, metric: 'active_power', from })),
  )
  return {
    timestamp: iso(now),
    meters: meters.map(({ device_key, reporting_interval_s, offline_threshold_s, ...meter }, index) => {
      const found = newest[index]
      return {
        ...meter,
        active_power_kw: found?.value ?? null,
        timestamp: found ? iso(found.at) : null,
        stale_after_s: staleAfter({ reporting_interval_s, offline_threshold_s }),
      }
    }),
    is_truncated: rows.length > OVERVIEW_METERS_MAX,
  }
}
