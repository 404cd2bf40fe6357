import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiResponse } from '../../support/api.ts'
import type { TestGateway } from '../../support/field/mqtt.ts'
import { releaseFirmware } from '../../support/updates/firmware.ts'
import { type OtaFixture, startOtaFixture, UPDATES } from '../../support/updates/ota.ts'
import { waitFor } from '../../support/wait-for.ts'

let ota: OtaFixture
beforeAll(async () => {
  ota = await startOtaFixture('ota-batches')
})
afterAll(() => ota.close())

describe('update rollback', () => {
  it('returns to the version that succeeded before', async () => {
    const gateway = await ota.newGateway()
    const one = (await ota.start(gateway, ota.first)).body.id
    await ota.report(gateway, one, { state: 'succeeded' })
    const two = (await ota.start(gateway, ota.second, { rollback_on_failure: true })).body
    expect(two.from_version).toBe('1.0.0')
    await ota.report(gateway, two.id, { state: 'installing' })
    await ota.report(gateway, two.id, { state: 'failed', error: 'it does not start' })
    const { body } = await ota.call('GET', `${UPDATES}?gateway_id=${gateway.id}&status=notified`)
    expect(body.items).toMatchObject([{ rollback_of: two.id, version: '1.0.0', created_by: null }])
    await ota.report(gateway, body.items[0].id, { state: 'succeeded' })
    const by = await ota.call('POST', `${UPDATES}/${two.id}/rollback`)
    expect([by.status, by.body.version]).toEqual([201, '1.0.0'])
    const none = await ota.newGateway()
    const only = (await ota.start(none, ota.second)).body.id
    expect((await ota.call('POST', `${UPDATES}/${only}/rollback`)).status).toBe(409)
    await ota.report(none, only, { state: 'succeeded' })
    expect((await ota.call('POST', `${UPDATES}/${only}/rollback`)).status).toBe(409)
  })
})

describe('update batch', () => {
  async function startBatch(gateways: readonly TestGateway[], more: object): Promise<ApiResponse> {
    return ota.call('POST', `${UPDATES}/batch`, {
      gateway_ids: gateways.map(({ id }) => id),
      firmware_version_id: ota.second.id,
      ...more,
    })
  }
  const batch = async (id: string) => (await ota.call('GET', `/api/ota/batches/${id}`)).body
  async function idsOf(batchId: string, gateways: readonly TestGateway[]): Promise<string[]> {
    const { items } = (await ota.call('GET', `${UPDATES}?batch_id=${batchId}&limit=100`)).body
    return gateways.map(({ id }) => items.find((one: { gateway_id: string }) => one.gateway_id === id).id)
  }
  const fleet = (size: number) => Promise.all(Array.from({ length: size }, () => ota.newGateway()))
  const isNotified = (id: string) => waitFor(async () => (await ota.read(id)).status === 'notified')

  it('continues wave by wave and ends', async () => {
    const gateways = await fleet(3)
    const started = await startBatch(gateways, { groups: [1] })
    expect(started.body).toMatchObject({ status: 'running', wave: 1, wave_sizes: [1, 2] })
    const { id } = started.body
    const updates = await idsOf(id, gateways)
    await isNotified(updates[0] ?? '')
    expect(await ota.read(updates[1] ?? '')).toMatchObject({ status: 'queued', wave: 2, deadline_at: null })
    for (const [index, gateway] of gateways.entries()) {
      await isNotified(updates[index] ?? '')
      await ota.report(gateway, updates[index] ?? '', { state: 'succeeded' })
    }
    expect(await batch(id)).toMatchObject({ status: 'completed', wave: 2, counts: { succeeded: 3 } })
    expect((await ota.call('POST', `/api/ota/batches/${id}/cancel`)).status).toBe(409)
  })

  it('continues when devices of a wave end concurrently, and when a device is deleted', async () => {
    const gateways = await fleet(6)
    const { id } = (await startBatch(gateways, { groups: [5] })).body
    const updates = await idsOf(id, gateways)
    for (const update of updates.slice(0, 5)) await isNotified(update)
    await Promise.all(
      gateways
        .slice(0, 5)
        .map((gateway, index) => ota.report(gateway, updates[index] ?? '', { state: 'succeeded' })),
    )
    expect(await batch(id)).toMatchObject({ status: 'running', wave: 2, counts: { succeeded: 5 } })
    await ota.api.call('DELETE', `/api/gateways/${gateways[5]?.id}`, { token: ota.tenant.admin.token })
    await ota.watch()
    expect(await batch(id)).toMatchObject({ status: 'completed', counts: { succeeded: 5 } })
  })

  it('stops at its error threshold and rolls back the updated devices', async () => {
    const gateways = await fleet(4)
    for (const gateway of gateways.slice(0, 2))
      await ota.report(gateway, (await ota.start(gateway, ota.first)).body.id, { state: 'succeeded' })
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
    await ota.report(one, updates[0] ?? '', { state: 'succeeded' })
    await ota.report(two, updates[1] ?? '', { state: 'failed' })
    expect(await batch(id)).toMatchObject({
      status: 'stopped',
      reason: '1 of 2 updates of the wave failed: the error threshold is 50 %',
      counts: { succeeded: 1, failed: 1, cancelled: 2 },
    })
    const reason = 'gruptaki 2 güncellemeden 1 tanesi başarısız oldu: hata eşiği %50'
    expect(await ota.readIn('tr', `/api/ota/batches/${id}`)).toMatchObject({ reason })
    const cancelled = await ota.readIn('tr', `${UPDATES}/${updates[2]}`)
    expect(cancelled.events.at(-1)).toMatchObject({ move: 'cancel', detail: reason })
    const back = await ota.call('GET', `${UPDATES}?gateway_id=${one.id}&status=notified`)
    expect(back.body.items).toMatchObject([{ rollback_of: updates[0], version: '1.0.0' }])
  })

  it('is created completely or not at all, and finds its devices by a filter', async () => {
    const model = 'GW-F'
    const firmware = await releaseFirmware(ota.api, ota.tenant, { version: '1.0.0', model })
    const [a, b] = [await ota.newGateway(model), await ota.newGateway(model)]
    const mixed = await startBatch([a, b], {})
    expect([mixed.status, mixed.body.error_code]).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    const both = await ota.call('POST', `${UPDATES}/batch`, {
      filter: { target: 'gateway' },
      firmware_version_id: firmware.id,
    })
    expect(both.body).toMatchObject({ wave_sizes: [2] })
    const empty = await ota.call('POST', `${UPDATES}/batch`, {
      filter: { target: 'gateway' },
      firmware_version_id: firmware.id,
    })
    expect(empty.status).toBe(422)
    expect((await ota.call('POST', `/api/ota/batches/${both.body.id}/rollback`)).status).toBe(409)
    const cancelled = await ota.call('POST', `/api/ota/batches/${both.body.id}/cancel`)
    expect(cancelled.body).toMatchObject({ status: 'cancelled', counts: { cancelled: 2 } })
    expect((await ota.call('GET', '/api/ota/batches?status=cancelled')).body.total).toBe(1)
    expect((await ota.call('POST', `/api/ota/batches/${both.body.id}/rollback`)).body).toEqual({
      updates: [],
      skipped: [],
    })
  })
})
