import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeRegisters, makeWordReader } from './decode.ts'
import { decodeMessage } from './message.ts'
import { readRegisterMap } from './read.ts'
import type { Decoded, Endianness, RegisterMap, RegisterType } from './types.ts'

type Attributes = Readonly<Record<string, unknown>>

function mapOf(registers: readonly Attributes[], document: Attributes = {}): RegisterMap {
  const whole = registers.map((register, index) => ({
    key: `r${index}`,
    metric: `m${index}`,
    function: 3,
    kind: 'gauge',
    ...register,
  }))
  const result = readRegisterMap({
    format: 'ems-register-map/1',
    transports: ['modbus_tcp'],
    registers: whole,
    ...document,
  })
  if ('faults' in result) throw new Error(JSON.stringify(result.faults))
  return result.map
}

const decode = (map: RegisterMap, words: readonly number[], address = 0): Decoded =>
  decodeRegisters(map, makeWordReader([{ function: 3, address, words }]))

/** Decodes a map with one register and returns its value. */
const valueOfWords = (register: Attributes, words: readonly number[]) =>
  decode(mapOf([{ address: 0, ...register }]), words).values['m0']

/** Converts big-endian bytes to the register words that a device with these orders sends. */
function toWords(
  bytes: Uint8Array,
  { byteOrder, wordOrder }: { byteOrder: Endianness; wordOrder: Endianness },
): number[] {
  const words: number[] = []
  for (let at = 0; at < bytes.length; at += 2) {
    const [first = 0, second = 0] = bytes.slice(at, at + 2)
    words.push(byteOrder === 'big' ? first * 256 + second : second * 256 + first)
  }
  return wordOrder === 'big' ? words : words.reverse()
}

function bytesOf(size: number, put: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(size)
  put(new DataView(bytes.buffer))
  return bytes
}
const digitsIn = (value: number, digits: number) => String(value).padStart(digits, '0')

interface Case {
  readonly values: fc.Arbitrary<number>
  readonly encode: (value: number) => Uint8Array
}
const whole = (bits: number, isSigned = false): fc.Arbitrary<number> =>
  fc.integer(
    isSigned ? { min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 } : { min: 0, max: 2 ** bits - 1 },
  )
const decimals = (digits: number) => fc.nat(10 ** digits - 1)
const safe = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }

const CASES: Partial<Record<RegisterType, Case>> = {
  u8: { values: whole(8), encode: (value) => bytesOf(2, (view) => view.setUint16(0, 0xab00 + value)) },
  i8: { values: whole(8, true), encode: (value) => bytesOf(2, (view) => view.setInt8(1, value)) },
  u16: { values: whole(16), encode: (value) => bytesOf(2, (view) => view.setUint16(0, value)) },
  i16: { values: whole(16, true), encode: (value) => bytesOf(2, (view) => view.setInt16(0, value)) },
  u32: { values: whole(31), encode: (value) => bytesOf(4, (view) => view.setUint32(0, value)) },
  i32: { values: whole(32, true), encode: (value) => bytesOf(4, (view) => view.setInt32(0, value)) },
  u64: {
    values: fc.integer({ ...safe, min: 0 }),
    encode: (value) => bytesOf(8, (view) => view.setBigUint64(0, BigInt(value))),
  },
  i64: {
    values: fc.integer(safe),
    encode: (value) => bytesOf(8, (view) => view.setBigInt64(0, BigInt(value))),
  },
  f64: {
    values: fc.double({ noNaN: true, noDefaultInfinity: true }),
    encode: (value) => bytesOf(8, (view) => view.setFloat64(0, value)),
  },
  bcd16: { values: decimals(4), encode: (value) => Buffer.from(digitsIn(value, 4), 'hex') },
  bcd32: { values: decimals(8), encode: (value) => Buffer.from(digitsIn(value, 8), 'hex') },
  mod10k32: { values: decimals(8), encode: (value) => fourDigitWords(value, 2) },
  mod10k64: { values: decimals(15), encode: (value) => fourDigitWords(value, 4) },
}

const fourDigitWords = (value: number, count: number) =>
  bytesOf(count * 2, (view) => {
    const digits = digitsIn(value, count * 4)
    for (let index = 0; index < count; index += 1)
      view.setUint16(index * 2, Number(digits.slice(index * 4, index * 4 + 4)))
  })

const orders = fc.record({
  byteOrder: fc.constantFrom<Endianness>('big', 'little'),
  wordOrder: fc.constantFrom<Endianness>('big', 'little'),
})

describe('raw numbers', () => {
  it.each(Object.entries(CASES))('reads %s in every order of bytes and words', (type, { values, encode }) => {
    fc.assert(
      fc.property(values, orders, (value, order) => {
        const register = { type, byte_order: order.byteOrder, word_order: order.wordOrder }
        expect(valueOfWords(register, toWords(encode(value), order))).toBe(value + 0)
      }),
    )
  })

  it('decodes f32 as the shortest decimal with the same bits', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -9_999_999, max: 9_999_999 }),
        fc.nat(6),
        orders,
        (digits, decimalPlaces, order) => {
          const shown = Number(`${digits}e-${decimalPlaces}`)
          const bytes = bytesOf(4, (view) => view.setFloat32(0, shown))
          const register = { type: 'f32', byte_order: order.byteOrder, word_order: order.wordOrder }
          const value = valueOfWords(register, toWords(bytes, order)) ?? Number.NaN
          expect(Math.fround(value)).toBe(Math.fround(shown) + 0)
          // Above six digits, some decimals share their bits with a neighbour.
          if (Math.abs(digits) <= 999_999) expect(value).toBe(shown + 0)
        },
      ),
    )
  })

  it('reports bytes that are no valid number', () => {
    const problems = (type: string, words: number[]) => decode(mapOf([{ address: 0, type }]), words).problems
    expect(problems('bcd16', [0x12a4])).toEqual([{ key: 'r0', reason: 'not_representable' }])
    expect(problems('mod10k32', [10_000, 1])).toEqual([{ key: 'r0', reason: 'not_representable' }])
    expect(problems('f32', [0x7f80, 0])).toEqual([{ key: 'r0', reason: 'not_a_number' }])
    expect(problems('u32', [1])).toEqual([{ key: 'r0', reason: 'not_read' }])
  })
})

describe('scale', () => {
  it('is exact for integers: the value equals the display of the meter', () => {
    fc.assert(
      fc.property(whole(31), fc.integer({ min: 0, max: 4 }), (raw, decimalPlaces) => {
        const words = [raw >>> 16, raw & 0xffff]
        const register = { type: 'u32', scale: Number(`1e-${decimalPlaces}`), unit: 'Wh', metric: 'm0' }
        expect(valueOfWords(register, words)).toBe(Number(`${raw}e-${decimalPlaces + 3}`))
      }),
    )
  })

  it('is exact for 64 bits, where a double is not', () => {
    const words = [0x7fff, 0xffff, 0xffff, 0xffff]
    expect(valueOfWords({ type: 'u64', scale: 0.001 }, words)).toBe(Number('9223372036854775.807'))
  })

  it('adds an offset without noise, converts to the unit of the metric, and rounds last', () => {
    expect(valueOfWords({ type: 'u16', scale: 0.1, offset: -40, metric: 'm0' }, [653])).toBe(25.3)
    const map = mapOf([
      { address: 0, type: 'i16', metric: 'active_power', unit: 'W', offset: 5, precision: 2 },
    ])
    expect(decode(map, [1234]).values).toEqual({ active_power: 1.24 })
    expect(decode(map, [0xfff9]).values).toEqual({ active_power: 0 })
  })

  it.each([
    [-2, 12.34],
    [0, 1234],
    [3, 1_234_000],
  ])('takes its power of ten from another register: %i', (power, value) => {
    const map = mapOf([
      { address: 0, type: 'u16', scale_factor_ref: 'sf' },
      { address: 9, type: 'i16', key: 'sf', metric: null },
    ])
    const blocks = (sf: number[]) =>
      makeWordReader([
        { function: 3, address: 0, words: [1234] },
        { function: 3, address: 9, words: sf },
      ])
    expect(decodeRegisters(map, blocks([power & 0xffff])).values).toEqual({ m0: value })
    for (const none of [[0x8000], [11], []]) {
      const { values, problems } = decodeRegisters(map, blocks(none))
      expect(values).toEqual({})
      expect(problems).toContainEqual({ key: 'r0', reason: 'scale_factor_missing' })
    }
  })
})

describe('unavailable values', () => {
  it.each([
    ['NaN', { type: 'f32' }, [0x7fc0, 0], 'not_available'],
    ['bits', { type: 'i16', na_values: ['0x8000'] }, [0x8000], 'not_available'],
    [
      'bits in another order',
      { type: 'u32', word_order: 'little', na_values: ['0x80000000'] },
      [0, 0x8000],
      'not_available',
    ],
    ['a raw number', { type: 'u16', scale: 0.1, na_values: [65535] }, [65535], 'not_available'],
    ['beyond the limits', { type: 'u16', max: 300 }, [301], 'out_of_range'],
    ['below the limits', { type: 'i16', min: 0 }, [0xffff], 'out_of_range'],
  ])('%s', (_what, register, words, reason) => {
    const decoded = decode(mapOf([{ address: 0, ...register }]), words)
    expect(decoded).toEqual({ values: {}, states: {}, problems: [{ key: 'r0', reason }] })
  })

  it('zero is a value', () => {
    expect(valueOfWords({ type: 'i16', na_values: ['0x8000'], min: 0 }, [0])).toBe(0)
  })
})

describe('states', () => {
  const stateOf = (register: Attributes, words: readonly number[]) =>
    decode(mapOf([{ address: 0, kind: 'state', ...register }]), words).states['m0']
  it.each([
    ['bool', { type: 'bool' }, [2], true],
    ['a bit', { type: 'u16', bit: 3 }, [0b0111], false],
    ['a word', { type: 'enum', enum: { 4: 'running' } }, [4], 'running'],
    ['a number without a word', { type: 'enum', enum: { 4: 'running' } }, [5], 5],
    ['a mask', { type: 'u16', mask: '0x0f00', enum: { 10: 'ten' } }, [0xfaff], 'ten'],
    [
      'bits with words',
      { type: 'bitfield', count: 2, enum: { 0: 'hot', 31: 'off' } },
      [0x8000, 1],
      'hot, off',
    ],
    ['text', { type: 'string', count: 3 }, [0x5344, 0x4d36, 0x0041], 'SDM6'],
  ])('%s', (_what, register, words, state) => {
    expect(stateOf(register, words)).toBe(state)
  })

  it('reads single bits of coils and inputs', () => {
    const map = mapOf([{ address: 5, function: 2, type: 'bool', kind: 'state' }])
    const decoded = decodeRegisters(map, makeWordReader([{ function: 2, address: 4, words: [0, 1] }]))
    expect(decoded.states).toEqual({ m0: true })
  })
})

describe('messages', () => {
  const over = (registers: readonly Attributes[]) =>
    mapOf(
      registers.map((register) => ({ function: null, type: 'f64', ...register })),
      { transports: ['mqtt'] },
    )
  it('decode numbers, numbers in quotes and labels, and skip missing paths', () => {
    const map = over([
      { metric: 'active_power', unit: 'W', mqtt_path: '$.ENERGY.Power' },
      { metric: 'voltage_l2', mqtt_path: '$.ENERGY.Voltage[1]' },
      { metric: 'voltage', mqtt_path: '$.ENERGY.Voltage' },
      { metric: 'relay', kind: 'state', type: 'bool', mqtt_path: "$['relay 1']" },
      { metric: 'gone', mqtt_path: '$.gone.deeper' },
      { metric: 'none', mqtt_path: '$.none' },
    ])
    const document = { ENERGY: { Power: '450', Voltage: [230, 231.5] }, 'relay 1': 'ON', none: null }
    expect(decodeMessage(map, { topic: 'tele/a/SENSOR', document })).toEqual({
      values: { active_power: 0.45, voltage_l2: 231.5 },
      states: { relay: 'ON' },
      problems: [],
    })
    const malformed = decodeMessage(map, { topic: '', document: { ENERGY: { Power: 'much' } } })
    expect(malformed.problems).toEqual([{ key: 'r0', reason: 'not_a_number' }])
  })

  it('are distinguished by the end of their topic', () => {
    const map = over([
      { metric: 'active_power_l1', unit: 'W', mqtt_path: 'status/em1:0 $.act_power' },
      { metric: 'active_power_l2', unit: 'W', mqtt_path: 'status/em1:1 $.act_power' },
    ])
    const at = (topic: string) => decodeMessage(map, { topic, document: { act_power: 1000 } }).values
    expect(at('ems/v1/t/g/plug/status/em1:1')).toEqual({ active_power_l2: 1 })
    expect(at('status/em1:0')).toEqual({ active_power_l1: 1 })
    expect(at('x-status/em1:0')).toEqual({})
  })
})
