import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensurePartitions } from '../../../src/platform/db/partitions.ts'
import { makeMeter, makeSubregion } from '../../support/netting/netting.ts'
import {
  expectSameResponse,
  type Registry,
  refusal,
  startRegistry,
  untilWaiting,
} from '../../support/netting/registry.ts'

let registry: Registry

beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry.close())

const ESS = { has_ess: true, ess_capacity_kwh: 200.5, ess_power_kw: '100' }

const history = (facilityId: string) =>
  registry.api.deps.database.kysely
    .selectFrom('facility_history')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .orderBy('changed_at')
    .execute()

describe('facilities', () => {
  it('are created with defaults: the date of today in Turkey and the name of the subregion', async () => {
    const { admin, api, ownTenant } = registry
    api.clock.set('2026-11-20T09:59:00Z')
    const subregionId = await makeSubregion(api.deps, ownTenant)
    const { name } = await api.deps.database.kysely
      .selectFrom('subregion')
      .select('name')
      .where('id', '=', subregionId)
      .executeTakeFirstOrThrow()
    for (const body of [{}, { valid_from: null, name: null }]) {
      const created = await admin.post('/facilities', { subregion_id: subregionId, ...body })
      expect(created.status).toBe(201)
      expect(created.body).toMatchObject({ name, valid_from: '2026-11-20', valid_to: null, has_ess: false })
      expect((await admin.get(`/facilities/${created.body.id}`)).body).toEqual(created.body)
    }
  })

  it('take the Turkey-local date late in the evening and of an instant', async () => {
    const { admin, api, ownTenant } = registry
    const subregion_id = await makeSubregion(api.deps, ownTenant)
    const body = { subregion_id, valid_from: '2026-11-30T22:30:00Z', valid_to: '2027-01-01' }
    expect((await admin.post('/facilities', body)).body).toMatchObject({
      valid_from: '2026-12-01',
      valid_to: '2027-01-01',
    })
  })

  it('are returned with decimals as strings: kWh with 3 decimals, kW with 6', async () => {
    const { id } = await registry.facility({ ...ESS, installed_power_kw: 12.5, contracted_power_kw: '1' })
    expect((await registry.admin.get(`/facilities/${id}`)).body).toMatchObject({
      ess_capacity_kwh: '200.500',
      ess_power_kw: '100.000000',
      installed_power_kw: '12.500000',
      contracted_power_kw: '1.000000',
    })
  })

  it('are rejected when they violate a rule or the schema', async () => {
    const { admin, api, ownTenant } = registry
    const subregion_id = await makeSubregion(api.deps, ownTenant)
    const bad = [
      { valid_from: '2026-11-02', valid_to: '2026-11-01' },
      { has_ess: true },
      { has_ess: true, ess_capacity_kwh: 1 },
      { ess_power_kw: 1 },
      { ...ESS, has_ess: false },
      { ...ESS, ess_power_kw: 0 },
      { producer_tariff_group: 'lisanssiz_uretici_3' },
      { abone_grubu: 'dukkan' },
      { installed_power_kw: -1 },
      { installed_power_kw: '1.0000001' },
      { valid_from: '2026-02-30' },
    ]
    for (const body of bad) {
      expect([body, (await admin.post('/facilities', { subregion_id, ...body })).status]).toEqual([body, 422])
    }
    expect((await admin.post('/facilities', {})).body.detail[0].loc).toEqual(['body', 'subregion_id'])
  })

  it('are rejected alike for unknown and foreign references, with the name of the field', async () => {
    const { admin, api, ownTenant, otherTenant, foreignCaller } = registry
    const subregion_id = await makeSubregion(api.deps, ownTenant)
    const foreignSubregion = await makeSubregion(api.deps, otherTenant)
    const { body: scope } = await foreignCaller.post('/scopes', { name: 'theirs' })
    const { body: org } = await foreignCaller.post('/organizations', { org_type: 'supplier', name: 'theirs' })
    const foreign = {
      subregion_id: foreignSubregion,
      scope_id: scope.id,
      grid_operator_id: org.id,
      distribution_company_id: org.id,
      retail_or_zone_operator_id: org.id,
      meter_reading_org_id: org.id,
      supplier_id: org.id,
    }
    const { id } = await registry.facility()
    for (const [field, foreignId] of Object.entries(foreign)) {
      const create = (value: string) => admin.post('/facilities', { subregion_id, [field]: value })
      await expectSameResponse(foreignId, create, 422)
      const response = await create(foreignId)
      expect(response.body.detail).toMatchObject({ error_code: 'INVALID_REFERENCE', field })
      await expectSameResponse(
        foreignId,
        (value) => admin.patch(`/facilities/${id}`, { [field]: value }),
        422,
      )
    }
  })

  it('are changed only in the fields sent, are cleared with null, and are validated as a whole', async () => {
    const { admin } = registry
    const { body: org } = await admin.post('/organizations', { org_type: 'supplier', name: 'Supplier' })
    const { id } = await registry.facility({ ...ESS, supplier_id: org.id, valid_from: '2026-11-10' })
    const path = `/facilities/${id}`
    const before = (await admin.get(path)).body
    expect((await admin.patch(path, { valid_to: '2026-11-09' })).status).toBe(422)
    expect((await admin.patch(path, { has_ess: false })).status).toBe(422)
    expect((await admin.patch(path, { ess_power_kw: null })).status).toBe(422)
    expect((await admin.patch(path, { has_ess: null })).status).toBe(422)
    expect((await admin.patch(path, { valid_from: null })).status).toBe(422)
    expect((await admin.patch(path, { name: null })).status).toBe(422)
    expect((await admin.get(path)).body).toEqual(before)
    const changed = await admin.patch(path, {
      supplier_id: null,
      has_ess: false,
      ess_capacity_kwh: null,
      ess_power_kw: null,
      id: randomUUID(),
    })
    const { updated_at: _, ...rest } = before
    expect(changed.body).toMatchObject({
      ...rest,
      supplier_id: null,
      has_ess: false,
      ess_capacity_kwh: null,
      ess_power_kw: null,
    })
  })

  it('keep a history row of the state before each change', async () => {
    const { admin, ownTenant, superuser, otherTenant } = registry
    const { id } = await registry.facility({ name: 'first' })
    await admin.patch(`/facilities/${id}`, { name: 'second' })
    await admin.patch(`/facilities/${id}`, {})
    expect((await admin.patch(`/facilities/${id}`, { valid_to: '2000-01-01' })).status).toBe(422)
    expect((await superuser.delete(`/facilities/${id}`)).status).toBe(204)
    const rows = await history(id)
    const shown = rows.map(({ operation, before, after, changed_by }) => {
      const [was, is] = [before, after] as ({ name: string } | null)[]
      return [operation, was?.name, is?.name, changed_by]
    })
    expect(shown.sort()).toEqual(
      [
        ['create', undefined, 'first', ownTenant.admin.id],
        ['update', 'first', 'second', ownTenant.admin.id],
        ['delete', 'second', undefined, otherTenant.superuser.id],
      ].sort(),
    )
  })

  it('are listed with both filters together, newest first', async () => {
    const { admin, viewer } = registry
    const { body: scope } = await admin.post('/scopes', { name: 'Filter' })
    const a = await registry.facility({ scope_id: scope.id })
    const b = await registry.facility({ scope_id: scope.id })
    await registry.facility()
    const ids = async (query: string) =>
      (await viewer.get(`/facilities?${query}`)).body.map((facility: { id: string }) => facility.id)
    expect(await ids(`scope_id=${scope.id}`)).toEqual([b.id, a.id])
    expect(await ids(`scope_id=${scope.id}&subregion_id=${a.subregionId}`)).toEqual([a.id])
    expect(await ids(`scope_id=${scope.id}&limit=1&offset=1`)).toEqual([a.id])
    expect((await viewer.get('/facilities?limit=501')).status).toBe(422)
    expect((await registry.foreignCaller.get(`/facilities?scope_id=${scope.id}`)).body).toEqual([])
  })

  it('of another tenant are answered like unknown ones', async () => {
    const { foreignCaller, viewer } = registry
    const { id } = await registry.facility()
    await expectSameResponse(id, (each) => foreignCaller.get(`/facilities/${each}`))
    await expectSameResponse(id, (each) => foreignCaller.patch(`/facilities/${each}`, { name: 'x' }))
    expect((await viewer.patch(`/facilities/${id}`, { name: 'x' })).status).toBe(403)
  })
})

describe('hard delete of a facility', () => {
  const NONE = {
    metering_points: 0,
    subregion_meter_assignments: 0,
    facility_hourly_energy: 0,
    mahsuplasma_group_members: 0,
    bedelli_limit_accounts: 0,
  }

  it('is allowed to a superuser, across tenants', async () => {
    const { admin, api, superuser } = registry
    const { id } = await registry.facility()
    const path = `/api/mahsuplasma/facilities/${id}`
    expect((await api.call('DELETE', path)).status).toBe(401)
    const forbidden = await admin.delete(`/facilities/${id}`)
    expect(refusal(forbidden)).toEqual([403, 'SUPERUSER_REQUIRED'])
    expect((await superuser.delete(`/facilities/${id}`)).status).toBe(204)
    expect(refusal(await superuser.delete(`/facilities/${id}`))).toEqual([404, 'RESOURCE_NOT_FOUND'])
    expect((await admin.get(`/facilities/${id}`)).status).toBe(404)
  })

  it('honours If-Match', async () => {
    const { admin, api, superuser, otherTenant } = registry
    const { id } = await registry.facility()
    const { headers } = await admin.get(`/facilities/${id}`)
    const etag = headers.get('etag') ?? ''
    await admin.patch(`/facilities/${id}`, { name: 'changed meanwhile' })
    const remove = (tag: string) =>
      api.call('DELETE', `/api/mahsuplasma/facilities/${id}`, {
        token: otherTenant.superuser.token,
        headers: { 'if-match': tag },
      })
    expect((await remove(etag)).status).toBe(412)
    const fresh = (await admin.get(`/facilities/${id}`)).headers.get('etag') ?? ''
    expect((await remove(fresh)).status).toBe(204)
    expect((await superuser.delete(`/facilities/${id}`)).status).toBe(404)
  })

  it('counts the rows of each of the five kinds that still reference the facility', async () => {
    const { admin, api, ownTenant, superuser } = registry
    const { kysely } = api.deps.database
    const { id, subregionId } = await registry.facility()
    const { body: group } = await admin.post('/groups', { name: 'counted' })
    const expected = { ...NONE }
    const expectCounts = async () => {
      const response = await superuser.delete(`/facilities/${id}`)
      expect(response.status).toBe(409)
      expect(response.body.detail).toEqual({
        error_code: 'facility_has_dependencies',
        message: expect.any(String),
        message_code: 'FACILITY_IN_USE',
        parameters: {},
        dependencies: expected,
      })
    }
    await admin.post(`/facilities/${id}/meters`, {})
    await admin.post(`/facilities/${id}/meters`, {})
    expected.metering_points = 2
    await expectCounts()
    await makeMeter(api.deps, ownTenant, { facilityId: id, subregionId, role: 'check_meter' })
    expected.subregion_meter_assignments = 1
    await expectCounts()
    await admin.post(`/groups/${group.id}/members`, {
      facility_id: id,
      member_role: 'mixed',
      valid_from: '2026-11-01',
    })
    expected.mahsuplasma_group_members = 1
    await expectCounts()
    const account = { facility_id: id, year: 2026, initial_limit_kwh: 0, limit_source: 'manual' }
    expect((await admin.post('/limits/accounts', account)).status).toBe(201)
    expected.bedelli_limit_accounts = 1
    await expectCounts()
    await ensurePartitions(api.deps.database, 'hourly_energy', ['2026-11-01'])
    await kysely
      .insertInto('hourly_energy')
      .values({
        tenant_id: ownTenant.id,
        facility_id: id,
        hour: '2026-11-20T08:00:00Z',
        source: 'missing',
        measurement_role: 'main_production',
        data_quality: 'missing',
        completeness_pct: 0,
        computed_at: '2026-11-20T09:00:00Z',
      })
      .execute()
    expected.facility_hourly_energy = 1
    await expectCounts()
  })

  it('answers 409 to a concurrent insert before the commit and keeps the insert', async () => {
    const { api, ownTenant, superuser } = registry
    const { id } = await registry.facility()
    const { database } = api.deps
    const inserter = await database.pool.connect()
    try {
      await inserter.query('begin')
      await inserter.query(
        'insert into metering_point (tenant_id, facility_id, valid_from) values ($1, $2, now())',
        [ownTenant.id, id],
      )
      const deletion = superuser.delete(`/facilities/${id}`)
      await untilWaiting(registry.api)
      await inserter.query('commit')
      const response = await deletion
      expect(refusal(response)).toEqual([409, 'facility_has_dependencies'])
      expect(response.body.detail.dependencies).toEqual({ ...NONE, metering_points: 1 })
    } finally {
      inserter.release()
    }
    expect((await registry.admin.get(`/facilities/${id}/meters`)).body).toHaveLength(1)
  })

  it('answers 404 to an insert after the commit', async () => {
    const { admin, api, ownTenant } = registry
    const { id } = await registry.facility()
    const { pool } = api.deps.database
    const deleter = await pool.connect()
    try {
      await deleter.query('begin')
      await deleter.query('delete from facility where tenant_id = $1 and id = $2', [ownTenant.id, id])
      const insert = admin.post(`/facilities/${id}/meters`, {})
      const account = admin.post('/limits/accounts', {
        facility_id: id,
        year: 2026,
        initial_limit_kwh: 1,
        limit_source: 'manual',
      })
      await untilWaiting(registry.api, 2)
      await deleter.query('commit')
      expect(refusal(await insert)).toEqual([404, 'RESOURCE_NOT_FOUND'])
      expect(refusal(await account)).toEqual([422, 'INVALID_REFERENCE'])
    } finally {
      deleter.release()
    }
  })

  it('never answers 500 in a race with inserts', async () => {
    const { admin, superuser } = registry
    for (let round = 0; round < 10; round += 1) {
      const { id } = await registry.facility()
      const responses = await Promise.all([
        admin.post(`/facilities/${id}/meters`, {}),
        superuser.delete(`/facilities/${id}`),
        admin.post(`/facilities/${id}/meters`, {}),
      ])
      const [, deleted] = responses
      expect([204, 409]).toContain(deleted?.status)
      const gone = deleted?.status === 204
      for (const { status } of [responses[0], responses[2]]) expect(status).toBe(gone ? 404 : 201)
    }
  })

  it('clears the facility of its OSOS installation', async () => {
    const { api, ownTenant, superuser } = registry
    const { id } = await registry.facility()
    const installation = await api.deps.database.kysely
      .insertInto('osos_installation')
      .values({ tenant_id: ownTenant.id, installation_no: '4000001', facility_id: id })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await superuser.delete(`/facilities/${id}`)).status).toBe(204)
    const { facility_id } = await api.deps.database.kysely
      .selectFrom('osos_installation')
      .select('facility_id')
      .where('id', '=', installation.id)
      .executeTakeFirstOrThrow()
    expect(facility_id).toBeNull()
  })

  it('leaves a history that the service role cannot change', async () => {
    const { pool } = registry.api.deps.database
    for (const statement of [
      'update facility_history set changed_by = null',
      'delete from facility_history',
    ]) {
      await expect(pool.query(statement)).rejects.toThrow('permission denied')
    }
  })
})
