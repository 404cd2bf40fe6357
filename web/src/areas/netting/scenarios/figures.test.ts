import { describe, expect, it } from 'vitest'
import { differenceOf, sideRows } from './figures.ts'

const side = (production_kwh: string | null, purchase_try: string | null) => ({
  production_kwh,
  purchase_try,
})

describe('figures of scenarios', () => {
  it('sum the months of a facility; an unknown part makes an amount unknown, and leaves an energy known', () => {
    const rows = [
      ...[
        { base: side('1.500', '2.000000'), scenario: side('3.000', '1.000000') },
        { base: side(null, '2.500000'), scenario: side('0.500', null) },
      ].map((both, index) => ({
        ...both,
        group_id: 'g',
        facility_id: 'a',
        billing_period: `2026-0${index + 1}-01`,
      })),
      {
        base: null,
        scenario: side(null, null),
        group_id: 'g',
        facility_id: 'b',
        billing_period: '2026-01-01',
      },
    ]
    expect(sideRows('members', rows, 'production_kwh')).toMatchObject([
      { key: 'g a', base: '1.500', scenario: '3.500' },
      { key: 'g b', base: undefined, scenario: null },
    ])
    expect(sideRows('members', rows, 'purchase_try')).toMatchObject([
      { base: '4.500000', scenario: null },
      { base: undefined, scenario: null },
    ])
    expect(sideRows('months', rows, 'production_kwh').length).toBe(2)
  })

  it('have exact differences, which are unknown where a side is', () => {
    expect(differenceOf('9007199254740993.001', '9007199254740993.002')).toBe('0.001')
    expect(differenceOf('2.500', '1')).toBe('-1.500')
    expect(differenceOf(null, '1.000')).toBeNull()
    expect(differenceOf('1.000', undefined)).toBeNull()
  })
})
