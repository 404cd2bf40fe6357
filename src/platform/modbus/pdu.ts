import { at } from '../../kernel/checked.ts'
import { MODBUS_BITS_MAX, MODBUS_WORDS_MAX } from '../../kernel/limits.ts'
import { MODBUS_BITS_WRITTEN_MAX, MODBUS_WORDS_WRITTEN_MAX } from './limits.ts'
import { ModbusError } from './modbus-error.ts'

/** The supported requests. Addresses count from 0, words are 0 to 65535. */
export type ModbusRequest =
  | { readonly function: 1 | 2 | 3 | 4; readonly address: number; readonly count: number }
  | { readonly function: 5; readonly address: number; readonly isOn: boolean }
  | { readonly function: 6; readonly address: number; readonly word: number }
  | { readonly function: 15; readonly address: number; readonly bits: readonly boolean[] }
  | { readonly function: 16; readonly address: number; readonly words: readonly number[] }

const DECLARES = 'and tells of'
const ADDRESSES = 65_536
const ON = 0xff00
const EXCEPTION_BIT = 0x80

function checkRange(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new RangeError(`${name} ${value} is not within ${min} and ${max}`)
}

function checkSpan(address: number, count: number, max: number): void {
  checkRange('address', address, 0, ADDRESSES - 1)
  checkRange('count', count, 1, Math.min(max, ADDRESSES - address))
}

const isBits = (fn: number): boolean => fn === 1 || fn === 2

function packBits(bits: readonly boolean[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8))
  for (const [index, isOn] of bits.entries()) {
    if (isOn) bytes[index >> 3] = at(bytes, index >> 3) | (1 << (index & 7))
  }
  return bytes
}

function packWords(words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(words.length * 2)
  for (const [index, word] of words.entries()) {
    checkRange('word', word, 0, 0xffff)
    bytes.writeUInt16BE(word, index * 2)
  }
  return bytes
}

function encodeHead(fn: number, first: number, second: number): Buffer {
  const bytes = Buffer.allocUnsafe(5)
  bytes[0] = fn
  bytes.writeUInt16BE(first, 1)
  bytes.writeUInt16BE(second, 3)
  return bytes
}

const withData = (start: Buffer, data: Buffer): Buffer =>
  Buffer.concat([start, Buffer.from([data.length]), data])

/**
 * Encodes a request without the transport header. Throws RangeError for a request outside the limits of the
 * protocol.
 */
export function encodeRequest(request: ModbusRequest): Buffer {
  const { function: fn, address } = request
  switch (request.function) {
    case 1:
    case 2:
    case 3:
    case 4:
      checkSpan(address, request.count, isBits(fn) ? MODBUS_BITS_MAX : MODBUS_WORDS_MAX)
      return encodeHead(fn, address, request.count)
    case 5:
      checkSpan(address, 1, 1)
      return encodeHead(fn, address, request.isOn ? ON : 0)
    case 6:
      checkSpan(address, 1, 1)
      checkRange('word', request.word, 0, 0xffff)
      return encodeHead(fn, address, request.word)
    case 15:
      checkSpan(address, request.bits.length, MODBUS_BITS_WRITTEN_MAX)
      return withData(encodeHead(fn, address, request.bits.length), packBits(request.bits))
    case 16:
      checkSpan(address, request.words.length, MODBUS_WORDS_WRITTEN_MAX)
      return withData(encodeHead(fn, address, request.words.length), packWords(request.words))
  }
}

const malformed = (what: string) => new ModbusError('malformed', what)

function readData(fn: number, count: number, response: Buffer): number[] {
  const bytes = isBits(fn) ? Math.ceil(count / 8) : count * 2
  if (response.length !== bytes + 2 || response[1] !== bytes)
    throw malformed(
      `the answer has ${response.length - 2} bytes of data ${DECLARES} ${response[1]}, where ${bytes} were due`,
    )
  const data = new Array<number>(count)
  for (let index = 0; index < count; index++)
    data[index] = isBits(fn)
      ? (at(response, 2 + (index >> 3)) >> (index & 7)) & 1
      : (at(response, 2 + index * 2) << 8) | at(response, 3 + index * 2)
  return data
}

/**
 * Decodes the response to a request: words, bits as 0 and 1, empty for a write. Throws ModbusError
 * `exception` when the device refused, `malformed` when the bytes cannot be a response to it.
 */
export function decodeResponse(request: ModbusRequest, response: Buffer): readonly number[] {
  const { function: fn } = request
  if (response[0] === (fn | EXCEPTION_BIT)) {
    const code = response[1]
    if (response.length !== 2 || code === undefined) throw malformed('an exception without its code')
    throw new ModbusError('exception', `the device answered exception ${code}`, code)
  }
  if (response[0] !== fn) throw malformed(`function ${fn} was answered by ${response[0]}`)
  if ('count' in request) return readData(fn, request.count, response)
  // A write is confirmed by its own first five bytes: address and value, or address and count.
  if (!response.equals(encodeRequest(request).subarray(0, 5)))
    throw malformed('the write was not confirmed as sent')
  return []
}
