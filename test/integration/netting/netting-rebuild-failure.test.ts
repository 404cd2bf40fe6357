import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { startApi } from '../../support/api.ts'
import { addSamples } from '../../support/netting/energy.ts'
import { makeFacility } from '../../support/netting/netting.ts'
import { createTenant } from '../../support/tenants.ts'

const DAY = Date.parse('2026-11-10T00:00:00+03:00')

/** A failed assignment is skipped; here every assignment would fail, for a reason outside of it. */
it('a rebuild answers 5xx and keeps the facts when the samples cannot be read at all', async () => {
  const api = await startApi({ now: '2026-11-20T09:30:00Z' })
  try {
    const tenant = await createTenant(api)
    const facility = await makeFacility(api.deps, tenant, { meters: ['main_consumption'] })
    const meter = facility.meters.main_consumption
    if (!meter) throw new Error('the facility has no meter')
    const samples = [0, 1, 2, 3].map((hours) => ({
      at: DAY + hours * HOUR_MS,
      import_active_energy: 100 + hours * 5,
    }))
    await addSamples(api.deps, tenant, meter, samples)
    const path = `/api/mahsuplasma/facilities/${facility.id}/hourly-energy`
    const range = {
      from_hour: new Date(DAY).toISOString(),
      to_hour: new Date(DAY + 3 * HOUR_MS).toISOString(),
    }
    const rebuild = () => api.call('POST', `${path}/rebuild`, { token: tenant.admin.token, body: range })
    const facts = async () =>
      (
        await api.call('GET', `${path}?from=${range.from_hour}&to=${range.to_hour}`, {
          token: tenant.viewer.token,
        })
      ).text
    const built = await rebuild()
    expect([built.status, built.body.rows_upserted]).toEqual([201, 3])
    const before = await facts()

    const { kysely } = api.deps.database
    await sql`alter table measurement rename to measurement_out_of_reach`.execute(kysely)
    const failed = await rebuild()
    expect(failed.status).toBe(500)
    expect(failed.body).toMatchObject({
      detail: { error_code: 'INTERNAL_ERROR', message: 'unexpected server error' },
    })
    expect(await facts()).toBe(before)

    await sql`alter table measurement_out_of_reach rename to measurement`.execute(kysely)
    const again = await rebuild()
    expect([again.status, again.body.rows_upserted]).toEqual([201, 0])
  } finally {
    await api.close()
  }
})
