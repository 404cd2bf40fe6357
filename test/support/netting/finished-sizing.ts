import * as store from '../../../src/areas/netting/sizings/store.ts'
import { inTenantTx, type TenantTx } from '../../../src/platform/db/tenant.ts'
import { type ForeignFixture, post, unique } from '../foreign-fixture.ts'

interface SizedFacility {
  readonly groupId: string
  readonly facilityId: string
}

/** A sizing whose result is stored and contains no point: no calculation is needed for it. */
export async function makeFinishedSizing(
  fixture: ForeignFixture,
  { groupId, facilityId }: SizedFacility,
): Promise<string> {
  const { api, tenant } = fixture
  const id = await post(fixture, '/api/mahsuplasma/sizings', {
    ...{ name: unique('sizing'), group_ids: [groupId], from: '2026-11', to: '2026-11', change: 0 },
    ...{ changes: [{ type: 'scale_plant', facility_id: facilityId, factor: 1 }], sizes: [1] },
  })
  const inTx = <T>(work: (tx: TenantTx) => Promise<T>) =>
    inTenantTx(api.deps.database.kysely, tenant.id, work)
  const attempt = await inTx((tx) => store.begin(tx, id))
  if (!attempt) throw new Error('the new sizing does not wait')
  const unknown = { production_kwh: null, consumption_kwh: null, matched_kwh: null, net_import_kwh: null }
  const surplus = { bedelli_kwh: null, skb_kwh: null, bedelsiz_kwh: null, limit_used_kwh: '0.000' }
  const base = { ...unknown, ...surplus, balance_try: null, first_over_limit_hour: null }
  const result = { outcome: { base, points: [] }, runIds: [], inputHash: '' }
  await inTx((tx) => store.finish(tx, attempt, { ...result, at: api.deps.clock.now() }))
  return id
}
