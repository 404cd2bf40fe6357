import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { connectTo, hasMosquitto, type Mosquitto, startMosquitto } from '../support/field/mosquitto.ts'
import { nextMessage, telemetry } from '../support/field/mqtt.ts'
import { placeGateway, startPublishing } from '../support/field/mqtt-load.ts'
import { makeDataFolder } from '../support/folder.ts'
import { joinLive } from '../support/metering/live.ts'
import { audit, auditEnergy } from '../support/metering/sample-audit.ts'
import { isAcknowledged, type Target } from '../support/metering/sample-load.ts'
import { callService } from '../support/process/call.ts'
import { ADMIN, createDevices, logIn } from '../support/process/killed-service.ts'
import { type RunningService, startService } from '../support/process/service.ts'
import { chooseSeed, makeRandom } from '../support/seed.ts'
import { waitFor } from '../support/wait-for.ts'

/** A process takes over the messages of a stopped one within 15 seconds. */
const WAIT_MS = 120_000

let mosquitto: Mosquitto
let database: TestDatabase
let folders: string[]
let processes: RunningService[]
let target: Target
let root: string
let presentId: string

const isLiving = ({ url }: RunningService): Promise<boolean> =>
  fetch(`${url}/readiness`).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Gateway messages that a process has received. */
async function takenBy({ url }: RunningService): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith('netsaat_mqtt_messages_total{'))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

/** All processes have found each other: every message from here on reaches them. */
async function haveDiscoveredEachOther(): Promise<boolean> {
  const known = processes.map(({ url }) => callService('GET', `${url}/ws/stats`, target.token))
  return (await Promise.all(known)).every((stats) => stats.processes.length === processes.length)
}

describe.skipIf(!hasMosquitto)('two complete processes with an external broker (needs mosquitto)', () => {
  beforeAll(async () => {
    mosquitto = await startMosquitto()
    database = await createDatabase()
    folders = [await makeDataFolder('one'), await makeDataFolder('other')]
    const env = {
      ...ADMIN,
      DATABASE_URL: database.url,
      MQTT_URL: mosquitto.url,
      SECRET_KEY: randomBytes(32).toString('hex'),
      PORT: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_API_PER_SECOND: '0',
      RATE_LIMIT_LOGIN_PER_MINUTE: '0',
    }
    processes = []
    for (const DATA_DIR of folders) processes.push(await startService({ env: { ...env, DATA_DIR } }))
    const url = processes[0]?.url ?? ''
    const token = await logIn(url)
    target = { url, token, deviceIds: await createDevices(url, token) }
    const placed = await placeGateway(target)
    presentId = placed.presentId
    const { tenant_id: tenant } = await callService('GET', `${url}/api/auth/me`, token)
    root = `ems/v1/${tenant}/${placed.gatewayId}/`
    await waitFor(async () => (await Promise.all(processes.map(isLiving))).every(Boolean), WAIT_MS)
    await waitFor(haveDiscoveredEachOther, WAIT_MS)
  }, 2 * WAIT_MS)
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop('SIGTERM')))
    await mosquitto.kill()
    await database.drop()
    for (const folder of folders)
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }, WAIT_MS)

  it('share the messages of gateways, and each serves live values that the other has stored', async () => {
    const clients = await Promise.all(
      processes.map(({ url }) => joinLive(url, { token: target.token, devices: [presentId] })),
    )
    const before = await Promise.all(processes.map(takenBy))
    const gateway = await connectTo(mosquitto.url)
    const startedAt = Date.now()
    const numbers = Array.from({ length: 60 }, (_, number) => number)
    for (const number of numbers) {
      const message = telemetry(presentId, [{ ts: startedAt + number, v: { voltage: number } }])
      await gateway.publishAsync(`${root}telemetry`, message, { qos: 1 })
    }
    for (const client of clients) {
      await waitFor(() => client.samples().length >= numbers.length, WAIT_MS)
      const values = client.samples().map((sample) => sample.values.voltage)
      expect(values.toSorted((one, other) => one - other)).toEqual(numbers)
      await client.end()
    }
    const after = await Promise.all(processes.map(takenBy))
    const taken = after.map((count, index) => count - (before[index] ?? 0))
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(numbers.length)
    expect(Math.min(...taken)).toBeGreaterThan(0)
    await gateway.endAsync()
  }, 300_000)

  it("publish the gateway's configuration retained, and both see what the gateway reports", async () => {
    const [one = '', other = ''] = processes.map(({ url }) => url)
    const { token } = target
    const path = `/api/gateways/${root.split('/').at(-2)}/rawconfig`
    const synced = await callService('POST', `${one}${path}/sync`, token, {})
    expect(synced).toMatchObject({ version: 1, is_new: true, config_state: 'pending' })
    // The gateway was disconnected when this was pushed.
    const gateway = await connectTo(mosquitto.url)
    const published = nextMessage(gateway)
    await gateway.subscribeAsync(`${root}config/desired`, { qos: 1 })
    const { version, sha256, config } = JSON.parse(String((await published).payload))
    expect({ version, sha256 }).toEqual({ version: synced.version, sha256: synced.sha256 })
    expect(createHash('sha256').update(JSON.stringify(config)).digest('hex')).toBe(sha256)

    const report = (hash: string) =>
      gateway.publishAsync(`${root}config/reported`, JSON.stringify({ version, sha256: hash }), {
        qos: 1,
        retain: true,
      })
    const isIn = async (state: string): Promise<boolean> => {
      const seen = [one, other].map((url) => callService('GET', `${url}${path}/preview`, token))
      return (await Promise.all(seen)).every(({ config_state }) => config_state === state)
    }
    await report(sha256)
    await waitFor(() => isIn('in_sync'), WAIT_MS)
    await report('0'.repeat(64))
    await waitFor(() => isIn('drift'), WAIT_MS)
    await report(sha256)
    await waitFor(() => isIn('in_sync'), WAIT_MS)
    await gateway.endAsync()
  }, 300_000)

  it('lose and duplicate nothing when one of them is killed under load', {
    retry: 0,
    timeout: 900_000,
  }, async () => {
    const seed = chooseSeed()
    const random = makeRandom(seed)
    const before = await Promise.all(processes.map(takenBy))
    const connect = () => connectTo(mosquitto.url)
    const { deviceIds } = target
    const load = startPublishing({ deviceIds, presentId, topic: `${root}telemetry`, connect }, random, 0)
    await load.acknowledged(random.between(40, 80))
    for (const [index, one] of processes.entries())
      await waitFor(async () => (await takenBy(one)) > (before[index] ?? 0), WAIT_MS)
    await processes[1]?.stop('SIGKILL')
    const atTheKill = load.sent.length
    await load.acknowledged(load.sent.filter(isAcknowledged).length + 40)
    const sent = await load.end()
    console.info(`${atTheKill} of ${sent.length} messages were sent before the kill, SEED=${seed}`)
    expect(sent.every(isAcknowledged)).toBe(true)
    // The broker has all messages; the remaining process receives its own share and that of the other.
    await waitFor(async () => {
      await sleep(1_000)
      return audit(target, sent).then(
        ({ faults }) => faults.length === 0,
        () => false,
      )
    }, WAIT_MS)
    const lastStep = Math.max(...sent.map(({ from, count }) => from + count)) - 1
    expect(await auditEnergy(target, lastStep)).toEqual([])
  })
})
