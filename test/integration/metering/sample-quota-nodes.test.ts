import { afterAll, beforeAll, expect, it } from 'vitest'
import { SampleQuota } from '../../../src/areas/metering/intake/sample-quota.ts'
import { connect, type Database } from '../../../src/platform/db/pool.ts'
import { makeLog } from '../../../src/platform/observability/log.ts'
import { makeClock } from '../../../src/platform/runtime/clock.ts'
import { testConfig } from '../../support/config.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

let created: TestDatabase
let database: Database

beforeAll(async () => {
  created = await createDatabase()
  database = connect({ url: created.url })
})
afterAll(async () => {
  await database.close()
  await created.drop()
})

async function createTenant(): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into tenant (name, slug) values ('quota', 'quota-' || gen_random_uuid()) returning id`,
  )
  return rows[0]?.id ?? 0
}

async function counted(tenantIds: readonly number[]) {
  const { rows } = await database.pool.query<{ tenant_id: number; samples: string; samples_refused: string }>(
    `select tenant_id, samples, samples_refused from tenant_usage_day where tenant_id = any($1) order by tenant_id`,
    [tenantIds],
  )
  return rows.map((row) => [row.tenant_id, Number(row.samples), Number(row.samples_refused)])
}

it('a failed statement for one node leaves the counts of others written, and counts nothing twice', async () => {
  const [one, two] = [await createTenant(), await createTenant()]
  // No such tenant exists, so the statement for its node fails.
  const absent = 2_000_000
  const config = testConfig({
    quotas: { devices: null, samples_per_day: 10, storage_bytes: null, exports_per_day: null },
  })
  const quota = new SampleQuota(
    { database, config, clock: makeClock(Date.now), log: makeLog('silent') },
    { nodeOf: (tenantId) => (tenantId === one ? 1 : 2) },
  )
  try {
    for (const tenantId of [absent, one, two]) quota.countStored(tenantId, 7)
    quota.countRefused(one, 2)
    await quota.refresh()
    expect(await counted([one, two])).toEqual([[one, 7, 2]])
    // The state of the first tenant was read, that of the second one is still unknown.
    expect(quota.ready(one)).toBeUndefined()
    expect(quota.isExceeded(one)).toBe(false)
    expect(quota.isExceeded(two)).toBe(false)
    quota.countStored(one, 3)
    expect(quota.isExceeded(one)).toBe(true)
    await quota.refresh()
    expect(await counted([one, two])).toEqual([[one, 10, 2]])
  } finally {
    await quota.stop()
  }
  expect(await counted([one, two])).toEqual([[one, 10, 2]])
})

it('counts that were kept are written when their node answers again', async () => {
  const tenantId = await createTenant()
  let isLost = true
  const kysely = database.kysely
  const quota = new SampleQuota(
    {
      config: testConfig({}),
      clock: makeClock(Date.now),
      log: makeLog('silent'),
      database: {
        ...database,
        get kysely() {
          if (isLost) throw new Error('the node is lost')
          return kysely
        },
      },
    },
    { nodeOf: () => 0 },
  )
  try {
    quota.countStored(tenantId, 5)
    await quota.refresh()
    quota.countStored(tenantId, 1)
    isLost = false
    await quota.refresh()
    expect(await counted([tenantId])).toEqual([[tenantId, 6, 0]])
    await quota.refresh()
    expect(await counted([tenantId])).toEqual([[tenantId, 6, 0]])
  } finally {
    await quota.stop()
  }
})
