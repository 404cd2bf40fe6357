import * as store from '../../../src/areas/netting/hourly-forecasts/store.ts'
import { inTenantTx, type TenantTx } from '../../../src/platform/db/tenant.ts'
import { type ForeignFixture, post } from '../foreign-fixture.ts'

/** A finished forecast of a day of a facility, for which no hours are needed. */
export async function makeFinishedForecast(fixture: ForeignFixture, facilityId: string): Promise<string> {
  const { api, tenant } = fixture
  const id = await post(fixture, '/api/mahsuplasma/hourly-forecasts', {
    ...{ facility_ids: [facilityId], days: 1 },
  })
  const inTx = <T>(work: (tx: TenantTx) => Promise<T>) =>
    inTenantTx(api.deps.database.kysely, tenant.id, work)
  const attempt = await inTx((tx) => store.begin(tx, id))
  if (!attempt) throw new Error('the new forecast does not wait')
  const now = api.deps.clock.now()
  const hours = (wh: number) => Array.from({ length: 24 }, () => wh)
  const score = { hours: 0, mae_kwh: null, naive_week_mae_kwh: null, naive_year_mae_kwh: null }
  const series = {
    ...{ facilityId, kind: 'consumption' as const, historyFrom: now, historyHours: 0 },
    quantiles: { p10: hours(900), p50: hours(1_000), p90: hours(1_200) },
    calibration: { hours: 0, lower_factor: 1, upper_factor: 1 },
    score: { ...score, pinball_kwh: null, coverage_pct: null },
  }
  await inTx((tx) => store.finish(tx, attempt, { outcome: { series: [series], inputHash: '' }, at: now }))
  return id
}
