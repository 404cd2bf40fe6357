import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rollUpMarkedDevices, rollUpSettledHours } from '../../../src/areas/metering/rollup/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  connectGateway,
  createDevice,
  createGateway,
  type TestGateway,
  telemetry,
} from '../../support/field/mqtt.ts'
import { type AggregatedTestRow, readAggregated } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** A week of one meter with a sample every ten seconds, in messages of ten minutes. */
const STEP_MS = 10_000
const WEEK = 60_480
const A_MESSAGE = 60
const MESSAGES = WEEK / A_MESSAGE
const WH_A_STEP = 7

let api: TestApi
let tenant: TestTenant
let away: TestGateway
let present: TestGateway
let stored: string
let live: string

beforeAll(async () => {
  api = await startApi({ mqtt: true })
  tenant = await createTenant(api)
  away = await createGateway(api, tenant, 'was away for a week')
  present = await createGateway(api, tenant, 'is here')
  stored = await createDevice(api, tenant, { name: 'stored', gatewayId: away.id })
  live = await createDevice(api, tenant, { name: 'live', gatewayId: present.id })
})
afterAll(() => api.close())

/** The last message is twenty minutes old. */
const timeOf = (step: number): number => api.clock.now() - 20 * 60_000 - (WEEK - 1 - step) * STEP_MS
const registerOf = (step: number): number => (1_000_000 + step * WH_A_STEP) / 1000

const messageOf = (number: number): string => {
  const points = Array.from({ length: A_MESSAGE }, (_, index) => {
    const step = number * A_MESSAGE + index
    return { ts: timeOf(step), v: { import_energy: registerOf(step), voltage: 230 } }
  })
  return telemetry('stored', points, { seq: number + 1 })
}

const countOf = async (deviceId: string): Promise<number> => {
  const { rows } = await api.deps.database.pool.query<{ count: string }>(
    `select count(*) from measurement m
     join device d on d.tenant_id = m.tenant_id and d.key = m.device_key where d.id = $1`,
    [deviceId],
  )
  return Number(rows[0]?.count)
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN

/** The sum of the hourly energies of the week, in Wh. */
async function energyOfTheWeek(): Promise<number> {
  const range = `start=${new Date(timeOf(0)).toISOString()}&end=${new Date(timeOf(WEEK - 1)).toISOString()}`
  const rows = await readAggregated(api, tenant, `/aggregated?device_id=${stored}&interval=hourly&${range}`)
  return rows.reduce(
    (sum, { total_energy }: AggregatedTestRow) => sum + Math.round((total_energy ?? 0) * 1000),
    0,
  )
}

interface Course {
  /** Acknowledged backfill messages. */
  acknowledged: number
}

/** Sends live samples one by one and counts the backfill samples acknowledged while each was in flight. */
async function sendLive(client: MqttClient, course: Course): Promise<number[]> {
  const overtaken: number[] = []
  while (course.acknowledged < MESSAGES) {
    const before = course.acknowledged
    const point = { ts: api.clock.now() - 60_000 + overtaken.length, v: { voltage: 231 } }
    await client.publishAsync('telemetry', telemetry('live', [point]), { qos: 1 })
    overtaken.push((course.acknowledged - before) * A_MESSAGE)
  }
  return overtaken
}

it('a backfill of a week does not delay live samples', async () => {
  const course: Course = { acknowledged: 0 }
  const [backlog, other] = [
    await connectGateway(api.mqttPort, away),
    await connectGateway(api.mqttPort, present),
  ]
  const sending = Array.from({ length: MESSAGES }, async (_, number) => {
    await backlog.publishAsync('telemetry', messageOf(number), { qos: 1 })
    course.acknowledged += 1
  })
  const overtaken = await sendLive(other, course)
  await Promise.all(sending)
  // In a single queue, everything received before goes first: some 10,000 samples in a run without separate
  // lanes.
  expect(median(overtaken)).toBeLessThan(4_000)
  expect(overtaken.length).toBeGreaterThan(10)
  console.info(
    `${overtaken.length} live samples while ${WEEK} stored ones came in; each let ${median(overtaken)} of those pass (median)`,
  )
  expect(await countOf(live)).toBe(overtaken.length)
  expect(await countOf(stored)).toBe(WEEK)
  const { body } = await api.call('GET', `/api/gateways/${away.id}/sequence-gaps`, {
    token: tenant.viewer.token,
  })
  expect(body).toMatchObject({ missing: 0 })

  const grown = (WEEK - 1) * WH_A_STEP
  expect(await energyOfTheWeek()).toBe(grown)
  await rollUpMarkedDevices(api.deps)
  await rollUpSettledHours(api.deps, api.clock.now())
  expect(await energyOfTheWeek()).toBe(grown)

  // The gateway did not receive the acknowledgements and sends some messages again.
  for (const number of [0, MESSAGES / 2, MESSAGES - 1])
    await backlog.publishAsync('telemetry', messageOf(number), { qos: 1 })
  expect(await countOf(stored)).toBe(WEEK)
  expect(await energyOfTheWeek()).toBe(grown)
  await Promise.all([backlog.endAsync(), other.endAsync()])
})
