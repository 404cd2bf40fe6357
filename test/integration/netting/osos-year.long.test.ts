import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseProfiles } from '../../../src/demo/profiles.ts'
import { formatKwh, wh } from '../../../src/kernel/decimal.ts'
import { DAY_MS, HOUR_MS, iso, TURKEY_OFFSET_MS } from '../../../src/kernel/time.ts'
import type { TestApi } from '../../support/api.ts'
import { at, calculate, MONTH, openSite, type Row, read } from '../../support/netting/calculation.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { makeFacility, makeGroup, type TestFacility } from '../../support/netting/netting.ts'
import { importFile, makeInstallation, postReadings } from '../../support/netting/osos.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant } = await openSite())
})
afterAll(() => api.close())

/** Readings of the hours from the start of the month, by the start of the hour. */
const hours = (values: readonly (readonly [unknown, unknown])[], first = 0) =>
  values.map(([drawn, fed], index) => [at(first + index), drawn, fed] as const)
const post = (id: string, values: readonly (readonly [unknown, unknown])[], first = 0) =>
  postReadings(api, tenant, { id, label: 'hour_starting', readings: hours(values, first) })

describe('OSOS readings of a whole year', () => {
  const FROM = Date.parse('2025-11-01T00:00:00+03:00')
  const COUNT = 365 * 24
  const csvNumber = (value: number) => formatKwh(wh(BigInt(value))).replace('.', ',')
  const kwh = (value: number) => formatKwh(wh(BigInt(value)))

  it('imported from a file give facts equal to the readings to the Wh, by hour, day and month', async () => {
    const profiles = parseProfiles(
      await readFile(new URL('../../../seed/demo/hours.csv', import.meta.url), 'utf8'),
    )
    const building = profiles.buildings.get(1)
    // A bidirectional meter of a home with 8 kW: the surplus of the solar power is fed in.
    const net = Array.from({ length: COUNT }, (_, index) => {
      const at = (index + 7296) % COUNT
      return (building?.loadWh[at] ?? 0) * 7 - (building?.pvWPerKw[at] ?? 0) * 8
    })
    const facility = await makeFacility(api.deps, tenant)
    const { id } = await makeInstallation(api, tenant, { facility_id: facility.id, multiplier: '7' })
    const lines = net.map((value, index) => {
      const local = iso(FROM + index * HOUR_MS + TURKEY_OFFSET_MS)
      const date = local.slice(0, 10).split('-').reverse().join('.')
      const saat = `${String(Number(local.slice(11, 13)) + 1).padStart(2, '0')}:00`
      return `${date};${saat};${csvNumber(Math.max(value, 0))};${csvNumber(Math.max(-value, 0))}`
    })
    // One day has no readings at all, another only 22 hours.
    const stored = lines.map((line, index) => {
      const day = Math.floor(index / 24)
      return day === 40 || (day === 80 && index % 24 >= 22) ? undefined : line
    })
    const file = ['Tarih;Saat;Aktif Çekiş;Aktif Veriş', ...stored.filter(Boolean)].join('\n')
    const report = (await importFile(api, tenant, { id, file })).body
    expect(report).toMatchObject({ accepted: COUNT - 26, rejected: 0, facts_written: COUNT - 26 })
    expect(report.short_days).toEqual([
      { installation_id: id, date: iso(FROM + 80 * DAY_MS + DAY_MS / 2).slice(0, 10), hours_present: 22 },
    ])

    const { rows } = await api.deps.database.pool.query(
      `select extract(epoch from hour)::float8 * 1000 as at, import_kwh, export_kwh, source, data_quality
       from hourly_energy where facility_id = $1 order by hour`,
      [facility.id],
    )
    const expected = net.flatMap((value, index) =>
      stored[index] === undefined
        ? []
        : [
            {
              at: FROM + index * HOUR_MS,
              import_kwh: kwh(Math.max(value, 0)),
              export_kwh: kwh(Math.max(-value, 0)),
            },
          ],
    )
    expect(rows).toEqual(
      expected.map((row) => ({ ...row, source: 'osos_official_meter', data_quality: 'complete' })),
    )

    const sums = []
    for (const interval of ['hourly', 'daily', 'monthly']) {
      const path = `/api/osos/installations/${id}/consumption?interval=${interval}&from=2025-11-01&to=2026-11-01`
      const { data } = (await api.call('GET', path, { token: tenant.viewer.token })).body
      const sum = (name: string) =>
        data.reduce((total: number, row: Row) => total + Math.round(Number(row[name] ?? 0) * 1000), 0)
      sums.push([sum('import_kwh'), sum('export_kwh'), sum('hours_present') / 1000])
    }
    const total = (name: 'import_kwh' | 'export_kwh') =>
      expected.reduce((sum, row) => sum + Math.round(Number(row[name]) * 1000), 0)
    const whole = [total('import_kwh'), total('export_kwh'), COUNT - 26]
    expect(sums).toEqual([whole, whole, whole])
  })

  it('replace the results calculated from the meter before', async () => {
    const HOURS = 24 * 19
    const group = await makeGroup(api.deps, tenant, {
      members: [{ role: 'production' }, { role: 'consumption', limits: { 2026: '100000.000' } }],
    })
    const [producer, consumer] = group.facilities as [TestFacility, TestFacility]
    const range = { from: MONTH, to: MONTH + HOURS * HOUR_MS }
    await addFacts(api.deps, tenant, [
      ...hourlyFacts(range, { facilityId: producer.id, role: 'main_production' }, (index) => ({
        production: kwh(index * 10),
      })),
      ...hourlyFacts(range, { facilityId: consumer.id, role: 'main_consumption' }, () => ({
        consumption: '2.000',
      })),
    ])
    for (let from = 0; from < HOURS; from += 7 * 24)
      await calculate(group, from, Math.min(HOURS, from + 7 * 24))
    const { id } = await makeInstallation(api, tenant, { facility_id: producer.id })
    const values = Array.from({ length: HOURS }, (_, index) => ['0', kwh(index * 10 + 1)] as const)
    expect((await post(id, values)).body).toMatchObject({ accepted: HOURS, facts_written: HOURS })
    await calculate(group, 0, 24)
    const hourly = (await read(group, 'hourly')).body
    expect(hourly.map((row: Row) => row['production_kwh'])).toEqual(values.map(([, fed]) => fed))
    expect(new Set(hourly.map((row: Row) => row['data_quality']))).toEqual(new Set(['corrected']))
  })
})
