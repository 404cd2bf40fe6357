import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schedule } from '../../../src/jobs/schedule.ts'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import type { TestApi } from '../../support/api.ts'
import { at, calculate, MONTH, openSite, type Row, read } from '../../support/netting/calculation.ts'
import { correct } from '../../support/netting/corrections.ts'
import { addFacts, addSamples, hourlyFacts } from '../../support/netting/energy.ts'
import { makeFacility, makeGroup, type TestFacility } from '../../support/netting/netting.ts'
import { makeInstallation, postReadings } from '../../support/netting/osos.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant } = await openSite())
})
afterAll(() => api.close())

const HOURS = 10 * 24

/** A virtual device that is assigned to nothing. */
async function makeDevice(): Promise<{ id: string; key: number }> {
  return api.deps.database.kysely
    .insertInto('device')
    .values({
      tenant_id: tenant.id,
      name: `meter ${Math.random()}`,
      device_type: 'energy_analyzer',
      device_source: 'virtual',
    })
    .returning(['id', 'key'])
    .executeTakeFirstOrThrow()
}
const call = (method: string, path: string, body?: object) =>
  api.call(method, `/api/mahsuplasma${path}`, { token: tenant.admin.token, body })
const assign = async (
  facility: TestFacility,
  role: string,
  { from, to, deviceId }: { from: string; to?: string; deviceId?: string },
) =>
  call('POST', '/meters/assign', {
    subregion_id: facility.subregionId,
    facility_id: facility.id,
    device_id: deviceId ?? (await makeDevice()).id,
    measurement_role: role,
    valid_from: from,
    ...(to !== undefined && { valid_to: to }),
  })
const factsOf = async (facility: Pick<TestFacility, 'id'>, from = 0, to = HOURS): Promise<Row[]> =>
  (await call('GET', `/facilities/${facility.id}/hourly-energy?from=${at(from)}&to=${at(to)}`)).body
const countBy = (rows: readonly Row[]) => {
  const counts: Record<string, number> = {}
  for (const row of rows) {
    const key = `${row['source']} ${row['measurement_role']}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

/** A producer with its own meter, and a consumer with official readings and no device. */
async function makeOfficialConsumer() {
  const producer = await makeFacility(api.deps, tenant, { meters: ['main_production'] })
  const consumer = await makeFacility(api.deps, tenant, { limits: { 2026: '100000.000' } })
  const group = await makeGroup(api.deps, tenant, {
    members: [
      { role: 'production', facility: producer },
      { role: 'consumption', facility: consumer },
    ],
  })
  const range = { from: MONTH, to: MONTH + HOURS * HOUR_MS }
  await addFacts(
    api.deps,
    tenant,
    hourlyFacts(range, { facilityId: producer.id, role: 'main_production' }, () => ({
      production: '70.000',
    })),
  )
  const { id } = await makeInstallation(api, tenant, { facility_id: consumer.id })
  const readings = Array.from({ length: HOURS }, (_, hour) => [at(hour), '80', '0'] as const)
  const posted = await postReadings(api, tenant, { id, label: 'hour_starting', readings })
  expect(posted.status).toBe(201)
  return { group, producer, consumer, installationId: id }
}

const runJob = async (signal = new AbortController().signal) => {
  const job = schedule(api.deps).find(({ name }) => name === 'rebuild-facts')
  if (!job) throw new Error('there is no job rebuild-facts')
  await job.run(api.deps.clock.now(), { after: undefined, signal, partFailed: () => undefined })
}

describe('an assignment at a facility with official readings', () => {
  it('derives all official facts again, so that a correction has no free surplus', async () => {
    const { group, consumer } = await makeOfficialConsumer()
    for (const day of [0, 120]) expect((await calculate(group, day, day + 120)).status).toBe(201)
    expect(countBy(await factsOf(consumer))).toEqual({ 'osos_official_meter pcc_import_export': HOURS })
    expect((await assign(consumer, 'main_consumption', { from: '2026-10-01' })).status).toBe(201)
    expect(countBy(await factsOf(consumer))).toEqual({ 'osos_official_meter main_consumption': HOURS })
    const corrected = await correct(api, tenant, group, { billing_period: '2026-11-01' })
    expect(corrected.status).toBe(201)
    const rows = (await read(group, 'hourly')).body as Row[]
    const known = rows.slice(0, HOURS)
    expect(new Set(known.map((row) => row['consumption_kwh']))).toEqual(new Set(['80.000']))
    expect(new Set(known.map((row) => row['bedelsiz_kwh']))).toEqual(new Set(['0.000']))
    expect(new Set(known.map((row) => row['matched_kwh']))).toEqual(new Set(['70.000']))
  })

  it('changes only the facts of its hours, also when it is changed or ended', async () => {
    const { consumer } = await makeOfficialConsumer()
    const { body } = await assign(consumer, 'main_consumption', { from: at(100) })
    expect(countBy(await factsOf(consumer))).toEqual({
      'osos_official_meter pcc_import_export': 100,
      'osos_official_meter main_consumption': HOURS - 100,
    })
    const patch = (change: object) => call('PATCH', `/meters/assignments/${body.id}`, change)
    expect((await patch({ valid_to: at(150) })).status).toBe(200)
    expect(countBy(await factsOf(consumer, 0, 100))).toEqual({ 'osos_official_meter pcc_import_export': 100 })
    expect(countBy(await factsOf(consumer, 100, 150))).toEqual({ 'osos_official_meter main_consumption': 50 })
    expect(countBy(await factsOf(consumer, 150))).toEqual({ 'osos_official_meter pcc_import_export': 90 })
    expect((await patch({ measurement_role: 'check_meter' })).status).toBe(200)
    expect(countBy(await factsOf(consumer))).toMatchObject({ 'osos_official_meter pcc_import_export': HOURS })
  })
})

describe('facts of a device', () => {
  it('follow its assignment: created late, moved, ended, and replaced by another device', async () => {
    const [here, there] = [await makeFacility(api.deps, tenant), await makeFacility(api.deps, tenant)]
    const [one, two] = [await makeDevice(), await makeDevice()]
    for (const device of [one, two]) {
      const samples = Array.from({ length: 49 }, (_, hour) => ({
        at: at(hour),
        import_active_energy: hour * 5,
      }))
      await addSamples(api.deps, tenant, { deviceKey: device.key }, samples)
    }
    const { body } = await assign(here, 'main_consumption', { from: at(0), deviceId: one.id })
    const measured = (rows: readonly Row[]) => rows.filter((row) => row['consumption_kwh'] === '5.000').length
    expect(measured(await factsOf(here))).toBe(48)
    const patch = (change: object) => call('PATCH', `/meters/assignments/${body.id}`, change)
    await patch({ facility_id: there.id })
    expect(await factsOf(here)).toEqual([])
    expect(measured(await factsOf(there))).toBe(48)
    await patch({ valid_to: at(20) })
    expect(measured(await factsOf(there))).toBe(20)
    // The assignment is still the one of the subregion of the first facility.
    const next = await call('POST', '/meters/assign', {
      subregion_id: here.subregionId,
      facility_id: there.id,
      device_id: two.id,
      measurement_role: 'main_consumption',
      valid_from: at(20),
    })
    expect(next.status).toBe(201)
    expect(measured(await factsOf(there))).toBe(48)
  })
})

describe('a long range', () => {
  async function makeLong() {
    const pair = await makeOfficialConsumer()
    const { installationId: id } = pair
    const months = ['2026-07-10', '2026-08-10', '2026-09-10', '2026-10-10']
    for (const day of months) {
      const start = Date.parse(`${day}T00:00:00+03:00`)
      const readings = [0, 1, 2].map(
        (hour) => [new Date(start + hour * HOUR_MS).toISOString(), '8', '0'] as const,
      )
      expect((await postReadings(api, tenant, { id, label: 'hour_starting', readings })).status).toBe(201)
    }
    const assigned = await assign(pair.consumer, 'main_consumption', { from: '2026-01-01' })
    expect(assigned.status).toBe(201)
    expect(assigned.body.warning_codes).toEqual(['FACTS_REBUILD_QUEUED'])
    return pair
  }
  const officialRoles = async (facility: TestFacility) => {
    const { rows } = await api.deps.database.pool.query(
      `select to_char(hour at time zone 'UTC' + interval '3 hours', 'YYYY-MM') as month, measurement_role as role,
         count(*)::int as hours
       from hourly_energy where tenant_id = $1 and facility_id = $2 and source = 'osos_official_meter'
       group by 1, 2 order by 1, 2`,
      [tenant.id, facility.id],
    )
    return rows.map(({ month, role, hours }) => `${month} ${role} ${hours}`)
  }

  it('is derived before a correction, for its month and all later ones', async () => {
    const { group, consumer } = await makeLong()
    const corrected = await correct(api, tenant, group, { billing_period: '2026-09-01' })
    expect(corrected.body).toMatchObject({ periods_corrected: ['2026-09-01'], cascade_incomplete: false })
    expect(corrected.body.warning_codes).not.toContain('FACTS_OF_OTHER_ROLES')
    expect(await officialRoles(consumer)).toEqual([
      ...['07', '08'].map((month) => `2026-${month} pcc_import_export 3`),
      ...['09', '10'].map((month) => `2026-${month} main_consumption 3`),
      `2026-11 main_consumption ${HOURS}`,
    ])
    await runJob()
  })

  it('is derived by a job that resumes; a calculation derives its own month first', async () => {
    const { group, consumer } = await makeLong()
    expect(await officialRoles(consumer)).toEqual([
      ...['07', '08', '09', '10'].map((month) => `2026-${month} pcc_import_export 3`),
      `2026-11 pcc_import_export ${HOURS}`,
    ])
    expect((await calculate(group, 0, 120)).status).toBe(201)
    const rows = (await read(group, 'hourly')).body as Row[]
    expect(new Set(rows.map((row) => row['consumption_kwh']))).toEqual(new Set(['80.000']))
    expect(await officialRoles(consumer)).toEqual([
      ...['07', '08', '09', '10'].map((month) => `2026-${month} pcc_import_export 3`),
      `2026-11 main_consumption ${HOURS}`,
    ])
    // The process ends after the first month.
    const stop = new AbortController()
    let checks = 0
    const signal = {
      throwIfAborted: () => {
        checks += 1
        if (checks > 2) stop.abort()
        stop.signal.throwIfAborted()
      },
    } as AbortSignal
    await runJob(signal).catch(() => undefined)
    const between = await officialRoles(consumer)
    expect(between.filter((line) => line.includes('main_consumption')).length).toBeLessThan(5)
    await runJob()
    expect(await officialRoles(consumer)).toEqual([
      ...['07', '08', '09', '10'].map((month) => `2026-${month} main_consumption 3`),
      `2026-11 main_consumption ${HOURS}`,
    ])
    const { rows: left } = await api.deps.database.pool.query(
      'select count(*)::int as n from fact_rebuild where tenant_id = $1',
      [tenant.id],
    )
    expect(left[0].n).toBe(0)
  })
})

describe('facts of other roles', () => {
  it('are not used, and the calculation warns', async () => {
    const { group, consumer } = await makeOfficialConsumer()
    await assign(consumer, 'main_consumption', { from: '2026-10-01' })
    await calculate(group, 0, 10)
    await api.deps.database.pool.query(
      'update hourly_energy set role_set = 5 where tenant_id = $1 and facility_id = $2 and hour = $3',
      [tenant.id, consumer.id, at(3)],
    )
    const again = await calculate(group, 0, 10)
    expect(again.body.warning_codes).toContain('FACTS_OF_OTHER_ROLES')
    const rows = (await read(group, 'hourly')).body as Row[]
    expect(rows.map((row) => row['consumption_kwh'])).toEqual(
      rows.map((_, hour) => (hour === 3 ? null : '80.000')),
    )
  })
})

describe('an installation with a role', () => {
  it('changes the roles of the facts of devices, also when it is created, changed or deleted', async () => {
    const facility = await makeFacility(api.deps, tenant)
    const device = await makeDevice()
    const samples = Array.from({ length: 5 }, (_, hour) => ({
      at: at(hour),
      import_active_energy: hour * 5,
      export_active_energy: 0,
    }))
    await addSamples(api.deps, tenant, { deviceKey: device.key }, samples)
    await assign(facility, 'pcc_import_export', { from: at(0), to: at(4), deviceId: device.id })
    const group = await makeGroup(api.deps, tenant, { members: [{ role: 'consumption', facility }] })
    const codes = async () => (await calculate(group, 0, 4)).body.warning_codes
    expect(await codes()).not.toContain('FACTS_OF_OTHER_ROLES')
    const { id } = await makeInstallation(api, tenant, {
      facility_id: facility.id,
      measurement_role: 'main_production',
    })
    const token = tenant.admin.token
    expect(await codes()).not.toContain('FACTS_OF_OTHER_ROLES')
    await api.call('PATCH', `/api/osos/installations/${id}`, {
      token,
      body: { measurement_role: 'main_consumption' },
    })
    expect(await codes()).not.toContain('FACTS_OF_OTHER_ROLES')
    expect((await api.call('DELETE', `/api/osos/installations/${id}`, { token })).status).toBe(204)
    expect(await codes()).not.toContain('FACTS_OF_OTHER_ROLES')
    expect((await read(group, 'hourly')).body[0]).toMatchObject({ consumption_kwh: '5.000' })
  })
})

describe('an assignment to a subregion', () => {
  it('belongs to its only facility, and its facts end where a second facility appears', async () => {
    const facility = await makeFacility(api.deps, tenant)
    const device = await makeDevice()
    const samples = Array.from({ length: 5 }, (_, hour) => ({ at: at(hour), import_active_energy: hour * 5 }))
    await addSamples(api.deps, tenant, { deviceKey: device.key }, samples)
    const body = {
      subregion_id: facility.subregionId,
      device_id: device.id,
      measurement_role: 'main_consumption',
      valid_from: at(0),
    }
    expect((await call('POST', '/meters/assign', body)).status).toBe(201)
    const measured = async () =>
      (await factsOf(facility)).filter((row) => row['source'] === 'zeus_meter').length
    expect(await measured()).toBe(4)
    const second = await call('POST', '/facilities', { subregion_id: facility.subregionId, name: 'second' })
    expect(second.status).toBe(201)
    await runJob()
    expect(await measured()).toBe(0)
    const other = await makeFacility(api.deps, tenant)
    await call('PATCH', `/facilities/${second.body.id}`, { subregion_id: other.subregionId })
    await runJob()
    expect(await measured()).toBe(4)
  })
})

describe('a member without readings', () => {
  it('has a fact with source missing for every hour, with and without a meter', async () => {
    const producer = await makeFacility(api.deps, tenant, { meters: ['main_production'] })
    const [bare, both] = [await makeFacility(api.deps, tenant), await makeFacility(api.deps, tenant)]
    const official = await makeFacility(api.deps, tenant)
    await makeInstallation(api, tenant, { facility_id: official.id })
    const group = await makeGroup(api.deps, tenant, { members: [] })
    const members = [
      [producer, 'production', 'main_production'],
      [bare, 'consumption', 'main_consumption'],
      [both, 'mixed', 'pcc_import_export'],
      [official, 'consumption', 'pcc_import_export'],
    ] as const
    for (const [facility, role] of members) {
      const added = await call('POST', `/groups/${group.id}/members`, {
        facility_id: facility.id,
        member_role: role,
        valid_from: '2026-11-18',
      })
      expect(added.status).toBe(201)
    }
    await runJob()
    const from = (Date.parse('2026-11-18T00:00:00+03:00') - MONTH) / HOUR_MS
    for (const [facility, , role] of members) {
      expect(countBy(await factsOf(facility, from, from + 60))).toEqual({ [`missing ${role}`]: 60 })
    }
  })
})
