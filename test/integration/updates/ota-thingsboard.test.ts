import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectGateway, createDevice, nextMessage, type TestGateway } from '../../support/field/mqtt.ts'
import { releaseFirmware, sha256Of } from '../../support/updates/firmware.ts'
import { MODEL, type OtaFixture, startOtaFixture, UPDATES } from '../../support/updates/ota.ts'

let ota: OtaFixture
beforeAll(async () => {
  ota = await startOtaFixture('ota-thingsboard', { size: 400_000 })
})
afterAll(() => ota.close())

async function connectDevice(gateway: TestGateway) {
  const client = await connectGateway(ota.api.mqttPort, gateway)
  await client.subscribeAsync(['cmd/+', 'v2/fw/#', 'v1/devices/me/attributes/#'], { qos: 1 })
  return client
}

describe('ThingsBoard firmware topics', () => {
  it('deliver the firmware in chunks and accept the states', async () => {
    const gateway = await ota.newGateway()
    const client = await connectDevice(gateway)
    const pushed = nextMessage(client, (topic) => topic === 'v1/devices/me/attributes')
    const { id } = (await ota.start(gateway, ota.first)).body
    expect(JSON.parse((await pushed).payload.toString())).toMatchObject({
      fw_title: MODEL,
      fw_version: '1.0.0',
    })

    const answered = nextMessage(client, (topic) => topic === 'v1/devices/me/attributes/response/1')
    const sharedKeys = 'fw_title,fw_version,fw_size,fw_checksum,fw_checksum_algorithm'
    await client.publishAsync('v1/devices/me/attributes/request/1', JSON.stringify({ sharedKeys }), {
      qos: 1,
    })
    expect(JSON.parse((await answered).payload.toString())).toEqual({
      shared: {
        fw_title: MODEL,
        fw_version: '1.0.0',
        fw_size: 400_000,
        fw_checksum: ota.first.sha256,
        fw_checksum_algorithm: 'SHA256',
      },
    })
    const state = (fw_state: string, more: object = {}) =>
      client.publishAsync('v1/devices/me/telemetry', JSON.stringify({ fw_state, ...more }), { qos: 1 })
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
    expect(sha256Of(Buffer.concat(chunks))).toBe(ota.first.sha256)
    await state('DOWNLOADED')
    await state('VERIFIED', { fw_checksum: ota.first.sha256 })
    expect((await ota.read(id)).status).toBe('downloaded')
    await state('UPDATING')
    await state('UPDATED', { current_fw_title: MODEL, current_fw_version: '1.0.0' })
    expect(await ota.read(id)).toMatchObject({ status: 'succeeded', progress_pct: 100 })
    const refused = nextMessage(client, (topic) => topic === 'v2/fw/error')
    await client.publishAsync('v2/fw/request/8/chunk/0', '100', { qos: 1 })
    expect((await refused).payload.toString()).toBe('there is no update for this device')
    const deadLetters = await ota.api.call('GET', `/api/gateways/dead-letters?gateway_id=${gateway.id}`, {
      token: ota.tenant.admin.token,
    })
    expect(deadLetters.body.items).toEqual([])
    await client.endAsync()
  })

  it('accept reports of devices behind a gateway by their names', async () => {
    const gateway = await ota.newGateway()
    const metadata = { model: 'EM-9' }
    const device = await createDevice(ota.api, ota.tenant, {
      name: 'meter A',
      gatewayId: gateway.id,
      metadata,
    })
    const firmware = await releaseFirmware(ota.api, ota.tenant, { version: '3.0.0', model: 'EM-9' })
    const client = await connectDevice(gateway)
    const started = await ota.call('POST', UPDATES, { device_id: device, firmware_version_id: firmware.id })
    expect(started.status).toBe(201)
    const newFirmware = {
      'meter A': [{ ts: ota.api.clock.now(), values: { fw_state: 'FAILED', fw_error: 'no room' } }],
    }
    await client.publishAsync('v1/gateway/telemetry', JSON.stringify(newFirmware), { qos: 1 })
    expect(await ota.read(started.body.id)).toMatchObject({ status: 'failed', error: 'no room' })
    await client.endAsync()
  })
})
