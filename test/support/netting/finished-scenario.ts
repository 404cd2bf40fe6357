import * as attempts from '../../../src/areas/netting/scenarios/attempt-store.ts'
import { inTenantTx, type TenantTx } from '../../../src/platform/db/tenant.ts'
import { type ForeignFixture, post, unique } from '../foreign-fixture.ts'

/** A scenario of a group whose result is stored and contains no month: no calculation is needed for it. */
export async function makeFinishedScenario(fixture: ForeignFixture, groupId: string): Promise<string> {
  const { api, tenant } = fixture
  const id = await post(fixture, '/api/mahsuplasma/scenarios', {
    ...{ name: unique('scenario'), group_ids: [groupId], from: '2026-11', to: '2026-11', changes: [] },
  })
  const inTx = <T>(work: (tx: TenantTx) => Promise<T>) =>
    inTenantTx(api.deps.database.kysely, tenant.id, work)
  const attempt = await inTx((tx) => attempts.begin(tx, id))
  if (!attempt) throw new Error('the new scenario does not wait')
  const outcome = { months: [], batteries: [], inputHash: '' }
  await inTx((tx) => attempts.finish(tx, attempt, { outcome, runIds: [], at: api.deps.clock.now() }))
  return id
}
