import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scaleByPowerOfTen } from './values.ts'

/** The definition: the number of the text with its decimal point shifted. */
function byText(value: number, exponent: number): number {
  const [digits = '', power = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(power) + exponent}`)
}

it('a scaled number is that of its text with the decimal point shifted', () => {
  const usual = fc
    .tuple(fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }), fc.integer({ min: 0, max: 9 }))
    .map(([digits, decimals]) => digits / 10 ** decimals)
  fc.assert(
    fc.property(
      fc.oneof(usual, fc.double({ noNaN: true, noDefaultInfinity: true })),
      fc.integer({ min: -30, max: 12 }),
      (value, exponent) => {
        expect(scaleByPowerOfTen(value, exponent)).toBe(exponent === 0 ? value : byText(value, exponent))
      },
    ),
    { numRuns: 20_000 },
  )
})

it.each([
  [612.4, -3, 0.6124],
  [-0, -3, 0],
  [1.005, -2, 0.010_05],
  [999_999_999_999_999, -3, 999_999_999_999.999],
  [Number.NaN, -3, Number.NaN],
])('%d times ten to the %d is %d', (value, exponent, scaled) => {
  expect(scaleByPowerOfTen(value, exponent)).toBe(scaled)
})
