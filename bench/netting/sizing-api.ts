/**
 * The p99 of a list of the API, called at a fixed rate, while the service computes a sizing of 1,000 sizes of a plant
 * over a year of ten facilities (`--quick`: half a year). The reference is the p99 of the same calls before and after
 * it. The service is the built program in a process of its own.
 */
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { addMonths, HOUR_MS, periodEnd, periodRange } from '../../src/kernel/time.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../test/support/netting/prices.ts'
import type { MonthsDone, MonthsTask } from '../support/calculate-months.ts'
import { sized } from '../support/effort.ts'
import type { HttpLoad, HttpLoadResult } from '../support/http-load.ts'
import { createGroup } from '../support/netting-group.ts'
import { withProgram } from '../support/program.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median } from '../support/types.ts'
import { startWorker } from '../support/worker.ts'

const FIRST = '2025-01-01'
/** A quick measurement has half of the months, and computes twice as many sizes a second. */
const LAST = addMonths(FIRST, sized(11, 5))
/** Before and after the sizing. */
const QUIET_ROUNDS = sized(3, 1)
/** Shorter together than the sizing. */
const BUSY_ROUNDS = sized(6, 3)
const SECONDS = sized(5, 2)
const PATH = '/api/devices?limit=50'
const CALLS_PER_SECOND = 50
const CONNECTIONS = 5
/** After a sizing is cancelled, its threads end. */
const SETTLE_MS = sized(5_000, 2_000)
/** The request starts the job; the job of each minute would compute the sizing if that failed. */
const START_MAX_MS = 90_000
const POLL_MS = 100

/** A group whose year is calculated; returns its id and that of a plant. */
async function makeYear(service: BenchService): Promise<{ groupId: string; facilityId: string }> {
  const { deps, tenant, databaseUrl } = service
  const range = { from: periodRange(FIRST).from, to: periodEnd(LAST) }
  await makePriceSet(deps, addMonths(FIRST, -1), INDUSTRIAL_PRICES)
  const groupId = await createGroup(service, range)
  const worker = startWorker('./calculate-months.ts')
  const task = { databaseUrl, tenantId: tenant.id, now: range.to + HOUR_MS, range, groupIds: [groupId] }
  await worker.ask<MonthsDone>(task satisfies MonthsTask)
  await worker.end()
  const { facility_id: facilityId } = await deps.database.kysely
    .selectFrom('group_member')
    .select('facility_id')
    .where('group_id', '=', groupId)
    .where('member_role', '=', 'production')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { groupId, facilityId }
}

interface Progress {
  readonly id: string
  readonly state: string
  readonly points_done: number
}

/** Calls the service about sizings. */
const sizingClient = (url: string, token: string) => async (method: string, path: string, body?: object) => {
  const response = await fetch(`${url}/api/mahsuplasma/sizings${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${await response.text()}`)
  return (await response.json()) as Progress
}

/** Waits until the service has computed sizes. */
async function firstPoints(sizing: ReturnType<typeof sizingClient>, id: string) {
  const until = performance.now() + START_MAX_MS
  while (performance.now() < until) {
    const { points_done: points } = await sizing('GET', `/${id}`)
    if (points > 0) return { points, at: performance.now() }
    await sleep(POLL_MS)
  }
  throw new Error('no size was computed in time')
}

interface Latencies {
  readonly quiet: number[]
  readonly busy: number[]
  /** Sizes per second during the calls. */
  readonly sizesPerSecond: number
}

async function measureCalls(url: string, service: BenchService): Promise<Latencies> {
  const { tenant } = service
  const { groupId, facilityId } = await makeYear(service)
  await createDevices(service, 50)
  const sizing = sizingClient(url, tenant.admin.token)
  const load = startWorker('./http-load.ts')
  const request = { url: url + PATH, token: tenant.viewer.token, seconds: SECONDS } as const
  const pace = { connections: CONNECTIONS, perSecond: CALLS_PER_SECOND } as const
  const p99s = async (rounds: number): Promise<number[]> => {
    const list: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const { failed, p99Ms } = await load.ask<HttpLoadResult>({ ...request, ...pace } satisfies HttpLoad)
      if (failed > 0) throw new Error(`${failed} calls have failed`)
      list.push(p99Ms)
    }
    return list
  }
  try {
    await p99s(1)
    const before = await p99s(QUIET_ROUNDS)
    const { id } = await sizing('POST', '', {
      ...{ name: 'a year', group_ids: [groupId], from: FIRST.slice(0, 7), to: LAST.slice(0, 7), change: 0 },
      changes: [{ type: 'scale_plant', facility_id: facilityId, factor: 1 }],
      range: { from: '1.05', to: '51', step: '0.05' },
    })
    const begun = await firstPoints(sizing, id)
    const busy = await p99s(BUSY_ROUNDS)
    const { state, points_done } = await sizing('GET', `/${id}`)
    const sizesPerSecond = (points_done - begun.points) / ((performance.now() - begun.at) / 1_000)
    if (state !== 'waiting' || points_done === begun.points)
      throw new Error(`the sizing did not compute during the calls: ${state}, ${points_done} sizes`)
    await sizing('POST', `/${id}/cancel`)
    await sleep(SETTLE_MS)
    return { quiet: [...before, ...(await p99s(QUIET_ROUNDS))], busy, sizesPerSecond }
  } finally {
    await load.end()
  }
}

async function measure(): Promise<Figure[]> {
  const service = await openService(Date.now())
  const env = { RATE_LIMIT_API_PER_SECOND: '0', LOG_LEVEL: 'warn' }
  try {
    const latencies = await withProgram(service, env, ({ url }) => measureCalls(url, service))
    const [measured, reference] = [median(latencies.busy), median(latencies.quiet)]
    const during = `${latencies.sizesPerSecond.toFixed(1)} sizes/s, load ${loadavg()[0]?.toFixed(0)}`
    return [
      {
        name: `sizing, p99 of ${CALLS_PER_SECOND} API calls per second meanwhile (without a sizing)`,
        measured: `${measured} ms (${during}; rounds ${latencies.busy.join(', ')})`,
        against: `${reference} ms (rounds ${latencies.quiet.join(', ')})`,
        ratio: measured / reference,
        aim: '<= 2',
      },
    ]
  } finally {
    await service.stop()
  }
}

export const sizingApiBench: Bench = { name: 'sizing-api', run: measure }
