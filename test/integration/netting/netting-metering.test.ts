import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assignMeter, createMeteringPoint } from '../../../src/areas/netting/index.ts'
import { toJson } from '../../../src/platform/db/json-columns.ts'
import { inTenantTx } from '../../../src/platform/db/tenant.ts'
import { makeSubregion } from '../../support/netting/netting.ts'
import { expectSameResponse, type Registry, refusal, startRegistry } from '../../support/netting/registry.ts'

let registry: Registry

beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry.close())

interface DeviceSpec {
  readonly name?: string
  readonly role?: string | null
  readonly vendor?: string
  readonly model?: string
  readonly tenantId?: number
}

async function device({ name, role = null, vendor, model, tenantId }: DeviceSpec = {}): Promise<string> {
  const { id } = await registry.api.deps.database.kysely
    .insertInto('device')
    .values({
      tenant_id: tenantId ?? registry.ownTenant.id,
      name: name ?? 'meter',
      device_type: 'energy_analyzer',
      device_role: role,
      device_source: 'manual',
      extra_metadata: toJson({ vendor, model }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

describe('metering points', () => {
  it('are created from now on, listed newest first, and changed', async () => {
    const { admin, api, viewer } = registry
    const { id } = await registry.facility()
    const path = `/facilities/${id}/meters`
    const first = await admin.post(path, {})
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({
      facility_id: id,
      valid_from: new Date(api.clock.now()).toISOString(),
      valid_to: null,
    })
    const second = await admin.post(path, {
      meter_no: 'M2',
      valid_from: '2026-01-01',
      facility_id: randomUUID(),
    })
    expect(second.body).toMatchObject({ facility_id: id, valid_from: '2025-12-31T21:00:00.000Z' })
    const list = await viewer.get(path)
    expect(list.body).toEqual([second.body, first.body])
    expect(list.headers.get('x-total-count')).toBe('2')
    expect((await viewer.get(`${path}?limit=1&offset=1`)).body).toEqual([first.body])

    const { body: org } = await admin.post('/organizations', {
      org_type: 'meter_reading_org',
      name: 'Reader',
    })
    const meter = `/meters/${second.body.id}`
    const changed = await admin.patch(meter, { meter_reading_org_id: org.id, facility_id: randomUUID() })
    expect(changed.body).toEqual({ ...second.body, meter_reading_org_id: org.id })
    expect((await admin.patch(meter, { meter_reading_org_id: null })).body).toEqual(second.body)
    expect((await admin.patch(meter, { valid_to: '2025-12-31' })).status).toBe(422)
    expect((await admin.patch(meter, { valid_from: null })).status).toBe(422)
    expect((await admin.patch(meter, {})).body).toEqual(second.body)
  })

  it('are rejected for invalid references and periods', async () => {
    const { admin, foreignCaller } = registry
    const { id } = await registry.facility()
    const { body: org } = await foreignCaller.post('/organizations', {
      org_type: 'meter_reading_org',
      name: 'x',
    })
    for (const field of ['meter_reading_org_id', 'osos_installation_id']) {
      const response = await admin.post(`/facilities/${id}/meters`, { [field]: org.id })
      expect(response.body.detail).toMatchObject({ error_code: 'INVALID_REFERENCE', field })
    }
    const backwards = { valid_from: '2026-02-01', valid_to: '2026-01-01' }
    expect(refusal(await admin.post(`/facilities/${id}/meters`, backwards))).toEqual([
      422,
      'BUSINESS_RULE_VIOLATION',
    ])
  })

  it('answer foreign facilities and metering points like unknown ones', async () => {
    const { admin, foreignCaller } = registry
    const { id } = await registry.facility()
    const { body: point } = await admin.post(`/facilities/${id}/meters`, {})
    await expectSameResponse(id, (each) => foreignCaller.get(`/facilities/${each}/meters`))
    await expectSameResponse(id, (each) => foreignCaller.post(`/facilities/${each}/meters`, {}))
    await expectSameResponse(point.id, (each) => foreignCaller.patch(`/meters/${each}`, { notes: 'x' }))
  })
})

describe('meter assignments', () => {
  const period = { valid_from: '2026-03-01T00:00:00+03:00', valid_to: '2026-04-01T00:00:00+03:00' }

  it('are created, listed with both filters, and closed', async () => {
    const { admin, viewer } = registry
    const facility = await registry.facility()
    const body = {
      subregion_id: facility.subregionId,
      device_id: await device(),
      facility_id: facility.id,
      measurement_role: 'main_production',
      valid_from: '2026-03-01',
    }
    const created = await admin.post('/meters/assign', body)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      ...body,
      valid_from: '2026-02-28T21:00:00.000Z',
      valid_to: null,
      origin: null,
    })
    const query = `subregion_id=${facility.subregionId}&facility_id=${facility.id}`
    const list = await viewer.get(`/meters/assignments?${query}`)
    const { warnings, warning_codes, warning_details, ...assignment } = created.body
    expect([warnings, warning_codes, warning_details]).toEqual([[], [], []])
    expect([list.body, list.headers.get('x-total-count')]).toEqual([[assignment], '1'])
    const none = await viewer.get(
      `/meters/assignments?facility_id=${facility.id}&subregion_id=${randomUUID()}`,
    )
    expect(none.body).toEqual([])

    const path = `/meters/assignments/${created.body.id}`
    const closed = await admin.patch(path, {
      valid_to: '2026-05-01',
      subregion_id: randomUUID(),
      device_id: randomUUID(),
    })
    expect(closed.body).toEqual({ ...created.body, valid_to: '2026-04-30T21:00:00.000Z' })
    expect((await admin.patch(path, { facility_id: null })).body.facility_id).toBeNull()
    expect((await admin.patch(path, { valid_from: '2026-05-01' })).status).toBe(422)
    expect((await admin.patch(path, { measurement_role: null })).status).toBe(422)
    const next = await admin.post('/meters/assign', { ...body, valid_from: '2026-05-01' })
    expect(next.status).toBe(201)
    expect(refusal(await admin.patch(path, { valid_to: null }))).toEqual([409, 'PERIOD_OVERLAP'])
    expect(refusal(await admin.patch(path, { valid_to: '2026-05-02' }))).toEqual([409, 'PERIOD_OVERLAP'])
  })

  it('reject an overlap of a main role, but not of another role, subregion or an auxiliary role', async () => {
    const { admin, api, ownTenant } = registry
    const subregion_id = await makeSubregion(api.deps, ownTenant)
    const device_id = await device()
    const assign = (body: object) =>
      admin.post('/meters/assign', {
        subregion_id,
        device_id,
        measurement_role: 'pcc_import_export',
        ...period,
        ...body,
      })
    expect((await assign({})).status).toBe(201)
    expect(refusal(await assign({ valid_from: '2026-03-31' }))).toEqual([409, 'PERIOD_OVERLAP'])
    expect((await assign({ valid_from: period.valid_to, valid_to: null })).status).toBe(201)
    expect((await assign({ measurement_role: 'main_consumption' })).status).toBe(201)
    expect((await assign({ subregion_id: await makeSubregion(api.deps, ownTenant) })).status).toBe(201)
    for (let time = 0; time < 2; time += 1) {
      expect((await assign({ measurement_role: 'check_meter' })).status).toBe(201)
    }
  })

  it('are created once by concurrent overlapping requests, the others get 409', async () => {
    const { admin, api, ownTenant } = registry
    const subregion_id = await makeSubregion(api.deps, ownTenant)
    const device_id = await device()
    const responses = await Promise.all(
      Array.from({ length: 30 }, () =>
        admin.post('/meters/assign', {
          subregion_id,
          device_id,
          measurement_role: 'main_production',
          ...period,
        }),
      ),
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 29 }, () => 409)])
  })

  it('are rejected for invalid references, periods and enum values', async () => {
    const { admin, api, ownTenant, otherTenant } = registry
    const ourFacility = await registry.facility()
    const other = await registry.facility()
    const { body: point } = await admin.post(`/facilities/${other.id}/meters`, {})
    const theirFacility = await registry.facility({}, registry.foreignCaller)
    const good = {
      subregion_id: await makeSubregion(api.deps, ownTenant),
      device_id: await device(),
      measurement_role: 'main_production',
      ...period,
    }
    const foreign = {
      subregion_id: theirFacility.subregionId,
      device_id: await device({ tenantId: otherTenant.id }),
      facility_id: theirFacility.id,
      metering_point_id: randomUUID(),
    }
    for (const [field, id] of Object.entries(foreign)) {
      await expectSameResponse(id, (value) => admin.post('/meters/assign', { ...good, [field]: value }), 422)
      const response = await admin.post('/meters/assign', { ...good, [field]: id })
      expect(response.body.detail).toMatchObject({ error_code: 'INVALID_REFERENCE', field })
    }
    const elsewhere = { facility_id: ourFacility.id, metering_point_id: point.id }
    const bad = [
      elsewhere,
      { valid_to: period.valid_from },
      { measurement_role: 'main' },
      { valid_from: undefined },
    ]
    for (const body of bad) {
      expect((await admin.post('/meters/assign', { ...good, ...body })).status).toBe(422)
    }
    const there = { facility_id: other.id.toUpperCase(), metering_point_id: point.id }
    expect((await admin.post('/meters/assign', { ...good, ...there })).status).toBe(201)
  })

  it('of another tenant are answered like unknown ones', async () => {
    const { admin, api, ownTenant, foreignCaller } = registry
    const created = await admin.post('/meters/assign', {
      subregion_id: await makeSubregion(api.deps, ownTenant),
      device_id: await device(),
      measurement_role: 'battery',
      valid_from: '2026-03-01',
    })
    await expectSameResponse(created.body.id, (id) =>
      foreignCaller.patch(`/meters/assignments/${id}`, { valid_to: null }),
    )
  })

  it('record the origin when a loader creates them', async () => {
    const { api, ownTenant, viewer } = registry
    const facility = await registry.facility()
    const deviceId = await device()
    const entry = { by: null, at: api.clock.now(), history: { origin: 'demo' } }
    await inTenantTx(api.deps.database.kysely, ownTenant.id, async (tx) => {
      const point = await createMeteringPoint(tx, facility.id, { valid_from: '2025-01-01' }, entry)
      const body = {
        subregion_id: facility.subregionId,
        device_id: deviceId,
        facility_id: facility.id,
        metering_point_id: point.id,
        measurement_role: 'main_production' as const,
        valid_from: '2025-01-01',
      }
      await assignMeter(tx, body, entry)
    })
    const list = await viewer.get(`/meters/assignments?facility_id=${facility.id}`)
    expect(list.body).toMatchObject([{ origin: 'demo', valid_from: '2024-12-31T21:00:00.000Z' }])
  })
})

describe('inverter types', () => {
  const typeOf = async (id: string) => {
    const query = registry.api.deps.database.kysely.selectFrom('device').select('inverter_type')
    return (await query.where('id', '=', id).executeTakeFirstOrThrow()).inverter_type
  }

  it('are suggested only where vendor and model are decisive, also from the template', async () => {
    const { api, ownTenant, viewer, foreignCaller } = registry
    const hybrid = await device({ name: 'a', role: 'inverter', vendor: 'Sungrow', model: 'SH10RT' })
    await device({ name: 'b', role: 'inverter', vendor: 'Fronius', model: 'Symo GEN24 10.0 Plus' })
    await device({ name: 'c', role: 'meter', vendor: 'Sungrow', model: 'SH10RT' })
    await device({ name: 'd', role: 'inverter' })
    const { kysely } = api.deps.database
    const template = await kysely
      .insertInto('device_template')
      .values({
        tenant_id: ownTenant.id,
        name: 'SG',
        vendor: 'Sungrow',
        model: 'SG110CX',
        device_type: 'inverter',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const grid = await device({ name: 'e', role: 'inverter' })
    await kysely.updateTable('device').set({ template_id: template.id }).where('id', '=', grid).execute()
    const list = await viewer.get('/inverter-type/suggestions')
    expect(list.headers.get('x-total-count')).toBe('2')
    expect(list.body).toMatchObject([
      { device_id: hybrid, inverter_type: null, suggested_inverter_type: 'ess_inverter', model: 'SH10RT' },
      { device_id: grid, inverter_type: null, suggested_inverter_type: 'grid_inverter', vendor: 'Sungrow' },
    ])
    expect(list.body[0].source).toContain('user manual')
    expect((await viewer.get('/inverter-type/suggestions?limit=1&offset=1')).body[0].device_id).toBe(grid)
    expect((await foreignCaller.get('/inverter-type/suggestions')).body).toEqual([])
  })

  it('are applied all or none', async () => {
    const { admin, otherTenant, viewer } = registry
    const a = await device({ role: 'inverter' })
    const b = await device({ role: 'inverter' })
    const meter = await device({ role: 'meter' })
    const foreign = await device({ role: 'inverter', tenantId: otherTenant.id })
    const unknown = randomUUID()
    const apply = (...pairs: [string, string][]) =>
      admin.post('/inverter-type/apply', {
        items: pairs.map(([device_id, inverter_type]) => ({ device_id, inverter_type })),
      })
    const missing = await apply([a, 'ess_inverter'], [foreign, 'ess_inverter'], [unknown, 'grid_inverter'])
    expect(refusal(missing)).toEqual([404, 'RESOURCE_NOT_FOUND'])
    expect(missing.body.detail.missing_device_ids).toEqual([foreign, unknown])
    const twice = await apply([a, 'ess_inverter'], [a.toUpperCase(), 'grid_inverter'])
    expect(refusal(twice)).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    expect(refusal(await apply([a, 'ess_inverter'], [meter, 'grid_inverter']))).toEqual([
      422,
      'BUSINESS_RULE_VIOLATION',
    ])
    expect((await apply([a, 'both'])).status).toBe(422)
    expect((await apply()).status).toBe(422)
    const many = Array.from({ length: 501 }, (): [string, string] => [randomUUID(), 'grid_inverter'])
    expect((await apply(...many)).status).toBe(422)
    expect((await apply(...many.slice(1))).status).toBe(404)
    expect(await typeOf(a)).toBeNull()
    const done = await apply([a, 'ess_inverter'], [b, 'grid_inverter'])
    expect(done.status).toBe(201)
    expect(done.body.updated).toBe(2)
    expect([await typeOf(a), await typeOf(b), await typeOf(foreign)]).toEqual([
      'ess_inverter',
      'grid_inverter',
      null,
    ])
    expect((await viewer.post('/inverter-type/apply', { items: [] })).status).toBe(403)
  })
})
