import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectGateway, createDevice, nextMessage, type TestGateway } from '../../support/field/mqtt.ts'
import { createPoint, lotoCalls, setUpLoto } from '../../support/safety/loto.ts'
import { MODEL, type OtaFixture, startOtaFixture, UPDATES } from '../../support/updates/ota.ts'
import { waitFor } from '../../support/wait-for.ts'

let ota: OtaFixture
beforeAll(async () => {
  ota = await startOtaFixture('ota-edges')
})
afterAll(() => ota.close())

describe('rollback of an older update', () => {
  it('never targets a version that was installed later', async () => {
    const gateway = await ota.newGateway()
    const done: string[] = []
    for (const firmware of [ota.first, ota.second]) {
      ota.api.clock.advance(1_000)
      const started = await ota.call('POST', UPDATES, {
        gateway_id: gateway.id,
        firmware_version_id: firmware.id,
      })
      await ota.report(gateway, started.body.id, { state: 'succeeded' })
      done.push(started.body.id)
    }
    const rollBack = (id = '') => ota.call('POST', `${UPDATES}/${id}/rollback`)
    expect((await rollBack(done[0])).status).toBe(409)
    expect((await rollBack(done[1])).body.version).toBe('1.0.0')
  })
})

describe('a device that is locked out after its notification', () => {
  it('is not notified again until the lockout ends', async () => {
    const gateway = await ota.newGateway()
    const device = await ota.newSwitch(gateway, 'locked')
    const order = { gateway_id: gateway.id, firmware_version_id: ota.first.id }
    const { id, notified_at } = (await ota.call('POST', UPDATES, order)).body
    const setup = await setUpLoto(ota.api, ota.tenant)
    const calls = lotoCalls(setup)
    const session = await calls.inStatus('applied', [await createPoint(setup, { device_id: device })])

    ota.api.clock.advance(5 * 60_000)
    await ota.watch()
    expect((await ota.read(id)).notified_at).toBe(notified_at)
    const client = await connectGateway(ota.api.mqttPort, gateway)
    await client.subscribeAsync(['cmd/+', 'v1/devices/me/attributes/response/+'], { qos: 1 })
    const received: string[] = []
    client.on('message', (topic) => void received.push(topic))
    await client.publishAsync('ota/ask', '', { qos: 1 })
    const answered = nextMessage(client, (topic) => topic.startsWith('v1/'))
    const asked = JSON.stringify({ sharedKeys: 'fw_version' })
    await client.publishAsync('v1/devices/me/attributes/request/1', asked, { qos: 1 })
    expect((await answered).payload.toString()).not.toContain('1.0.0')
    expect(received.filter((topic) => topic.startsWith('cmd/'))).toEqual([])

    expect((await calls.transition(session, 'release')).status).toBe(200)
    const notification = nextMessage(client, (topic) => topic.startsWith('cmd/'))
    await client.publishAsync('ota/ask', '', { qos: 1 })
    expect((await notification).topic).toBe(`cmd/${id}`)
    await client.endAsync()
  })
})

describe('an update of a wave that has not begun', () => {
  it('waits for its wave also after it was cancelled and restarted', async () => {
    const fleet = [await ota.newGateway(), await ota.newGateway()] as const
    const started = await ota.call('POST', `${UPDATES}/batch`, {
      gateway_ids: fleet.map(({ id }) => id),
      firmware_version_id: ota.first.id,
      groups: [1],
    })
    const { items } = (await ota.call('GET', `${UPDATES}?batch_id=${started.body.id}`)).body
    const rollBack = (wave: number): string => items.find((one: { wave: number }) => one.wave === wave).id
    expect((await ota.call('POST', `${UPDATES}/${rollBack(2)}/cancel`)).status).toBe(200)
    const retried = await ota.call('POST', `${UPDATES}/${rollBack(2)}/retry`)
    expect(retried.body).toMatchObject({ status: 'queued', attempt: 2, deadline_at: null, notified_at: null })
    await ota.watch()
    expect((await ota.read(rollBack(2))).status).toBe('queued')
    await waitFor(async () => (await ota.read(rollBack(1))).status === 'notified')
    await ota.report(fleet[0], rollBack(1), { state: 'succeeded' })
    await waitFor(async () => (await ota.read(rollBack(2))).status === 'notified')
  })
})

describe('a restarted update', () => {
  it('is sent to the current gateway of the device', async () => {
    const [before, after] = [await ota.newGateway(), await ota.newGateway()]
    const device = await createDevice(ota.api, ota.tenant, {
      name: 'moved',
      gatewayId: before.id,
      metadata: { model: MODEL },
    })
    const order = { device_id: device, firmware_version_id: ota.first.id }
    const { id } = (await ota.call('POST', UPDATES, order)).body
    await ota.call('POST', `${UPDATES}/${id}/cancel`)
    const moving = ota.api.deps.database.kysely.updateTable('device').set({ mqtt_gateway_id: after.id })
    await moving.where('id', '=', device).execute()
    const client = await connectGateway(ota.api.mqttPort, after)
    await client.subscribeAsync('cmd/+', { qos: 1 })
    const notification = nextMessage(client, (topic) => topic === `cmd/${id}`)
    expect((await ota.call('POST', `${UPDATES}/${id}/retry`)).status).toBe(200)
    expect(JSON.parse((await notification).payload.toString())).toMatchObject({
      device_id: device,
      attempt: 2,
    })
    await client.endAsync()
  })
})

describe('a batch that is stopped with rollback', () => {
  it('includes the updates that were still running', async () => {
    const fleet = [await ota.newGateway(), await ota.newGateway(), await ota.newGateway()] as const
    for (const gateway of fleet) {
      const order = { gateway_id: gateway.id, firmware_version_id: ota.first.id }
      await ota.report(gateway, (await ota.call('POST', UPDATES, order)).body.id, { state: 'succeeded' })
    }
    const started = await ota.call('POST', `${UPDATES}/batch`, {
      gateway_ids: fleet.map(({ id }) => id),
      firmware_version_id: ota.second.id,
      error_threshold_pct: 30,
      rollback_on_error: true,
    })
    const { items } = (await ota.call('GET', `${UPDATES}?batch_id=${started.body.id}`)).body
    const rollBack = (gateway: TestGateway): string =>
      items.find((one: { gateway_id: string }) => one.gateway_id === gateway.id).id
    const [bad, installing, downloading] = fleet
    for (const gateway of fleet)
      await waitFor(async () => (await ota.read(rollBack(gateway))).status === 'notified')
    await ota.report(installing, rollBack(installing), { state: 'installing' })
    await ota.report(downloading, rollBack(downloading), { state: 'downloading' })
    await ota.report(bad, rollBack(bad), { state: 'failed' })
    expect((await ota.read(rollBack(downloading))).status).toBe('cancelled')
    expect((await ota.read(rollBack(installing))).status).toBe('installing')
    await ota.report(installing, rollBack(installing), { state: 'succeeded' })
    const back = await ota.call('GET', `${UPDATES}?gateway_id=${installing.id}&status=notified`)
    expect(back.body.items).toMatchObject([{ rollback_of: rollBack(installing), version: '1.0.0' }])
  })
})

describe('download link of an update', () => {
  it('is invalid after its lifetime or its attempt, and a new request gets another one', async () => {
    const gateway = await ota.newGateway()
    const client = await connectGateway(ota.api.mqttPort, gateway)
    await client.subscribeAsync('cmd/+', { qos: 1 })
    const linkAfter = async (change: () => Promise<unknown>) => {
      const notification = nextMessage(client, (topic) => topic.startsWith('cmd/'))
      await change()
      const { url, url_expires_at: expiresAt } = JSON.parse((await notification).payload.toString())
      return { expiresAt, fetched: async () => (await fetch(ota.api.url + url)).status }
    }
    const order = { gateway_id: gateway.id, firmware_version_id: ota.first.id }
    let id = ''
    const link = await linkAfter(async () => {
      id = (await ota.call('POST', UPDATES, order)).body.id
    })
    expect(await link.fetched()).toBe(200)
    const before = ota.api.clock.now()
    ota.api.clock.set(link.expiresAt)
    expect(await link.fetched()).toBe(404)
    const fresh = await linkAfter(() => client.publishAsync('ota/ask', '', { qos: 1 }))
    expect(await fresh.fetched()).toBe(200)
    ota.api.clock.set(before)

    const cancelled = nextMessage(client, (topic) => topic.startsWith('cmd/'))
    await ota.call('POST', `${UPDATES}/${id}/cancel`)
    expect(JSON.parse((await cancelled).payload.toString())).toEqual({ id, type: 'firmware_cancel' })
    expect(await fresh.fetched()).toBe(404)
    const again = await linkAfter(() => ota.call('POST', `${UPDATES}/${id}/retry`))
    expect([await again.fetched(), await fresh.fetched()]).toEqual([200, 404])
    await client.endAsync()
  })
})
