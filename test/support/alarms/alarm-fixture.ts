import { evaluateOnSchedule } from '../../../src/areas/alarms/evaluation/index.ts'
import type { TestApi } from '../api.ts'
import { createDevice } from '../metering/measurements.ts'
import { createTenant } from '../tenants.ts'
import { createPolicy, deviceIncidents } from './alarm-policies.ts'

const MINUTE = 60_000
const { signal } = new AbortController()

/** A separate tenant with a device and a policy that watches it, from the start of the current minute. */
export async function setUpAlarmTest(api: TestApi, policy: Readonly<Record<string, unknown>> = {}) {
  const { pool } = api.deps.database
  // The tenants of other tests are not evaluated any more.
  await pool.query('delete from sample_watch')
  api.clock.advance(10 * MINUTE)
  const tenant = await createTenant(api)
  const device = await createDevice(api, tenant)
  const start = api.clock.now()
  const id = await createPolicy(api, tenant, { device_id: device.id, ...policy })
  const list = () => deviceIncidents(api, tenant, { policy: id })
  return {
    ...{ tenant, device, id, start, list },
    /** As minutes from the start; a withdrawn incident has no minutes. */
    spans: async () =>
      (await list()).map(({ triggered_at: from, cleared_at: to }) => [
        (from.getTime() - start) / MINUTE,
        to && (to.getTime() - start) / MINUTE,
      ]),
    /** A number is the active power in kW. */
    store: async (samples: readonly (readonly [at: number, values: number | Record<string, number>])[]) => {
      const { setAside } = await api.deps.ingest.submit(
        tenant.id,
        samples.map(([at, values]) => ({
          deviceId: device.id,
          at,
          values: typeof values === 'number' ? { active_power: values } : values,
        })),
      )
      if (setAside.length > 0) throw new Error(JSON.stringify(setAside))
    },
    marks: async (): Promise<number> => {
      const { rows } = await pool.query(
        'select count(*)::int as n from unevaluated_batch where tenant_id = $1',
        [tenant.id],
      )
      return rows[0].n
    },
  }
}

/** Runs the minutely job, as after a run at `after`, with additional dependencies of evaluation. */
export const evaluateMinute = (
  { deps, clock }: TestApi,
  {
    after = clock.now() - MINUTE,
    ...extra
  }: { readonly after?: number } & Partial<Parameters<typeof evaluateOnSchedule>[0]> = {},
) => evaluateOnSchedule({ ...deps, ...extra }, { after, signal })
