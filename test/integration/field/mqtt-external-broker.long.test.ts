import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Intake, startIntake } from '../../../src/field/mqtt/intake.ts'
import { type SharedSource, shareGateways } from '../../../src/field/mqtt/shared-source.ts'
import { linkOutside, type OutsideBroker } from '../../../src/platform/mqtt/outside.ts'
import { makeMetrics } from '../../../src/platform/observability/metrics.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { connectTo, hasMosquitto, type Mosquitto, startMosquitto } from '../../support/field/mosquitto.ts'
import {
  createDevice,
  createGateway,
  nextMessage,
  type TestGateway,
  telemetry,
} from '../../support/field/mqtt.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

interface Process {
  readonly intake: Intake
  readonly source: SharedSource
  /** The number of messages this process has received. */
  taken(): Promise<number>
  close(): Promise<void>
}

let api: TestApi
let tenant: TestTenant
let gateway: TestGateway
let mosquitto: Mosquitto
let step = 0

/** A process of the service as gateways see it. */
async function startProcess(): Promise<Process> {
  const { log, config, database } = api.deps
  const broker: OutsideBroker = linkOutside({ url: mosquitto.url, log })
  const metrics = makeMetrics()
  const intake = startIntake({ ...api.deps, broker, metrics })
  const source = await shareGateways({ log, config, database }, mosquitto.url, intake)
  await expect.poll(() => source.isConnected() && broker.isConnected()).toBe(true)
  return {
    intake,
    source,
    async taken() {
      const metric = await metrics.registry.getSingleMetric('netsaat_mqtt_messages_total')?.get()
      return metric?.values.reduce((sum, { value }) => sum + value, 0) ?? 0
    },
    async close() {
      await source.close()
      await broker.close()
      await intake.close()
    },
  }
}

const stored = async (): Promise<number> => {
  const { count } = await api.deps.database.kysely
    .selectFrom('measurement')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('tenant_id', '=', tenant.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Publishes with the root of the gateway, as gateways behind the broker do. */
async function publish(count: number): Promise<void> {
  const client = await connectTo(mosquitto.url)
  const messages = Array.from({ length: count }, () => {
    step += 1
    const point = { ts: api.clock.now() - step * 1000, v: { voltage: 230 } }
    return client.publishAsync(`${gateway.root}telemetry`, telemetry('meter', [point], { seq: step }), {
      qos: 1,
    })
  })
  await Promise.all(messages)
  await client.endAsync()
}

describe.skipIf(!hasMosquitto)('several processes with an external broker (needs mosquitto)', () => {
  let blocker: pg.Client
  beforeAll(async () => {
    mosquitto = await startMosquitto()
    api = await startApi()
    tenant = await createTenant(api)
    gateway = await createGateway(api, tenant, 'roof')
    await createDevice(api, tenant, { name: 'meter', gatewayId: gateway.id })
    blocker = new pg.Client({ connectionString: api.deps.database.pool.options.connectionString })
    await blocker.connect()
  })
  afterAll(async () => {
    await blocker.end()
    await mosquitto.kill()
    await api.close()
  })

  it('share the messages of gateways, store each once and answer them', async () => {
    const processes = [await startProcess(), await startProcess()]
    const listener = await connectTo(mosquitto.url)
    await listener.subscribeAsync(`${gateway.root}ack`, { qos: 1 })
    const response = nextMessage(listener)
    await publish(300)
    await expect.poll(stored).toBe(300)
    const taken = await Promise.all(processes.map((process) => process.taken()))
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(300)
    expect(Math.min(...taken)).toBeGreaterThan(50)
    expect(JSON.parse(String((await response).payload)).seq).toBeGreaterThan(0)
    await listener.endAsync()
    await Promise.all(processes.map((process) => process.close()))
    // The sequence numbers that the processes recorded add up.
    const path = `/api/gateways/${gateway.id}/sequence-gaps`
    const { body } = await api.call('GET', path, { token: tenant.viewer.token })
    expect(body).toMatchObject({ first_seq: 1, last_seq: 300, missing: 0 })
  })

  it('receive messages from their downtime, and received messages that were not stored', async () => {
    const before = await stored()
    await publish(50)
    await blocker.query('begin; lock table measurement in access exclusive mode')
    const first = await startProcess()
    await expect.poll(() => first.taken()).toBeGreaterThan(0)
    // It cannot store them, so it disconnects without an acknowledgement.
    await first.close()
    await blocker.query('rollback')
    const second = await startProcess()
    await publish(10)
    // Some of them are queued for the other process of the previous test.
    await second.source.takeOver()
    await expect.poll(stored).toBe(before + 60)
    await second.close()
  })

  it('receive what the broker keeps for a process that has stopped', async () => {
    const before = await stored()
    const [one, other] = [await startProcess(), await startProcess()]
    await other.close()
    await publish(40)
    await one.source.takeOver()
    await expect.poll(stored).toBe(before + 40)
    const slots = await api.deps.database.kysely.selectFrom('broker_slot').select('slot').execute()
    expect(slots).toHaveLength(1)
    await publish(10)
    await expect.poll(stored).toBe(before + 50)
    await one.close()
  })
})
