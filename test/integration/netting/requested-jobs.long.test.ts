import { afterAll, beforeAll, expect, it } from 'vitest'
import { computeScenarios, REQUESTED_JOBS } from '../../../src/areas/netting/index.ts'
import { schedule } from '../../../src/jobs/schedule.ts'
import type { JobRequest } from '../../../src/platform/jobs/job-requests.ts'
import { runJobs } from '../../../src/platform/jobs/jobs.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { makeSpring, type Spring } from '../../support/netting/calculated-months.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const BASE = '/api/mahsuplasma'
const WAIT_MS = 120_000
let api: TestApi
let tenant: TestTenant
let spring: Spring

beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
  spring = await makeSpring(api, tenant)
})
afterAll(() => api.close())

const call = async (method: string, path: string, body?: object, owner = tenant) => {
  const answer = await api.call(method, BASE + path, {
    token: owner.superuser.token,
    ...(body && { body }),
  })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const scenarioOf = ({ group, producer }: Spring) => ({
  ...{ name: 'twice', group_ids: [group.id], from: '2026-03', to: '2026-03' },
  changes: [{ type: 'scale_plant', facility_id: producer.id, factor: 2 }],
})

/** The path of a request, its body, and the path of its record without the id. */
const requests = (): readonly (readonly [job: string, post: string, body: object, record: string])[] => {
  const { group, producer, consumer } = spring
  const march = { group_ids: [group.id], from: '2026-03', to: '2026-03' }
  const battery = { facility_id: consumer.id, capacity_kwh: 10, power_kw: 5, efficiency: '0.9' }
  return [
    [REQUESTED_JOBS.scenarios, '/scenarios', scenarioOf(spring), '/scenarios'],
    [
      REQUESTED_JOBS.sizings,
      '/sizings',
      { ...scenarioOf(spring), change: 0, sizes: ['0.5', '2'] },
      '/sizings',
    ],
    [
      REQUESTED_JOBS.optimisations,
      '/optimisations',
      { name: 'best', kind: 'battery_dispatch', ...march, batteries: [battery] },
      '/optimisations',
    ],
    [
      REQUESTED_JOBS.hourlyForecasts,
      '/hourly-forecasts',
      { facility_ids: [producer.id], days: 1 },
      '/hourly-forecasts',
    ],
    [
      REQUESTED_JOBS.bulkCalculations,
      '/groups/bulk',
      { action: 'calculate', billing_period: '2026-03', group_ids: [group.id] },
      '/groups/bulk',
    ],
    [REQUESTED_JOBS.history, '/history/calculate', { from: '2026-03-01', to: '2026-03-01' }, '/history/jobs'],
  ]
}

it('each request of work in the background starts its job, without a slot of the timetable', async () => {
  const requested: JobRequest[] = []
  const unsubscribe = api.deps.bus.on('job_requested', (request) => void requested.push(request))
  // Without slots during the test.
  const jobs = schedule(api.deps).map((job) => ({ ...job, cron: '0 0 1 1 *' }))
  const startable = jobs.filter(({ startsOnRequest }) => startsOnRequest).map(({ name }) => name)
  expect(startable.toSorted()).toEqual(
    requests()
      .map(([job]) => job)
      .toSorted(),
  )
  const running = await runJobs({ ...api.deps, jobs, atOnce: 2 })
  try {
    const ids: string[] = []
    for (const [job, post, body, record] of requests()) {
      requested.length = 0
      const { id } = await call('POST', post, body)
      ids.push(id)
      expect(requested).toEqual([{ job, tenantId: tenant.id }])
      const isFinished = async () => (await call('GET', `${record}/${id}`)).finished_at !== null
      await waitFor(isFinished, WAIT_MS)
    }
    const [scenario] = ids
    requested.length = 0
    expect(await call('POST', `/scenarios/${scenario}/calculate`)).toMatchObject({ state: 'waiting' })
    expect(requested).toEqual([{ job: REQUESTED_JOBS.scenarios, tenantId: tenant.id }])
    await waitFor(async () => (await call('GET', `/scenarios/${scenario}`)).state === 'done', WAIT_MS)
  } finally {
    unsubscribe()
    await running.stop()
  }
}, 300_000)

it('a run for a tenant computes its oldest record, and asks for the next one', async () => {
  const asking = await createTenant(api)
  const askingSpring = await makeSpring(api, asking)
  const create = (owner: TestTenant, of: Spring) => call('POST', '/scenarios', scenarioOf(of), owner)
  const first = await create(asking, askingSpring)
  // The order of records is that of their instants, by the clock of the test.
  api.clock.advance(1_000)
  const second = await create(asking, askingSpring)
  const other = await createTenant(api)
  const foreign = await create(other, await makeSpring(api, other))
  const stateOf = async ({ id }: { readonly id: string }, owner = asking) =>
    (await call('GET', `/scenarios/${id}`, undefined, owner)).state
  const states = async () => [await stateOf(first), await stateOf(second), await stateOf(foreign, other)]
  const requested: JobRequest[] = []
  const unsubscribe = api.deps.bus.on('job_requested', (request) => void requested.push(request))
  const run = { signal: new AbortController().signal, tenantId: asking.id }
  const next = { job: REQUESTED_JOBS.scenarios, tenantId: asking.id }
  await computeScenarios(api.deps, run)
  expect(await states()).toEqual(['done', 'waiting', 'waiting'])
  expect(requested).toEqual([next])
  await computeScenarios(api.deps, run)
  expect(await states()).toEqual(['done', 'done', 'waiting'])
  expect(requested).toEqual([next])
  unsubscribe()
})
