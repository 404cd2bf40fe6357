/** Random parts of JSON texts and changes of them, for tests that compare a decoder with JSON.parse. */
import fc from 'fast-check'

/** Numbers at the limits of doubles and of the syntax, some of which JSON does not allow. */
export const unusualNumber = fc.constantFrom(
  '-0',
  '0.0',
  '1e5',
  '1E-5',
  '1e400',
  '9007199254740993',
  '0.1234567890123456789',
  '00',
  '-',
  '1.',
)

export const wholeNumber = fc.nat().map(String)
export const decimalNumber = fc.tuple(fc.nat(), fc.nat(99_999)).map(([whole, part]) => `${whole}.${part}`)

export const space = fc.constantFrom('', '', '', ' ', '\n\t')

/** A property; the name is already escaped. */
export const member = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
  fc.tuple(name, space, value, space).map(([key, before, text, after]) => `"${key}":${before}${text}${after}`)

/** Where, with which byte and how a text is changed; the offset is taken modulo the length. */
export const byteChange = fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom('put', 'cut', 'add'))
type ByteChange = typeof byteChange extends fc.Arbitrary<infer C> ? C : never

/** A copy with a byte replaced, removed or added. */
export function withChange(bytes: Buffer, [offset, byte, how]: ByteChange): Buffer {
  const from = offset % bytes.length
  return Buffer.concat([
    bytes.subarray(0, from),
    Buffer.from(how === 'cut' ? [] : [byte]),
    bytes.subarray(how === 'add' ? from : from + 1),
  ])
}
