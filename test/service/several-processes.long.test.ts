import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { connectGateway, nextMessage, telemetry } from '../support/field/mqtt.ts'
import { brokerPort, createLoadGateway, type LoadGateway } from '../support/field/mqtt-load.ts'
import { connectStation } from '../support/field/ocpp.ts'
import { makeDataFolder } from '../support/folder.ts'
import { joinLive, type LiveClient } from '../support/metering/live.ts'
import type { Target } from '../support/metering/sample-load.ts'
import { callService } from '../support/process/call.ts'
import { ADMIN, createDevices, logIn } from '../support/process/killed-service.ts'
import { type RunningService, startService } from '../support/process/service.ts'
import { waitFor } from '../support/wait-for.ts'

const WAIT_MS = 120_000

describe('processes with a part of the roles each, without an outside broker', () => {
  let database: TestDatabase
  let folder: string
  let api: RunningService
  let ocpp: RunningService
  let ingest: RunningService[]
  let target: Target
  let gateway: LoadGateway

  beforeAll(async () => {
    database = await createDatabase()
    folder = await makeDataFolder('processes')
    const env = {
      ...ADMIN,
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      SECRET_KEY: randomBytes(32).toString('hex'),
      PORT: '0',
      MQTT_PORT: '0',
      RATE_LIMIT_API_PER_SECOND: '0',
      RATE_LIMIT_LOGIN_PER_MINUTE: '0',
    }
    const start = (ROLES: string) => startService({ env: { ...env, ROLES } })
    api = await start('api,realtime')
    ingest = [await start('ingest'), await start('ingest')]
    ocpp = await start('ocpp,jobs')
    const token = await logIn(api.url)
    target = { url: api.url, token, deviceIds: await createDevices(api.url, token) }
    gateway = await createLoadGateway({ target })
  }, 2 * WAIT_MS)
  afterAll(async () => {
    await Promise.all([api, ocpp, ...ingest].map((one) => one.stop('SIGTERM')))
    await database.drop()
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }, WAIT_MS)

  const call = (method: string, path: string, body?: object) =>
    callService(method, api.url + path, target.token, body)
  const isOwner = ({ out }: RunningService): boolean => /mqtt:\/\//.test(out())
  const connect = async (): Promise<MqttClient> => {
    const owner = ingest.find(isOwner)
    if (!owner) throw new Error('no process serves the gateways')
    return connectGateway(brokerPort({ service: owner }), gateway)
  }
  const stored = async (client: MqttClient, live: LiveClient, voltage: number): Promise<void> => {
    const message = telemetry(gateway.presentId, [{ ts: Date.now(), v: { voltage } }])
    await client.publishAsync('telemetry', message, { qos: 1 })
    const isIt = ({ values }: { values: { voltage: number } }) => values.voltage === voltage
    await waitFor(() => live.samples().some((sample) => isIt(sample)), WAIT_MS)
  }
  const syncConfig = () => call('POST', `/api/gateways/${gateway.gatewayId}/rawconfig/sync`, {})

  it('name their roles, and serve only them', async () => {
    const own = await (await fetch(`${api.url}/readiness`)).json()
    expect(own).toMatchObject({ status: 'ready', roles: ['api', 'realtime'] })
    const other = await fetch(`${ocpp.url}/readiness`)
    expect(await other.json()).toMatchObject({ status: 'ready', roles: ['ocpp', 'jobs'] })
    expect((await fetch(`${ocpp.url}/api/devices`)).status).toBe(404)
    const metrics = await (await fetch(`${ocpp.url}/metrics`)).text()
    expect(metrics).toMatch(/^netsaat_process_role\{role="ocpp"\} 1$/m)
    expect(metrics).not.toMatch(/^netsaat_process_role\{role="api"\}/m)
  })

  it('let one of those with the role ingest serve the gateways: values, configurations and logins', async () => {
    expect(ingest.filter(isOwner).length).toBe(1)
    const live = await joinLive(api.url, { token: target.token, devices: [gateway.presentId] })
    const client = await connect()
    await stored(client, live, 231)
    const published = nextMessage(client)
    await client.subscribeAsync('config/desired', { qos: 1 })
    const synced = await syncConfig()
    expect(JSON.parse(String((await published).payload))).toMatchObject({ version: synced.version })
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
    Object.assign(gateway, await call('POST', `/api/gateways/${gateway.gatewayId}/credentials`))
    await closed
    await live.end()
  }, 300_000)

  it('take the gateways over from a killed one, with the retained messages', async () => {
    const live = await joinLive(api.url, { token: target.token, devices: [gateway.presentId] })
    const [owner] = ingest.filter(isOwner)
    await owner?.stop('SIGKILL')
    ingest = ingest.filter((one) => one !== owner)
    await call('POST', `/api/devices`, { name: 'one more', device_type: 'energy_analyzer' })
    await waitFor(() => ingest.some(isOwner), WAIT_MS)
    const client = await connect()
    const retained = nextMessage(client)
    await client.subscribeAsync('config/desired', { qos: 1 })
    const { payload, topic } = await retained
    expect(topic).toContain('config/desired')
    expect(JSON.parse(String(payload))).toMatchObject({ version: 1 })
    await stored(client, live, 232)
    const seen = await call('GET', `/api/gateways/${gateway.gatewayId}`)
    expect(seen).toMatchObject({ is_online: true })
    await client.endAsync()
    await live.end()
  }, 300_000)

  it('send a command to a station that is connected to another process', async () => {
    const charger = await call('POST', '/api/ocpp/chargers', { cpid: 'CP-1' })
    const station = await connectStation({ url: ocpp.url }, charger)
    const boot = { chargePointVendor: 'V', chargePointModel: 'M' }
    await station.call('BootNotification', boot)
    station.onCall('UnlockConnector', () => ({ status: 'Unlocked' }))
    const body = { action: 'unlock', connector_id: 1 }
    const command = await call('POST', `/api/ocpp/chargers/${charger.id}/commands`, body)
    const isAccepted = async () => {
      const { items } = await call('GET', `/api/ocpp/chargers/${charger.id}/commands`)
      return items.some(
        ({ id, state }: { id: string; state: string }) => id === command.id && state === 'accepted',
      )
    }
    await waitFor(isAccepted, WAIT_MS)
    await station.end()
  }, 300_000)
})
