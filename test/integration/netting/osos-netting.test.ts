import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildFacts } from '../../../src/areas/netting/index.ts'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import type { TestApi } from '../../support/api.ts'
import {
  at,
  calculate,
  MONTH,
  makePair,
  openSite,
  type Row,
  read,
} from '../../support/netting/calculation.ts'
import { addSamples } from '../../support/netting/energy.ts'
import { makeFacility, makeGroup, makeMeter, type TestFacility } from '../../support/netting/netting.ts'
import { makeInstallation, postReadings } from '../../support/netting/osos.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant } = await openSite())
})
afterAll(() => api.close())

const token = () => tenant.admin.token
const factsOf = async (facility: Pick<TestFacility, 'id'>, from: number, to: number): Promise<Row[]> =>
  (
    await api.call(
      'GET',
      `/api/mahsuplasma/facilities/${facility.id}/hourly-energy?from=${at(from)}&to=${at(to)}`,
      { token: token() },
    )
  ).body
/** Source, role, quality and completeness of each fact, with its values. */
const shown = (rows: readonly Row[]) =>
  rows.map((row) =>
    [
      row['source'],
      row['measurement_role'],
      row['data_quality'],
      row['completeness_pct'],
      ...['production_kwh', 'consumption_kwh', 'import_kwh', 'export_kwh'].map((name) => row[name] ?? '-'),
    ].join(' '),
  )
/** Readings of the hours from the start of the month, by the start of the hour. */
const hours = (values: readonly (readonly [unknown, unknown])[], first = 0) =>
  values.map(([drawn, fed], index) => [at(first + index), drawn, fed] as const)
const post = (id: string, values: readonly (readonly [unknown, unknown])[], first = 0) =>
  postReadings(api, tenant, { id, label: 'hour_starting', readings: hours(values, first) })
const patch = (id: string, body: object) =>
  api.call('PATCH', `/api/osos/installations/${id}`, { token: token(), body })

describe('official readings', () => {
  it('take precedence over the meter, and the next calculation uses them', async () => {
    const { group, producer, consumer } = await makePair('1000.000', 3, () => ['150.000', '60.000'])
    const first = (await calculate(group, 0, 3)).body.runs[0]
    const meter = producer.meters.main_production
    if (!meter) throw new Error('a producer has a meter')
    const quarters = [0, 1, 2, 3, 4].map((quarter) => ({
      at: MONTH + HOUR_MS + quarter * (HOUR_MS / 4),
      production_active_energy: quarter * 37.5,
    }))
    await addSamples(api.deps, tenant, meter, quarters)
    const [sold, drawn] = [
      await makeInstallation(api, tenant, { facility_id: producer.id }),
      await makeInstallation(api, tenant, { facility_id: consumer.id }),
    ]
    // No reading exists yet: the installation by itself changes nothing.
    expect((await calculate(group, 0, 3)).body.noop_periods).toEqual(['2026-11-01'])
    expect(
      (
        await post(sold.id, [
          [0, '140.5'],
          [0.5, '-7'],
        ])
      ).body,
    ).toMatchObject({ facts_written: 2 })
    expect(
      (
        await post(drawn.id, [
          [null, '1'],
          ['70.25', '0'],
        ])
      ).body,
    ).toMatchObject({ facts_written: 1 })

    expect(shown(await factsOf(producer, 0, 2))).toEqual([
      'osos_official_meter main_production corrected 100 140.500 - - -',
      'zeus_meter main_production complete 100 150.000 - - -',
      'osos_official_meter main_production suspect 0 - - - -',
      'zeus_meter main_production complete 100 150.000 - - -',
    ])
    const second = (await calculate(group, 0, 3)).body.runs[0]
    expect(second.input_hash).not.toBe(first.input_hash)
    const hourly = (await read(group, 'hourly')).body.map((row: Row) => [
      row['production_kwh'],
      row['consumption_kwh'],
      row['data_quality'],
    ])
    expect(hourly).toEqual([
      ['140.500', '60.000', 'corrected'],
      ['150.000', '70.250', 'corrected'],
      ['150.000', '60.000', 'complete'],
    ])
    const runs = (await read(group, 'runs?current=false')).body
    expect(runs.find((run: Row) => run['id'] === first.id)).toMatchObject({ status: 'superseded' })

    // A correction months later has the same effect; sending the same reading again has none.
    expect((await post(sold.id, [[0, '141']])).body).toMatchObject({ corrected: 1, facts_written: 1 })
    expect((await post(sold.id, [[0, '141']])).body).toMatchObject({ unchanged: 1, facts_written: 0 })
    const third = (await calculate(group, 0, 3)).body.runs[0]
    expect(third.input_hash).not.toBe(second.input_hash)
    expect((await read(group, 'hourly')).body[0]).toMatchObject({ production_kwh: '141.000' })
  })

  it('of a facility without meters become its boundary facts and its roles in the calculation', async () => {
    const [producer, consumer] = [
      await makeFacility(api.deps, tenant),
      await makeFacility(api.deps, tenant, { limits: { 2026: '100.000' } }),
    ]
    const group = await makeGroup(api.deps, tenant, {
      members: [
        { role: 'production', facility: producer },
        { role: 'consumption', facility: consumer },
      ],
    })
    for (const [facility, values] of [
      [producer, ['1', '150']],
      [consumer, ['60', '0']],
    ] as const) {
      const { id } = await makeInstallation(api, tenant, { facility_id: facility.id })
      await post(id, [[values[0], values[1]]])
    }
    expect(shown(await factsOf(producer, 0, 1))).toEqual([
      'osos_official_meter pcc_import_export complete 100 - - 1.000 150.000',
    ])
    await calculate(group, 0, 1)
    expect((await read(group, 'hourly')).body[0]).toMatchObject({
      production_kwh: '150.000',
      consumption_kwh: '60.000',
      matched_kwh: '60.000',
      data_quality: 'complete',
    })
  })

  it('leaves a suspect and an unmeasured hour missing, and fills them when the data is fixed', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['main_consumption'] })
    const { id } = await makeInstallation(api, tenant, { facility_id: facility.id })
    await post(id, [['5', 0]])
    expect(shown(await factsOf(facility, 0, 1))).toEqual([
      'osos_official_meter main_consumption complete 100 - 5.000 - -',
    ])
    await post(id, [['-5', 0]])
    expect(shown(await factsOf(facility, 0, 1))).toEqual([
      'missing main_consumption missing 0 - - - -',
      'osos_official_meter main_consumption suspect 0 - - - -',
    ])
    await post(id, [['6', 0]])
    expect(shown(await factsOf(facility, 0, 1))).toEqual([
      'osos_official_meter main_consumption corrected 100 - 6.000 - -',
    ])
  })

  it('remain beside the facts that a rebuild makes from the meters', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['pcc_import_export'] })
    const meter = facility.meters.pcc_import_export
    if (!meter) throw new Error('the facility has a meter')
    const { id } = await makeInstallation(api, tenant, { facility_id: facility.id })
    await post(id, [['5', '1']])
    await addSamples(api.deps, tenant, meter, [
      { at: at(0), import_active_energy: 100, export_active_energy: 10 },
      { at: at(1), import_active_energy: 104, export_active_energy: 12 },
    ])
    const range = { from: MONTH, to: MONTH + 2 * HOUR_MS }
    await buildFacts(api.deps, tenant.id, { facilityIds: [facility.id], range })
    const rows = [
      'osos_official_meter pcc_import_export complete 100 - - 5.000 1.000',
      'zeus_meter pcc_import_export complete 100 - - 4.000 2.000',
      'missing pcc_import_export missing 0 - - - -',
    ]
    const facts = shown(await factsOf(facility, 0, 2))
    expect(
      facts.map((row) =>
        row.replace(/zeus_meter pcc_import_export \w+ [\d.]+/, 'zeus_meter pcc_import_export complete 100'),
      ),
    ).toEqual(rows)
    const again = await buildFacts(api.deps, tenant.id, { facilityIds: [facility.id], range })
    expect(again.rowsUpserted).toBe(0)
  })

  it('of several installations of one role are summed where all of them are known', async () => {
    const facility = await makeFacility(api.deps, tenant)
    const ids = []
    for (let index = 0; index < 2; index++) {
      ids.push((await makeInstallation(api, tenant, { facility_id: facility.id })).id)
    }
    await post(ids[0] ?? '', [
      ['1', '0.5'],
      ['2', '0'],
      ['4', null],
    ])
    expect(await factsOf(facility, 0, 3)).toEqual([])
    await post(ids[1] ?? '', [
      ['10', '0.25'],
      ['-1', '0'],
      ['40', '1'],
    ])
    expect(shown(await factsOf(facility, 0, 3))).toEqual([
      'osos_official_meter pcc_import_export complete 100 - - 11.000 0.750',
      'missing pcc_import_export missing 0 - - - -',
      'osos_official_meter pcc_import_export suspect 0 - - - -',
      'osos_official_meter pcc_import_export complete 100 - - 44.000 -',
    ])
  })

  it('follow changes of their installation: facility, role, metering points', async () => {
    const [here, there] = [await makeFacility(api.deps, tenant), await makeFacility(api.deps, tenant)]
    const { id } = await makeInstallation(api, tenant)
    await post(id, [
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ])
    expect((await patch(id, { facility_id: here.id })).status).toBe(200)
    expect(shown(await factsOf(here, 0, 3))).toHaveLength(3)

    expect((await patch(id, { measurement_role: 'main_production' })).status).toBe(200)
    expect(shown(await factsOf(here, 0, 1))).toEqual([
      'osos_official_meter main_production complete 100 2.000 - - -',
    ])
    const point = await api.call('POST', `/api/mahsuplasma/facilities/${there.id}/meters`, {
      token: token(),
      body: { osos_installation_id: id, valid_from: at(1), valid_to: at(2) },
    })
    expect(point.status).toBe(201)
    expect(shown(await factsOf(there, 0, 3))).toEqual([
      'osos_official_meter main_production complete 100 4.000 - - -',
    ])
    expect(shown(await factsOf(here, 0, 3))).toHaveLength(2)
    const moved = await api.call('PATCH', `/api/mahsuplasma/meters/${point.body.id}`, {
      token: token(),
      body: { valid_to: null },
    })
    expect(moved.status).toBe(200)
    expect(await factsOf(there, 0, 3)).toHaveLength(2)
    expect((await patch(id, { facility_id: null })).status).toBe(200)
    expect(await factsOf(here, 0, 3)).toEqual([])
  })

  it('take the role of the device at the same metering point', async () => {
    const facility = await makeFacility(api.deps, tenant, { meters: ['pcc_import_export'] })
    const { id } = await makeInstallation(api, tenant)
    const point = await api.call('POST', `/api/mahsuplasma/facilities/${facility.id}/meters`, {
      token: token(),
      body: { osos_installation_id: id, valid_from: '2026-01-01' },
    })
    const meter = await makeMeter(api.deps, tenant, {
      facilityId: facility.id,
      subregionId: facility.subregionId,
      role: 'main_production',
    })
    await api.deps.database.kysely
      .updateTable('meter_assignment')
      .set({ metering_point_id: point.body.id })
      .where('id', '=', meter.assignmentId)
      .execute()
    await post(id, [['1', '2']])
    expect(shown(await factsOf(facility, 0, 1))).toEqual([
      'osos_official_meter main_production complete 100 2.000 - - -',
    ])
  })

  it('of a sealed month change nothing', async () => {
    const facility = await makeFacility(api.deps, tenant)
    const { id } = await makeInstallation(api, tenant, { facility_id: facility.id })
    const sealed = { table_name: 'hourly_energy', period: '2024-06-01', sealed_at: new Date() }
    await api.deps.database.kysely.insertInto('sealed_month').values(sealed).execute()
    const readings = [
      ['2024-06-10T12:00:00+03:00', '1', '0'],
      [at(0), '1', '0'],
    ] as const
    const refused = await postReadings(api, tenant, { id, readings })
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toContain('2024-06 is sealed')
    const { body } = await api.call('GET', `/api/osos/installations/${id}/readings`, { token: token() })
    expect(body).toEqual([])
    // The months between are not touched.
    await api.deps.database.kysely.deleteFrom('sealed_month').execute()
    await api.deps.database.kysely
      .insertInto('sealed_month')
      .values({ ...sealed, period: '2025-02-01' })
      .execute()
    expect((await postReadings(api, tenant, { id, readings })).status).toBe(201)
    const changed = readings.map(([label]) => [label, '2', '0'] as const).toReversed()
    expect((await postReadings(api, tenant, { id, readings: changed })).status).toBe(201)
    await api.deps.database.kysely.deleteFrom('sealed_month').execute()
  })

  it('in any order become facts in every hour of every month', async () => {
    const facility = await makeFacility(api.deps, tenant)
    const { id } = await makeInstallation(api, tenant, { facility_id: facility.id })
    // The later month comes first, the months alternate, and the first hour of each lies between its others.
    const order = [5, -3, -7, 2, 9, -1, 0, -24, 10]
    const readings = order.map((hour) => [at(hour), `${hour + 100}`, '0'] as const)
    const sent = await postReadings(api, tenant, { id, label: 'hour_starting', readings })
    expect(sent.body).toMatchObject({ accepted: order.length, facts_written: order.length })
    const facts = (await factsOf(facility, -30, 20)).filter((row) => row['source'] === 'osos_official_meter')
    expect(facts.map((row) => [row['hour'], row['import_kwh']])).toEqual(
      order.toSorted((a, b) => a - b).map((hour) => [at(hour), `${hour + 100}.000`]),
    )
  })

  it('that have not changed are not applied again, so a file may repeat those of a sealed month', async () => {
    const facility = await makeFacility(api.deps, tenant)
    const { id } = await makeInstallation(api, tenant, { facility_id: facility.id })
    const old = ['2024-06-10T12:00:00+03:00', '1', '0'] as const
    await postReadings(api, tenant, { id, readings: [old] })
    const sealed = { table_name: 'hourly_energy', period: '2024-06-01', sealed_at: new Date() }
    await api.deps.database.kysely.insertInto('sealed_month').values(sealed).execute()
    const repeated = await postReadings(api, tenant, { id, readings: [old, [at(1), '2', '0']] })
    await api.deps.database.kysely.deleteFrom('sealed_month').execute()
    expect(repeated.status).toBe(201)
    expect(repeated.body).toMatchObject({ unchanged: 1, accepted: 1, facts_written: 1 })
  })
})
