import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluateOnSchedule } from '../../../src/areas/alarms/evaluation/index.ts'
import { lockedOutDevices, refuseLockedOut } from '../../../src/areas/safety/loto/index.ts'
import { alarmDeps } from '../../../src/jobs/index.ts'
import { inTenantTx, tenantDb } from '../../../src/platform/db/tenant.ts'
import { createPolicy, deviceIncidents } from '../../support/alarms/alarm-policies.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDevice, postSamples, sample } from '../../support/metering/measurements.ts'
import { createPoint, type LotoFixture, lotoCalls, setUpLoto } from '../../support/safety/loto.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let setup: LotoFixture
let calls: ReturnType<typeof lotoCalls>

beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
  setup = await setUpLoto(api, tenant)
  calls = lotoCalls(setup)
})
afterAll(() => api.close())

const MINUTE = 60_000
const send = async (
  device: { id: string; key: number },
  minutesAgo: number,
  values: Record<string, number>,
) => {
  const response = await postSamples(api, tenant, [
    sample(device, api.clock.now() - minutesAgo * MINUTE, values),
  ])
  expect(response.body.accepted).toBe(1)
}
const approved = async (deviceType = 'energy_analyzer') => {
  const device = await createDevice(api, tenant, { device_type: deviceType })
  const point = await createPoint(setup, { device_id: device.id })
  return { device, point, session: await calls.inStatus('approved', [point]) }
}
/** With the lock of a worker. */
const locked = async (deviceType?: string) => {
  const created = await approved(deviceType)
  return { ...created, lock: (await calls.lock(created.session, created.point)).body.id }
}

describe('verification before a LOTO session is applied', () => {
  it('requires a meter reading without energy, and stores that reading', async () => {
    const { device, session } = await locked()
    await send(device, 2, { active_power: 12.4, current_l1: 18 })
    const refused = await calls.transition(session, 'apply')
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({
      error_code: 'LOTO_NOT_DEAD',
      detail: expect.stringContaining('active_power 12.4 kW, current_l1 18 A'),
      readings: [{ values: { active_power: 12.4, current_l1: 18 } }],
    })
    await send(device, 1, { active_power: 0.01, current_l1: 0 })
    const applied = await calls.transition(session, 'apply')
    expect(applied.body.points[0].verification).toMatchObject({
      method: 'measured',
      values: { active_power: 0.01, current_l1: 0 },
      verified_by: tenant.admin.id,
    })
  })

  it('accepts a manual confirmation for a silent meter, but not against one that shows energy', async () => {
    const { device, point, session } = await locked()
    const silent = await calls.transition(session, 'apply')
    expect(silent.body).toMatchObject({ error_code: 'LOTO_NOT_DEAD', readings: [{ values: null }] })
    await send(device, 30, { active_power: 0 })
    expect((await calls.transition(session, 'apply')).body.detail).toContain('has no fresh reading since')
    const body = { manual_verifications: [{ point_id: point, note: 'Üç fazda 0 V, Fluke T6' }] }
    await send(device, 0, { active_power: 3 })
    expect((await calls.transition(session, 'apply', { body })).body.error_code).toBe('LOTO_NOT_DEAD')
    api.clock.advance(10 * MINUTE)
    const foreign = { manual_verifications: [{ point_id: setup.subregionId, note: 'x' }] }
    expect((await calls.transition(session, 'apply', { body: foreign })).body.error_code).toBe(
      'INVALID_REFERENCE',
    )
    const applied = await calls.transition(session, 'apply', { body })
    expect(applied.body.points[0].verification).toMatchObject({
      method: 'manual',
      note: 'Üç fazda 0 V, Fluke T6',
    })
  })
})

const refusal = (ids: readonly string[]) =>
  inTenantTx(api.deps.database.kysely, tenant.id, (tx) => refuseLockedOut(tx, ids)).then(
    () => undefined,
    (error: { code: string; extra: unknown }) => [error.code, error.extra],
  )
const silentDevices = () => lockedOutDevices(tenantDb(api.deps.database.kysely, tenant.id))

describe('a locked-out device', () => {
  it('accepts no commands from the first lock or the application until the last lock is removed', async () => {
    const { device, point, session } = await approved('press')
    const otherDevice = await createDevice(api, tenant)
    expect(await refusal([device.id, otherDevice.id])).toBeUndefined()
    const lock = await calls.lock(session, point)
    const refused = ['LOTO_LOCKED_OUT', { device_ids: [device.id] }]
    expect(await refusal([device.id, otherDevice.id])).toEqual(refused)
    await calls.transition(session, 'apply')
    await calls.unlock(lock.body.id)
    expect(await refusal([device.id])).toEqual(refused)
    expect(await silentDevices()).toContain(device.id)
    expect(await silentDevices()).not.toContain(otherDevice.id)
    await calls.transition(session, 'release')
    expect(await refusal([device.id])).toBeUndefined()
    expect(await silentDevices()).not.toContain(device.id)
    expect(await refusal([])).toBeUndefined()
  })

  it('gets a concurrent command before the first lock is placed, or rejects it', async () => {
    const { device, point, session } = await approved('press')
    let placed: ReturnType<typeof calls.lock> | undefined
    let isPlaced = false
    await inTenantTx(api.deps.database.kysely, tenant.id, async (tx) => {
      await refuseLockedOut(tx, [device.id])
      placed = calls.lock(session, point)
      placed.then(
        () => {
          isPlaced = true
        },
        () => undefined,
      )
      await calls.get(session)
      expect(isPlaced).toBe(false)
    })
    expect((await placed)?.status).toBe(201)
    expect((await refusal([device.id]))?.[0]).toBe('LOTO_LOCKED_OUT')
  })
})

describe('silence alarm of a device', () => {
  it('is suppressed during a lockout and active again afterwards', async () => {
    const { device, session, lock } = await locked('press')
    await api.deps.database.pool.query('update device set offline_threshold_s = 60 where id = $1', [
      device.id,
    ])
    const policy = await createPolicy(api, tenant, {
      device_id: device.id,
      alarm_type: 'offline',
      delay_on_s: 0,
    })
    const evaluate = () =>
      evaluateOnSchedule(alarmDeps(api.deps), {
        after: api.clock.now() - MINUTE,
        signal: new AbortController().signal,
      })
    const found = () => deviceIncidents(api, tenant, { policy })
    await send(device, 0, { temperature: 21 })
    await evaluate()
    await calls.transition(session, 'apply')
    api.clock.advance(2 * MINUTE)
    await evaluate()
    expect(await found()).toEqual([])
    await calls.unlock(lock)
    await calls.transition(session, 'release')
    await evaluate()
    api.clock.advance(2 * MINUTE)
    await evaluate()
    expect(await found()).toMatchObject([{ status: 'active' }])
  })
})

describe('record of a LOTO session', () => {
  it('is a PDF in either language, whatever the outcome', async () => {
    const names = { admin: 'Ayşegül Çağlar Öztürk', operator: 'İbrahim Işık', superuser: 'Şükrü Gündoğdu' }
    for (const name of ['admin', 'operator', 'superuser'] as const) {
      await api.deps.database.kysely
        .updateTable('app_user')
        .set({ full_name: names[name] })
        .where('id', '=', tenant[name].id)
        .execute()
    }
    const device = await createDevice(api, tenant)
    const point = await createPoint(setup, { name: 'Ana kesici Q1', device_id: device.id })
    const session = await calls.request([point])
    const hydraulic = await createPoint(setup, {
      name: 'Hidrolik ünite boşaltma vanası',
      energy_type: 'hydraulic',
      isolation_method: 'Vana V7 kapatıldı, zincirle bağlandı; akümülatör tanka boşaltıldı, manometre 0 bar.',
    })
    await calls.transition(session, 'reject', { body: { reason: 'Hidrolik nokta eksik' } })
    const full = await calls.inStatus('approved', [point, hydraulic])
    const own = await calls.lock(full, point, tenant.operator, 'K-17')
    await calls.lock(full, hydraulic, tenant.operator, 'K-18')
    const otherPoint = await calls.lock(full, point, tenant.superuser, 'S-3')
    await send(device, 1, { active_power: 0, current_l1: 0.02, current_l2: 0.01, current_l3: 0 })
    await calls.transition(full, 'apply', {
      body: { manual_verifications: [{ point_id: hydraulic, note: 'Manometre 0 bar, vana açık denendi' }] },
    })
    await calls.unlock(own.body.id)
    const reason = 'Sahibi vardiyadan ayrıldı; güvenliği telefonla doğrulandı.'
    await calls.unlock(otherPoint.body.id, tenant.admin, { body: { reason } })
    for (const [id, locale, name] of [
      [full, 'tr', 'loto-kaydi'],
      [session, 'en', 'loto-record'],
    ]) {
      const url = `${api.url}/api/loto/sessions/${id}/record.pdf?locale=${locale}`
      const response = await fetch(url, { headers: { authorization: `Bearer ${tenant.viewer.token}` } })
      expect(response.headers.get('content-type')).toBe('application/pdf')
      expect(response.headers.get('content-disposition')).toContain(`filename="${name}-`)
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
      expect(bytes.subarray(-6).toString()).toContain('%%EOF')
      const folder = process.env['LOTO_RECORD_FOLDER']
      if (folder) await writeFile(`${folder}/${locale}.pdf`, bytes)
    }
  })
})
