import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorize } from '../../../src/areas/charging/stations.ts'
import { tenantDb } from '../../../src/platform/db/tenant.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const TAGS = '/api/ocpp/id-tags'
const UNKNOWN = '00000000-0000-4000-8000-000000000000'
let api: TestApi
let ownTenant: TestTenant
let otherTenant: TestTenant
beforeAll(async () => {
  api = await startApi()
  ownTenant = await createTenant(api)
  otherTenant = await createTenant(api)
})
afterAll(() => api.close())

const as = (method: string, path: string, body?: object, tenant = ownTenant) =>
  api.call(method, TAGS + path, { token: tenant.operator.token, ...(body && { body }) })
const make = async (body: object, tenant = ownTenant) => {
  const response = await as('POST', '', body, tenant)
  expect(response.status, response.text).toBe(201)
  return response.body
}
const mayCharge = (tag: string, isStart = false) =>
  authorize(tenantDb(api.deps.database.kysely, ownTenant.id), tag, new Date(api.clock.now()), { isStart })

describe('id tags', () => {
  it('are created, read, updated, listed and deleted', async () => {
    const created = await make({ tag: 'AB12', name: 'a driver' })
    expect(created).toMatchObject({
      tag: 'AB12',
      name: 'a driver',
      status: 'accepted',
      parent_id: null,
      parent_tag: null,
      expires_at: null,
      allows_concurrent: false,
    })
    expect((await as('GET', `/${created.id}`)).body).toEqual(created)
    const changed = await as('PUT', `/${created.id}`, { name: null, expires_at: '2027-01-01' })
    expect(changed.body).toMatchObject({ name: null, tag: 'AB12', expires_at: '2026-12-31T21:00:00.000Z' })
    expect((await as('PUT', `/${created.id}`, {})).body).toMatchObject({
      expires_at: '2026-12-31T21:00:00.000Z',
    })
    expect((await as('PUT', `/${created.id}`, { expires_at: null })).body).toMatchObject({ expires_at: null })
    expect((await as('GET', '?search=b1&status=accepted')).body).toMatchObject({
      total: 1,
      items: [{ tag: 'AB12' }],
    })
    expect((await as('GET', '?tag=ab12')).body.total).toBe(1)
    expect((await as('GET', '?status=blocked')).body.total).toBe(0)
    expect((await as('DELETE', `/${created.id}`)).status).toBe(204)
    expect((await as('GET', `/${created.id}`)).status).toBe(404)
  })

  it('are unique in the tenant, case-insensitively', async () => {
    const first = await make({ tag: 'Unique1' })
    const again = await as('POST', '', { tag: 'uNIQUE1' })
    expect([again.status, again.body.error_code]).toEqual([409, 'DUPLICATE_ENTRY'])
    const other = await make({ tag: 'other1' })
    expect((await as('PUT', `/${other.id}`, { tag: 'UNIQUE1' })).status).toBe(409)
    expect((await as('PUT', `/${first.id}`, { tag: 'UNIQUE1' })).body.tag).toBe('UNIQUE1')
    await make({ tag: 'unique1' }, otherTenant)
  })

  it.each(['', ' x', 'x ', 'ş', 'a'.repeat(37), 'a\nb', 5, null])('reject %j', async (tag) => {
    const response = await as('POST', '', { tag })
    expect(response.status).toBe(422)
    expect(response.body.detail[0].loc).toEqual(['body', 'tag'])
  })

  it('are read by a viewer and created by an operator', async () => {
    const { token } = ownTenant.viewer
    expect((await api.call('GET', TAGS, { token })).status).toBe(200)
    expect((await api.call('POST', TAGS, { token, body: { tag: 'viewer' } })).status).toBe(403)
  })

  it('have a parent tag of the same tenant, never themselves', async () => {
    const top = await make({ tag: 'top' })
    const middle = await make({ tag: 'middle', parent_id: top.id })
    const low = await make({ tag: 'low', parent_id: middle.id })
    expect(low.parent_tag).toBe('middle')
    for (const [id, parent_id] of [
      [top.id, low.id],
      [top.id, middle.id],
      [top.id, top.id.toUpperCase()],
    ]) {
      const response = await as('PUT', `/${id}`, { parent_id })
      expect([response.status, response.body.error_code]).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    }
    const otherTag = await make({ tag: 'stranger' }, otherTenant)
    for (const parent_id of [UNKNOWN, otherTag.id]) {
      const response = await as('POST', '', { tag: 'lost', parent_id })
      expect(response.body).toMatchObject({ error_code: 'INVALID_REFERENCE' })
    }
    expect((await as('GET', `?parent_id=${middle.id}`)).body).toMatchObject({
      total: 1,
      items: [{ tag: 'low' }],
    })
    expect((await as('DELETE', `/${middle.id}`)).status).toBe(409)
  })

  it('cannot become parents of each other in concurrent requests', async () => {
    const pair = [await make({ tag: 'left' }), await make({ tag: 'right' })]
    const responses = await Promise.all(
      pair.map(({ id }, index) => as('PUT', `/${id}`, { parent_id: pair[1 - index].id })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  it('have at most ten levels of groups', async () => {
    let parent_id = (await make({ tag: 'level 0' })).id
    for (let level = 1; level <= 10; level += 1)
      parent_id = (await make({ tag: `level ${level}`, parent_id })).id
    expect((await as('POST', '', { tag: 'level 11', parent_id })).status).toBe(422)
    const outside = await make({ tag: 'outside' })
    const [first] = (await as('GET', '?tag=level%200')).body.items
    expect((await as('PUT', `/${first.id}`, { parent_id: outside.id })).status).toBe(422)
  })
})

describe('authorization of a tag', () => {
  it('depends on the tag, case-insensitively, and on its groups', async () => {
    const group = await make({ tag: 'GROUP' })
    const member = await make({ tag: 'Member', parent_id: group.id })
    expect(await mayCharge('mEMBER')).toEqual({ status: 'accepted', parentTag: 'GROUP', expiresAt: null })
    expect(await mayCharge('nobody')).toEqual({ status: 'invalid', parentTag: null, expiresAt: null })
    await as('PUT', `/${group.id}`, { expires_at: new Date(api.clock.now() + 60_000).toISOString() })
    const until = new Date(api.clock.now() + 60_000)
    expect(await mayCharge('Member')).toEqual({ status: 'accepted', parentTag: 'GROUP', expiresAt: until })
    api.clock.advance(60_000)
    expect((await mayCharge('Member')).status).toBe('expired')
    await as('PUT', `/${group.id}`, { expires_at: null, status: 'blocked' })
    expect((await mayCharge('Member')).status).toBe('blocked')
    await as('PUT', `/${group.id}`, { status: 'accepted' })
    await as('PUT', `/${member.id}`, { status: 'blocked' })
    expect((await mayCharge('Member')).status).toBe('blocked')
    expect((await mayCharge('group')).status).toBe('accepted')
  })

  it('is limited to its tenant: a tag of another tenant is unknown', async () => {
    await make({ tag: 'foreigner' }, otherTenant)
    expect((await mayCharge('foreigner')).status).toBe('invalid')
  })
})
