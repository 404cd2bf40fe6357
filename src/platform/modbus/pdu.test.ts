import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeFrame, FrameReader } from './frames.ts'
import { ModbusError } from './modbus-error.ts'
import { decodeResponse, encodeRequest, type ModbusRequest } from './pdu.ts'

const hex = (request: ModbusRequest) => encodeRequest(request).toString('hex')
const decode = (request: ModbusRequest, response: string) =>
  decodeResponse(request, Buffer.from(response, 'hex'))

/** Examples of the Modbus Application Protocol 1.1b3, chapter 6. */
describe('requests and responses of the standard', () => {
  it('read coils (6.1) and discrete inputs (6.2)', () => {
    const coils = { function: 1, address: 19, count: 19 } as const
    expect(hex(coils)).toBe('0100130013')
    expect(decode(coils, '0103cd6b05').join('')).toBe('1011001111010110101')
    const inputs = { function: 2, address: 196, count: 22 } as const
    expect(hex(inputs)).toBe('0200c40016')
    expect(decode(inputs, '0203acdb35').join('')).toBe('0011010111011011101011')
  })

  it('read holding (6.3) and input registers (6.4)', () => {
    const holding = { function: 3, address: 107, count: 3 } as const
    expect(hex(holding)).toBe('03006b0003')
    expect(decode(holding, '0306022b00000064')).toEqual([0x022b, 0, 100])
    const input = { function: 4, address: 8, count: 1 } as const
    expect(hex(input)).toBe('0400080001')
    expect(decode(input, '0402000a')).toEqual([10])
  })

  it('write a coil (6.5), a register (6.6), coils (6.11) and registers (6.12)', () => {
    const coil = { function: 5, address: 172, isOn: true } as const
    expect(hex(coil)).toBe('0500acff00')
    expect(decode(coil, '0500acff00')).toEqual([])
    const register = { function: 6, address: 1, word: 3 } as const
    expect(hex(register)).toBe('0600010003')
    expect(decode(register, '0600010003')).toEqual([])
    const bits = [...'1011001110'].map((bit) => bit === '1')
    const coils = { function: 15, address: 19, bits } as const
    expect(hex(coils)).toBe('0f0013000a02cd01')
    expect(decode(coils, '0f0013000a')).toEqual([])
    const registers = { function: 16, address: 1, words: [10, 0x0102] } as const
    expect(hex(registers)).toBe('100001000204000a0102')
    expect(decode(registers, '1000010002')).toEqual([])
  })

  it('report a rejection with its code', () => {
    expect(() => decode({ function: 1, address: 1185, count: 1 }, '8102')).toThrow(
      expect.objectContaining({ kind: 'exception', exceptionCode: 2 }),
    )
  })
})

describe('invalid requests', () => {
  it.each<[string, ModbusRequest]>([
    ['126 registers', { function: 3, address: 0, count: 126 }],
    ['2001 coils', { function: 1, address: 0, count: 2001 }],
    ['nothing', { function: 4, address: 0, count: 0 }],
    ['beyond the last address', { function: 4, address: 65_535, count: 2 }],
    ['a word of 17 bits', { function: 6, address: 0, word: 65_536 }],
    ['124 words to write', { function: 16, address: 0, words: Array(124).fill(0) }],
    ['1969 bits to write', { function: 15, address: 0, bits: Array(1969).fill(false) }],
  ])('are rejected: %s', (_, request) => {
    expect(() => encodeRequest(request)).toThrow(RangeError)
  })
})

describe('any bytes as a response', () => {
  const request = fc.oneof(
    fc.record({
      function: fc.constantFrom(1, 2, 3, 4),
      address: fc.integer({ min: 0, max: 100 }),
      count: fc.integer({ min: 1, max: 125 }),
    }) as fc.Arbitrary<ModbusRequest>,
    fc.constant<ModbusRequest>({ function: 16, address: 7, words: [1, 2] }),
  )
  /** Bytes with a valid beginning are the dangerous ones. */
  const response = fc.oneof(
    fc.uint8Array({ maxLength: 260 }),
    fc
      .tuple(fc.constantFrom(1, 2, 3, 4, 0x81, 0x83, 0x84), fc.uint8Array({ maxLength: 252 }))
      .map(([fn, rest]) => Uint8Array.of(fn, rest.length, ...rest)),
  )

  it('are a response of exactly the requested size, or a ModbusError', () => {
    fc.assert(
      fc.property(request, response, (request, bytes) => {
        try {
          const words = decodeResponse(request, Buffer.from(bytes))
          expect(words.length).toBe('count' in request ? request.count : 0)
          expect(bytes[0]).toBe(request.function)
          expect(words.every((word) => Number.isInteger(word) && word >= 0 && word <= 0xffff)).toBe(true)
        } catch (error) {
          if (!(error instanceof ModbusError)) throw error
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('FrameReader', () => {
  const frame = fc.record({
    transaction: fc.integer({ min: 0, max: 0xffff }),
    unit: fc.integer({ min: 0, max: 255 }),
    pdu: fc.uint8Array({ minLength: 1, maxLength: 253 }).map((bytes) => Buffer.from(bytes)),
  })

  it('returns the frames that were sent, however the stream is split', () => {
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 8 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
        (sent, cuts) => {
          const bytes = Buffer.concat(sent.map(encodeFrame))
          const reader = new FrameReader()
          const got = []
          for (let at = 0; at < bytes.length; ) {
            const size = cuts.next().value
            // The chunk is overwritten after its frames were handled, like the buffer of a socket.
            const chunk = Buffer.from(bytes.subarray(at, at + size))
            for (const one of reader.push(chunk)) got.push({ ...one, pdu: Buffer.from(one.pdu) })
            chunk.fill(0xff)
            at += size
          }
          expect(got).toEqual(sent)
          expect(reader.hasIncompleteFrame).toBe(false)
        },
      ),
    )
  })

  it('never buffers more than one frame', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 10 }), (chunks) => {
        const reader = new FrameReader()
        try {
          for (const chunk of chunks) reader.push(Buffer.from(chunk))
          expect((reader as unknown as { incomplete: Buffer }).incomplete.length).toBeLessThan(260)
        } catch (error) {
          expect(error).toMatchObject({ kind: 'malformed' })
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
