import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDecimal, scaled, sumOf, unscaled } from './decimal.ts'

describe('decimals', () => {
  it.each([
    ['1234567.891', 3, '1.234.567,891', '1,234,567.891'],
    ['0.005', 2, '0,01', '0.01'],
    ['-0.005', 2, '−0,01', '-0.01'.replace('-', '−')],
    ['-999.9996', 3, '−1.000,000', '−1,000.000'],
    ['9007199254740993.5', 1, '9.007.199.254.740.993,5', '9,007,199,254,740,993.5'],
    ['12', 0, '12', '12'],
  ])('format %s with %i places', (text, places, turkish, english) => {
    expect(formatDecimal(text, places, 'tr')).toBe(turkish)
    expect(formatDecimal(text, places, 'en')).toBe(english)
  })

  it('are refused when they are no decimals', () => {
    for (const text of ['', '1e3', 'NaN', '1.', '.5', '0x1'])
      expect(() => scaled(text, 3)).toThrow(RangeError)
  })

  it('keep their value when they are scaled and back, and sums are exact', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(-(10n ** 20n), 10n ** 20n), { maxLength: 20 }), (values) => {
        for (const value of values) expect(scaled(unscaled(value, 6), 6)).toBe(value)
        const total = values.reduce((sum, value) => sum + value, 0n)
        expect(scaled(sumOf(values.map((value) => unscaled(value, 6))), 6)).toBe(total)
      }),
    )
  })
})
