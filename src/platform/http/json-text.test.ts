import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freeFormFault, isNestedDeeper, unstorableIn } from './json-text.ts'

describe('unstorable JSON text', () => {
  it('contains an escaped NUL or a lone surrogate', () => {
    expect(unstorableIn(String.raw`"a\u0000"`)).toMatchObject({ code: 'TEXT_HAS_NUL' })
    for (const half of [
      String.raw`"\ud800"`,
      String.raw`"\uDC00\ud83d"`,
      String.raw`"\\\ud83d"`,
      String.raw`"\ud83d\ude00\ud83d"`,
      String.raw`"\ud83d\\ude00"`,
    ]) {
      expect(unstorableIn(half), half).toMatchObject({ code: 'TEXT_HAS_LONE_SURROGATE' })
    }
  })

  it('does not include similar valid escapes', () => {
    for (const text of [
      String.raw`"\\u0000 \\ud800"`,
      String.raw`"\ud83d\ude00\ud83d\ude00"`,
      String.raw`"\\\\\ud83d\ude00"`,
      '"😀 ş"',
    ]) {
      expect(unstorableIn(text), text).toBeUndefined()
    }
  })

  it('is detected in exactly the malformed texts', () => {
    const unit = fc.constantFrom('a', '\\', '"', '\ud83d', '\ude00', 'u0041', 'ud800')
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
        const text = units.join('')
        const ascii = JSON.stringify(text).replace(
          /[\ud800-\udfff]/g,
          (half) => `\\u${half.charCodeAt(0).toString(16)}`,
        )
        expect(unstorableIn(ascii) === undefined).toBe(!/\p{Cs}/u.test(text))
      }),
    )
  })
})

const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as unknown

it('includes free-form JSON beyond the limits of depth, numbers and bytes', () => {
  expect(freeFormFault(nested(100))).toBeUndefined()
  expect(freeFormFault(nested(101))).toMatchObject({ code: 'JSON_NESTED_TOO_DEEP' })
  expect(freeFormFault(nested(100_000))).toMatchObject({ code: 'JSON_NESTED_TOO_DEEP' })
  expect(freeFormFault({ list: [1, 'x', null, { y: [] }] })).toBeUndefined()
  expect(freeFormFault(JSON.parse('{"a":[1e400]}'))).toMatchObject({ code: 'JSON_NUMBER_TOO_LARGE' })
  expect(freeFormFault({ a: 'ş'.repeat(131_067) })).toBeUndefined()
  expect(freeFormFault({ a: 'ş'.repeat(131_070) })).toMatchObject({ code: 'JSON_TOO_LONG' })
})

describe('the nesting of a JSON text', () => {
  it('is the number of open brackets, without those in strings', () => {
    for (const text of [
      '[[1],{"a":[]}]',
      String.raw`{"a\"[[[":["]]]"]}`,
      '"[[["',
      '1',
      '',
      '"',
      '"\\',
      '[[["',
    ])
      expect([text, isNestedDeeper(text, 3)]).toEqual([text, false])
    for (const text of ['[[[[]]]]', '{"a":[{"b":{', String.raw`["\\",[{"\"":[1]}]]`])
      expect([text, isNestedDeeper(text, 3)]).toEqual([text, true])
  })

  it('of any JSON value is the depth of the value', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(6), (value, max) => {
        expect(isNestedDeeper(JSON.stringify(value), max)).toBe(depthOf(value) > max)
      }),
    )
  })
})
