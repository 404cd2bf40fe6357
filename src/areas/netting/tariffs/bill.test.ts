import { describe, expect, it } from 'vitest'
import type { PriceRowInput } from '../../../core/netting/types.ts'
import { formatTry } from '../../../kernel/decimal.ts'
import { type BillTariff, openBooks, priceSlices } from './bill.ts'

const HOUR = 3_600_000
const priceOf = (stepNo: number | null, price: bigint): PriceRowInput => ({
  id: `price ${stepNo}`,
  setId: 'set',
  billingPeriod: '2026-10-01',
  setStatus: 'approved',
  approvedAt: 0,
  validFrom: '2026-10-01',
  validTo: null,
  aboneGrubu: 'ticarethane',
  purpose: 'customer_bill_active_energy',
  timeSegment: 'tek',
  stepNo,
  tariffClass: null,
  tariffCode: null,
  priceTryPerKwh: price as PriceRowInput['priceTryPerKwh'],
})
const STEPS = [priceOf(1, 2_000_000n), priceOf(2, 3_000_000n)]
const TARIFF: BillTariff = { aboneGrubu: 'ticarethane', isMultiTime: false, voltageLevel: null }
const slice = (at: string, kwh: number) => ({
  start: Date.parse(at),
  energyWh: kwh * 1000,
  isEstimated: false,
})
const costs = (slices: ReturnType<typeof slice>[], rows: readonly PriceRowInput[] = STEPS) =>
  priceSlices(TARIFF, slices, openBooks(rows)).map(({ cost, reason }) =>
    cost === null ? reason : formatTry(cost),
  )

describe('the price of the parts of a bill', () => {
  it('has steps that begin again with each month', () => {
    // 30 kWh for each of the 31 days of October are of step 1: 930 kWh.
    const october = slice('2026-10-31T22:00:00+03:00', 930)
    const beyond = slice('2026-10-31T23:00:00+03:00', 1)
    const november = slice('2026-11-01T00:00:00+03:00', 1)
    expect(costs([october, beyond, november])).toEqual(['1860.000000', '3.000000', '2.000000'])
  })

  it('divides a part that reaches the next step', () => {
    expect(costs([slice('2026-10-01T00:00:00+03:00', 929), slice('2026-10-01T01:00:00+03:00', 2)])).toEqual([
      '1858.000000',
      '5.000000',
    ])
  })

  it('is zero without energy, also where no price is known', () => {
    const start = Date.parse('2026-10-01T00:00:00+03:00')
    const parts = [0, 1].map((kwh, index) => ({
      start: start + index * HOUR,
      energyWh: kwh * 1000,
      isEstimated: false,
    }))
    expect(costs(parts, [])).toEqual(['0.000000', 'price_missing'])
  })
})
