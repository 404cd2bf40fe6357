import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { watchUpdates } from '../../src/modules/ota/index.ts'
import { type Answer, startApi, type TestApi } from '../support/api.ts'
import { createModelGateway, releaseFirmware, type TestFirmware } from '../support/firmware.ts'
import { makeDataFolder } from '../support/folder.ts'
import { createPoint, lotoCalls, lotoWorld } from '../support/loto.ts'
import { connectGateway, createDevice, nextMessage, type TestGateway } from '../support/mqtt.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'

const MODEL = 'GW-7'
const UPDATES = '/api/ota/updates'
const MINUTE_MS = 60_000
let dataDir: string
let api: TestApi
let ours: TestTenant
let first: TestFirmware
let second: TestFirmware

beforeAll(async () => {
  dataDir = await makeDataFolder('ota-attempts')
  api = await startApi({ mqtt: true, config: { dataDir } })
  ours = await createTenant(api)
  first = await releaseFirmware(api, ours, { version: '1.0.0', model: MODEL })
  second = await releaseFirmware(api, ours, { version: '2.0.0', model: MODEL })
})
afterAll(async () => {
  await api.close()
  await rm(dataDir, { recursive: true, force: true })
})

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  api.call(method, path, { token: ours.operator.token, ...(body !== undefined && { body }) })
const read = async (id: string) => (await call('GET', `${UPDATES}/${id}`)).body
const watch = () => watchUpdates(api.deps, new AbortController().signal)

let count = 0
function newGateway(): Promise<TestGateway> {
  count += 1
  return createModelGateway(api, ours, { name: `gateway ${count}`, model: MODEL })
}
async function report(gateway: TestGateway, id: string, progress: object): Promise<void> {
  const client = await connectGateway(api.mqttPort, gateway)
  await client.publishAsync(`ota/${id}/progress`, JSON.stringify(progress), { qos: 1 })
  await client.endAsync()
}

describe('a device that is locked out while it fetches its file', () => {
  it('is given no more of it until it is free, and that time is not counted', async () => {
    const gateway = await newGateway()
    const device = await createDevice(api, ours, { name: 'at work', gatewayId: gateway.id, metadata: {} })
    const switches = api.deps.database.kysely.updateTable('device').set({ device_type: 'switch' })
    await switches.where('id', '=', device).execute()
    const client = await connectGateway(api.mqttPort, gateway)
    await client.subscribeAsync(['cmd/+', 'ota/+/chunk/+'], { qos: 1 })
    const told = nextMessage(client, (topic) => topic.startsWith('cmd/'))
    const begun = api.clock.now()
    const inMinutes = (minutes: number) => new Date(begun + minutes * MINUTE_MS).toISOString()
    const order = {
      gateway_id: gateway.id,
      firmware_version_id: first.id,
      deadline: inMinutes(4),
      retries: 0,
    }
    const { id } = (await call('POST', UPDATES, order)).body
    const { url } = JSON.parse((await told).payload.toString())
    const chunk = async () => {
      const answer = nextMessage(client, (topic) => topic.includes('/chunk/') && !topic.endsWith('request'))
      await client.publishAsync(`ota/${id}/chunk/request`, '{"offset":0,"size":100}', { qos: 1 })
      return (await answer).topic.split('/chunk/')[1]
    }
    expect(await chunk()).toBe('0')
    expect((await read(id)).status).toBe('downloading')

    api.clock.advance(MINUTE_MS)
    const world = await lotoWorld(api, ours)
    const calls = lotoCalls(world)
    const session = await calls.inStatus('applied', [await createPoint(world, { device_id: device })])
    expect(await chunk()).toBe('error')
    const refused = await fetch(api.url + url)
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { error_code: 'LOTO_LOCKED_OUT', device_ids: [device] },
    ])
    api.clock.advance(5 * MINUTE_MS)
    await watch()
    expect(await read(id)).toMatchObject({ status: 'downloading', deadline_at: inMinutes(9) })
    expect((await calls.move(session, 'release')).status).toBe(200)
    expect(await chunk()).toBe('0')
    const again = nextMessage(client, (topic) => topic.startsWith('cmd/'))
    await client.publishAsync('ota/ask', '', { qos: 1 })
    const fresh = JSON.parse((await again).payload.toString())
    expect((await fetch(api.url + fresh.url)).status).toBe(200)
    api.clock.advance(2 * MINUTE_MS)
    await watch()
    expect((await read(id)).status).toBe('downloading')
    api.clock.advance(MINUTE_MS)
    await watch()
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error: 'the device did not finish the download in time',
    })
    await client.endAsync()
  })
})

describe('a device that fails while it is locked out', () => {
  it('goes back once it is free', async () => {
    const gateway = await newGateway()
    const device = await createDevice(api, ours, { name: 'failing', gatewayId: gateway.id, metadata: {} })
    const switches = api.deps.database.kysely.updateTable('device').set({ device_type: 'switch' })
    await switches.where('id', '=', device).execute()
    const order = { gateway_id: gateway.id, rollback_on_failure: true }
    const old = (await call('POST', UPDATES, { ...order, firmware_version_id: first.id })).body
    await report(gateway, old.id, { state: 'succeeded' })
    const { id } = (await call('POST', UPDATES, { ...order, firmware_version_id: second.id })).body
    await report(gateway, id, { state: 'installing' })
    const world = await lotoWorld(api, ours)
    const calls = lotoCalls(world)
    const session = await calls.inStatus('applied', [await createPoint(world, { device_id: device })])
    await report(gateway, id, { state: 'failed', error: 'it does not start' })
    const back = async () => {
      const { items } = (await call('GET', `${UPDATES}?gateway_id=${gateway.id}`)).body
      return items.find((one: { rollback_of: string | null }) => one.rollback_of === id)
    }
    expect(await back()).toMatchObject({ status: 'queued', rollback_of: id, version: '1.0.0' })
    await report(gateway, (await back()).id, { state: 'downloading', progress_pct: 50 })
    await watch()
    expect(await back()).toMatchObject({ status: 'queued', progress_pct: 0 })
    const byHand = await call('POST', `${UPDATES}/${old.id}/rollback`)
    expect([byHand.status, byHand.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    expect((await calls.move(session, 'release')).status).toBe(200)
    await watch()
    expect((await back()).status).toBe('notified')
  })
})

describe('what is said of an attempt that is over', () => {
  async function secondAttempt() {
    const gateway = await newGateway()
    const deadline = new Date(api.clock.now() + 6 * MINUTE_MS).toISOString()
    const order = { gateway_id: gateway.id, firmware_version_id: first.id, deadline, retries: 1 }
    const { id } = (await call('POST', UPDATES, order)).body
    const before = api.clock.now() + MINUTE_MS
    api.clock.advance(6 * MINUTE_MS)
    await watch()
    expect(await read(id)).toMatchObject({ status: 'notified', attempt: 2 })
    return { gateway, id, before }
  }

  it('does not end the one under way', async () => {
    const { gateway, id, before } = await secondAttempt()
    await report(gateway, id, { state: 'failed', attempt: 1 })
    await report(gateway, id, { state: 'downloading', progress_pct: 70, attempt: 1 })
    await report(gateway, id, { state: 'failed', sent_at: new Date(before).toISOString() })
    expect(await read(id)).toMatchObject({ status: 'notified', attempt: 2, progress_pct: 0 })
    await report(gateway, id, { state: 'downloading', attempt: 3 })
    await report(gateway, id, { state: 'downloading', attempt: 'two' })
    await report(gateway, id, { state: 'downloading', sent_at: 'yesterday' })
    const letters = await api.call('GET', `/api/gateways/dead-letters?gateway_id=${gateway.id}`, {
      token: ours.admin.token,
    })
    const reasons = letters.body.items.map(({ reason }: { reason: string }) => reason)
    expect(reasons.toSorted()).toEqual(['bad_time', 'unknown_update', 'wrong_shape'])
    await report(gateway, id, { state: 'failed', error: 'no room', attempt: 2 })
    expect(await read(id)).toMatchObject({ status: 'failed', error: 'no room', attempt: 2 })
  })

  it('is known by its time where a device says no attempt', async () => {
    const { gateway, id, before } = await secondAttempt()
    // It is told once more; what it says of this attempt may lie before that.
    const told = api.clock.now()
    api.clock.advance(5 * MINUTE_MS)
    await watch()
    const client = await connectGateway(api.mqttPort, gateway)
    const state = (ts: number, fw_state: string) =>
      client.publishAsync('v1/devices/me/telemetry', JSON.stringify({ ts, values: { fw_state } }), { qos: 1 })
    await state(before, 'FAILED')
    expect((await read(id)).status).toBe('notified')
    await state(before, 'DOWNLOADING')
    expect((await read(id)).status).toBe('downloading')
    await state(told, 'FAILED')
    expect((await read(id)).status).toBe('failed')
    await client.endAsync()
  })
})
