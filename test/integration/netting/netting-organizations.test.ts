import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addSystemOrganization } from '../../../src/areas/netting/index.ts'
import { inSystemTx } from '../../../src/platform/db/tenant.ts'
import { expectSameResponse, type Registry, refusal, startRegistry } from '../../support/netting/registry.ts'

let registry: Registry

beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry.close())

const names = (rows: { name: string }[]) => rows.map(({ name }) => name)

describe('netting organizations', () => {
  it('are created in the tenant and filtered, with inactive ones only on request', async () => {
    const { admin, viewer, foreignCaller } = registry
    const a = await admin.post('/organizations', { org_type: 'supplier', name: 'A' })
    expect(a.status).toBe(201)
    expect(a.body).toMatchObject({ is_active: true, is_system: false })
    await admin.post('/organizations', { org_type: 'grid_operator', name: 'A' })
    await admin.post('/organizations', { org_type: 'supplier', name: 'B', is_active: false })
    await admin.post('/organizations', { org_type: 'supplier', name: 'C', is_system: true })
    expect(names((await viewer.get('/organizations?org_type=supplier')).body)).toEqual(['A', 'C'])
    const all = await viewer.get('/organizations?org_type=supplier&include_inactive=true')
    expect(names(all.body)).toEqual(['A', 'B', 'C'])
    expect(all.headers.get('x-total-count')).toBe('3')
    expect(all.body.some(({ is_system }: { is_system: boolean }) => is_system)).toBe(false)
    expect((await foreignCaller.get('/organizations')).body).toEqual([])
    expect((await admin.get('/organizations?org_type=bakery')).status).toBe(422)
  })

  it('are rejected for a duplicate of org_type and name, and for invalid enum values', async () => {
    const { admin } = registry
    await admin.post('/organizations', { org_type: 'supplier', name: 'Twice' })
    const body = { org_type: 'supplier', name: 'Twice' }
    expect(refusal(await admin.post('/organizations', body))).toEqual([409, 'DUPLICATE_ENTRY'])
    const other = await admin.post('/organizations', { org_type: 'retail_company', name: 'Twice' })
    expect(other.status).toBe(201)
    const path = `/organizations/${other.body.id}`
    expect(refusal(await admin.patch(path, { org_type: 'supplier' }))).toEqual([409, 'DUPLICATE_ENTRY'])
    expect((await admin.patch(path, { is_active: false })).body).toEqual({ ...other.body, is_active: false })
    expect((await admin.patch(path, {})).body.is_active).toBe(false)
    expect((await admin.patch(path, { name: null })).status).toBe(422)
    expect((await admin.post('/organizations', { org_type: 'bakery', name: 'x' })).status).toBe(422)
  })

  it('of the system are visible to every tenant, old and new, and read-only', async () => {
    const { admin, api, foreignCaller } = registry
    const { kysely } = api.deps.database
    for (let time = 0; time < 2; time += 1) {
      await inSystemTx(kysely, (tx) =>
        addSystemOrganization(tx, { orgType: 'distribution_company', name: 'Everywhere' }),
      )
    }
    const [listed, listedByOther] = await Promise.all(
      [admin, foreignCaller].map((caller) => caller.get('/organizations?org_type=distribution_company')),
    )
    expect(listed?.body).toMatchObject([{ name: 'Everywhere', is_system: true }])
    expect(listedByOther?.body[0].id).toBe(listed?.body[0].id)
    const id: string = listed?.body[0].id
    await expectSameResponse(id, (each) => admin.patch(`/organizations/${each}`, { name: 'Mine' }))
    await expectSameResponse(id, (each) => admin.patch(`/organizations/${each}`, {}))
    const facility = await registry.facility({ distribution_company_id: id })
    expect((await admin.get(`/facilities/${facility.id}`)).body.distribution_company_id).toBe(id)

    const newcomer = await api.call('POST', '/api/v1/admin/tenants', {
      token: registry.ownTenant.superuser.token,
      body: { name: 'Newcomer', admin_email: 'new@example.test', admin_password: 'a password with 1 digit' },
    })
    expect(newcomer.status).toBe(201)
    const owners = await kysely.selectFrom('organization').select('tenant_id').where('id', '=', id).execute()
    expect(owners).toHaveLength(3)
  })

  it('of another tenant are answered like unknown ones', async () => {
    const { admin, foreignCaller } = registry
    const { body } = await admin.post('/organizations', { org_type: 'supplier', name: 'Ours' })
    await expectSameResponse(body.id, (id) => foreignCaller.patch(`/organizations/${id}`, { name: 'x' }))
  })
})
