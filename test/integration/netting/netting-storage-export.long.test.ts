import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  at,
  calculate,
  MONTH,
  openSite,
  type Row,
  read,
  type Site,
} from '../../support/netting/calculation.ts'
import { correct } from '../../support/netting/corrections.ts'
import { addFacts } from '../../support/netting/energy.ts'
import { addMember, makeFacility, makeGroup, type TestGroup } from '../../support/netting/netting.ts'

const PATH = '/api/mahsuplasma/settings'

let site: Site

beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.api.close())

/**
 * A producer that exports 10 kWh of unknown origin, and a consumer of 3 kWh. Without storage the facts are left to
 * the test.
 */
async function makeStorageGroup(hasStorage = true): Promise<TestGroup> {
  const { api, tenant } = site
  const group = await makeGroup(api.deps, tenant, {
    members: [
      { role: 'production', hasStorage, meters: ['main_production', 'pcc_import_export'] },
      { role: 'consumption', limits: { 2026: '100.000' } },
    ],
  })
  if (hasStorage) await addStorageFacts(group)
  return group
}

async function addStorageFacts({ facilities }: TestGroup): Promise<void> {
  const [producer, consumer] = facilities.map(({ id }) => id)
  await addFacts(site.api.deps, site.tenant, [
    { facilityId: producer ?? '', hour: MONTH, role: 'main_production', production: '12' },
    { facilityId: producer ?? '', hour: MONTH, role: 'pcc_import_export', import: '0', export: '10' },
    { facilityId: consumer ?? '', hour: MONTH, role: 'main_consumption', consumption: '3' },
  ])
}

async function makeInverter(inverterType: 'ess_inverter' | null = null): Promise<string> {
  const { id } = await site.api.deps.database.kysely
    .insertInto('device')
    .values({
      tenant_id: site.tenant.id,
      name: `inverter ${crypto.randomUUID()}`,
      device_type: 'inverter',
      device_role: 'inverter',
      device_source: 'virtual',
      inverter_type: inverterType,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const set = (strict: unknown, token = site.tenant.admin.token) =>
  site.api.call('PATCH', PATH, { token, body: { strict_storage_export: strict } })

const energyOf = async (group: TestGroup) => {
  const { body } = await read(group, 'hourly')
  return body.map((row: Row) => [row['matched_kwh'], row['bedelli_kwh'], row['bedelsiz_kwh']])
}

describe('the setting for storage export of unknown origin', () => {
  it('is strict by default, readable by viewers and changed by those who manage netting', async () => {
    const { api, tenant, foreignTenant } = site
    const own = await api.call('GET', PATH, { token: tenant.viewer.token })
    const unset = { strict_storage_export: true, updated_at: null, updated_by: null }
    expect(own.body).toEqual({ ...unset, objection_days: 8, objection_reminder_days: 3 })
    expect((await set(false, tenant.viewer.token)).status).toBe(403)
    expect((await set('no')).status).toBe(422)
    const changed = await set(false)
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ strict_storage_export: false, updated_by: tenant.admin.id })
    const foreign = await api.call('GET', PATH, { token: foreignTenant.viewer.token })
    expect(foreign.body.strict_storage_export).toBe(true)
    expect((await set(true)).body.strict_storage_export).toBe(true)
  })

  it('decides whether the export is free, is part of the input hash, and a warning names the assumption', async () => {
    const group = await makeStorageGroup()
    await set(true)
    const strict = await calculate(group, 0, 1)
    expect(strict.body.warning_codes).toContain('STORAGE_DISCHARGE_UNKNOWN')
    expect(await energyOf(group)).toEqual([['3.000', '0.000', '7.000']])
    expect((await calculate(group, 0, 1)).body.noop_periods).toEqual(['2026-11-01'])
    await set(false)
    const lenient = await calculate(group, 0, 1)
    expect(lenient.body.runs[0].input_hash).not.toBe(strict.body.runs[0].input_hash)
    expect(lenient.body.warning_codes).toContain('STORAGE_DISCHARGE_UNKNOWN')
    expect(await energyOf(group)).toEqual([['3.000', '7.000', '0.000']])
    await set(true)
    await correct(site.api, site.tenant, group, { billing_period: '2026-11-01' })
    expect((await energyOf(group))[0]).toEqual(['3.000', '0.000', '7.000'])
  })

  it('marks the results of the groups of the tenant as stale when it changes', async () => {
    const { api, tenant } = site
    const group = await makeStorageGroup()
    await set(true)
    await calculate(group, 0, 1)
    const reasons = async () => {
      const { rows } = await api.deps.database.pool.query(
        'select reason from stale_mark where tenant_id = $1 and group_id = $2 order by id',
        [tenant.id, group.id],
      )
      return rows.map((row: Row) => row['reason'])
    }
    await api.deps.database.pool.query('delete from stale_mark where group_id = $1', [group.id])
    await set(true)
    expect(await reasons()).toEqual([])
    await set(false)
    expect(await reasons()).toEqual(['SETTINGS_CHANGED'])
    const { body } = await read(group, 'runs')
    expect(body[0].stale_reasons).toEqual(['SETTINGS_CHANGED'])
    await set(true)
  })

  it('does not concern a known discharge', async () => {
    const group = await makeStorageGroup()
    const facilityId = group.facilities[0]?.id ?? ''
    await addFacts(site.api.deps, site.tenant, [{ facilityId, hour: at(0), role: 'battery', battery: '4' }])
    await set(false)
    const { body } = await calculate(group, 0, 1)
    expect(body.warning_codes).not.toContain('STORAGE_DISCHARGE_UNKNOWN')
    expect(await energyOf(group)).toEqual([['3.000', '3.000', '4.000']])
    await set(true)
  })

  it('decides about a comparison on readings alone as about the group', async () => {
    const { api, tenant } = site
    const group = await makeStorageGroup()
    const ids = group.facilities.map(({ id }) => id).join(',')
    const compare = async () => {
      const query = `facility_ids=${ids}&from=2026-11&to=2026-11`
      const { body } = await api.call('GET', `/api/mahsuplasma/comparison?${query}`, {
        token: tenant.viewer.token,
      })
      return [body.hourly.bedelli_kwh, body.hourly.bedelsiz_kwh]
    }
    await set(true)
    expect(await compare()).toEqual(['0.000', '7.000'])
    await set(false)
    expect(await compare()).toEqual(['7.000', '0.000'])
    await set(true)
  })
})

describe('a storage inverter', () => {
  it.each(['facility', 'metering point', 'subregion'] as const)(
    'that is assigned to the %s makes its export free, and a changed type marks the results as stale',
    async (target) => {
      const { api, tenant } = site
      const group = await makeStorageGroup(false)
      const [facility] = group.facilities
      if (!facility) throw new Error('the group has a producer')
      const { id, subregionId: subregion_id } = facility
      const send = async (path: string, body: object): Promise<string> => {
        const response = await api.call('POST', path, { token: tenant.admin.token, body })
        expect(response.status, response.text).toBe(201)
        return response.body.id
      }
      const valid_from = '2026-01-01'
      const device_id = await makeInverter()
      const attachment =
        target === 'facility'
          ? { facility_id: id }
          : target === 'metering point'
            ? { metering_point_id: await send(`/api/mahsuplasma/facilities/${id}/meters`, { valid_from }) }
            : {}
      await send('/api/mahsuplasma/meters/assign', {
        ...{ subregion_id, device_id, measurement_role: 'check_meter', valid_from },
        ...attachment,
      })
      // The assignment derives existing facts again, from the readings of the meters; these have none.
      await addStorageFacts(group)
      await calculate(group, 0, 1)
      expect(await energyOf(group)).toEqual([['3.000', '7.000', '0.000']])

      const applied = await api.call('POST', '/api/mahsuplasma/inverter-type/apply', {
        token: tenant.admin.token,
        body: { items: [{ device_id, inverter_type: 'ess_inverter' }] },
      })
      expect(applied.status, applied.text).toBe(201)
      expect((await read(group, 'runs')).body[0].stale_reasons).toContain('FACILITY_CHANGED')
      await correct(api, tenant, group, { billing_period: '2026-11-01' })
      expect((await energyOf(group))[0]).toEqual(['3.000', '0.000', '7.000'])
    },
  )

  it('that is assigned to a subregion with several facilities belongs to none of them', async () => {
    const { api, tenant } = site
    const group = await makeStorageGroup(false)
    const [producer] = group.facilities
    if (!producer) throw new Error('the group has a producer')
    const neighbour = await makeFacility(api.deps, tenant, {
      meters: ['main_production', 'pcc_import_export'],
    })
    await api.deps.database.kysely
      .updateTable('facility')
      .set({ subregion_id: producer.subregionId })
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', neighbour.id)
      .execute()
    await addMember(api.deps, tenant, { groupId: group.id, facilityId: neighbour.id, role: 'production' })
    const assigned = await api.call('POST', '/api/mahsuplasma/meters/assign', {
      token: tenant.admin.token,
      body: {
        ...{ subregion_id: producer.subregionId, device_id: await makeInverter('ess_inverter') },
        ...{ measurement_role: 'check_meter', valid_from: '2026-01-01' },
      },
    })
    expect(assigned.status, assigned.text).toBe(201)
    await addStorageFacts(group)
    await addFacts(api.deps, tenant, [
      { facilityId: neighbour.id, hour: MONTH, role: 'main_production', production: '12' },
      { facilityId: neighbour.id, hour: MONTH, role: 'pcc_import_export', import: '0', export: '10' },
    ])
    const { body } = await calculate(group, 0, 1)
    expect(body.warning_codes).not.toContain('STORAGE_DISCHARGE_UNKNOWN')
    expect(await energyOf(group)).toEqual([['3.000', '17.000', '0.000']])
  })
})
