import fc from 'fast-check'
import { expect, it } from 'vitest'
import { millionthsText } from './decimal-text.ts'

it('whole millionths are printed as an exact decimal number', () => {
  expect(['0', '1', '-1', '10', '1000000', '-2500000', '12345678900000'].map(millionthsText)).toEqual([
    ...['0', '0.000001', '-0.000001', '0.00001'],
    ...['1', '-2.5', '12345678.9'],
  ])
  fc.assert(
    fc.property(fc.maxSafeInteger(), (millionths) => {
      const text = millionthsText(String(millionths))
      expect(Number(text)).toBe(millionths / 1e6)
      expect(text).toMatch(/^-?\d+(\.\d*[1-9])?$/)
    }),
  )
})
