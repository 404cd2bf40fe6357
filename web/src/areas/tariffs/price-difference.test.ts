import { describe, expect, it } from 'vitest'
import { differencesOf } from './price-difference.ts'

const price = (abone_grubu: 'mesken' | 'sanayi', text: string, step_no: number | null = null) => ({
  ...{ abone_grubu, gerilim_seviyesi: null, tariff_code: null, tariff_class: null, step_no, price: text },
  price_purpose: 'distribution' as const,
  time_segment: 'tek' as const,
})

describe('the difference of price sets', () => {
  it('names what was added, removed and changed, and nothing else', () => {
    const before = [price('mesken', '1.100000'), price('sanayi', '2.5'), price('sanayi', '3', 2)]
    const after = [price('mesken', '1.1'), price('sanayi', '2.500001'), price('mesken', '4', 1)]
    expect(differencesOf(before, after)).toEqual([
      { name: 'distribution · mesken · tek · 1', change: 'added', before: [], after: ['4'] },
      { name: 'distribution · sanayi · tek', change: 'changed', before: ['2.5'], after: ['2.500001'] },
      { name: 'distribution · sanayi · tek · 2', change: 'removed', before: ['3'], after: [] },
    ])
  })

  it('compares all rows of one name', () => {
    const before = [price('mesken', '1'), price('mesken', '2')]
    expect(differencesOf(before, [price('mesken', '2.0'), price('mesken', '1')])).toEqual([])
    expect(differencesOf(before, [price('mesken', '1')])).toMatchObject([{ change: 'changed' }])
  })
})
