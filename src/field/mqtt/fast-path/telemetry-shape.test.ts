import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeMemory as makeDecoderMemory, message } from '../../../../test/support/field/dialects.ts'
import {
  byteChange,
  decimalNumber,
  member,
  space,
  unusualNumber,
  wholeNumber,
  withChange,
} from '../../../../test/support/random-json.ts'
import { METRICS } from '../../../kernel/metrics.ts'
import { CANONICAL_NAMES, canonical } from '../dialects/canonical.ts'
import type { Decoded } from '../dialects/types.ts'
import { Undecodable } from '../dialects/types.ts'
import { SHAPE_BYTES_MAX } from '../limits.ts'
import { type ShapedMessage, Shapes } from './telemetry-shape.ts'

const makeMemory = () => ({ memory: makeDecoderMemory(), shapes: new Shapes() })
type GatewayMemory = ReturnType<typeof makeMemory>

/** The decoded message in the form of the general decoder. */
const asDecoded = ({ readings, count, sequence }: ShapedMessage): Decoded => ({
  readings: readings.slice(0, count).map(({ device, at, mask, values }) => {
    const known = METRICS.flatMap((metric, column) =>
      mask & (1 << column) ? [[metric, values[column]]] : [],
    )
    return { device, ...(at !== undefined && { at }), values: Object.fromEntries(known) }
  }),
  refused: [],
  ...(sequence && { sequence }),
})

function decode(payload: Buffer, { memory, shapes }: GatewayMemory): Decoded | undefined {
  try {
    const decoded = canonical.decode(message('telemetry', payload, { memory }))
    shapes.learn(payload, decoded, CANONICAL_NAMES)
    const { readings = [], ...rest } = decoded
    return { readings: readings.map(({ raw: _raw, ...reading }) => reading), ...rest }
  } catch (error) {
    if (error instanceof Undecodable) return undefined
    throw error
  }
}

/** Whether the fast path decodes a message; if it does, the result must equal that of the general decoder. */
function check(payload: Buffer, memory: GatewayMemory): boolean {
  const shaped = memory.shapes.read(payload)
  const read = shaped && asDecoded(shaped)
  if (read) expect(read).toEqual(decode(payload, makeMemory()))
  return read !== undefined
}

/** Whether the fast path decodes the second message after the general decoder has decoded the first one. */
function isReadAfter(first: string | Buffer, second: string | Buffer): boolean {
  const memory = makeMemory()
  decode(Buffer.from(first), memory)
  return check(Buffer.from(second), memory)
}

const point = (v: string, ts = '1700000000000', seq = '1') =>
  `{"seq":${seq},"sent_at":${ts},"devices":{"m 1":[{"ts":${ts},"v":{${v}}}]},"note":"x"}`
const power = (number: string) => point(`"active_power":${number},"voltage":230.1`)

describe('a message of the same shape as the previous one', () => {
  it('is decoded by the fast path, with any numbers, instants and device', () => {
    expect(isReadAfter(power('1'), power('-12.375'))).toBe(true)
    expect(isReadAfter(power('1'), power('230.10000000000002'))).toBe(true)
    expect(isReadAfter(power('1'), power('-0'))).toBe(true)
    expect(isReadAfter(power('1'), power('12345678901234567890'))).toBe(true)
    expect(isReadAfter(power('1'), power('1').replace('m 1', 'Sayaç 2'))).toBe(true)
    const text = (at: string) => point('"power":5', `"${at}"`)
    expect(isReadAfter(text('2026-11-20T09:00:00Z'), text('2026-11-20T12:00:01.5+03:00'))).toBe(true)
    const several = (a: string, b: string) => `{"devices":{"a":{"v":{"soc":${a}}},"b":[{"v":{"soc":${b}}}]}}`
    expect(isReadAfter(several('1', '2'), several('3', '4'))).toBe(true)
    const up = (value: number) =>
      `{ "up": ${value}, "devices": {"a": {"v": {"soc": 1, "state": "on"}, "n": 2}}}\n`
    expect(isReadAfter(up(1), up(20))).toBe(true)
  })

  it.each([
    ['an exponent', power('1'), power('1e3')],
    ['a value out of range', power('1'), power('9'.repeat(120))],
    [
      'a register out of range',
      point('"import_active_energy":1'),
      point('"import_active_energy":9007199255.1'),
    ],
    ['no number', power('1'), power('true')],
    ['a text', power('1'), power('"1"')],
    ['a leading zero', power('1'), power('01')],
    ['no digit after the point', power('1'), power('1.')],
    ['a plus sign', power('1'), power('+1')],
    ['truncated', power('1'), power('2').slice(0, -1)],
    ['trailing text', power('1'), `${power('2')} `],
    ['another order', power('1'), point('"voltage":230.1,"active_power":1')],
    ['another name', power('1'), power('1').replace('voltage', 'current')],
    ['a fractional seq', power('1'), point('"active_power":1,"voltage":2', '1', '1.5')],
    ['no seq', power('1'), point('"active_power":1,"voltage":2', '1', '-1')],
    ['a timestamp out of range', power('1'), point('"active_power":1,"voltage":2', '9999999999999999')],
    ['an escape in the name', power('1'), power('1').replace('m 1', 'm\\u0031')],
  ])('is decoded by the general decoder: %s', (_what, first, second) => {
    expect(isReadAfter(first, second)).toBe(false)
  })

  it.each([
    ['two names of one metric', point('"power":1,"active_power":1')],
    ['a repeated name', point('"power":1,"power":1')],
    ['a repeated device', '{"devices":{"a":{"v":{"soc":1}},"a":{"v":{"soc":1}}}}'],
    [
      'devices with integer names, which objects reorder',
      '{"devices":{"b":{"v":{"soc":1}},"1":{"v":{"soc":1}}}}',
    ],
    ['values beside the columns', point('"power":1,"phases":{"l1":5}')],
    ['a custom metric', point('"power":1,"salt":5')],
    ['a number as text', point('"power":"1","soc":5')],
    ['a number as text under a canonical name', point('"active_power":"12.5","soc":5')],
    ['a text that is no number', point('"active_power":"n/a","soc":5')],
    ['a boolean', point('"power":1,"relay":true')],
    ['bad quality', '{"devices":{"a":[{"v":{"soc":1},"q":"bad"},{"v":{"soc":1}}]}}'],
    ['too long', `${power('1').slice(0, -1)},"pad":"${'x'.repeat(SHAPE_BYTES_MAX)}"}`],
    [
      'too many decimals',
      `${power('1').slice(0, -1)},${Array.from({ length: 310 }, (_, at) => `"${at}":1`)}}`,
    ],
    ['more than one reading', '{"seq":1,"devices":{}}'],
  ])('stores no shape for: %s', (_what, text) => {
    expect(isReadAfter(text, text)).toBe(false)
  })

  it('is stored as a shape once, also after fallbacks to the general decoder', () => {
    const memory = makeMemory()
    const others = ['"soc":1', '"voltage":2', '"current":1'].map((v) => Buffer.from(point(v)))
    for (const other of others) decode(other, memory)
    for (let value = 0; value < 200; value++) {
      const payload = Buffer.from(power(String(value)))
      memory.shapes.read(payload)
      decode(payload, memory)
    }
    for (const other of others) expect(check(other, memory)).toBe(true)
  })

  it('is found among several shapes', () => {
    const memory = makeMemory()
    const kinds = ['"soc":1', '"power":2,"soc":1', '"voltage":2', '"current":1'].map((v) => point(v))
    for (const kind of kinds) decode(Buffer.from(kind), memory)
    for (const kind of [...kinds, ...kinds.toReversed()]) expect(check(Buffer.from(kind), memory)).toBe(true)
    for (let kind = 0; kind < 500; kind++) decode(Buffer.from(point(`"power":2,"x":"${kind}"`)), memory)
    decode(Buffer.from(kinds[0] ?? ''), memory)
    expect(check(Buffer.from(point('"power":2,"x":"1"')), memory)).toBe(false)
  })
})

const malformed = fc.oneof(
  fc.integer().map(String),
  fc.double().map((one) => JSON.stringify(one)),
  unusualNumber,
)
const number = fc.oneof(
  { weight: 20, arbitrary: wholeNumber },
  { weight: 10, arbitrary: decimalNumber },
  { weight: 1, arbitrary: malformed },
)
const value = fc.oneof(
  { weight: 40, arbitrary: number },
  fc.constantFrom('null', 'true', '"12"', '"12,5"', '{}', '[1]', '"a\\"b"'),
)
const metric = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(...METRICS) },
  fc.constantFrom('power', 'soc', 'x', '__proto__', '7'),
)
const objectOf = (members: fc.Arbitrary<readonly string[]>) => members.map((list) => `{${list.join(',')}}`)
const at = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0, max: 2_000_000_000_000 }).map(String) },
  fc.constantFrom('"2026-11-20T09:00:00Z"', '"soon"', '-1', '1.5', '99999999999999999'),
)
const values = objectOf(fc.array(member(metric, value), { minLength: 1, maxLength: 5 }))
const reading = objectOf(
  fc.tuple(
    member(fc.constantFrom('ts', 'ts', 'ts', 'x'), at),
    member(fc.constantFrom('v', 'v', 'v', 'v', 'w'), values),
    member(fc.constantFrom('q', 'y'), fc.constantFrom('"good"', '192', '1', 'null')),
  ),
)
const points = fc.oneof(
  reading,
  fc.array(reading, { minLength: 1, maxLength: 3 }).map((list) => `[${list.join(',')}]`),
)
const devices = objectOf(
  fc.array(member(fc.constantFrom('a', 'b', 'ç', '1', '__proto__', 'd\\u0065'), points), {
    minLength: 1,
    maxLength: 3,
  }),
)
const telemetry = objectOf(
  fc.tuple(
    member(fc.constantFrom('seq', 'seq', 'z'), fc.oneof(fc.nat().map(String), value)),
    member(fc.constantFrom('sent_at', 'z'), at),
    member(fc.constantFrom('devices', 'devices', 'devices', 'seq'), devices),
  ),
)

/** As gateways send it, without unusual content. */
const usual = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...METRICS), { minLength: 1, maxLength: 5 }),
    fc.nat({ max: 3 }),
    space,
  )
  .map(([metrics, more, gap]) => {
    const one = `{"ts":1700000000000,${gap}"v":{${metrics.map((name) => `"${name}":${gap}1.5`).join(',')}}}`
    return `{"seq":1,"sent_at":1700000000000,"devices":{"a":[${Array(more + 1)
      .fill(one)
      .join(`${gap},`)}]}${gap}}`
  })

const NUMBERS = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** The same text with other numbers, then with random bytes changed. */
type Change = typeof changes extends fc.Arbitrary<infer C> ? C : never
const changes = fc.record({
  numbers: fc.array(number, { minLength: 1, maxLength: 8 }),
  isRenumbered: fc.boolean(),
  bytes: fc.array(byteChange, { maxLength: 1 }),
  end: fc.constantFrom('', '', '', '', '', ' ', '}', '\0'),
})

function change(text: string, { numbers, isRenumbered, bytes, end }: Change): Buffer {
  let next = 0
  const renumbered = isRenumbered
    ? text.replace(NUMBERS, () => numbers[next++ % numbers.length] ?? '0')
    : text
  return bytes.reduce(withChange, Buffer.from(renumbered + end))
}

describe('any message after any other', () => {
  it('gets the result of the general decoder from the fast path, or no result', () => {
    let read = 0
    fc.assert(
      fc.property(
        fc.oneof(usual, telemetry),
        fc.array(changes, { minLength: 1, maxLength: 6 }),
        (text, list) => {
          const memory = makeMemory()
          decode(Buffer.from(text), memory)
          for (const how of list) {
            const payload = change(text, how)
            if (check(payload, memory)) read += 1
            else decode(payload, memory)
          }
        },
      ),
      { numRuns: 1500 },
    )
    // The test would be empty if the fast path never decoded a message.
    expect(read).toBeGreaterThan(100)
  })

  it('has the numbers of JSON.parse', () => {
    fc.assert(
      fc.property(fc.oneof(number, malformed), (text) => {
        const memory = makeMemory()
        decode(Buffer.from(power('1')), memory)
        check(Buffer.from(power(text)), memory)
      }),
      { numRuns: 1500 },
    )
  })
})
