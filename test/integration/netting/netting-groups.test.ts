import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMember } from '../../../src/areas/netting/index.ts'
import { toJson } from '../../../src/platform/db/json-columns.ts'
import { inTenantTx } from '../../../src/platform/db/tenant.ts'
import { expectSameResponse, type Registry, refusal, startRegistry } from '../../support/netting/registry.ts'
import { plainText } from '../../support/plain-text.ts'

let registry: Registry
let count = 0

beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry.close())

async function group(body: object = {}) {
  count += 1
  const created = await registry.admin.post('/groups', { name: `group ${count}`, ...body })
  expect(created.status).toBe(201)
  return created.body
}
const facilityId = async () => (await registry.facility()).id
const member = (body: object) => ({ member_role: 'mixed', valid_from: '2026-11-01', ...body })

describe('netting groups', () => {
  it('are created as customer_defined and not_checked, whatever the body says', async () => {
    const created = await group({ eligibility_status: 'valid', group_status: 'lum_reported', notes: 'n' })
    expect(created).toMatchObject({
      group_status: 'customer_defined',
      eligibility_status: 'not_checked',
      is_active: true,
      scope_id: null,
      notes: 'n',
    })
    expect((await registry.viewer.get(`/groups/${created.id}`)).body).toEqual(created)
    expect(await group({ is_active: false })).toMatchObject({ is_active: false, group_status: 'inactive' })
  })

  it('are listed newest first, with both filters together', async () => {
    const { admin, viewer, foreignCaller } = registry
    const { body: scope } = await admin.post('/scopes', { name: 'of groups' })
    const a = await group({ scope_id: scope.id })
    const b = await group({ scope_id: scope.id })
    await group({ scope_id: scope.id, is_active: false })
    const list = await viewer.get(`/groups?scope_id=${scope.id}&is_active=true`)
    expect(list.body.map(({ id }: { id: string }) => id)).toEqual([b.id, a.id])
    expect(list.headers.get('x-total-count')).toBe('2')
    expect((await viewer.get(`/groups?scope_id=${scope.id}&is_active=false`)).body).toHaveLength(1)
    expect((await foreignCaller.get('/groups')).body).toEqual([])
  })

  it('are rejected for duplicates and invalid references', async () => {
    const { admin, foreignCaller } = registry
    const a = await group()
    const b = await group()
    expect(refusal(await admin.post('/groups', { name: a.name }))).toEqual([409, 'DUPLICATE_ENTRY'])
    expect(refusal(await admin.patch(`/groups/${b.id}`, { name: a.name }))).toEqual([409, 'DUPLICATE_ENTRY'])
    const { body: scope } = await foreignCaller.post('/scopes', { name: 'foreign' })
    const { body: org } = await foreignCaller.post('/organizations', {
      org_type: 'supplier',
      name: 'foreign',
    })
    const foreign = { scope_id: scope.id, responsible_supplier_id: org.id }
    for (const [field, id] of Object.entries(foreign)) {
      await expectSameResponse(id, (value) => admin.post('/groups', { name: 'x', [field]: value }), 422)
      const response = await admin.patch(`/groups/${b.id}`, { [field]: id })
      expect(response.body.detail).toMatchObject({ error_code: 'INVALID_REFERENCE', field })
    }
    expect((await admin.post('/groups', {})).status).toBe(422)
    expect((await admin.patch(`/groups/${b.id}`, { name: null })).status).toBe(422)
    expect((await admin.patch(`/groups/${b.id}`, { group_status: 'done' })).status).toBe(422)
  })

  it('advance one verification step at a time and reject every other step with 409 unchanged', async () => {
    const { admin } = registry
    const { id } = await group()
    const transition = (body: object) => admin.patch(`/groups/${id}`, body)
    expect(refusal(await transition({ group_status: 'lum_reported', notes: 'lost' }))).toEqual([
      409,
      'STATE_CONFLICT',
    ])
    for (const status of ['ek1_submitted', 'ek1_submitted', 'grid_operator_confirmed', 'lum_reported']) {
      expect((await transition({ group_status: status })).body.group_status).toBe(status)
    }
    expect(refusal(await transition({ group_status: 'ek1_submitted' }))).toEqual([409, 'STATE_CONFLICT'])
    expect((await transition({ eligibility_status: 'valid' })).body).toMatchObject({
      eligibility_status: 'not_checked',
      group_status: 'lum_reported',
      notes: null,
    })
    expect((await transition({ is_active: false })).body).toMatchObject({
      is_active: false,
      group_status: 'inactive',
    })
    expect(refusal(await transition({ group_status: 'customer_defined' }))).toEqual([409, 'STATE_CONFLICT'])
    expect((await transition({ is_active: true })).body).toMatchObject({
      is_active: true,
      group_status: 'customer_defined',
    })
    expect((await transition({ group_status: 'inactive' })).body).toMatchObject({ is_active: false })
  })

  it('of another tenant are answered like unknown ones on every route', async () => {
    const { admin, foreignCaller, viewer } = registry
    const { id } = await group()
    const facility_id = await facilityId()
    const { body: ownMember } = await admin.post(`/groups/${id}/members`, member({ facility_id }))
    await expectSameResponse(id, (each) => foreignCaller.get(`/groups/${each}`))
    await expectSameResponse(id, (each) => foreignCaller.patch(`/groups/${each}`, { notes: 'x' }))
    await expectSameResponse(id, (each) => foreignCaller.get(`/groups/${each}/eligibility`))
    await expectSameResponse(id, (each) => foreignCaller.get(`/groups/${each}/members`))
    await expectSameResponse(id, (each) =>
      foreignCaller.post(`/groups/${each}/members`, member({ facility_id })),
    )
    await expectSameResponse(id, (each) => foreignCaller.patch(`/groups/${each}/members/${ownMember.id}`, {}))
    await expectSameResponse(id, (each) => foreignCaller.delete(`/groups/${each}/members/${ownMember.id}`))
    const { body: theirGroup } = await foreignCaller.post('/groups', { name: 'theirs' })
    await expectSameResponse(ownMember.id, (each) =>
      foreignCaller.patch(`/groups/${theirGroup.id}/members/${each}`, {}),
    )
    await expectSameResponse(ownMember.id, (each) =>
      foreignCaller.delete(`/groups/${theirGroup.id}/members/${each}`),
    )
    const other = await group()
    await expectSameResponse(ownMember.id, (each) => admin.patch(`/groups/${other.id}/members/${each}`, {}))
    expect((await viewer.post(`/groups/${id}/members`, {})).status).toBe(403)
    expect((await viewer.get(`/groups/${id}/members`)).body).toHaveLength(1)
  })
})

describe('group members', () => {
  it('are added, listed newest first including closed ones, changed and deleted', async () => {
    const { admin, ownTenant, viewer } = registry
    const { id } = await group()
    const path = `/groups/${id}/members`
    const a = await admin.post(path, member({ facility_id: await facilityId(), declared_by: randomUUID() }))
    expect(a.status).toBe(201)
    expect(a.body).toMatchObject({
      group_id: id,
      valid_from: '2026-11-01',
      valid_to: null,
      declared_by: ownTenant.admin.id,
      origin: null,
      warnings: [],
      warning_codes: [],
      warning_details: [],
    })
    const b = await admin.post(path, member({ facility_id: await facilityId(), member_role: 'production' }))
    const closed = await admin.patch(`${path}/${a.body.id}`, {
      valid_to: '2026-11-20',
      group_id: randomUUID(),
      facility_id: randomUUID(),
    })
    expect(closed.status).toBe(200)
    expect(closed.body).toEqual({
      ...a.body,
      valid_to: '2026-11-20',
      warnings: [],
      warning_codes: [],
      warning_details: [],
    })
    const all = await viewer.get(path)
    expect(all.body).toEqual([b.body, closed.body])
    expect(all.headers.get('x-total-count')).toBe('2')
    expect((await viewer.get(`${path}?active_only=true`)).body).toEqual([b.body])
    await admin.patch(`${path}/${a.body.id}`, { valid_to: '2026-11-21' })
    expect((await viewer.get(`${path}?active_only=true`)).body).toHaveLength(2)
    expect((await admin.patch(`${path}/${a.body.id}`, { valid_to: null })).body).toEqual(a.body)
    expect((await admin.delete(`${path}/${a.body.id}`)).status).toBe(204)
    expect((await admin.delete(`${path}/${a.body.id}`)).status).toBe(404)
    expect((await viewer.get(path)).body).toEqual([b.body])
  })

  it('cannot be backdated, but valid_to may be moved into the past', async () => {
    const { admin } = registry
    const { id } = await group()
    const path = `/groups/${id}/members`
    const facility_id = await facilityId()
    const before = await admin.post(path, member({ facility_id, valid_from: '2026-10-31' }))
    expect(refusal(before)).toEqual([422, 'BACKDATED_MEMBERSHIP'])
    const { body } = await admin.post(path, member({ facility_id }))
    const one = `${path}/${body.id}`
    expect(refusal(await admin.patch(one, { valid_from: '2026-10-01' }))).toEqual([
      422,
      'BACKDATED_MEMBERSHIP',
    ])
    expect(refusal(await admin.patch(one, { valid_to: '2026-10-31' }))).toEqual([
      422,
      'BUSINESS_RULE_VIOLATION',
    ])
    expect((await admin.patch(one, { valid_to: '2026-11-02' })).body).toMatchObject({
      valid_to: '2026-11-02',
      warnings: [],
      warning_codes: [],
      warning_details: [],
    })
    expect((await admin.patch(one, { valid_from: null })).status).toBe(422)
    const missing = await admin.post(path, { facility_id, member_role: 'mixed' })
    expect(missing.body.detail[0].loc).toEqual(['body', 'valid_from'])
    expect((await admin.post(path, member({ facility_id, member_role: 'spectator' }))).status).toBe(422)
    const foreign = await registry.facility({}, registry.foreignCaller)
    await expectSameResponse(foreign.id, (each) => admin.post(path, member({ facility_id: each })), 422)
  })

  it('take the Turkey-local date of an instant', async () => {
    const { id } = await group()
    const body = member({ facility_id: await facilityId(), valid_from: '2026-10-31T22:00:00Z' })
    const created = await registry.admin.post(`/groups/${id}/members`, body)
    expect([created.status, created.body.valid_from]).toEqual([201, '2026-11-01'])
  })

  it('belong to one group at a time', async () => {
    const { admin } = registry
    const [a, b] = [await group(), await group()]
    const facility_id = await facilityId()
    const first = await admin.post(`/groups/${a.id}/members`, member({ facility_id, valid_to: '2026-11-15' }))
    const join = (body: object) => admin.post(`/groups/${b.id}/members`, member({ facility_id, ...body }))
    expect(refusal(await join({ valid_from: '2026-11-14' }))).toEqual([409, 'SINGLE_GROUP_VIOLATION'])
    const second = await join({ valid_from: '2026-11-15' })
    expect(second.status).toBe(201)
    const reopened = await admin.patch(`/groups/${a.id}/members/${first.body.id}`, { valid_to: null })
    expect(refusal(reopened)).toEqual([409, 'SINGLE_GROUP_VIOLATION'])
    const again = await admin.post(`/groups/${a.id}/members`, member({ facility_id, valid_to: '2026-11-02' }))
    expect(refusal(again)).toEqual([409, 'SINGLE_GROUP_VIOLATION'])
  })

  it('are added once by concurrent requests, the others get 409', async () => {
    const { admin } = registry
    const groups = [await group(), await group(), await group()]
    const facility_id = await facilityId()
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        admin.post(`/groups/${groups[index % 3]?.id}/members`, member({ facility_id })),
      ),
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 29 }, () => 409)])
  })

  it('are added in the past only with the permission for the past, and the origin is recorded', async () => {
    const { api, ownTenant, viewer } = registry
    const { id } = await group()
    const facility_id = await facilityId()
    const body = { facility_id, member_role: 'mixed' as const, valid_from: '2025-01-01' }
    const enter = (history: { origin: string } | undefined) =>
      inTenantTx(api.deps.database.kysely, ownTenant.id, (tx) =>
        addMember(tx, id, body, { by: ownTenant.admin.id, at: api.clock.now(), history }),
      )
    await expect(enter(undefined)).rejects.toMatchObject({ code: 'BACKDATED_MEMBERSHIP' })
    await enter({ origin: 'demo' })
    expect((await viewer.get(`/groups/${id}/members`)).body).toMatchObject([
      { valid_from: '2025-01-01', origin: 'demo', declared_by: ownTenant.admin.id },
    ])
    // The membership stays editable: sending the same beginning is no backdating.
    const [{ id: memberId }] = (await viewer.get(`/groups/${id}/members`)).body
    const change = { valid_from: '2025-01-01', valid_to: '2026-12-01' }
    const changed = await registry.admin.patch(`/groups/${id}/members/${memberId}`, change)
    expect(changed.body).toMatchObject({ ...change, origin: 'demo' })
  })
})

describe('eligibility of a group', () => {
  it('is not_checked with no rules before the first evaluation', async () => {
    const { id } = await group()
    expect((await registry.viewer.get(`/groups/${id}/eligibility`)).body).toMatchObject({
      group_id: id,
      eligibility_status: 'not_checked',
      evaluated_at: null,
      rules: [],
    })
  })

  it('shows the rules of the latest evaluation, which are append-only', async () => {
    const { api, ownTenant, viewer } = registry
    const { id } = await group()
    const { kysely, pool } = api.deps.database
    const rule = { code: 'R002', severity: 'error', is_blocking: true, message: plainText('m') }
    for (const [eligibility_status, status] of [
      ['blocked', 'fail'],
      ['valid', 'pass'],
    ] as const) {
      await kysely
        .insertInto('eligibility_run')
        .values({
          tenant_id: ownTenant.id,
          group_id: id,
          eligibility_status,
          rules: toJson([{ ...rule, status }]),
          evaluated_at: '2026-11-20T09:00:00Z',
        })
        .execute()
    }
    expect((await viewer.get(`/groups/${id}/eligibility`)).body).toMatchObject({
      group_id: id,
      eligibility_status: 'valid',
      evaluated_at: '2026-11-20T09:00:00.000Z',
      rules: [
        {
          ...rule,
          status: 'pass',
          message: 'm',
          message_code: 'TEST_TEXT',
          parameters: { text: 'm' },
        },
      ],
    })
    await expect(pool.query('delete from eligibility_run')).rejects.toThrow('permission denied')
  })
})
