import { describe, expect, inject, it } from 'vitest'
import { call, create, createTenant } from './client.ts'
import {
  at,
  calculate,
  correct,
  declare,
  groupPath,
  hourly,
  type ImportedPair,
  importPair,
  MONTH,
  sendForm,
  summary,
} from './netting-fixture.ts'

const SETS = '/api/v1/admin/regulated-tariffs/price-sets'
const SHIPPED = ['6b1f2f0e-2c0d-4d53-9a35-0f4a2026040a', '6b1f2f0e-2c0d-4d53-9a35-0f4a2026040b']

async function importBusyPair(voltage: 'AG' | 'OG'): Promise<ImportedPair> {
  const pair = await importPair({ voltage })
  await declare({ facility: pair.producer, role: 'main_production', values: [10, 10] })
  await declare({ facility: pair.consumer, role: 'main_consumption', values: [4, 6] })
  return pair
}

/** Prices count for every tenant, so that a deployment is left as it is. */
describe.runIf(inject('acceptance').isOwnService)('prices that are approved late', () => {
  let low: ImportedPair

  it('leave a month free until its correction, at the prices of its voltage level', async () => {
    low = await importBusyPair('AG')
    const pairs = [low, await importBusyPair('OG')]
    for (const pair of pairs) {
      await calculate(pair)
      expect((await hourly(pair))[0]).toMatchObject({ matched_kwh: '0.000', bedelsiz_kwh: '10.000' })
    }
    for (const id of SHIPPED)
      expect((await call('superuser', 'POST', `${SETS}/${id}/approve`)).status).toBe(200)
    const prices: string[] = []
    for (const pair of pairs) {
      await correct(pair)
      expect((await hourly(pair))[0]).toMatchObject({ matched_kwh: '4.000', bedelsiz_kwh: '0.000' })
      const amounts = await call('viewer', 'GET', `${groupPath(pair)}/amounts?from=${at(0)}&to=${at(1)}`)
      const [row] = amounts.body.filter(
        ({ amount_type: type }: { amount_type: string }) =>
          type === 'supplier_payment_for_matched_consumption',
      )
      prices.push(row.unit_price_try_per_kwh)
    }
    expect(prices).toEqual(['2.985253', '2.909687'])
  })

  it('give amounts whose value added tax the reconciliation of an invoice names', async () => {
    const { amounts_try: amounts } = await summary(low)
    const taxed = (type: string) => (Number(amounts[type]) * 1.2).toFixed(2)
    const file = [
      'period;bedelli_try;matched_try',
      [
        MONTH,
        taxed('producer_payment_for_bedelli_surplus'),
        taxed('supplier_payment_for_matched_consumption'),
      ].join(';'),
    ]
    const path = `${groupPath(low)}/reconcile?billing_period=${MONTH}`
    const { body, text } = await sendForm('viewer', path, {}, { 'invoice.csv': file.join('\n') })
    expect(body.hints, text).toMatchObject([
      { code: 'DIFFERENCES_LOOK_LIKE_VAT', parameters: { rate_pct: 20 } },
    ])
  })
})

it('the export of a facility with storage is free, unless its tenant has turned the strict rule off', async () => {
  const admin = await createTenant()
  const pair = await importPair({}, admin)
  const facility = `/api/mahsuplasma/facilities/${pair.producer}`
  const stored = await call(admin, 'PATCH', facility, {
    has_ess: true,
    ess_capacity_kwh: '50',
    ess_power_kw: '25',
  })
  expect(stored.status, stored.text).toBe(200)
  const installation = await create(admin, '/api/osos/installations', {
    installation_no: `acceptance-${pair.producer.slice(0, 8)}`,
    facility_id: pair.producer,
  })
  const readings = [{ timestamp: at(0), import_kwh: '0', export_kwh: '10' }]
  const delivered = await call(admin, 'POST', `/api/osos/installations/${installation.id}/readings`, {
    ...{ label: 'hour_starting', multiplied: true, readings },
  })
  expect(delivered.status, delivered.text).toBe(201)
  await declare({ facility: pair.consumer, role: 'main_consumption', values: [3], admin })
  const surplus = async () => {
    const query = `facility_ids=${pair.producer},${pair.consumer}&from=${MONTH}&to=${MONTH}`
    const { body } = await call(admin, 'GET', `/api/mahsuplasma/comparison?${query}`)
    return [body.hourly.bedelli_kwh, body.hourly.bedelsiz_kwh]
  }
  expect(await surplus()).toEqual(['0.000', '7.000'])
  const setting = await call(admin, 'PATCH', '/api/mahsuplasma/settings', { strict_storage_export: false })
  expect(setting.status, setting.text).toBe(200)
  expect(await surplus()).toEqual(['7.000', '0.000'])
  const others = await call('viewer', 'GET', '/api/mahsuplasma/settings')
  expect(others.body).toMatchObject({ strict_storage_export: true })
})
