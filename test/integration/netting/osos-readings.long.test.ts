import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { makeInstallation, postReadings, type TestInstallation } from '../../support/netting/osos.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const BASE = '/api/osos/installations'
const DAY = Date.parse('2026-11-10T00:00:00+03:00')
/** The end of the hour with this number in the day, from 1. */
const end = (hour: number): string => new Date(DAY + hour * HOUR_MS).toISOString()
const start = (hour: number): string => new Date(DAY + hour * HOUR_MS).toISOString()

let api: TestApi
let tenant: TestTenant
let foreignTenant: TestTenant
beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  foreignTenant = await createTenant(api)
})
afterAll(() => api.close())

const get = async (path: string, token = tenant.viewer.token) => api.call('GET', `${BASE}${path}`, { token })
const readingsOf = async ({ id }: TestInstallation) => (await get(`/${id}/readings`)).body

describe('OSOS readings', () => {
  it('are stored by the start of their hour, and sending them again changes nothing', async () => {
    const installation = await makeInstallation(api, tenant)
    const readings = [
      [end(1), '1.5', '0'],
      ['2026-11-10T24:00:00+03:00', 2, 0.25],
    ] as const
    const first = await postReadings(api, tenant, { id: installation.id, readings })
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({
      rows_read: 2,
      accepted: 2,
      unchanged: 0,
      corrected: 0,
      suspect: 0,
      rejected: 0,
      facts_written: 0,
      rows: [
        { index: 0, status: 'accepted', message: null },
        { index: 1, status: 'accepted', message: null },
      ],
      short_days: [{ installation_id: installation.id, date: '2026-11-10', hours_present: 2 }],
      short_days_total: 1,
    })
    const stored = await readingsOf(installation)
    expect(stored).toEqual([
      {
        hour: start(0),
        import_kwh: '1.500',
        export_kwh: '0.000',
        is_suspect: false,
        raw_text: null,
        completeness_pct: 100,
        is_reset: false,
        revision: 1,
        import_id: first.body.import_id,
        stored_at: '2026-11-20T09:30:00.000Z',
      },
      expect.objectContaining({ hour: start(23), import_kwh: '2.000', export_kwh: '0.250' }),
    ])
    const again = await postReadings(api, tenant, { id: installation.id, readings })
    expect(again.body).toMatchObject({ accepted: 0, unchanged: 2, corrected: 0 })
    expect(await readingsOf(installation)).toEqual(stored)
    expect((await get(`/${installation.id}/readings/history`)).body).toEqual([])
  })

  it('keep the previous value in a history row at each change', async () => {
    const { id } = await makeInstallation(api, tenant)
    const values = ['1.000', '2.000', '-3', '2.000']
    const reports = []
    for (const value of values) {
      reports.push((await postReadings(api, tenant, { id, readings: [[end(5), value, '0']] })).body)
    }
    expect(reports.map(({ rows }) => [rows[0].status, rows[0].message])).toEqual([
      ['accepted', null],
      ['corrected', 'took the place of 1.000 | 0.000 kWh'],
      ['suspect', 'is negative (-3 | 0): kept without a value; took the place of 2.000 | 0.000 kWh'],
      ['corrected', 'took the place of nothing | nothing kWh'],
    ])
    const history = await get(`/${id}/readings/history`)
    expect(history.headers.get('x-total-count')).toBe('3')
    const revisions = history.body.map((row: Record<string, unknown>) => [
      row['revision'],
      row['import_kwh'],
      row['is_suspect'],
      row['raw_text'],
      row['import_id'],
      row['replaced_by'],
    ])
    const ids = reports.map(({ import_id }) => import_id)
    expect(revisions).toEqual([
      [1, '1.000', false, null, ids[0], ids[1]],
      [2, '2.000', false, null, ids[1], ids[2]],
      [3, null, true, '-3 | 0', ids[2], ids[3]],
    ])
    expect((await readingsOf({ id, installation_no: '' }))[0]).toMatchObject({
      revision: 4,
      import_kwh: '2.000',
    })
    const imports = (
      await api.call('GET', `/api/osos/imports?installation_id=${id}`, {
        token: tenant.viewer.token,
      })
    ).body
    expect(imports).toHaveLength(4)
    expect(imports[0]).toMatchObject({ file_name: null, label: 'hour_ending', multiplied: true })
    const forbidden = api.deps.database.pool.query('delete from osos_reading_history')
    await expect(forbidden).rejects.toThrow('permission denied')
  })

  it('that are meter steps are multiplied exactly by the multiplier valid at that instant', async () => {
    const installation = await makeInstallation(api, tenant, { multiplier: '3150' })
    const { id } = installation
    await postReadings(api, tenant, { id, multiplied: false, readings: [[end(1), '0.001', '0.123456']] })
    await postReadings(api, tenant, { id, readings: [[end(2), '0.001', '0']] })
    await api.call('PATCH', `${BASE}/${id}`, { token: tenant.admin.token, body: { multiplier: '1' } })
    await postReadings(api, tenant, { id, multiplied: false, readings: [[end(3), '0.0005', '0']] })
    const stored = await readingsOf(installation)
    expect(stored.map((row: Record<string, string>) => [row['import_kwh'], row['export_kwh']])).toEqual([
      ['3.150', '388.886'],
      ['0.001', '0.000'],
      ['0.001', '0.000'],
    ])
  })

  it('are rejected one by one with a reason, and the others are stored', async () => {
    const installation = await makeInstallation(api, tenant)
    const report = (
      await postReadings(api, tenant, {
        id: installation.id,
        readings: [
          [end(1), '1', '1'],
          ['2026-11-10T01:15:00+03:00', '1'],
          ['soon', '1'],
          [end(2)],
          [end(3), '1,5'],
          [end(4), '1.0001'],
          [end(5), '10000000.001'],
          ['2026-11-20T13:00:00+03:00', '1'],
          ['1999-12-31T13:00:00+03:00', '1'],
          [end(1), '1.000', '1.0'],
          [end(1), '2', '1'],
          [end(6), null, '7'],
        ],
      })
    ).body
    expect(report.rows.map((row: Record<string, unknown>) => [row['status'], row['message']])).toEqual([
      ['accepted', null],
      ['rejected', 'is no whole hour, such as 01.11.2026 13:00'],
      ['rejected', 'timestamp is no ISO 8601 instant'],
      ['rejected', 'has no value'],
      ['rejected', 'import_kwh is no decimal with at most 12 digits before the point and 3 after it'],
      ['rejected', 'import_kwh is no decimal with at most 12 digits before the point and 3 after it'],
      ['rejected', 'is more than 10000000 kWh in one hour'],
      ['rejected', 'the hour is not over yet'],
      ['rejected', 'lies before 2000-01-01'],
      ['unchanged', null],
      ['rejected', 'another value of the same hour stands in row 0'],
      ['accepted', null],
    ])
    expect(report).toMatchObject({ rows_read: 12, accepted: 2, unchanged: 1, rejected: 9 })
    expect(await readingsOf(installation)).toHaveLength(2)
  })

  it('of an hour are repeated only when both directions are equal', async () => {
    const { id } = await makeInstallation(api, tenant)
    const { body } = await postReadings(api, tenant, {
      id,
      readings: [
        [end(1), '1', '2'],
        [end(1), '1', '3'],
      ],
    })
    expect(body.rows[1]).toMatchObject({ status: 'rejected', message: expect.stringContaining('row 0') })
  })

  it('begin with the first hour of 2000', async () => {
    const { id } = await makeInstallation(api, tenant)
    const first = Date.parse('2000-01-01T00:00:00+03:00')
    const ends = [first, first + HOUR_MS].map((at) => new Date(at).toISOString())
    const { body } = await postReadings(api, tenant, {
      id,
      readings: ends.map((at) => [at, '1', '0'] as const),
    })
    expect(body.rows.map(({ status }: { status: string }) => status)).toEqual(['rejected', 'accepted'])
  })

  it('list the short days among their own only', async () => {
    const { id } = await makeInstallation(api, tenant)
    const at = (day: string) => [`2026-11-${day}T05:00:00+03:00`, '1', '0'] as const
    await postReadings(api, tenant, { id, readings: [at('11')] })
    const { body } = await postReadings(api, tenant, { id, readings: [at('12'), at('10')] })
    expect(body.short_days.map(({ date }: { date: string }) => date).toSorted()).toEqual([
      '2026-11-10',
      '2026-11-12',
    ])
  })

  it('of one hour sent concurrently agree with their history', async () => {
    const { id } = await makeInstallation(api, tenant)
    const values = Array.from({ length: 12 }, (_, at) => `${at + 1}.000`)
    const responses = await Promise.all(
      values.map((value) => postReadings(api, tenant, { id, readings: [[end(1), value]] })),
    )
    expect(responses.map(({ status }) => status)).toEqual(values.map(() => 201))
    const [current] = await readingsOf({ id, installation_no: '' })
    const history = (await get(`/${id}/readings/history`)).body
    const seen = [...history, current].map((row: Record<string, string>) => row['import_kwh'])
    expect([...seen].sort()).toEqual([...values].sort())
    expect(current.revision).toBe(values.length)
  })

  it('require a valid schema, the permission and the installation', async () => {
    const { id } = await makeInstallation(api, tenant)
    const path = `${BASE}/${id}/readings`
    const body = {
      label: 'hour_ending',
      multiplied: true,
      readings: [{ timestamp: end(1), import_kwh: '1' }],
    }
    const post = (sent: unknown, token = tenant.admin.token, to = path) =>
      api.call('POST', to, { token, body: sent })
    expect((await post(body, tenant.operator.token)).status).toBe(403)
    expect((await post(body, foreignTenant.admin.token)).text).toBe(
      (await post(body, tenant.admin.token, `${BASE}/${randomUUID()}/readings`)).text,
    )
    for (const wrong of [
      { ...body, label: undefined },
      { ...body, multiplied: undefined },
      { ...body, label: 'middle' },
      { ...body, readings: [] },
      { ...body, readings: Array.from({ length: 10_001 }, () => body.readings[0]) },
    ]) {
      expect((await post(wrong)).status).toBe(422)
    }
  })

  it('are paged by hour over a half-open range', async () => {
    const { id } = await makeInstallation(api, tenant)
    const readings = Array.from({ length: 24 }, (_, at) => [end(at + 1), String(at)] as const)
    await postReadings(api, tenant, { id, readings })
    const page = await get(`/${id}/readings?from=${start(2)}&to=${start(10)}&limit=3&offset=1`)
    expect(page.headers.get('x-total-count')).toBe('8')
    expect(page.body.map((row: Record<string, string>) => row['hour'])).toEqual([3, 4, 5].map(start))
  })
})
