import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shortestFloat32 } from './shortest-float32.ts'

/** The definition: the first number of six to nine significant digits that has the same 32 bits. */
function byDefinition(value: number): number {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value
  const shorter = [6, 7, 8, 9].map((digits) => Number(value.toPrecision(digits)))
  return shorter.find((one) => Math.fround(one) === value) ?? Number.NaN
}

const view = new DataView(new ArrayBuffer(4))
const ofBits = (bits: number): number => {
  view.setUint32(0, bits)
  return view.getFloat32(0)
}

it('is the definition for any 32 bits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), (bits) => {
      expect(shortestFloat32(ofBits(bits))).toBe(byDefinition(ofBits(bits)))
    }),
    { numRuns: 5_000 },
  )
})

it('is the definition for the numbers that meters send, and beside powers of ten', () => {
  const power = fc.integer({ min: -6, max: 8 })
  const near = fc.tuple(power, fc.integer({ min: -3, max: 3 })).map(([exponent, steps]) => {
    view.setFloat32(0, 10 ** exponent)
    return ofBits(view.getUint32(0) + steps)
  })
  const usual = fc
    .tuple(fc.integer({ min: -99_999_999, max: 99_999_999 }), power)
    .map(([digits, exponent]) => Math.fround(digits / 10 ** exponent))
  fc.assert(
    fc.property(fc.oneof(near, usual), (value) => {
      expect(shortestFloat32(value)).toBe(byDefinition(value))
    }),
    { numRuns: 10_000 },
  )
})

it.each([
  [1228.8, 1228.8],
  [0.1, 0.1],
  [-65.3, -65.3],
  [1_234_567.9, 1_234_567.9],
  [5_000_000.5, 5_000_000.5],
])('of the float32 of %d is %d', (sent, read) => {
  expect(shortestFloat32(Math.fround(sent))).toBe(read)
})
