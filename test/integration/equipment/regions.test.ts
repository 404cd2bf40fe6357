import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenantA: TestTenant
let tenantB: TestTenant

beforeAll(async () => {
  api = await startApi()
  tenantA = await createTenant(api)
  tenantB = await createTenant(api)
})
afterAll(() => api.close())

const create = (body: unknown, token = tenantA.admin.token) =>
  api.call('POST', '/api/regions', { token, body })

describe('regions', () => {
  it('are created, read, changed and deleted', async () => {
    const created = await create({ name: 'Marmara', code: 'MR' })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ name: 'Marmara', code: 'MR', description: null })
    const path = `/api/regions/${created.body.id}`
    expect((await api.call('GET', path, { token: tenantA.viewer.token })).body).toEqual(created.body)
    const changed = await api.call('PUT', path, { token: tenantA.admin.token, body: { code: null } })
    expect(changed.body).toEqual({ ...created.body, code: null })
    expect((await api.call('DELETE', path, { token: tenantA.admin.token })).status).toBe(204)
    expect((await api.call('GET', path, { token: tenantA.admin.token })).status).toBe(404)
  })

  it('are rejected with 409 for a second region of the same name', async () => {
    await create({ name: 'Ege' })
    const second = await create({ name: 'Ege' })
    expect(second.status).toBe(409)
    expect(second.body).toMatchObject({
      detail: 'a region with this name exists',
      error_code: 'DUPLICATE_ENTRY',
    })
  })

  it('are listed in pages with the envelope', async () => {
    for (const name of ['P1', 'P2', 'P3']) await create({ name }, tenantB.admin.token)
    const page = await api.call('GET', '/api/regions?limit=2&sort_by=name&sort_order=asc', {
      token: tenantB.viewer.token,
    })
    expect(page.body).toMatchObject({ total: 3, skip: 0, limit: 2 })
    expect(page.body.items.map((region: { name: string }) => region.name)).toEqual(['P1', 'P2'])
  })

  it('report every failure of the request at once', async () => {
    const response = await api.call('PUT', '/api/regions/not-an-id', {
      token: tenantA.admin.token,
      body: { name: '', code: 7 },
    })
    expect(response.status).toBe(422)
    expect(response.body.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.')).sort()).toEqual([
      'body.code',
      'body.name',
      'path.id',
    ])
  })

  it('of another tenant get the same response as unknown ones, byte for byte', async () => {
    const { body } = await create({ name: 'Akdeniz' })
    const foreign = await api.call('GET', `/api/regions/${body.id}`, { token: tenantB.admin.token })
    const unknown = await api.call('GET', `/api/regions/${randomUUID()}`, { token: tenantB.admin.token })
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe(unknown.text)
  })

  it('check the token, then the permission, then the body', async () => {
    expect((await api.call('POST', '/api/regions', { body: '{nonsense' })).status).toBe(401)
    const viewer = await api.call('POST', '/api/regions', { token: tenantA.viewer.token, body: '{nonsense' })
    expect(viewer.status).toBe(403)
    expect(viewer.body.error_code).toBe('PERMISSION_DENIED')
    const admin = await api.call('POST', '/api/regions', { token: tenantA.admin.token, body: '{nonsense' })
    expect(admin.status).toBe(400)
    expect(admin.body.error_code).toBe('VALIDATION_ERROR')
  })
})
