import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approvedPrices } from '../../../src/areas/netting/tariffs/index.ts'
import { periodRange } from '../../../src/kernel/time.ts'
import { systemDb } from '../../../src/platform/db/tenant.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const BASE = '/api/v1/admin/regulated-tariffs'
const price = {
  valid_from: '2026-10-01',
  billing_period: '2026-10',
  abone_grubu: 'sanayi',
  price_purpose: 'mahsuplasma_related_tariff',
  time_segment: 'tek',
  price: 2.985253,
}

let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const call = (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
  api.call(method, BASE + path, { token: tenant.superuser.token, body })
const createSet = async (period = '2026-10'): Promise<string> =>
  (await call('POST', '/price-sets', { billing_period: period })).body.id
const addPrice = (setId: string, changes: object = {}) =>
  call('POST', `/price-sets/${setId}/prices`, { ...price, ...changes })
const code = (response: ApiResponse) => [response.status, response.body.detail.error_code]

describe('price sets', () => {
  it('are created as drafts, corrected, approved and archived', async () => {
    const created = await call('POST', '/price-sets', {
      billing_period: '2026-10',
      name: 'October',
      approved_by: randomUUID(),
      approval_status: 'approved',
    })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      billing_period: '2026-10-01',
      name: 'October',
      source_note: null,
      approval_status: 'draft',
      approved_by: null,
      approved_at: null,
      created_by: tenant.superuser.id,
    })
    const path = `/price-sets/${created.body.id}`
    expect((await call('GET', path)).body).toEqual(created.body)
    const corrected = await call('PATCH', path, { name: null, source_note: 'EPDK 14461' })
    expect(corrected.body).toMatchObject({ name: null, source_note: 'EPDK 14461' })
    const approved = await call('POST', `${path}/approve`)
    expect(approved.status).toBe(200)
    expect(approved.body).toMatchObject({ approval_status: 'approved', approved_by: tenant.superuser.id })
    const archived = await call('PATCH', path, { approval_status: 'archived' })
    expect(archived.status).toBe(200)
    expect(archived.body).toEqual({ ...approved.body, approval_status: 'archived' })
  })

  it('reject undefined status changes', async () => {
    const id = await createSet()
    for (const status of ['approved', 'archived']) {
      const response = await call('PATCH', `/price-sets/${id}`, { approval_status: status })
      expect(code(response)).toEqual([409, 'TARIFF_INVALID_TRANSITION'])
    }
    await call('POST', `/price-sets/${id}/approve`)
    expect(code(await call('POST', `/price-sets/${id}/approve`))).toEqual([409, 'TARIFF_ALREADY_APPROVED'])
    expect(code(await call('PATCH', `/price-sets/${id}`, { approval_status: 'draft' }))).toEqual([
      409,
      'TARIFF_INVALID_TRANSITION',
    ])
    expect(code(await call('DELETE', `/price-sets/${id}`))).toEqual([409, 'TARIFF_SET_NOT_DELETABLE'])
    await call('PATCH', `/price-sets/${id}`, { approval_status: 'archived' })
    expect(code(await call('PATCH', `/price-sets/${id}`, { approval_status: 'approved' }))).toEqual([
      409,
      'TARIFF_INVALID_TRANSITION',
    ])
    expect(code(await call('DELETE', `/price-sets/${id}`))).toEqual([409, 'TARIFF_SET_NOT_DELETABLE'])
    expect(code(await call('POST', `/price-sets/${id}/approve`))).toEqual([409, 'TARIFF_ALREADY_APPROVED'])
  })

  it('are immutable after the approval, metadata and prices', async () => {
    const id = await createSet()
    await addPrice(id)
    await call('POST', `/price-sets/${id}/approve`)
    expect(code(await call('PATCH', `/price-sets/${id}`, { name: 'late' }))).toEqual([
      409,
      'TARIFF_SET_APPROVED_IMMUTABLE',
    ])
    const both = await call('PATCH', `/price-sets/${id}`, { approval_status: 'archived', name: 'late' })
    expect(code(both)).toEqual([409, 'TARIFF_SET_APPROVED_IMMUTABLE'])
    expect(code(await addPrice(id, { step_no: 1 }))).toEqual([409, 'TARIFF_SET_APPROVED_IMMUTABLE'])
    expect((await call('GET', `/price-sets/${id}/prices`)).body).toHaveLength(1)
  })

  it('in draft status are deleted with their prices', async () => {
    const id = await createSet()
    await addPrice(id)
    expect((await call('DELETE', `/price-sets/${id}`)).status).toBe(204)
    expect(code(await call('GET', `/price-sets/${id}/prices`))).toEqual([404, 'NOT_FOUND'])
  })

  it('are listed newest first, filtered by month and status together', async () => {
    api.clock.advance(1000)
    const older = await createSet('2031-01')
    api.clock.advance(1000)
    const newer = await createSet('2031-01-15')
    await createSet('2031-02')
    await call('POST', `/price-sets/${older}/approve`)
    const all = await call('GET', '/price-sets?billing_period=2031-01')
    expect(all.body.map((set: { id: string }) => set.id)).toEqual([newer, older])
    expect(all.headers.get('x-total-count')).toBe('2')
    const drafts = await call('GET', '/price-sets?billing_period=2031-01-01&approval_status=draft')
    expect(drafts.body.map((set: { id: string }) => set.id)).toEqual([newer])
  })
})

describe('prices of a set', () => {
  it('are returned exactly as written', async () => {
    const id = await createSet()
    const added = await addPrice(id, {
      valid_to: '2026-12-31T10:00:00+03:00',
      gerilim_seviyesi: 'AG',
      tariff_code: 'S1',
      step_no: 2,
      unit: 'TRY/kWh',
    })
    expect(added.status).toBe(201)
    expect(added.body).toMatchObject({
      price_set_id: id,
      price: '2.985253',
      valid_from: '2026-10-01',
      valid_to: '2026-12-31',
      billing_period: '2026-10-01',
      step_no: 2,
      tariff_class: null,
    })
    api.clock.advance(1000)
    const second = await addPrice(id, { price: '0.000001', time_segment: null })
    expect(second.body).toMatchObject({ price: '0.000001', time_segment: null })
    const list = await call('GET', `/price-sets/${id}/prices`)
    expect(list.body).toEqual([second.body, added.body])
    expect(list.headers.get('x-total-count')).toBe('2')
  })

  it('reject a second row of the same natural key, with nulls equal', async () => {
    const id = await createSet()
    await addPrice(id, { time_segment: null })
    expect(code(await addPrice(id, { time_segment: null, price: 3 }))).toEqual([
      409,
      'TARIFF_PRICE_DUPLICATE',
    ])
    expect((await addPrice(id, { time_segment: null, step_no: 1 })).status).toBe(201)
  })

  it.each([
    ['price', 0],
    ['price', -1],
    ['price', '1.0000001'],
    ['price', 'abc'],
    ['abone_grubu', 'endustri'],
    ['price_purpose', 'gift'],
    ['time_segment', 'noon'],
    ['gerilim_seviyesi', 'XX'],
    ['step_no', 0],
    ['billing_period', '2026-13'],
    ['valid_to', '2026-09-30'],
  ])('reject %s = %j with 422', async (field, value) => {
    const response = await addPrice(await createSet(), { [field]: value })
    expect(response.status).toBe(422)
    expect(response.body.detail[0].loc).toEqual(['body', field])
  })

  it('belong to the month of the set, also after a draft gets another month', async () => {
    const id = await createSet()
    expect(code(await addPrice(id, { billing_period: '2026-11' }))).toEqual([422, 'TARIFF_PERIOD_MISMATCH'])
    expect((await addPrice(id)).status).toBe(201)
    expect((await call('PATCH', `/price-sets/${id}`, { billing_period: '2026-11' })).status).toBe(200)
    expect((await call('GET', `/price-sets/${id}/prices`)).body).toMatchObject([
      { billing_period: '2026-11-01' },
    ])
    expect((await addPrice(id, { billing_period: '2026-11', step_no: 1 })).status).toBe(201)
  })

  it('cannot be added to a set during its approval', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await createSet()
      const adds = Array.from({ length: 8 }, (_, index) => addPrice(id, { step_no: index + 1 }))
      const [approved, ...added] = await Promise.all([call('POST', `/price-sets/${id}/approve`), ...adds])
      expect(approved.status).toBe(200)
      const { rows } = await api.deps.database.pool.query(
        `select count(*)::int as count from tariff_price where price_set_id = $1`,
        [id],
      )
      expect(rows[0].count).toBe(added.filter((response) => response.status === 201).length)
      expect(added.every(({ status }) => status === 201 || status === 409)).toBe(true)
    }
  })
})

describe('permissions of price sets', () => {
  it('require a superuser, and a missing token is answered with 401', async () => {
    const paths = [
      ['GET', '/price-sets'],
      ['POST', '/price-sets'],
      ['GET', `/price-sets/${randomUUID()}`],
      ['PATCH', `/price-sets/${randomUUID()}`],
      ['POST', `/price-sets/${randomUUID()}/approve`],
      ['DELETE', `/price-sets/${randomUUID()}`],
      ['GET', `/price-sets/${randomUUID()}/prices`],
      ['POST', `/price-sets/${randomUUID()}/prices`],
    ] as const
    for (const [method, path] of paths) {
      expect((await api.call(method, BASE + path)).status).toBe(401)
      const admin = await api
        .call(method, BASE + path, { token: tenant.admin.token, body: '{nonsense' })
        .catch(() => api.call(method, BASE + path, { token: tenant.admin.token }))
      expect(admin.status).toBe(403)
      expect(admin.body.detail).toMatchObject({ error_code: 'SUPERUSER_REQUIRED' })
    }
  })

  it('answer an unknown set with 404 NOT_FOUND on every route', async () => {
    const id = randomUUID()
    const responses = await Promise.all([
      call('GET', `/price-sets/${id}`),
      call('PATCH', `/price-sets/${id}`, { name: 'x' }),
      call('POST', `/price-sets/${id}/approve`),
      call('DELETE', `/price-sets/${id}`),
      call('GET', `/price-sets/${id}/prices`),
      addPrice(id),
    ])
    for (const response of responses) expect(code(response)).toEqual([404, 'NOT_FOUND'])
  })
})

describe('prices for a calculation', () => {
  it('come from approved sets, and from archived sets only for their own month', async () => {
    const sets = { draft: '', approved: '', archived: '' }
    for (const name of ['draft', 'approved', 'archived'] as const) {
      const id = await createSet('2028-03')
      sets[name] = id
      await addPrice(id, { billing_period: '2028-03', valid_from: '2028-03-01' })
      if (name !== 'draft') await call('POST', `/price-sets/${id}/approve`)
      if (name === 'archived') await call('PATCH', `/price-sets/${id}`, { approval_status: 'archived' })
    }
    const ofPeriod = async (period: string) =>
      (await approvedPrices(systemDb(api.deps.database.kysely), periodRange(period)))
        .filter((row) => Object.values(sets).includes(row.setId))
        .map((row) => row.setId)
        .sort()
    expect(await ofPeriod('2028-03-01')).toEqual([sets.approved, sets.archived].sort())
    expect(await ofPeriod('2028-04-01')).toEqual([sets.approved])
    expect(await ofPeriod('2028-02-01')).toEqual([])
  })
})
