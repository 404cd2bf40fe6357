import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildFacts } from '../../../src/areas/netting/index.ts'
import { DAY_MS, HOUR_MS } from '../../../src/kernel/time.ts'
import { toJson } from '../../../src/platform/db/json-columns.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { addFacts, addSamples, type SampleSpec } from '../../support/netting/energy.ts'
import { makeFacility, makeMeter, type TestFacility, type TestMeter } from '../../support/netting/netting.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const DAY = Date.parse('2026-11-10T00:00:00+03:00')
const at = (hours: number): string => new Date(DAY + hours * HOUR_MS).toISOString()

let api: TestApi
let tenant: TestTenant
let foreignTenant: TestTenant
beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  foreignTenant = await createTenant(api)
})
afterAll(() => api.close())

const path = (facility: Pick<TestFacility, 'id'>) =>
  `/api/mahsuplasma/facilities/${facility.id}/hourly-energy`
const rebuild = (
  facility: Pick<TestFacility, 'id'>,
  fromHours: number,
  toHours: number,
): Promise<ApiResponse> =>
  api.call('POST', `${path(facility)}/rebuild`, {
    token: tenant.admin.token,
    body: { from_hour: at(fromHours), to_hour: at(toHours) },
  })
const read = async (facility: TestFacility, fromHours: number, toHours: number) =>
  (
    await api.call('GET', `${path(facility)}?from=${at(fromHours)}&to=${at(toHours)}`, {
      token: tenant.viewer.token,
    })
  ).body

const meterOf = (facility: TestFacility, role: keyof TestFacility['meters']): TestMeter => {
  const meter = facility.meters[role]
  if (!meter) throw new Error(`no meter as ${role}`)
  return meter
}

/** A register that grows evenly, read at a fixed interval in minutes. */
const ramp = (
  register: keyof SampleSpec,
  {
    from,
    to,
    start,
    kwhPerHour,
    minutes = 15,
  }: Record<'from' | 'to' | 'start' | 'kwhPerHour', number> & {
    minutes?: number
  },
): SampleSpec[] => {
  const samples: SampleSpec[] = []
  for (let hours = from; hours <= to + 1e-9; hours += minutes / 60) {
    samples.push({ at: DAY + Math.round(hours * HOUR_MS), [register]: start + (hours - from) * kwhPerHour })
  }
  return samples
}

describe('building hourly facts', () => {
  it('writes an exact, complete row for each hour from a cumulative register', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['main_production'] })
    const samples = ramp('production_active_energy', { from: 0, to: 3, start: 1000, kwhPerHour: 12.34 })
    await addSamples(api.deps, tenant, meterOf(facility, 'main_production'), samples)
    const built = await rebuild(facility, 0, 3)
    expect(built.status).toBe(201)
    expect(built.body).toEqual({
      facility_id: facility.id,
      from_hour: at(0),
      to_hour: at(3),
      hours_processed: 3,
      rows_upserted: 3,
    })
    const rows = await read(facility, 0, 3)
    expect(rows).toHaveLength(3)
    expect(rows[0]).toEqual({
      facility_id: facility.id,
      hour: at(0),
      source: 'zeus_meter',
      measurement_role: 'main_production',
      production_kwh: '12.340',
      consumption_kwh: null,
      self_consumption_kwh: null,
      import_kwh: null,
      export_kwh: null,
      battery_kwh: null,
      data_quality: 'complete',
      completeness_pct: 100,
    })
  })

  it('writes nothing when nothing changed, and marks changed facts as corrected', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['main_consumption'] })
    const meter = meterOf(facility, 'main_consumption')
    await addSamples(api.deps, tenant, meter, [
      { at: at(0), import_active_energy: 100 },
      { at: at(1), import_active_energy: 101 },
      { at: at(2), import_active_energy: 102 },
    ])
    expect((await rebuild(facility, 0, 3)).body.rows_upserted).toBe(3)
    expect((await read(facility, 2, 3))[0]).toMatchObject({
      source: 'missing',
      data_quality: 'missing',
      consumption_kwh: null,
      completeness_pct: 0,
    })
    expect((await rebuild(facility, 0, 3)).body.rows_upserted).toBe(0)

    await addSamples(api.deps, tenant, meter, [{ at: at(3), import_active_energy: 105 }])
    expect((await rebuild(facility, 0, 3)).body.rows_upserted).toBe(1)
    const [, , late, ...rest] = await read(facility, 0, 3)
    expect(late).toMatchObject({
      source: 'zeus_meter',
      data_quality: 'corrected',
      consumption_kwh: '3.000',
    })
    expect(rest).toEqual([])
    expect((await rebuild(facility, 0, 3)).body.rows_upserted).toBe(0)
  })

  it('reports the coverage of an hour', async () => {
    const facility = await makeFacility(api.deps, tenant, {
      meters: ['main_consumption'],
      reportingIntervalS: 900,
    })
    const meter = meterOf(facility, 'main_consumption')
    await addSamples(api.deps, tenant, meter, [
      ...ramp('import_active_energy', { from: 0, to: 1.75, start: 0, kwhPerHour: 4 }),
      ...ramp('import_active_energy', { from: 2.75, to: 4, start: 11, kwhPerHour: 4 }),
    ])
    await rebuild(facility, 0, 4)
    const rows = await read(facility, 0, 4)
    expect(
      rows.map((row: Record<string, unknown>) => [
        row['consumption_kwh'],
        row['completeness_pct'],
        row['data_quality'],
      ]),
    ).toEqual([
      ['4.000', 100, 'complete'],
      ['4.000', 75, 'partial'],
      ['4.000', 25, 'partial'],
      ['4.000', 100, 'complete'],
    ])
  })

  it('marks a reset as suspect and never counts backwards', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['main_production'] })
    await addSamples(api.deps, tenant, meterOf(facility, 'main_production'), [
      ...ramp('production_active_energy', { from: 0, to: 1.5, start: 5000, kwhPerHour: 8 }),
      ...ramp('production_active_energy', { from: 1.75, to: 4, start: 2, kwhPerHour: 8 }),
    ])
    await rebuild(facility, 0, 4)
    const rows = await read(facility, 0, 4)
    expect(rows.map((row: Record<string, unknown>) => [row['production_kwh'], row['data_quality']])).toEqual([
      ['8.000', 'complete'],
      ['8.000', 'suspect'],
      ['8.000', 'complete'],
      ['8.000', 'complete'],
    ])
  })

  it('fills import and export of a boundary meter, and signs a battery', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['pcc_import_export', 'battery'] })
    const imports = ramp('import_active_energy', { from: 0, to: 2, start: 10, kwhPerHour: 3 })
    const exports = ramp('export_active_energy', { from: 0, to: 2, start: 20, kwhPerHour: 1 })
    await addSamples(
      api.deps,
      tenant,
      meterOf(facility, 'pcc_import_export'),
      imports.map((sample, index) => ({ ...sample, ...exports[index] })),
    )
    await addSamples(api.deps, tenant, meterOf(facility, 'battery'), [
      { at: at(0), battery_charge_energy: 0, battery_discharge_energy: 0 },
      { at: at(1), battery_charge_energy: 5, battery_discharge_energy: 1 },
      { at: at(2), battery_charge_energy: 5, battery_discharge_energy: 4 },
    ])
    await rebuild(facility, 0, 2)
    const rows = await read(facility, 0, 2)
    expect(rows).toHaveLength(4)
    const [battery, boundary, later] = rows
    expect(battery).toMatchObject({ measurement_role: 'battery', battery_kwh: '-4.000' })
    expect(boundary).toMatchObject({ import_kwh: '3.000', export_kwh: '1.000', consumption_kwh: null })
    expect(later).toMatchObject({ measurement_role: 'battery', battery_kwh: '3.000' })
  })

  it('splits an hour in which one meter replaces another exactly to the Wh', async () => {
    const facility = await makeFacility(api.deps, tenant)
    const common = {
      facilityId: facility.id,
      subregionId: facility.subregionId,
      role: 'main_consumption',
    } as const
    const old = await makeMeter(api.deps, tenant, { ...common, to: at(1 + 20 / 60) })
    const next = await makeMeter(api.deps, tenant, { ...common, from: at(1 + 20 / 60) })
    await addSamples(
      api.deps,
      tenant,
      old,
      ramp('import_active_energy', { from: 0, to: 3, start: 900, kwhPerHour: 6 }),
    )
    await addSamples(
      api.deps,
      tenant,
      next,
      ramp('import_active_energy', { from: 0, to: 3, start: 0, kwhPerHour: 3 }),
    )
    await rebuild(facility, 0, 3)
    const rows = await read(facility, 0, 3)
    expect(
      rows.map((row: Record<string, unknown>) => [row['consumption_kwh'], row['completeness_pct']]),
    ).toEqual([
      ['6.000', 100],
      ['4.000', 100],
      ['3.000', 100],
    ])
  })

  it('gives the same hour for every choice of the range', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['main_consumption'] })
    const samples: SampleSpec[] = []
    let register = 0
    for (let minute = 7; minute < 48 * 60; minute += 11 + (minute % 5)) {
      register += (minute % 13) / 7
      samples.push({ at: DAY + minute * 60_000, import_active_energy: Math.round(register * 1000) / 1000 })
    }
    await addSamples(api.deps, tenant, meterOf(facility, 'main_consumption'), samples)
    await rebuild(facility, 0, 48)
    const whole = await read(facility, 0, 48)
    await api.deps.database.kysely
      .deleteFrom('hourly_energy')
      .where('facility_id', '=', facility.id)
      .execute()
    for (const [from, to] of [
      [0, 5],
      [5, 6],
      [6, 29],
      [29, 48],
    ] as const)
      await rebuild(facility, from, to)
    expect(await read(facility, 0, 48)).toEqual(whole)
  })

  it('leaves out the current hour', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['main_consumption'] })
    const now = (api.clock.now() - DAY) / HOUR_MS
    const response = await rebuild(facility, now - 2.5, now + 40)
    expect(response.body).toMatchObject({ hours_processed: 2, rows_upserted: 2 })
    expect(await read(facility, now - 3, now + 48)).toHaveLength(2)
  })

  it('removes a row that no data supports any more', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['main_consumption'] })
    const meter = meterOf(facility, 'main_consumption')
    await addSamples(
      api.deps,
      tenant,
      meter,
      ramp('import_active_energy', { from: 0, to: 3, start: 0, kwhPerHour: 1 }),
    )
    await rebuild(facility, 0, 3)
    await api.deps.database.kysely
      .updateTable('meter_assignment')
      .set({ valid_to: at(1) })
      .where('id', '=', meter.assignmentId)
      .execute()
    await rebuild(facility, 0, 3)
    expect(await read(facility, 0, 3)).toHaveLength(1)
  })

  it('does not report hours of another source as missing, and leaves that source unchanged', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['main_consumption'] })
    await addFacts(api.deps, tenant, [
      {
        facilityId: facility.id,
        hour: at(0),
        role: 'main_consumption',
        source: 'osos_official_meter',
        consumption: '7.000',
      },
    ])
    expect((await rebuild(facility, 0, 2)).body.rows_upserted).toBe(1)
    const rows = await read(facility, 0, 2)
    expect(rows.map((row: Record<string, unknown>) => row['source'])).toEqual([
      'osos_official_meter',
      'missing',
    ])
  })

  it('gives no fact from an interval_delta channel', async () => {
    const template = await api.deps.database.kysely
      .insertInto('device_template')
      .values({
        tenant_id: tenant.id,
        name: 'delta meter',
        device_type: 'energy_analyzer',
        register_map: toJson({
          registers: [{ key: 'e', metric: 'import_active_energy', kind: 'interval_delta' }],
        }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const facility = await makeFacility(api.deps, tenant)
    const meter = await makeMeter(api.deps, tenant, {
      facilityId: facility.id,
      subregionId: facility.subregionId,
      role: 'main_consumption',
      templateId: template.id,
    })
    await addSamples(
      api.deps,
      tenant,
      meter,
      ramp('import_active_energy', { from: 0, to: 2, start: 0, kwhPerHour: 1 }),
    )
    await rebuild(facility, 0, 2)
    const rows = await read(facility, 0, 2)
    expect(rows.map((row: Record<string, unknown>) => row['source'])).toEqual(['missing', 'missing'])
  })

  it('continues when an assignment fails, and keeps the facts of that assignment', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['main_consumption', 'main_production'] })
    const bad = meterOf(facility, 'main_consumption')
    await addSamples(
      api.deps,
      tenant,
      meterOf(facility, 'main_production'),
      ramp('production_active_energy', { from: 0, to: 1, start: 0, kwhPerHour: 1 }),
    )
    await addFacts(api.deps, tenant, [
      { facilityId: facility.id, hour: at(0), role: 'main_consumption', consumption: '3.000' },
    ])
    // More than a double can hold exactly: no reading of this register is reliable.
    await addSamples(api.deps, tenant, bad, [{ at: at(0.5), import_active_energy: 9_100_000_000_001 }])
    const response = await rebuild(facility, 0, 1)
    expect(response.body.rows_upserted).toBe(1)
    const rows = await read(facility, 0, 1)
    expect(rows).toMatchObject([
      { measurement_role: 'main_consumption', consumption_kwh: '3.000' },
      { measurement_role: 'main_production', production_kwh: '1.000' },
    ])
  })

  it('uses an assignment without a facility for the only facility of its subregion', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['main_consumption'] })
    const meter = meterOf(facility, 'main_consumption')
    await api.deps.database.kysely
      .updateTable('meter_assignment')
      .set({ facility_id: null })
      .where('id', '=', meter.assignmentId)
      .execute()
    await addSamples(
      api.deps,
      tenant,
      meter,
      ramp('import_active_energy', { from: 0, to: 1, start: 0, kwhPerHour: 2 }),
    )
    await rebuild(facility, 0, 1)
    expect(await read(facility, 0, 1)).toMatchObject([{ consumption_kwh: '2.000' }])
    await api.deps.database.kysely
      .insertInto('facility')
      .values({
        tenant_id: tenant.id,
        name: 'second',
        subregion_id: facility.subregionId,
        valid_from: '2026-01-01',
      })
      .execute()
    await rebuild(facility, 0, 1)
    expect(await read(facility, 0, 1)).toEqual([])
  })

  it('gives the same facts in concurrent builds of one facility', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['main_consumption'] })
    await addSamples(
      api.deps,
      tenant,
      meterOf(facility, 'main_consumption'),
      ramp('import_active_energy', { from: 0, to: 24, start: 0, kwhPerHour: 2 }),
    )
    const responses = await Promise.all(Array.from({ length: 8 }, () => rebuild(facility, 0, 24)))
    expect(responses.map((response) => response.body.rows_upserted).sort((a, b) => b - a)).toEqual([
      24, 0, 0, 0, 0, 0, 0, 0,
    ])
    const rows = await read(facility, 0, 24)
    expect(rows.every((row: Record<string, unknown>) => row['data_quality'] === 'complete')).toBe(true)
  })
})

describe('hourly energy endpoints', () => {
  it('reject invalid requests in the documented order', async () => {
    const facility = await makeFacility(api.deps, tenant)
    expect((await rebuild(facility, 2, 2)).status).toBe(422)
    expect((await rebuild(facility, 3, 2)).status).toBe(422)
    const long = await rebuild(facility, 0, 7 * 24 + 1)
    expect([long.status, long.body.detail.error_code]).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    expect((await rebuild(facility, 0, 7 * 24)).status).toBe(201)
    expect((await rebuild({ id: randomUUID() }, 3, 2)).status).toBe(404)
    const viewer = await api.call('POST', `${path(facility)}/rebuild`, { token: tenant.viewer.token })
    expect(viewer.status).toBe(403)
    const nobody = await api.call('GET', path(facility))
    expect(nobody.status).toBe(401)
    const without = await api.call('GET', path(facility), { token: tenant.viewer.token })
    expect(without.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual([
      'query.from',
      'query.to',
    ])
    const tooMany = await api.call('GET', `${path(facility)}?from=${at(0)}&to=${at(1)}&limit=2001`, {
      token: tenant.viewer.token,
    })
    expect(tooMany.status).toBe(422)
  })

  it('answer a foreign facility like an unknown one', async () => {
    const facility = await makeFacility(api.deps, tenant)
    const token = foreignTenant.admin.token
    const query = `?from=${at(0)}&to=${at(1)}`
    const body = { from_hour: at(0), to_hour: at(1) }
    const unknown = { id: randomUUID() }
    const [foreignRead, unknownRead, foreignBuild, unknownBuild] = await Promise.all([
      api.call('GET', path(facility) + query, { token }),
      api.call('GET', path(unknown) + query, { token }),
      api.call('POST', `${path(facility)}/rebuild`, { token, body }),
      api.call('POST', `${path(unknown)}/rebuild`, { token, body }),
    ])
    expect(foreignRead.status).toBe(404)
    expect(foreignRead.text).toBe(unknownRead.text)
    expect(foreignBuild.status).toBe(404)
    expect(foreignBuild.text).toBe(unknownBuild.text)
  })

  it('page by limit and offset over a half-open range, with the total in the header', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['main_consumption'] })
    await rebuild(facility, 0, 10)
    const response = await api.call('GET', `${path(facility)}?from=${at(1)}&to=${at(9)}&limit=3&offset=2`, {
      token: tenant.viewer.token,
    })
    expect(response.headers.get('x-total-count')).toBe('8')
    expect(response.body.map((row: { hour: string }) => row.hour)).toEqual([at(3), at(4), at(5)])
  })
})

describe('building a long range', () => {
  it('proceeds month by month', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['main_consumption'] })
    await addSamples(
      api.deps,
      tenant,
      meterOf(facility, 'main_consumption'),
      ramp('import_active_energy', { from: -60 * 24, to: 0, start: 0, kwhPerHour: 1, minutes: 60 }),
    )
    const built = await buildFacts(api.deps, tenant.id, {
      facilityIds: [facility.id],
      range: { from: DAY - 60 * DAY_MS, to: DAY },
    })
    expect(built).toEqual({ hoursProcessed: 1440, rowsUpserted: 1440, assignmentsSkipped: 0 })
    const { rows } = await api.deps.database.pool.query(
      `select sum(consumption_kwh)::text as sum from hourly_energy where facility_id = $1`,
      [facility.id],
    )
    expect(rows[0].sum).toBe('1440.000')
  })
})
