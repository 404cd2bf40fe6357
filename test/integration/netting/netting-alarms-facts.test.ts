import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildFacts } from '../../../src/areas/netting/index.ts'
import { DAY_MS, HOUR_MS } from '../../../src/kernel/time.ts'
import { toJson } from '../../../src/platform/db/json-columns.ts'
import { incidents, openPolicies, trail } from '../../support/alarms/alarms.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { addSamples, type SampleSpec } from '../../support/netting/energy.ts'
import { makeFacility, makeMeter, type TestFacility, type TestMeter } from '../../support/netting/netting.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** The start of the current hour. */
const NOW = Date.parse('2026-11-20T09:00:00Z')

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const open = ({ id }: TestFacility) => openPolicies(api.deps, tenant, id)
const facts = ({ id }: TestFacility) => `/api/mahsuplasma/facilities/${id}/hourly-energy`
/** An instant the given number of hours before now. */
const rebuild = (facility: TestFacility, from: number, to = 0): Promise<ApiResponse> =>
  api.call('POST', `${facts(facility)}/rebuild`, {
    token: tenant.admin.token,
    body: {
      from_hour: new Date(NOW - from * HOUR_MS).toISOString(),
      to_hour: new Date(NOW - to * HOUR_MS).toISOString(),
    },
  })

const makeRoof = async (): Promise<{ roof: TestFacility; meter: TestMeter }> => {
  const roof = await makeFacility(api.deps, tenant, { meters: ['main_production'], reportingIntervalS: 900 })
  const meter = roof.meters.main_production
  if (!meter) throw new Error('no meter')
  return { roof, meter }
}
/** A register that counts 4 kWh in each hour, read every 15 minutes, in hours before now. */
const quarters = (from: number, to: number, start = 1000): SampleSpec[] =>
  Array.from({ length: (from - to) * 4 + 1 }, (_, index) => ({
    at: NOW - from * HOUR_MS + index * 15 * 60_000,
    production_active_energy: start + index,
  }))
const send = (meter: TestMeter, samples: SampleSpec[]) => addSamples(api.deps, tenant, meter, samples)

describe('alarms after the build of hourly facts', () => {
  it('open while a meter is silent for hours and close when its readings arrive', async () => {
    const { roof, meter } = await makeRoof()
    await send(meter, quarters(30, 5))
    await rebuild(roof, 30, 2)
    // Three hours are built without a value at first.
    expect(await open(roof)).toEqual(['netting_facts_missing'])
    await rebuild(roof, 2)
    const [incident, ...others] = await incidents(api.deps, tenant, roof.id)
    expect(others).toEqual([])
    expect(incident).toMatchObject({
      cause: `facility:${roof.id}`,
      severity: 'warning',
      last_value: '5.000000',
      message: `${roof.name}: of 5 of the last 24 hours there is no value`,
      payload: { facility_id: roof.id, facility_name: roof.name, group_id: null, rule_code: null },
    })
    await send(meter, quarters(5, 0, 1100))
    await rebuild(roof, 6)
    expect(await open(roof)).toEqual([])
    expect(await trail(api.deps, incident?.id)).toEqual(['raised', 'closed'])
  })

  it('do not open for two silent hours or for silence that ended long ago', async () => {
    const { roof, meter } = await makeRoof()
    await send(meter, quarters(24, 2))
    await rebuild(roof, 24)
    expect(await open(roof)).toEqual([])
    await rebuild(roof, 10 * 24, 5 * 24)
    expect(await incidents(api.deps, tenant, roof.id)).toEqual([])
  })

  it('open for hours that remain partially covered after the next night', async () => {
    const { roof, meter } = await makeRoof()
    // For four hours, a day and a half ago, only every other reading at the edge of the hour arrived.
    const sparse = quarters(60, 0).filter(({ at }) => {
      const hoursAgo = (NOW - Number(at)) / HOUR_MS
      return hoursAgo > 36 || hoursAgo <= 32 || hoursAgo % 1 === 0 || hoursAgo % 1 === 0.75
    })
    await send(meter, sparse)
    await rebuild(roof, 60)
    expect(await open(roof)).toEqual(['netting_facts_partial'])
    await send(meter, quarters(60, 0))
    await rebuild(roof, 60)
    expect(await open(roof)).toEqual([])
  })

  it('open for a register that decreased, and close after three days', async () => {
    const { roof, meter } = await makeRoof()
    await send(meter, [...quarters(40, 10.25), ...quarters(10, 0, 0)])
    await rebuild(roof, 40)
    expect(await open(roof)).toEqual(['netting_meter_reset_suspect'])
    const [incident] = await incidents(api.deps, tenant, roof.id)
    expect(incident?.payload['details']).toEqual({ hour: new Date(NOW - 11 * HOUR_MS).toISOString() })

    api.clock.advance(3 * DAY_MS)
    await send(meter, quarters(0, -72, 40))
    await buildNow(roof)
    expect(await open(roof)).toEqual([])
    api.clock.advance(-3 * DAY_MS)
  })

  it('open for a channel of kind interval_delta', async () => {
    const template = await api.deps.database.kysely
      .insertInto('device_template')
      .values({
        tenant_id: tenant.id,
        name: 'delta meter',
        device_type: 'energy_analyzer',
        register_map: toJson({
          registers: [{ key: 'e', metric: 'production_active_energy', kind: 'interval_delta' }],
        }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const facility = await makeFacility(api.deps, tenant)
    const meter = await makeMeter(api.deps, tenant, {
      facilityId: facility.id,
      subregionId: facility.subregionId,
      role: 'main_production',
      templateId: template.id,
    })
    await send(meter, quarters(24, 0))
    await rebuild(facility, 24)
    expect(await open(facility)).toEqual(['netting_facts_missing', 'netting_interval_channel_unsupported'])
    const { database } = api.deps
    await database.kysely
      .updateTable('device')
      .set({ template_id: null })
      .where('id', '=', meter.deviceId)
      .execute()
    await rebuild(facility, 24)
    expect(await open(facility)).toEqual([])
  })

  it('open when a meter had to be skipped and when the build failed', async () => {
    const { roof, meter } = await makeRoof()
    await send(meter, [
      ...quarters(24, 0),
      { at: NOW - 2 * HOUR_MS + 1, production_active_energy: 9_100_000_000_001 },
    ])
    expect((await rebuild(roof, 24)).status).toBe(201)
    const [skipped] = await incidents(api.deps, tenant, roof.id)
    expect(skipped).toMatchObject({
      policy: 'netting_hourly_build_failed',
      message: `${roof.name}: the readings of 1 meter assignments could not be used`,
      payload: { details: { assignment_ids: [meter.assignmentId] } },
    })
    const { pool } = api.deps.database
    await pool.query(
      'delete from measurement where device_key = $1 and production_active_energy > 9e18::bigint',
      [meter.deviceKey],
    )
    await pool.query(`alter table hourly_energy add constraint broken check (facility_id <> '${roof.id}')`)
    expect((await rebuild(roof, 24)).status).toBe(500)
    await pool.query('alter table hourly_energy drop constraint broken')
    const [failed, ...others] = await incidents(api.deps, tenant, roof.id)
    expect(others).toEqual([])
    expect(failed).toMatchObject({
      id: skipped?.id,
      status: 'active',
      message: `${roof.name}: the build failed; the log of the service says why`,
    })
    expect((await rebuild(roof, 24)).status).toBe(201)
    expect(await open(roof)).toEqual([])
  })
})

/** Builds the last three days before the time of the clock. */
async function buildNow(facility: TestFacility): Promise<void> {
  const now = api.clock.now()
  await buildFacts(api.deps, tenant.id, {
    facilityIds: [facility.id],
    range: { from: now - 3 * DAY_MS, to: now },
  })
}
