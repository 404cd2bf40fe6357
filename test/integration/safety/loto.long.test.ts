import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  SESSION_STATUSES,
  type SessionTransition,
  statusAfter,
} from '../../../src/areas/safety/loto/sessions/states.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDevice } from '../../support/metering/measurements.ts'
import {
  createPoint,
  type LotoFixture,
  lotoCalls,
  setUpLoto,
  TRANSITIONS,
} from '../../support/safety/loto.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let other: TestTenant
let setup: LotoFixture
let calls: ReturnType<typeof lotoCalls>

beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
  other = await createTenant(api)
  setup = await setUpLoto(api, tenant)
  calls = lotoCalls(setup)
})
afterAll(() => api.close())

const pointPath = (id: string) => `/api/loto/points/${id}`
const codes = (responses: readonly { status: number }[]) => responses.map(({ status }) => status).sort()

describe('LOTO points', () => {
  it('are created, read, changed and deleted; viewers may only read', async () => {
    const device = await createDevice(api, tenant)
    const id = await createPoint(setup, { name: 'Şalter Q1', device_id: device.id })
    const read = await api.call('GET', pointPath(id), { token: tenant.viewer.token })
    expect(read.body).toMatchObject({ name: 'Şalter Q1', device_id: device.id, is_locked_out: false })
    const put = (token: string) =>
      api.call('PUT', pointPath(id), { token, body: { location: 'Çatı', device_id: null } })
    expect((await put(tenant.viewer.token)).status).toBe(403)
    expect((await put(tenant.operator.token)).body).toMatchObject({ location: 'Çatı', device_id: null })
    const query = `?subregion_id=${setup.subregionId}&sort_by=name&energy_type=electrical&is_locked_out=false`
    const page = await api.call('GET', `/api/loto/points${query}`, { token: tenant.viewer.token })
    expect(page.body.items.map((point: { id: string }) => point.id)).toContain(id)
    expect((await api.call('DELETE', pointPath(id), { token: tenant.operator.token })).status).toBe(204)
    expect((await api.call('GET', pointPath(id), { token: tenant.viewer.token })).status).toBe(404)
  })

  it('have a unique name in their subregion, and reference existing records', async () => {
    await createPoint(setup, { name: 'once' })
    await expect(createPoint(setup, { name: 'once' })).rejects.toThrow('DUPLICATE_ENTRY')
    await expect(createPoint(setup, { device_id: randomUUID() })).rejects.toThrow('INVALID_REFERENCE')
    const foreign = await createDevice(api, other)
    await expect(createPoint(setup, { device_id: foreign.id })).rejects.toThrow('INVALID_REFERENCE')
    await expect(createPoint(setup, { energy_type: 'psychic' })).rejects.toThrow('energy_type')
    await expect(createPoint(setup, { isolation_method: '  ' })).rejects.toThrow('isolation_method')
  })

  it('cannot be changed during an active session, and the session keeps its copy afterwards', async () => {
    const device = await createDevice(api, tenant, { device_type: 'valve' })
    const id = await createPoint(setup, { name: 'Vana V7', device_id: device.id })
    const session = await calls.inStatus('pending', [id])
    const change = () =>
      api.call('PUT', pointPath(id), { token: tenant.admin.token, body: { device_id: null } })
    const remove = () => api.call('DELETE', pointPath(id), { token: tenant.admin.token })
    for (const act of [() => calls.transition(session, 'approve'), () => calls.applyLocked(session)]) {
      expect((await change()).body.error_code).toBe('LOTO_POINT_IN_USE')
      expect((await remove()).body.error_code).toBe('LOTO_POINT_IN_USE')
      expect((await act()).status).toBe(200)
    }
    expect((await change()).status).toBe(409)
    await calls.transition(session, 'release')
    expect((await remove()).status).toBe(204)
    const { points } = (await calls.get(session)).body
    expect(points[0]).toMatchObject({
      id,
      name: 'Vana V7',
      device_id: device.id,
      subregion_name: 'Pres hattı',
    })
    const listed = await api.call('GET', `/api/loto/sessions?device_id=${device.id}`, {
      token: tenant.viewer.token,
    })
    expect(listed.body).toMatchObject({ total: 1, items: [{ id: session }] })
  })
})

describe('LOTO sessions', () => {
  it('pass from the request to the release, with a trail of who did what', async () => {
    const point = await createPoint(setup)
    const session = await calls.request([point, point])
    expect((await calls.get(session)).body).toMatchObject({
      status: 'pending',
      point_ids: [point],
      requested_by: tenant.operator.id,
      approved_by: null,
      locks_left: 0,
    })
    await calls.put(session, { title: 'Rulman ve keçe değişimi' })
    await calls.transition(session, 'approve', { body: { note: 'uygun' } })
    const lock = await calls.lock(session, point, tenant.operator, 'K-17')
    expect(lock.body).toMatchObject({ lock_number: 'K-17', owner_name: tenant.operator.email })
    await calls.transition(session, 'apply')
    const refused = await calls.transition(session, 'release')
    expect(refused.body).toMatchObject({ error_code: 'LOTO_LOCKS_LEFT' })
    expect((await calls.unlock(lock.body.id)).status).toBe(204)
    expect((await calls.unlock(lock.body.id)).status).toBe(404)
    const released = await calls.transition(session, 'release')
    expect(released.body).toMatchObject({
      status: 'released',
      approved_by: tenant.admin.id,
      locks: [{ id: lock.body.id, removed_by: tenant.operator.id, is_forced: false }],
      points: [{ verification: { method: 'manual', verified_by: tenant.admin.id } }],
    })
    const events = await calls.get(session, '/events')
    expect(events.headers.get('x-total-count')).toBe('7')
    expect(events.body.map((event: { event_type: string }) => event.event_type)).toEqual([
      ...['requested', 'changed', 'approved', 'lock_placed', 'applied', 'lock_removed', 'released'],
    ])
    expect(events.body[2]).toMatchObject({ by_name: tenant.admin.email, details: { note: 'uygun' } })
  })

  it('reject every transition that their status does not allow, and write nothing', async () => {
    const point = await createPoint(setup)
    for (const status of SESSION_STATUSES) {
      const session = await calls.inStatus(status, [point])
      const before = (await calls.get(session)).text
      for (const name of [...TRANSITIONS, 'change', 'lock'] as const satisfies readonly SessionTransition[]) {
        if (statusAfter(name, status) !== undefined) continue
        const response =
          name === 'change'
            ? await calls.put(session, { title: 'x' })
            : name === 'lock'
              ? await calls.lock(session, point)
              : await calls.transition(session, name)
        expect([status, name, response.status, response.body.error_code]).toEqual([
          ...[status, name, 409, 'STATE_CONFLICT'],
        ])
      }
      expect((await calls.get(session)).text).toBe(before)
      if (status === 'applied') await calls.transition(session, 'release')
    }
  })

  it('require two people, also for an admin and a superuser; only the requester changes the request', async () => {
    const point = await createPoint(setup)
    for (const user of [tenant.operator, tenant.admin, tenant.superuser]) {
      const session = await calls.request([point], user)
      const own = await calls.transition(session, 'approve', { user })
      expect([own.status, own.body.error_code]).toEqual([403, 'LOTO_FOUR_EYES'])
      expect((await calls.get(session)).body.status).toBe('pending')
      const foreign = user === tenant.admin ? tenant.superuser : tenant.admin
      const changed = await calls.put(session, { title: 'more than was asked for' }, foreign)
      expect([changed.status, changed.body.error_code]).toEqual([403, 'LOTO_NOT_REQUESTER'])
      expect(
        (await calls.transition(session, 'reject', { user, body: { reason: 'withdrawn' } })).status,
      ).toBe(200)
    }
  })

  it('require existing points and reserve each for one session at a time', async () => {
    const [a, b] = [await createPoint(setup), await createPoint(setup)]
    await expect(calls.request([a, randomUUID()])).rejects.toThrow('INVALID_REFERENCE')
    await expect(calls.request([])).rejects.toThrow('point_ids')
    const first = await calls.inStatus('applied', [a])
    const second = await calls.inStatus('approved', [b, a])
    const taken = await calls.applyLocked(second)
    expect([taken.status, taken.body.error_code]).toEqual([409, 'LOTO_POINT_APPLIED'])
    expect((await calls.get(second)).body.status).toBe('approved')
    await calls.transition(first, 'release')
    expect((await calls.applyLocked(second)).status).toBe(200)
  })

  it('are filtered by status, point, subregion and requester', async () => {
    const point = await createPoint(setup)
    const session = await calls.inStatus('approved', [point])
    const total = async (query: string) =>
      (await api.call('GET', `/api/loto/sessions?${query}`, { token: tenant.viewer.token })).body.total
    expect(await total(`point_id=${point}`)).toBe(1)
    expect(await total(`point_id=${point}&status=approved&requested_by=${tenant.operator.id}`)).toBe(1)
    expect(await total(`point_id=${point}&status=applied`)).toBe(0)
    expect(await total(`subregion_id=${setup.subregionId}&from=2020-01-01`)).toBeGreaterThan(1)
    expect(await total(`point_id=${point}&to=2020-01-01`)).toBe(0)
    expect((await calls.get(session)).headers.get('etag')).toBeTruthy()
  })
})

describe('LOTO locks', () => {
  it('are placed at every point before a session can be applied', async () => {
    const [a, b] = [
      await createPoint(setup, { name: 'Kesici A' }),
      await createPoint(setup, { name: 'Vana B' }),
    ]
    const session = await calls.inStatus('approved', [a, b])
    const refusal = async () => {
      const { status, body } = await calls.transition(session, 'apply')
      return [status, body.error_code, body.point_ids, body.detail]
    }
    const all = 'no lock hangs at: Kesici A, Vana B'
    expect(await refusal()).toEqual([409, 'LOTO_LOCKS_MISSING', [a, b], all])
    const first = await calls.lock(session, a)
    expect(await refusal()).toEqual([409, 'LOTO_LOCKS_MISSING', [b], 'no lock hangs at: Vana B'])
    await calls.lock(session, b, tenant.admin)
    await calls.unlock(first.body.id)
    expect(await refusal()).toEqual([409, 'LOTO_LOCKS_MISSING', [a], 'no lock hangs at: Kesici A'])
    expect((await calls.get(session)).body).toMatchObject({ status: 'approved', applied_at: null })
    await calls.lock(session, a)
    expect((await calls.transition(session, 'apply')).body).toMatchObject({
      status: 'applied',
      locks_left: 2,
    })
  })

  it('are personal: one per worker and point, and each number once in a session', async () => {
    const [a, b] = [await createPoint(setup), await createPoint(setup)]
    const session = await calls.inStatus('approved', [a, b])
    expect((await calls.lock(session, a, tenant.operator, 4)).body.lock_number).toBe('4')
    expect((await calls.lock(session, a)).body.error_code).toBe('DUPLICATE_ENTRY')
    for (const number of [-1, 1.5, 1e21, '']) {
      const refused = await calls.lock(session, a, tenant.admin, number)
      expect([refused.status, refused.text.includes('lock_number')]).toEqual([422, true])
    }
    expect((await calls.lock(session, b, tenant.admin, '4')).body.error_code).toBe('DUPLICATE_ENTRY')
    expect((await calls.lock(session, a, tenant.admin, '5')).status).toBe(201)
    expect((await calls.lock(session, b)).status).toBe(201)
    const elsewhere = await createPoint(setup)
    expect((await calls.lock(session, elsewhere)).body.error_code).toBe('INVALID_REFERENCE')
    expect((await calls.lock(randomUUID(), a)).body.error_code).toBe('INVALID_REFERENCE')
    expect((await calls.transition(session, 'reject')).body.error_code).toBe('LOTO_LOCKS_LEFT')
    expect((await calls.get(session)).body.locks_left).toBe(3)
  })

  it('are removed by their owner, or by an admin whose reason is recorded', async () => {
    const point = await createPoint(setup)
    const session = await calls.inStatus('applied', [point])
    const hangLock = async (user = tenant.admin) => (await calls.lock(session, point, user)).body.id
    const own = await hangLock()
    const foreign = await calls.unlock(own, tenant.operator, { body: { reason: 'he went home' } })
    expect([foreign.status, foreign.body.error_code]).toEqual([403, 'LOTO_NOT_LOCK_OWNER'])
    expect((await calls.unlock(own, tenant.viewer)).status).toBe(403)
    expect((await calls.unlock(own, tenant.admin)).status).toBe(204)
    const first = await hangLock(tenant.operator)
    expect((await calls.unlock(first, tenant.admin)).status).toBe(422)
    expect((await calls.unlock(first, tenant.admin, { query: '?reason=%20%20' })).status).toBe(422)
    const reason = 'Sahibi sahadan ayrıldı, telefonla doğrulandı'
    expect((await calls.unlock(first, tenant.admin, { body: { reason } })).status).toBe(204)
    const second = await hangLock(tenant.operator)
    const query = `?reason=${encodeURIComponent(reason)}`
    expect((await calls.unlock(second, tenant.admin, { query })).status).toBe(204)
    const { body } = await calls.get(session)
    expect(body.locks_left).toBe(0)
    const [, , ...later] = body.locks
    expect(body.locks.map((lock: { is_forced: boolean }) => lock.is_forced)).toEqual([
      ...[false, false, true, true],
    ])
    expect(later[0]).toMatchObject({ removal_reason: reason, removed_by: tenant.admin.id })
    const forced = (await calls.get(session, '/events')).body.filter(
      (event: { event_type: string }) => event.event_type === 'lock_forced',
    )
    expect(forced[0].details).toMatchObject({ reason, owner_name: tenant.operator.email })
    await calls.transition(session, 'release')
  })
})

describe('concurrent LOTO requests', () => {
  it('of one session: one approval, one application and one release succeed', async () => {
    const point = await createPoint(setup)
    const session = await calls.request([point])
    const steps = {
      approve: () => calls.lock(session, point),
      apply: async () => calls.unlock((await calls.get(session)).body.locks[0].id),
      release: async () => undefined,
    }
    for (const name of ['approve', 'apply', 'release'] as const) {
      const responses = await Promise.all(
        [tenant.admin, tenant.superuser, tenant.admin].map((user) =>
          calls.transition(session, name, { user }),
        ),
      )
      expect(codes(responses)).toEqual([200, 409, 409])
      await steps[name]()
    }
    const events = await calls.get(session, '/events')
    expect(events.body).toHaveLength(6)
  })

  it('of two sessions with the same point: one is applied', async () => {
    const point = await createPoint(setup)
    const both = [await calls.inStatus('approved', [point]), await calls.inStatus('approved', [point])]
    for (const id of both) await calls.lock(id, point)
    expect(codes(await Promise.all(both.map((id) => calls.transition(id, 'apply'))))).toEqual([200, 409])
  })

  it('of a lock and the release: they exclude each other', async () => {
    for (let round = 0; round < 3; round++) {
      const point = await createPoint(setup)
      const session = await calls.inStatus('applied', [point])
      const [lock, release] = await Promise.all([
        calls.lock(session, point),
        calls.transition(session, 'release'),
      ])
      const { status, locks_left } = (await calls.get(session)).body
      expect([lock.status, release.status, status, locks_left]).toEqual(
        release.status === 200 ? [409, 200, 'released', 0] : [201, 409, 'applied', 1],
      )
    }
  })

  it('of one worker: one lock is placed, and it is removed once', async () => {
    const point = await createPoint(setup)
    const session = await calls.inStatus('approved', [point])
    const placed = await Promise.all(
      [1, 2, 3].map((number) => calls.lock(session, point, tenant.operator, number)),
    )
    expect(codes(placed)).toEqual([201, 409, 409])
    const id = placed.find(({ status }) => status === 201)?.body.id
    expect(codes(await Promise.all([1, 2].map(() => calls.unlock(id))))).toEqual([204, 404])
  })
})
