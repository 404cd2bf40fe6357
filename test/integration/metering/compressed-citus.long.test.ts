import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, iso } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { citusNodes } from '../../support/citus.ts'
import { compressAll, countStored, publishHistory } from '../../support/metering/history.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
/** Midnight of Turkey, fifty days ago. */
const DAY = Date.parse('2026-10-01T00:00:00+03:00')
const DAYS = 2
const HOURS = DAYS * 24
const TENANTS_MAX = 60
/** The nodes with rows: all but the coordinator, or the only one. */
const NODES = Math.max(1, citusNodes.length - 1)

interface Site {
  readonly tenant: TestTenant
  readonly device: TestDevice
}

describe.skipIf(citusNodes.length === 0)('the compression of samples on Citus (needs CITUS_NODES)', () => {
  let api: TestApi
  let sites: Site[]

  async function nodeOf(tenantId: number): Promise<number> {
    const { rows } = await api.deps.database.pool.query<{ id: number }>(
      `select groupid as id from pg_dist_placement
       where shardid = get_shard_id_for_distribution_column('measurement', $1::int)`,
      [tenantId],
    )
    return rows[0]?.id ?? 0
  }

  /** A device with hourly samples of two days, of a tenant on each node. */
  async function createSites(): Promise<Site[]> {
    const byNode = new Map<number, TestTenant>()
    for (let attempt = 0; attempt < TENANTS_MAX && byNode.size < NODES; attempt++) {
      const tenant = await createTenant(api)
      byNode.set(await nodeOf(tenant.id), tenant)
    }
    expect(byNode.size).toBe(NODES)
    const created: Site[] = []
    for (const tenant of byNode.values()) {
      const device = await createDevice(api, tenant)
      const samples = Array.from({ length: HOURS }, (_, hour) =>
        sample(device, DAY + hour * HOUR_MS, {
          import_active_energy: 100 + hour / 8,
          voltage: 230 + Math.sin(hour),
          ...(hour % 5 === 0 && { salt: hour }),
        }),
      )
      expect((await postSamples(api, tenant, samples)).status).toBe(201)
      created.push({ tenant, device })
    }
    return created
  }

  beforeAll(async () => {
    api = await startApi({ now: iso(NOW) })
    sites = await createSites()
  })
  afterAll(() => api?.close())

  async function read({ tenant, device }: Site): Promise<unknown[]> {
    const query = new URLSearchParams({ from: iso(DAY), to: iso(DAY + DAYS * DAY_MS), limit: '100' })
    const path = `/api/measurements/devices/${device.id}/samples?${query}`
    const { status, body, text } = await api.call('GET', path, { token: tenant.viewer.token })
    expect(status, text).toBe(200)
    return body
  }
  const readAll = () => Promise.all(sites.map(read))
  const storedOfAll = () =>
    Promise.all(sites.map(({ tenant, device }) => countStored(api, tenant.id, device.key)))

  it('replaces the rows of every node by chunks with the same samples', async () => {
    const before = await readAll()
    expect(before.map((samples) => samples.length)).toEqual(sites.map(() => HOURS))
    await publishHistory(api)
    expect(await storedOfAll()).toEqual(sites.map(() => ({ rows: HOURS, chunks: DAYS, samples: HOURS })))
    await compressAll(api)
    expect(await storedOfAll()).toEqual(sites.map(() => ({ rows: 0, chunks: DAYS, samples: HOURS })))
    expect(await readAll()).toEqual(before)
  })

  it('takes a late sample into the chunk of its day', async () => {
    for (const { tenant, device } of sites) {
      const { status } = await postSamples(api, tenant, [sample(device, DAY + 1000, { voltage: 1 })])
      expect(status).toBe(201)
    }
    const before = await readAll()
    await compressAll(api)
    expect(await storedOfAll()).toEqual(sites.map(() => ({ rows: 0, chunks: DAYS, samples: HOURS + 1 })))
    expect(await readAll()).toEqual(before)
  })
})
