import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectGateway, createDevice, nextMessage, type TestGateway } from '../../support/field/mqtt.ts'
import { createPoint, lotoCalls, setUpLoto } from '../../support/safety/loto.ts'
import { cutConnections, fetchInPieces, sha256Of, type TestFirmware } from '../../support/updates/firmware.ts'
import {
  MINUTE_MS,
  MODEL,
  type OtaFixture,
  refusal,
  startOtaFixture,
  UPDATES,
} from '../../support/updates/ota.ts'

let ota: OtaFixture
beforeAll(async () => {
  ota = await startOtaFixture('ota', { size: 400_000 })
})
afterAll(() => ota.close())

async function connectDevice(gateway: TestGateway): Promise<MqttClient> {
  const client = await connectGateway(ota.api.mqttPort, gateway)
  await client.subscribeAsync(['cmd/+', 'ota/+/chunk/+'], { qos: 1 })
  return client
}
const isCommand = (topic: string) => topic.startsWith('cmd/')
const publishProgress = (client: MqttClient, id: string, progress: object) =>
  client.publishAsync(`ota/${id}/progress`, JSON.stringify(progress), { qos: 1 })

/** Starts an update and returns the command that the device receives. */
async function commanded(
  gateway: TestGateway,
  client: MqttClient,
  firmware: TestFirmware,
  more: object = {},
) {
  const coming = nextMessage(client, isCommand)
  const started = await ota.start(gateway, firmware, more)
  expect(started.status).toBe(201)
  const { payload } = await coming
  return { id: started.body.id as string, started: started.body, command: JSON.parse(payload.toString()) }
}

describe('update of a gateway', () => {
  it('notifies the device, which resumes an interrupted download by its link and succeeds', async () => {
    const gateway = await ota.newGateway()
    const client = await connectDevice(gateway)
    const { id, started, command } = await commanded(gateway, client, ota.first)
    expect(started).toMatchObject({
      status: 'notified',
      attempt: 1,
      version: '1.0.0',
      gateway_id: gateway.id,
    })
    const { size, sha256, version, url } = command
    expect(command).toMatchObject({ id, type: 'firmware_update', device_model: MODEL, device_id: null })
    expect({ size, sha256, version }).toEqual({ size: 400_000, sha256: ota.first.sha256, version: '1.0.0' })

    const proxy = await cutConnections(ota.api.url, 120_000)
    const bytes = await fetchInPieces(proxy.url + url, size)
    expect([sha256Of(bytes), proxy.cuts() >= 3]).toEqual([ota.first.sha256, true])
    await proxy.close()
    expect((await ota.read(id)).status).toBe('downloading')

    await publishProgress(client, id, { state: 'downloaded', progress_pct: 100, sha256: sha256Of(bytes) })
    await publishProgress(client, id, { state: 'downloading', progress_pct: 40 })
    expect(await ota.read(id)).toMatchObject({ status: 'downloaded', progress_pct: 100 })
    await publishProgress(client, id, { state: 'installing' })
    expect((await ota.call('POST', `${UPDATES}/${id}/cancel`)).status).toBe(409)
    await publishProgress(client, id, { state: 'succeeded', version: '1.0.0' })
    const done = await ota.read(id)
    expect(done).toMatchObject({ status: 'succeeded', error: null })
    expect(
      done.events.map(({ move: transition, by }: { move: string; by: string }) => `${by} ${transition}`),
    ).toEqual([
      'service notify',
      'device download',
      'device finish_download',
      'device install',
      'device succeed',
    ])
    expect((await ota.call('GET', `/api/gateways/${gateway.id}`)).body.firmware_version).toBe('1.0.0')
    expect((await fetch(ota.api.url + url)).status).toBe(404)
    expect((await ota.call('POST', `${UPDATES}/${id}/retry`)).status).toBe(409)
    await client.endAsync()
  })

  it('is downloaded in chunks over MQTT', async () => {
    const gateway = await ota.newGateway()
    const client = await connectDevice(gateway)
    const { id, command } = await commanded(gateway, client, ota.first)
    const pieces: Buffer[] = []
    for (let offset = 0; offset < command.size; ) {
      const coming = nextMessage(client, (topic) => topic === `ota/${id}/chunk/${offset}`)
      await client.publishAsync(`ota/${id}/chunk/request`, JSON.stringify({ offset, size: 100_000 }), {
        qos: 1,
      })
      const { payload } = await coming
      pieces.push(payload)
      offset += payload.length
    }
    expect(sha256Of(Buffer.concat(pieces))).toBe(ota.first.sha256)
    expect(await ota.read(id)).toMatchObject({ status: 'downloading', progress_pct: 100 })
    const refused = nextMessage(client, (topic) => topic.endsWith('/chunk/error'))
    await client.publishAsync(`ota/${id}/chunk/request`, JSON.stringify({ offset: 0, size: 10_000_000 }), {
      qos: 1,
    })
    expect(JSON.parse((await refused).payload.toString()).error).toContain('a piece has 1 to')
    await client.endAsync()
  })

  it('fails when the device reports another hash or version', async () => {
    const gateway = await ota.newGateway()
    const client = await connectDevice(gateway)
    const lied = await commanded(gateway, client, ota.second)
    await publishProgress(client, lied.id, { state: 'downloaded', sha256: 'a'.repeat(64) })
    const failed = await ota.read(lied.id)
    expect([failed.status, failed.error]).toEqual([
      'failed',
      `the device has a file with the SHA-256 ${'a'.repeat(64)}`,
    ])
    const coming = nextMessage(client, isCommand)
    expect((await ota.call('POST', `${UPDATES}/${lied.id}/retry`)).body).toMatchObject({
      status: 'notified',
      attempt: 2,
    })
    expect(JSON.parse((await coming).payload.toString()).attempt).toBe(2)
    await publishProgress(client, lied.id, { state: 'succeeded', version: '1.9.9' })
    expect((await ota.read(lied.id)).error).toBe('the device runs 1.9.9 after the installation')
    await client.endAsync()
  })

  it('is cancelled, and its device is notified', async () => {
    const gateway = await ota.newGateway()
    const client = await connectDevice(gateway)
    const { id, command } = await commanded(gateway, client, ota.second)
    const coming = nextMessage(client, isCommand)
    expect((await ota.call('POST', `${UPDATES}/${id}/cancel`)).body.status).toBe('cancelled')
    expect(JSON.parse((await coming).payload.toString())).toEqual({ id, type: 'firmware_cancel' })
    expect((await fetch(ota.api.url + command.url)).status).toBe(404)
    await publishProgress(client, id, { state: 'succeeded' })
    expect((await ota.read(id)).status).toBe('cancelled')
    await client.endAsync()
  })

  it('of another gateway is unknown to this one, and malformed reports become dead letters', async () => {
    const [gateway, other] = [await ota.newGateway(), await ota.newGateway()]
    const client = await connectDevice(other)
    const { id } = (await ota.start(gateway, ota.second)).body
    await publishProgress(client, id, { state: 'succeeded' })
    await publishProgress(client, id, { state: 'flying' })
    await publishProgress(client, id, { state: 7 })
    expect((await ota.read(id)).status).toBe('notified')
    const deadLetters = await ota.api.call('GET', `/api/gateways/dead-letters?gateway_id=${other.id}`, {
      token: ota.tenant.admin.token,
    })
    const reasons = deadLetters.body.items.map(({ reason }: { reason: string }) => reason)
    expect(reasons.toSorted()).toEqual(['unknown_update', 'wrong_shape', 'wrong_shape'])
    await client.endAsync()
  })

  it('is notified again to a gateway that was disconnected', async () => {
    const gateway = await ota.newGateway()
    const { id } = (await ota.start(gateway, ota.second)).body
    const client = await connectDevice(gateway)
    const coming = nextMessage(client, isCommand)
    await client.publishAsync('ota/ask', '', { qos: 1 })
    expect(JSON.parse((await coming).payload.toString()).id).toBe(id)
    const again = nextMessage(client, isCommand)
    ota.api.clock.advance(5 * MINUTE_MS)
    await ota.watch()
    expect(JSON.parse((await again).payload.toString()).id).toBe(id)
    await client.endAsync()
  })
})

describe('update request', () => {
  it('is rejected for a wrong model, an unknown target and a busy device', async () => {
    const gateway = await ota.newGateway()
    const other = await ota.newGateway('another')
    expect(await refusal(ota.start(other, ota.second))).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    const bare = await createDevice(ota.api, ota.tenant, { name: 'bare', gatewayId: gateway.id })
    const body = { device_id: bare, firmware_version_id: ota.second.id }
    expect(await refusal(ota.call('POST', UPDATES, body))).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    expect(await refusal(ota.start(gateway, { ...ota.second, id: gateway.id }))).toEqual([
      422,
      'INVALID_REFERENCE',
    ])
    expect(await refusal(ota.start({ ...gateway, id: ota.second.id }, ota.second))).toEqual([
      422,
      'INVALID_REFERENCE',
    ])
    expect((await ota.call('POST', UPDATES, { firmware_version_id: ota.second.id })).status).toBe(422)
    expect((await ota.start(gateway, ota.second, { deadline: '2026-11-20T09:30:01Z' })).status).toBe(422)
    expect((await ota.start(gateway, ota.second)).status).toBe(201)
    expect(await refusal(ota.start(gateway, ota.first))).toEqual([409, 'STATE_CONFLICT'])
    const viewer = await ota.api.call('POST', UPDATES, { token: ota.tenant.viewer.token, body: {} })
    expect(viewer.status).toBe(403)
  })

  it('is rejected while the device is locked out', async () => {
    const gateway = await ota.newGateway()
    const device = await ota.newSwitch(gateway, 'locked', { model: MODEL })
    const setup = await setUpLoto(ota.api, ota.tenant)
    const calls = lotoCalls(setup)
    const session = await calls.inStatus('applied', [await createPoint(setup, { device_id: device })])
    const body = { device_id: device, firmware_version_id: ota.second.id }
    expect(await refusal(ota.call('POST', UPDATES, body))).toEqual([409, 'LOTO_LOCKED_OUT'])
    expect(await refusal(ota.start(gateway, ota.second))).toEqual([409, 'LOTO_LOCKED_OUT'])
    expect((await calls.transition(session, 'release')).status).toBe(200)
    expect((await ota.call('POST', UPDATES, body)).status).toBe(201)
  })
})

describe('update watchdog', () => {
  it('restarts an update without progress, and fails it after the last attempt', async () => {
    const gateway = await ota.newGateway()
    const deadline = new Date(ota.api.clock.now() + 10 * MINUTE_MS).toISOString()
    const { id } = (await ota.start(gateway, ota.second, { deadline, retries: 1 })).body
    await ota.watch()
    expect(await ota.read(id)).toMatchObject({ status: 'notified', attempt: 1, deadline_at: deadline })
    ota.api.clock.advance(10 * MINUTE_MS)
    await ota.watch()
    expect(await ota.read(id)).toMatchObject({ status: 'notified', attempt: 2, retries_left: 0, error: null })
    ota.api.clock.advance(10 * MINUTE_MS)
    await ota.watch()
    const failed = await ota.read(id)
    expect(failed).toMatchObject({ status: 'failed', error: 'the device did not answer in time' })
    const inTurkish = await ota.readIn('tr', `${UPDATES}/${id}`)
    expect(inTurkish.error).toBe('cihaz süresi içinde yanıt vermedi')
    expect(inTurkish.events.at(-1).detail).toBe(inTurkish.error)
    expect(failed.events.map(({ move: transition }: { move: string }) => transition)).toEqual([
      ...['notify', 'time_out', 'try_again', 'notify', 'time_out'],
    ])
    expect((await ota.call('POST', `${UPDATES}/${id}/cancel`)).status).toBe(409)
  })
})
