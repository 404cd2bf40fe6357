import { afterAll, beforeAll, expect, it } from 'vitest'
import { startJobs } from '../../../src/jobs/index.ts'
import { makePartitionsAhead } from '../../../src/jobs/partitions-ahead.ts'
import { schedule } from '../../../src/jobs/schedule.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDevice, postSamples, sample } from '../../support/metering/measurements.ts'
import { createTenant } from '../../support/tenants.ts'

let api: TestApi

beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
})
afterAll(() => api.close())

const partitions = async (table: string): Promise<string[]> => {
  const { rows } = await api.deps.database.pool.query<{ name: string }>(
    'select relid::text as name from pg_partition_tree($1::regclass) where isleaf order by 1',
    [table],
  )
  return rows.map(({ name }) => name)
}
const count = async (table: 'rollup_dirty_range' | 'measurement_hour'): Promise<number> => {
  const { rows } = await api.deps.database.pool.query<{ count: number }>(
    `select count(*)::int as count from ${table}`,
  )
  return rows[0]?.count ?? 0
}

it('the partitions of a month and three more are created ahead, also at the turn of the year', async () => {
  await makePartitionsAhead(api.deps.database, Date.parse('2026-11-30T21:30:00Z'))
  await makePartitionsAhead(api.deps.database, Date.parse('2026-11-30T21:30:00Z'))
  for (const table of ['measurement', 'measurement_hour', 'hourly_energy']) {
    expect(await partitions(table)).toEqual(
      ['2026_12', '2027_01', '2027_02', '2027_03'].map((month) => `${table}_${month}`),
    )
  }
})

it('a job does the work of its slot and not of the current time', async () => {
  const tenant = await createTenant(api)
  const device = await createDevice(api, tenant)
  await postSamples(
    api,
    tenant,
    [0, 30, 60].map((minute) =>
      sample(device, Date.parse('2026-11-20T08:00:00Z') + minute * 60_000, { import_active_energy: minute }),
    ),
  )
  await api.deps.database.pool.query('delete from rollup_dirty_range')
  const job = schedule(api.deps).find(({ name }) => name === 'roll-up-hours')
  await job?.run(Date.parse('2026-11-20T09:10:00Z'), {
    after: undefined,
    signal: AbortSignal.timeout(60_000),
    partFailed: () => {},
  })
  expect(await count('measurement_hour')).toBe(1)
})

it('the timetable runs in the process, rolls up dirty hours, and stops on request', async () => {
  const tenant = await createTenant(api)
  const device = await createDevice(api, tenant)
  await postSamples(api, tenant, [
    sample(device, '2026-11-19T08:00:00Z', { import_active_energy: 1 }),
    sample(device, '2026-11-19T09:00:00Z', { import_active_energy: 2 }),
  ])
  expect(await count('rollup_dirty_range')).toBe(1)
  const jobs = await startJobs(api.deps)
  try {
    await api.deps.database.pool.query(
      `select graphile_worker.add_job('roll-up-late-samples', '{"_cron": {"ts": "2026-11-20T09:30:00Z"}}')`,
    )
    await expect.poll(() => count('rollup_dirty_range')).toBe(0)
  } finally {
    await jobs.stop()
  }
  expect(await partitions('measurement')).toContain('measurement_2026_11')
})
