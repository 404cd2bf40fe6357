import { describe, expect, it } from 'vitest'
import { call, create, createMeter } from './client.ts'
import {
  at,
  calculate,
  correct,
  declare,
  groupPath,
  hourly,
  importPair,
  MONTH,
  sendForm,
  summary,
} from './netting-fixture.ts'

const consumptionOf = (rows: readonly { consumption_kwh: string | null }[]) =>
  rows.map((row) => row.consumption_kwh)

describe('a correction', () => {
  it('after a meter was assigned to a facility with official readings has no free surplus', async () => {
    const pair = await importPair()
    await declare({ facility: pair.producer, role: 'main_production', values: [10, 10] })
    const installation = await create('admin', '/api/osos/installations', {
      installation_no: `acceptance-${pair.consumer.slice(0, 8)}`,
      facility_id: pair.consumer,
    })
    const readings = [0, 1].map((hour) => ({ timestamp: at(hour), import_kwh: '8', export_kwh: '0' }))
    const delivered = await call('admin', 'POST', `/api/osos/installations/${installation.id}/readings`, {
      ...{ label: 'hour_starting', multiplied: true, readings },
    })
    expect(delivered.status, delivered.text).toBe(201)
    await calculate(pair)
    expect(consumptionOf(await hourly(pair))).toEqual(['8.000', '8.000'])
    const facility = await call('admin', 'GET', `/api/mahsuplasma/facilities/${pair.consumer}`)
    const assigned = await call('admin', 'POST', '/api/mahsuplasma/meters/assign', {
      subregion_id: facility.body.subregion_id,
      facility_id: pair.consumer,
      device_id: await createMeter(),
      measurement_role: 'main_consumption',
      valid_from: MONTH,
    })
    expect(assigned.status, assigned.text).toBe(201)
    await correct(pair)
    expect(consumptionOf(await hourly(pair))).toEqual(['8.000', '8.000'])
  })

  it('is due after a late reading: the month is stale in every response until then', async () => {
    const pair = await importPair()
    await declare({ facility: pair.producer, role: 'main_production', values: [10, 10] })
    await declare({ facility: pair.consumer, role: 'main_consumption', values: [4, 4] })
    await calculate(pair)
    expect(await summary(pair)).toMatchObject({ stale: false, stale_hours: 0 })
    await declare({ facility: pair.consumer, role: 'main_consumption', values: [4, 5] })
    expect(await summary(pair)).toMatchObject({ stale: true, stale_hours: 1 })
    const groups = await call('viewer', 'GET', '/api/mahsuplasma/groups?limit=500')
    const own = groups.body.find(({ id }: { id: string }) => id === pair.group)
    expect(own).toMatchObject({ stale: true, stale_periods: [MONTH] })
    await correct(pair)
    expect(await summary(pair)).toMatchObject({ stale: false })
    expect(consumptionOf(await hourly(pair))).toEqual(['4.000', '5.000'])
  })
})

describe('a register that falls', () => {
  it('adds no more energy than its facility can use, and the hour is suspect', async () => {
    const pair = await importPair()
    const fields = {
      ...{ facility_id: pair.consumer, measurement_role: 'main_consumption', value_kind: 'register' },
      ...{ interval_minutes: '60', unit: 'kWh' },
    }
    const rows = [5000, 5004, 1138.7, 1142.7].map((value, hour) => `${at(hour)};${value}`)
    const text = ['date;value', ...rows].join('\n')
    const imported = await sendForm('admin', '/api/mahsuplasma/meter-data/import', fields, {
      'register.csv': text,
    })
    expect(imported.body).toMatchObject({ is_stored: true })
    expect(imported.body.resets).toBeGreaterThan(0)
    const path = `/api/mahsuplasma/facilities/${pair.consumer}/hourly-energy?from=${at(0)}&to=${at(3)}`
    const facts = (await call('viewer', 'GET', path)).body
    expect(facts.map((fact: Record<string, string>) => fact['data_quality'])).toContain('suspect')
    for (const { consumption_kwh: value } of facts) expect(Number(value)).toBeLessThanOrEqual(150)
  })
})

describe('proof', () => {
  it('counts a negative balance as no limit', async () => {
    const pair = await importPair({ limitKwh: 10 })
    const accounts = await call(
      'viewer',
      'GET',
      `/api/mahsuplasma/limits/accounts?facility_id=${pair.consumer}`,
    )
    const adjusted = await call(
      'admin',
      'POST',
      `/api/mahsuplasma/limits/accounts/${accounts.body[0].id}/adjust`,
      {
        amount_kwh: '-25',
        reason: 'acceptance test',
      },
    )
    expect(adjusted.status, adjusted.text).toBe(201)
    await declare({ facility: pair.producer, role: 'main_production', values: [10, 10] })
    await declare({ facility: pair.consumer, role: 'main_consumption', values: [4, 4] })
    await calculate(pair)
    const [hour] = await hourly(pair)
    expect([hour.limit_before_kwh, hour.limit_used_kwh, hour.limit_after_kwh]).toEqual([
      '0.000',
      '0.000',
      '0.000',
    ])
  })

  it('reads the labels of a supplier as the ends of hours, and the audit key is public', async () => {
    const pair = await importPair()
    await declare({ facility: pair.producer, role: 'main_production', values: [10, 11] })
    await declare({ facility: pair.consumer, role: 'main_consumption', values: [4, 5] })
    await calculate(pair)
    const file = `date,hour,production_kwh\n${MONTH},01:00,10.000\n${MONTH},02:00,11.000`
    const path = `${groupPath(pair)}/reconcile?billing_period=${MONTH}&label=hour_ending`
    const { status, body } = await sendForm('viewer', path, {}, { 'figures.csv': file })
    expect(status).toBe(201)
    expect(body).toMatchObject({ label: 'hour_ending', matched_rows: 2, rows: [], bad_rows: [] })
    const key = await call('viewer', 'GET', '/api/mahsuplasma/audit-key')
    expect(key.text).toContain('BEGIN PUBLIC KEY')
  })
})
