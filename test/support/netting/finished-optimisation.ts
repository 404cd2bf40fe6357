import * as store from '../../../src/areas/netting/optimisation/store.ts'
import { inTenantTx, type TenantTx } from '../../../src/platform/db/tenant.ts'
import { type ForeignFixture, post, unique } from '../foreign-fixture.ts'

const NO_FIGURES = {
  ...{ production_kwh: null, consumption_kwh: null, matched_kwh: null, net_import_kwh: null },
  ...{ bedelli_kwh: null, skb_kwh: null, bedelsiz_kwh: null, limit_used_kwh: '0.000', balance_try: null },
}

/** An optimisation whose result is stored: a change of the group, and no set points. It needs no calculation. */
export async function makeFinishedOptimisation(
  fixture: ForeignFixture,
  { groupId, facilityId }: { readonly groupId: string; readonly facilityId: string },
): Promise<string> {
  const { api, tenant } = fixture
  const battery = { facility_id: facilityId, capacity_kwh: 10, power_kw: 5, efficiency: 1 }
  const id = await post(fixture, '/api/mahsuplasma/optimisations', {
    ...{ name: unique('optimisation'), kind: 'battery_dispatch', group_ids: [groupId] },
    ...{ from: '2026-11', to: '2026-11', batteries: [battery] },
  })
  const inTx = <T>(work: (tx: TenantTx) => Promise<T>) =>
    inTenantTx(api.deps.database.kysely, tenant.id, work)
  const attempt = await inTx((tx) => store.begin(tx, id))
  if (!attempt) throw new Error('the new optimisation does not wait')
  const result = {
    ...{ base: NO_FIGURES, proposal: NO_FIGURES, proposed_by: 'solver', candidates: [], outlooks: [] },
    groups: [{ group_id: groupId, status: 'blocked', failed: ['R002'] }],
    ...{ benefit_try: null, bound_try: null, gap_try: null, gap_percent: null },
    changes: [{ type: 'netting_interval' as const, group_id: groupId, interval: 'month' as const }],
    solver: { name: 'HiGHS', status: 'optimal', columns: 0, rows: 0 },
  }
  const flow = { producer_id: facilityId, consumer_id: facilityId, proportional_kwh: '1.000' }
  const flows = [{ ...flow, matched_kwh: '2.000', value_try: '3.000000' }]
  const outcome = { result, setPoints: [], flows }
  await inTx((tx) => store.finish(tx, attempt, { outcome, runIds: [], steps: 3, at: api.deps.clock.now() }))
  return id
}
