import { rm } from 'node:fs/promises'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { watchUpdates } from '../../src/modules/ota/index.ts'
import { type Answer, startApi, type TestApi } from '../support/api.ts'
import {
  createModelGateway,
  cutConnections,
  fetchInPieces,
  releaseFirmware,
  sha256Of,
  type TestFirmware,
} from '../support/firmware.ts'
import { makeDataFolder } from '../support/folder.ts'
import { createPoint, lotoCalls, lotoWorld } from '../support/loto.ts'
import { connectGateway, createDevice, nextMessage, type TestGateway } from '../support/mqtt.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'
import { waitFor } from '../support/wait-for.ts'

const MODEL = 'GW-7'
const MINUTE_MS = 60_000
let dataDir: string
let api: TestApi
let ours: TestTenant
let first: TestFirmware
let second: TestFirmware

beforeAll(async () => {
  dataDir = await makeDataFolder('ota')
  api = await startApi({ mqtt: true, config: { dataDir } })
  ours = await createTenant(api)
  first = await releaseFirmware(api, ours, { version: '1.0.0', model: MODEL, size: 400_000 })
  second = await releaseFirmware(api, ours, { version: '2.0.0', model: MODEL })
})
afterAll(async () => {
  await api.close()
  await rm(dataDir, { recursive: true, force: true })
})

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  api.call(method, path, { token: ours.operator.token, ...(body !== undefined && { body }) })
const UPDATES = '/api/ota/updates'
const read = async (id: string) => (await call('GET', `${UPDATES}/${id}`)).body
const start = (gateway: TestGateway, firmware: TestFirmware, more: object = {}) =>
  call('POST', UPDATES, { gateway_id: gateway.id, firmware_version_id: firmware.id, ...more })
const watch = () => watchUpdates(api.deps, new AbortController().signal)
const json = (payload: unknown) => JSON.stringify(payload)

let count = 0
function newGateway(model = MODEL): Promise<TestGateway> {
  count += 1
  return createModelGateway(api, ours, { name: `gateway ${count}`, model })
}

async function connectDevice(gateway: TestGateway): Promise<MqttClient> {
  const client = await connectGateway(api.mqttPort, gateway)
  await client.subscribeAsync(['cmd/+', 'ota/+/chunk/+', 'v2/fw/#', 'v1/devices/me/attributes/#'], { qos: 1 })
  return client
}
const isCommand = (topic: string) => topic.startsWith('cmd/')
const tell = (client: MqttClient, id: string, progress: object) =>
  client.publishAsync(`ota/${id}/progress`, json(progress), { qos: 1 })

/** Starts an update and answers the command that the device gets. */
async function commanded(
  gateway: TestGateway,
  client: MqttClient,
  firmware: TestFirmware,
  more: object = {},
) {
  const coming = nextMessage(client, isCommand)
  const started = await start(gateway, firmware, more)
  expect(started.status).toBe(201)
  const { payload } = await coming
  return { id: started.body.id as string, started: started.body, command: JSON.parse(payload.toString()) }
}

describe('an update of a gateway', () => {
  it('is told, fetched by its link over a connection that breaks, and done', async () => {
    const gateway = await newGateway()
    const client = await connectDevice(gateway)
    const { id, started, command } = await commanded(gateway, client, first)
    expect(started).toMatchObject({
      status: 'notified',
      attempt: 1,
      version: '1.0.0',
      gateway_id: gateway.id,
    })
    const { size, sha256, version, url } = command
    expect(command).toMatchObject({ id, type: 'firmware_update', device_model: MODEL, device_id: null })
    expect({ size, sha256, version }).toEqual({ size: 400_000, sha256: first.sha256, version: '1.0.0' })

    const proxy = await cutConnections(api.url, 120_000)
    const bytes = await fetchInPieces(proxy.url + url, size)
    expect([sha256Of(bytes), proxy.cuts() >= 3]).toEqual([first.sha256, true])
    await proxy.close()
    expect((await read(id)).status).toBe('downloading')

    await tell(client, id, { state: 'downloaded', progress_pct: 100, sha256: sha256Of(bytes) })
    await tell(client, id, { state: 'downloading', progress_pct: 40 })
    expect(await read(id)).toMatchObject({ status: 'downloaded', progress_pct: 100 })
    await tell(client, id, { state: 'installing' })
    expect((await call('POST', `${UPDATES}/${id}/cancel`)).status).toBe(409)
    await tell(client, id, { state: 'succeeded', version: '1.0.0' })
    const done = await read(id)
    expect(done).toMatchObject({ status: 'succeeded', error: null })
    expect(done.events.map(({ move, by }: { move: string; by: string }) => `${by} ${move}`)).toEqual([
      'service notify',
      'device download',
      'device finish_download',
      'device install',
      'device succeed',
    ])
    expect((await call('GET', `/api/gateways/${gateway.id}`)).body.firmware_version).toBe('1.0.0')
    expect((await fetch(api.url + url)).status).toBe(404)
    expect((await call('POST', `${UPDATES}/${id}/retry`)).status).toBe(409)
    await client.endAsync()
  })

  it('is fetched in pieces over MQTT', async () => {
    const gateway = await newGateway()
    const client = await connectDevice(gateway)
    const { id, command } = await commanded(gateway, client, first)
    const pieces: Buffer[] = []
    for (let offset = 0; offset < command.size; ) {
      const coming = nextMessage(client, (topic) => topic === `ota/${id}/chunk/${offset}`)
      await client.publishAsync(`ota/${id}/chunk/request`, json({ offset, size: 100_000 }), { qos: 1 })
      const { payload } = await coming
      pieces.push(payload)
      offset += payload.length
    }
    expect(sha256Of(Buffer.concat(pieces))).toBe(first.sha256)
    expect(await read(id)).toMatchObject({ status: 'downloading', progress_pct: 100 })
    const refused = nextMessage(client, (topic) => topic.endsWith('/chunk/error'))
    await client.publishAsync(`ota/${id}/chunk/request`, json({ offset: 0, size: 10_000_000 }), { qos: 1 })
    expect(JSON.parse((await refused).payload.toString()).error).toContain('a piece has 1 to')
    await client.endAsync()
  })

  it('fails when the device has another file, or runs another version', async () => {
    const gateway = await newGateway()
    const client = await connectDevice(gateway)
    const lied = await commanded(gateway, client, second)
    await tell(client, lied.id, { state: 'downloaded', sha256: 'a'.repeat(64) })
    const failed = await read(lied.id)
    expect([failed.status, failed.error]).toEqual([
      'failed',
      `the device has a file with the SHA-256 ${'a'.repeat(64)}`,
    ])
    const coming = nextMessage(client, isCommand)
    expect((await call('POST', `${UPDATES}/${lied.id}/retry`)).body).toMatchObject({
      status: 'notified',
      attempt: 2,
    })
    expect(JSON.parse((await coming).payload.toString()).attempt).toBe(2)
    await tell(client, lied.id, { state: 'succeeded', version: '1.9.9' })
    expect((await read(lied.id)).error).toBe('the device runs 1.9.9 after the installation')
    await client.endAsync()
  })

  it('is cancelled, and its device is told', async () => {
    const gateway = await newGateway()
    const client = await connectDevice(gateway)
    const { id, command } = await commanded(gateway, client, second)
    const coming = nextMessage(client, isCommand)
    expect((await call('POST', `${UPDATES}/${id}/cancel`)).body.status).toBe('cancelled')
    expect(JSON.parse((await coming).payload.toString())).toEqual({ id, type: 'firmware_cancel' })
    expect((await fetch(api.url + command.url)).status).toBe(404)
    await tell(client, id, { state: 'succeeded' })
    expect((await read(id)).status).toBe('cancelled')
    await client.endAsync()
  })

  it('of another gateway is unknown to this one, and bad words are kept as dead letters', async () => {
    const [gateway, other] = [await newGateway(), await newGateway()]
    const client = await connectDevice(other)
    const { id } = (await start(gateway, second)).body
    await tell(client, id, { state: 'succeeded' })
    await tell(client, id, { state: 'flying' })
    await tell(client, id, { state: 7 })
    expect((await read(id)).status).toBe('notified')
    const letters = await api.call('GET', `/api/gateways/dead-letters?gateway_id=${other.id}`, {
      token: ours.admin.token,
    })
    const reasons = letters.body.items.map(({ reason }: { reason: string }) => reason)
    expect(reasons.toSorted()).toEqual(['unknown_update', 'wrong_shape', 'wrong_shape'])
    await client.endAsync()
  })

  it('is told again to a gateway that was away', async () => {
    const gateway = await newGateway()
    const { id } = (await start(gateway, second)).body
    const client = await connectDevice(gateway)
    const coming = nextMessage(client, isCommand)
    await client.publishAsync('ota/ask', '', { qos: 1 })
    expect(JSON.parse((await coming).payload.toString()).id).toBe(id)
    const again = nextMessage(client, isCommand)
    api.clock.advance(5 * MINUTE_MS)
    await watch()
    expect(JSON.parse((await again).payload.toString()).id).toBe(id)
    await client.endAsync()
  })
})

describe('ThingsBoard’s topics', () => {
  it('bring the firmware in chunks, and the states', async () => {
    const gateway = await newGateway()
    const client = await connectDevice(gateway)
    const pushed = nextMessage(client, (topic) => topic === 'v1/devices/me/attributes')
    const { id } = (await start(gateway, first)).body
    expect(JSON.parse((await pushed).payload.toString())).toMatchObject({
      fw_title: MODEL,
      fw_version: '1.0.0',
    })

    const answered = nextMessage(client, (topic) => topic === 'v1/devices/me/attributes/response/1')
    const sharedKeys = 'fw_title,fw_version,fw_size,fw_checksum,fw_checksum_algorithm'
    await client.publishAsync('v1/devices/me/attributes/request/1', json({ sharedKeys }), { qos: 1 })
    expect(JSON.parse((await answered).payload.toString())).toEqual({
      shared: {
        fw_title: MODEL,
        fw_version: '1.0.0',
        fw_size: 400_000,
        fw_checksum: first.sha256,
        fw_checksum_algorithm: 'SHA256',
      },
    })
    const state = (fw_state: string, more: object = {}) =>
      client.publishAsync('v1/devices/me/telemetry', json({ fw_state, ...more }), { qos: 1 })
    await state('DOWNLOADING', { current_fw_version: '0.9.0' })
    const chunks: Buffer[] = []
    for (let chunk = 0; ; chunk += 1) {
      const coming = nextMessage(client, (topic) => topic === `v2/fw/response/7/chunk/${chunk}`)
      await client.publishAsync(`v2/fw/request/7/chunk/${chunk}`, '65536', { qos: 1 })
      const { payload } = await coming
      if (payload.length === 0) break
      chunks.push(payload)
      if (payload.length < 65_536) break
    }
    expect(sha256Of(Buffer.concat(chunks))).toBe(first.sha256)
    await state('DOWNLOADED')
    await state('VERIFIED', { fw_checksum: first.sha256 })
    expect((await read(id)).status).toBe('downloaded')
    await state('UPDATING')
    await state('UPDATED', { current_fw_title: MODEL, current_fw_version: '1.0.0' })
    expect(await read(id)).toMatchObject({ status: 'succeeded', progress_pct: 100 })
    const refused = nextMessage(client, (topic) => topic === 'v2/fw/error')
    await client.publishAsync('v2/fw/request/8/chunk/0', '100', { qos: 1 })
    expect((await refused).payload.toString()).toBe('there is no update for this device')
    const letters = await api.call('GET', `/api/gateways/dead-letters?gateway_id=${gateway.id}`, {
      token: ours.admin.token,
    })
    expect(letters.body.items).toEqual([])
    await client.endAsync()
  })

  it('tell of devices behind a gateway by their names', async () => {
    const gateway = await newGateway()
    const metadata = { model: 'EM-9' }
    const device = await createDevice(api, ours, { name: 'meter A', gatewayId: gateway.id, metadata })
    const firmware = await releaseFirmware(api, ours, { version: '3.0.0', model: 'EM-9' })
    const client = await connectDevice(gateway)
    const started = await call('POST', UPDATES, { device_id: device, firmware_version_id: firmware.id })
    expect(started.status).toBe(201)
    const news = { 'meter A': [{ ts: api.clock.now(), values: { fw_state: 'FAILED', fw_error: 'no room' } }] }
    await client.publishAsync('v1/gateway/telemetry', json(news), { qos: 1 })
    expect(await read(started.body.id)).toMatchObject({ status: 'failed', error: 'no room' })
    await client.endAsync()
  })
})

describe('an update is refused', () => {
  const refusal = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    return [status, body.error_code]
  }

  it('for what does not fit, is not there, or is busy', async () => {
    const gateway = await newGateway()
    const other = await newGateway('another')
    expect(await refusal(start(other, second))).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    const bare = await createDevice(api, ours, { name: 'bare', gatewayId: gateway.id })
    const body = { device_id: bare, firmware_version_id: second.id }
    expect(await refusal(call('POST', UPDATES, body))).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    expect(await refusal(start(gateway, { ...second, id: gateway.id }))).toEqual([422, 'INVALID_REFERENCE'])
    expect(await refusal(start({ ...gateway, id: second.id }, second))).toEqual([422, 'INVALID_REFERENCE'])
    expect((await call('POST', UPDATES, { firmware_version_id: second.id })).status).toBe(422)
    expect((await start(gateway, second, { deadline: '2026-11-20T09:30:01Z' })).status).toBe(422)
    expect((await start(gateway, second)).status).toBe(201)
    expect(await refusal(start(gateway, first))).toEqual([409, 'STATE_CONFLICT'])
    const viewer = await api.call('POST', UPDATES, { token: ours.viewer.token, body: {} })
    expect(viewer.status).toBe(403)
  })

  it('while somebody may be at work on the device', async () => {
    const gateway = await newGateway()
    const device = await createDevice(api, ours, {
      name: 'locked',
      gatewayId: gateway.id,
      metadata: { model: MODEL },
    })
    // No meter: nobody has to show that no power flows.
    const switches = api.deps.database.kysely.updateTable('device').set({ device_type: 'switch' })
    await switches.where('id', '=', device).execute()
    const world = await lotoWorld(api, ours)
    const calls = lotoCalls(world)
    const session = await calls.inStatus('applied', [await createPoint(world, { device_id: device })])
    const body = { device_id: device, firmware_version_id: second.id }
    expect(await refusal(call('POST', UPDATES, body))).toEqual([409, 'LOTO_LOCKED_OUT'])
    expect(await refusal(start(gateway, second))).toEqual([409, 'LOTO_LOCKED_OUT'])
    expect((await calls.move(session, 'release')).status).toBe(200)
    expect((await call('POST', UPDATES, body)).status).toBe(201)
  })
})

describe('the watchdog', () => {
  it('tries an update again that does not move, and then gives it up', async () => {
    const gateway = await newGateway()
    const deadline = new Date(api.clock.now() + 10 * MINUTE_MS).toISOString()
    const { id } = (await start(gateway, second, { deadline, retries: 1 })).body
    await watch()
    expect(await read(id)).toMatchObject({ status: 'notified', attempt: 1, deadline_at: deadline })
    api.clock.advance(10 * MINUTE_MS)
    await watch()
    expect(await read(id)).toMatchObject({ status: 'notified', attempt: 2, retries_left: 0, error: null })
    api.clock.advance(10 * MINUTE_MS)
    await watch()
    const failed = await read(id)
    expect(failed).toMatchObject({ status: 'failed', error: 'the device did not answer in time' })
    expect(failed.events.map(({ move }: { move: string }) => move)).toEqual([
      ...['notify', 'time_out', 'try_again', 'notify', 'time_out'],
    ])
    expect((await call('POST', `${UPDATES}/${id}/cancel`)).status).toBe(409)
  })
})

/** Brings an update to its end without a broker between: what a device says, by its topic. */
async function finish(gateway: TestGateway, id: string, progress: object): Promise<void> {
  const client = await connectGateway(api.mqttPort, gateway)
  await tell(client, id, progress)
  await client.endAsync()
}

describe('a rollback', () => {
  it('goes to what succeeded before', async () => {
    const gateway = await newGateway()
    const one = (await start(gateway, first)).body.id
    await finish(gateway, one, { state: 'succeeded' })
    const two = (await start(gateway, second, { rollback_on_failure: true })).body
    expect(two.from_version).toBe('1.0.0')
    await finish(gateway, two.id, { state: 'installing' })
    await finish(gateway, two.id, { state: 'failed', error: 'it does not start' })
    const { body } = await call('GET', `${UPDATES}?gateway_id=${gateway.id}&status=notified`)
    expect(body.items).toMatchObject([{ rollback_of: two.id, version: '1.0.0', created_by: null }])
    await finish(gateway, body.items[0].id, { state: 'succeeded' })
    const by = await call('POST', `${UPDATES}/${two.id}/rollback`)
    expect([by.status, by.body.version]).toEqual([201, '1.0.0'])
    const none = await newGateway()
    const only = (await start(none, second)).body.id
    expect((await call('POST', `${UPDATES}/${only}/rollback`)).status).toBe(409)
    await finish(none, only, { state: 'succeeded' })
    expect((await call('POST', `${UPDATES}/${only}/rollback`)).status).toBe(409)
  })
})

describe('a batch', () => {
  async function startBatch(gateways: readonly TestGateway[], more: object): Promise<Answer> {
    return call('POST', `${UPDATES}/batch`, {
      gateway_ids: gateways.map(({ id }) => id),
      firmware_version_id: second.id,
      ...more,
    })
  }
  const batch = async (id: string) => (await call('GET', `/api/ota/batches/${id}`)).body
  async function idsOf(batchId: string, gateways: readonly TestGateway[]): Promise<string[]> {
    const { items } = (await call('GET', `${UPDATES}?batch_id=${batchId}&limit=100`)).body
    return gateways.map(({ id }) => items.find((one: { gateway_id: string }) => one.gateway_id === id).id)
  }
  const fleet = (size: number) => Promise.all(Array.from({ length: size }, () => newGateway()))
  const isNotified = (id: string) => waitFor(async () => (await read(id)).status === 'notified')

  it('goes on wave by wave, and ends', async () => {
    const gateways = await fleet(3)
    const started = await startBatch(gateways, { groups: [1] })
    expect(started.body).toMatchObject({ status: 'running', wave: 1, wave_sizes: [1, 2] })
    const { id } = started.body
    const updates = await idsOf(id, gateways)
    await isNotified(updates[0] ?? '')
    expect(await read(updates[1] ?? '')).toMatchObject({ status: 'queued', wave: 2, deadline_at: null })
    for (const [place, gateway] of gateways.entries()) {
      await isNotified(updates[place] ?? '')
      await finish(gateway, updates[place] ?? '', { state: 'succeeded' })
    }
    expect(await batch(id)).toMatchObject({ status: 'completed', wave: 2, counts: { succeeded: 3 } })
    expect((await call('POST', `/api/ota/batches/${id}/cancel`)).status).toBe(409)
  })

  it('goes on when the ends of a wave come together, and when a device is deleted', async () => {
    const gateways = await fleet(6)
    const { id } = (await startBatch(gateways, { groups: [5] })).body
    const updates = await idsOf(id, gateways)
    for (const update of updates.slice(0, 5)) await isNotified(update)
    await Promise.all(
      gateways
        .slice(0, 5)
        .map((gateway, place) => finish(gateway, updates[place] ?? '', { state: 'succeeded' })),
    )
    expect(await batch(id)).toMatchObject({ status: 'running', wave: 2, counts: { succeeded: 5 } })
    await api.call('DELETE', `/api/gateways/${gateways[5]?.id}`, { token: ours.admin.token })
    await watch()
    expect(await batch(id)).toMatchObject({ status: 'completed', counts: { succeeded: 5 } })
  })

  it('stops at its error threshold, and sends back what it has changed', async () => {
    const gateways = await fleet(4)
    for (const gateway of gateways.slice(0, 2))
      await finish(gateway, (await start(gateway, first)).body.id, { state: 'succeeded' })
    const started = await startBatch(gateways, {
      groups: [2],
      error_threshold_pct: 50,
      rollback_on_error: true,
    })
    const { id } = started.body
    const updates = await idsOf(id, gateways)
    for (const update of updates.slice(0, 2)) await isNotified(update)
    const [one, two] = gateways
    if (!one || !two) throw new Error('no fleet')
    await finish(one, updates[0] ?? '', { state: 'succeeded' })
    await finish(two, updates[1] ?? '', { state: 'failed' })
    expect(await batch(id)).toMatchObject({
      status: 'stopped',
      reason: '1 of 2 updates of the wave failed: the error threshold is 50 %',
      counts: { succeeded: 1, failed: 1, cancelled: 2 },
    })
    const back = await call('GET', `${UPDATES}?gateway_id=${one.id}&status=notified`)
    expect(back.body.items).toMatchObject([{ rollback_of: updates[0], version: '1.0.0' }])
  })

  it('is all or nothing, and finds its devices by a filter', async () => {
    const model = 'GW-F'
    const firmware = await releaseFirmware(api, ours, { version: '1.0.0', model })
    const [a, b] = [await newGateway(model), await newGateway(model)]
    const mixed = await startBatch([a, b], {})
    expect([mixed.status, mixed.body.error_code]).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    const both = await call('POST', `${UPDATES}/batch`, {
      filter: { target: 'gateway' },
      firmware_version_id: firmware.id,
    })
    expect(both.body).toMatchObject({ wave_sizes: [2] })
    const empty = await call('POST', `${UPDATES}/batch`, {
      filter: { target: 'gateway' },
      firmware_version_id: firmware.id,
    })
    expect(empty.status).toBe(422)
    expect((await call('POST', `/api/ota/batches/${both.body.id}/rollback`)).status).toBe(409)
    const cancelled = await call('POST', `/api/ota/batches/${both.body.id}/cancel`)
    expect(cancelled.body).toMatchObject({ status: 'cancelled', counts: { cancelled: 2 } })
    expect((await call('GET', '/api/ota/batches?status=cancelled')).body.total).toBe(1)
    expect((await call('POST', `/api/ota/batches/${both.body.id}/rollback`)).body).toEqual({
      updates: [],
      skipped: [],
    })
  })
})
