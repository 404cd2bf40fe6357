import fc from 'fast-check'
import { expect, it } from 'vitest'
import { textPart } from './byte-writer.ts'
import { JsonWriter } from './json-writer.ts'

const numbers = fc.oneof(
  fc.double(),
  fc.integer(),
  // Millionths on both sides of the limit up to which their digits are written.
  fc
    .bigInt({ min: -2_000_000_000_000_000n, max: 2_000_000_000_000_000n })
    .map((count) => Number(count) / 1e6),
  fc.integer({ min: -10_000_000, max: 10_000_000 }).map((count) => count / 1e6),
  fc.constantFrom(0, -0, 1e-6, -1e-6, 1e-7, 0.1, 999_999_999.999999, 1e9, 1e21, 1.5, 100, 1000, 1_000_000),
)

it('writes numbers and constant parts with the bytes of JSON.stringify, whatever the expected size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(numbers, { nil: null })),
      fc.integer({ min: 0, max: 500 }),
      (values, size) => {
        const writer = new JsonWriter(size)
        const part = (text: string) => writer.part(textPart(text))
        part('[')
        for (const [index, value] of values.entries()) {
          if (index > 0) part(',')
          writer.number(value)
        }
        part(']')
        expect(writer.toBuffer().toString('latin1')).toBe(JSON.stringify(values))
      },
    ),
    { numRuns: 300 },
  )
})
