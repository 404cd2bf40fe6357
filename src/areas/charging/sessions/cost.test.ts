import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AboneGrubu, PriceRowInput } from '../../../core/netting/types.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { openBooks } from '../../netting/tariffs/index.ts'
import { energyOf, type MeteredSession, priceBoundaries, priceSession, slicesOf } from './cost.ts'

const at = (local: string): number => Date.parse(`${local}+03:00`)
const session = (from: string, to: string, endWh: number | null = 10_000): MeteredSession => ({
  from: at(from),
  to: at(to),
  startWh: 0,
  endWh,
})

const row = (over: Partial<PriceRowInput>): PriceRowInput => ({
  id: 'a',
  setId: 's',
  setStatus: 'approved',
  approvedAt: 0,
  billingPeriod: '2026-11-01',
  validFrom: '2026-11-01',
  validTo: null,
  aboneGrubu: 'sanayi',
  purpose: 'customer_bill_active_energy',
  timeSegment: 'tek',
  stepNo: null,
  tariffClass: null,
  tariffCode: null,
  priceTryPerKwh: 2_000_000n as PriceRowInput['priceTryPerKwh'],
  ...over,
})
const price = (tenths: number) => BigInt(tenths * 100_000) as PriceRowInput['priceTryPerKwh']

interface Asked {
  readonly group?: AboneGrubu | null
  readonly isMultiTime?: boolean
  readonly usedWh?: number
  readonly rows: readonly PriceRowInput[]
}
const priced = (
  metered: MeteredSession,
  { group = 'sanayi', isMultiTime = false, usedWh = 0, rows }: Asked,
) =>
  priceSession(metered, {
    tariff: { aboneGrubu: group, isMultiTime, voltageLevel: null },
    slices: slicesOf(metered, priceBoundaries(metered), []),
    usedWh,
    books: openBooks(rows),
  })

describe('energy of a session', () => {
  it('is the difference of its registers, and unknown where they are missing or decrease', () => {
    expect(energyOf({ from: 0, to: 1, startWh: 1_234_567, endWh: 1_240_000 })).toBe(5_433)
    expect(energyOf({ from: 0, to: 1, startWh: 5, endWh: 5 })).toBe(0)
    expect(energyOf({ from: 0, to: 1, startWh: 5, endWh: 4 })).toBeNull()
    expect(energyOf({ from: 0, to: 1, startWh: null, endWh: 4 })).toBeNull()
    expect(energyOf({ from: 0, to: 1, startWh: 4, endWh: null })).toBeNull()
    expect(energyOf({ from: 0, to: 1, startWh: -4, endWh: 4 })).toBeNull()
  })
})

describe('parts of a session', () => {
  it('end at midnight and at the ends of the tariff segments of the day', () => {
    const cuts = priceBoundaries(session('2026-11-20T16:30', '2026-11-21T07:00'))
    expect(cuts).toEqual(
      ['2026-11-20T17:00', '2026-11-20T22:00', '2026-11-21T00:00', '2026-11-21T06:00'].map(at),
    )
    expect(priceBoundaries(session('2026-11-20T10:00', '2026-11-20T12:00'))).toEqual([])
    expect(priceBoundaries(session('2026-11-20T17:00', '2026-11-20T22:00'))).toEqual([])
  })

  it('have the energy that is interpolated between the readings around a boundary', () => {
    const metered = session('2026-11-20T16:00', '2026-11-20T18:00')
    const cuts = priceBoundaries(metered)
    const around = [
      { before: { at: at('2026-11-20T16:50'), wh: 1_000 }, after: { at: at('2026-11-20T17:10'), wh: 3_001 } },
    ]
    expect(slicesOf(metered, cuts, around).map(({ energyWh }) => energyWh)).toEqual([2_001, 7_999])
    expect(
      slicesOf(metered, cuts, [{ before: undefined, after: undefined }]).map(({ energyWh }) => energyWh),
    ).toEqual([5_000, 5_000])
  })

  it('sum to the whole exactly to the Wh, with any readings', () => {
    const reading = fc.option(
      fc.record({
        at: fc.integer({ min: 0, max: 40 * HOUR_MS }),
        wh: fc.integer({ min: -5_000, max: 50_000 }),
      }),
      { nil: undefined },
    )
    const around = fc.record({ before: reading, after: reading })
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 48 * HOUR_MS }),
        fc.integer({ min: 1, max: 100 * HOUR_MS }),
        fc.array(around, { maxLength: 24 }),
        (offset, length, readings) => {
          const from = at('2026-11-20T00:00') + offset
          const metered = { from, to: from + length, startWh: 1_000, endWh: 31_007 }
          const cuts = priceBoundaries(metered)
          const slices = slicesOf(metered, cuts, readings)
          expect(slices.reduce((sum, { energyWh }) => sum + (energyWh ?? 0), 0)).toBe(30_007)
          for (const { energyWh } of slices) expect(energyWh).toBeGreaterThanOrEqual(0)
        },
      ),
    )
  })
})

describe('cost of a session', () => {
  it('uses the price of the day of each part', () => {
    const rows = [
      row({ validTo: '2026-11-20' }),
      row({ id: 'b', validFrom: '2026-11-21', priceTryPerKwh: price(30) }),
    ]
    expect(priced(session('2026-11-20T23:00', '2026-11-21T01:00'), { rows })).toEqual({
      costTry: '25.000000',
      reason: null,
      parts: [
        { timestamp: '2026-11-20T20:00:00.000Z', energy_kwh: '5.000', cost_try: '10.000000' },
        { timestamp: '2026-11-20T21:00:00.000Z', energy_kwh: '5.000', cost_try: '15.000000' },
      ],
    })
  })

  it('uses the tariff segments of the day for a multi-time meter', () => {
    const rows = [
      row({ timeSegment: 'gunduz', priceTryPerKwh: price(20) }),
      row({ id: 'b', timeSegment: 'puant', priceTryPerKwh: price(40) }),
    ]
    const metered = session('2026-11-20T16:00', '2026-11-20T18:00')
    expect(priced(metered, { rows, isMultiTime: true }).costTry).toBe('30.000000')
  })

  it('uses the price step reached in the month so far', () => {
    const rows = [
      row({ aboneGrubu: 'ticarethane', stepNo: 1, priceTryPerKwh: price(20) }),
      row({ id: 'b', aboneGrubu: 'ticarethane', stepNo: 2, priceTryPerKwh: price(40) }),
    ]
    const metered = session('2026-11-20T10:00', '2026-11-20T12:00')
    const asked = { group: 'ticarethane', rows } as const
    // The threshold of November is 30 days of 30 kWh.
    expect(priced(metered, asked).costTry).toBe('20.000000')
    expect(priced(metered, { ...asked, usedWh: 895_000 }).costTry).toBe('30.000000')
    expect(priced(metered, { ...asked, usedWh: 900_000 }).costTry).toBe('40.000000')
  })

  it('is null with the reason when data is missing', () => {
    const metered = session('2026-11-20T10:00', '2026-11-20T12:00')
    expect(priced(metered, { rows: [] })).toMatchObject({ costTry: null, reason: 'price_missing' })
    expect(priced(metered, { rows: [row({})], group: null })).toMatchObject({ reason: 'abone_grubu_unknown' })
    expect(priced({ ...metered, endWh: null }, { rows: [row({})] })).toMatchObject({ reason: 'no_data' })
    const month = session('2026-11-01T00:00', '2026-12-03T00:00')
    expect(priced(month, { rows: [row({})] })).toMatchObject({ costTry: null, reason: 'too_long', parts: [] })
  })
})
