import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayStart, HOUR_MS } from '../../../kernel/time.ts'
import { parseExactJson, readPrice, readPrices, UnreadableResponse } from './price-response.ts'

const DAY = '2026-07-01'
const range = { from: dayStart(DAY), to: dayStart(DAY) + 24 * HOUR_MS }
const read = (text: string) => readPrices(text, { fields: ['price'], range })
const hour = (index: number) => dayStart(DAY) + index * HOUR_MS
const items = (...list: string[]) => `{"items":[${list.join(',')}]}`
const item = (index: number, price: string) =>
  `{"date":"${DAY}T${String(index).padStart(2, '0')}:00:00+03:00","hour":"${String(index).padStart(2, '0')}:00","price":${price}}`
const faultOf = (text: string): string => {
  try {
    return JSON.stringify(read(text))
  } catch (error) {
    if (!(error instanceof UnreadableResponse)) throw error
    return error.message
  }
}

describe('numbers of a response', () => {
  it('keep their original text instead of a double', () => {
    const json =
      '{"a":[0.1,123456789012.123456,-0,1e3],"b":"1.5 \\"2.5\\" {3}","c":{"7":[true,null,"\\\\",8]}}'
    expect(parseExactJson(json)).toEqual({
      a: ['0.1', '123456789012.123456', '-0', '1e3'],
      b: '1.5 "2.5" {3}',
      c: { '7': [true, null, '\\', '8'] },
    })
    for (const broken of ['', '{', '[01]', '[1,]', '[1.]', 'undefined', '"a'])
      expect(() => parseExactJson(broken)).toThrow(SyntaxError)
  })

  it('are returned as text for any JSON, and everything else unchanged', () => {
    const expected = (value: unknown): unknown => {
      if (typeof value === 'number') return JSON.stringify(value)
      if (Array.isArray(value)) return value.map(expected)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expected(inner)]))
    }
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(parseExactJson(JSON.stringify(value, null, 1))).toEqual(
          expected(JSON.parse(JSON.stringify(value))),
        )
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    ['0', '0.000000'],
    ['-0', '0.000000'],
    ['2999.99', '2999.990000'],
    ['1.29998E3', '1299.980000'],
    ['25e-1', '2.500000'],
    ['123456789012.123456', '123456789012.123456'],
    ['1299.98000000000002', '1299.980000'],
    ['0.0000005', '0.000001'],
    ['-0.0000005', '-0.000001'],
    ['-12.5', '-12.500000'],
    ['1234567890123', undefined],
    ['1e99', undefined],
    ['1.234,56', undefined],
    ['', undefined],
    ['NaN', undefined],
  ])('%s is the price %s', (text, price) => {
    expect(readPrice(text)).toBe(price)
  })
})

describe('response with prices', () => {
  it('is read in the order of the hours, for any position and order of the items', () => {
    const wanted = [
      { ts: hour(0), price: '0.000000' },
      { ts: hour(5), price: '1234.560000' },
    ]
    const list = items(item(5, '1234.56'), item(0, '0'))
    expect(read(list)).toEqual(wanted)
    expect(read(`{"body":${list}}`)).toEqual(wanted)
    expect(
      read(`{"statistics":{},"items":[${item(0, '"0.0"')},${item(5, '1234.560')}],"page":null}`),
    ).toEqual(wanted)
    expect(read(`[${item(5, '1234.56')},${item(0, '0')}]`)).toEqual(wanted)
  })

  it('is read with the hour in the date, beside it, or in both', () => {
    const wanted = [{ ts: hour(5), price: '1.000000' }]
    for (const when of [
      `"date":"${DAY}T05:00:00+03:00"`,
      `"date":"${DAY}T02:00:00Z"`,
      `"date":"${DAY}T05:00:00+03:00","hour":"05:00"`,
      `"date":"${DAY}T00:00:00+03:00","hour":"05:00"`,
      `"hour":"05:00:00","date":"${DAY}"`,
      `"date":"${DAY}T00:00:00","hour":5`,
      `"date":"${DAY}","hour":"05:00 - 06:00"`,
    ])
      expect([when, read(items(`{${when},"price":1}`))]).toEqual([when, wanted])
  })

  it('omits unpublished hours and hours that were not requested', () => {
    const next = '{"date":"2026-07-02T00:00:00+03:00","price":5}'
    expect(read(items(item(1, 'null'), item(2, '7'), next))).toEqual([{ ts: hour(2), price: '7.000000' }])
    expect(read(items(item(2, '7'), item(2, '7.0')))).toHaveLength(1)
    expect(read('{"items":[]}')).toEqual([])
  })

  it.each([
    ['<html>', 'the answer is no JSON'],
    ['{"items":[', 'the answer is no JSON'],
    ['{"items":null}', 'the answer has no items'],
    ['{}', 'the answer has no items'],
    ['null', 'the answer has no items'],
    [items('7'), 'item 1 of the answer is no object'],
    [items(item(1, '1'), '{"price":1}'), 'item 2 of the answer has no hour, or two'],
    [items('{"date":"tomorrow","price":1}'), 'item 1 of the answer has no hour, or two'],
    [items(`{"date":"${DAY}T05:30:00+03:00","price":1}`), 'item 1 of the answer has no hour, or two'],
    [
      items(`{"date":"${DAY}T05:00:00+03:00","hour":"06:00","price":1}`),
      'item 1 of the answer has no hour, or two',
    ],
    [items(`{"date":"${DAY}","hour":"24:00","price":1}`), 'item 1 of the answer has no hour, or two'],
    [items(`{"date":"${DAY}T05:00:00+03:00","cost":1}`), 'item 1 of the answer has no price'],
    [items(item(1, '"free"')), 'item 1 of the answer has a price that is no decimal'],
    [items(item(1, '{}')), 'item 1 of the answer has a price that is no decimal'],
    [items(item(1, '1'), item(1, '2')), 'item 2 of the answer repeats an hour with another price'],
  ])('is rejected as a whole, never read in part: %s', (text, message) => {
    expect(faultOf(text)).toBe(message)
  })

  it('reads 744 hours, and long strings without a deep stack', () => {
    const long = JSON.stringify({ note: `${'x\\"'.repeat(200_000)}`, items: [] })
    expect(read(long)).toEqual([])
  })
})
