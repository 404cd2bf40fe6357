import { at } from '../../kernel/checked.ts'
import type { Message } from '../../kernel/messages.ts'
import type { WordBlock } from './decode.ts'
import { FRAME_FAULTS } from './file-messages.ts'
import type { ReadFunction } from './types.ts'

/** The address range that a test declares for a frame. */
export interface Span {
  readonly function: ReadFunction | undefined
  readonly address: number
  readonly count: number
}

const SPAN = /^(?:([1-4]):)?(\d{1,5})\+(\d{1,3})$/

/** Parses `72+2` or `3:72+2`; undefined for any other text. */
export function parseSpan(text: string): Span | undefined {
  const match = SPAN.exec(text)
  if (!match) return undefined
  const [, fn, address, count] = match
  return {
    function: fn === undefined ? undefined : (Number(fn) as ReadFunction),
    address: Number(address),
    count: Number(count),
  }
}

/** A frame format: the number of bytes before and after the data of a response. */
interface FrameFormat {
  readonly name: Message
  readonly headerBytes: number
  readonly trailerBytes: number
}
const BARE: FrameFormat = { name: FRAME_FAULTS.MAP_FORMAT_BARE(), headerBytes: 0, trailerBytes: 0 }
const FRAME_FORMATS: readonly FrameFormat[] = [
  BARE,
  { name: FRAME_FAULTS.MAP_FORMAT_DATA(), headerBytes: 2, trailerBytes: 0 },
  { name: FRAME_FAULTS.MAP_FORMAT_RTU_OPEN(), headerBytes: 3, trailerBytes: 0 },
  { name: FRAME_FAULTS.MAP_FORMAT_RTU(), headerBytes: 3, trailerBytes: 2 },
  { name: FRAME_FAULTS.MAP_FORMAT_TCP(), headerBytes: 9, trailerBytes: 0 },
]

const bytesOf = (hex: string): number[] => hex.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? []

/** CRC of Modbus over serial line 1.02, 6.2.2: polynomial A001, low byte first. */
function checksumOf(bytes: readonly number[]): number {
  let crc = 0xffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  }
  return crc
}

export type FrameResult = { readonly block: WordBlock } | { readonly fault: Message }
const fault = (content: Message): FrameResult => ({ fault: content })

/**
 * Extracts the registers of a response. The frame format (bare, RTU, TCP) follows from the length, because
 * the span gives the size of the data. `fallback` is the function of a bare frame whose span has none.
 */
export function readFrame(hex: string, span: Span, fallback: ReadFunction | undefined): FrameResult {
  const bytes = bytesOf(hex)
  if (hex.length % 2 !== 0) return fault(FRAME_FAULTS.MAP_FRAME_HALF_BYTE())
  for (const fn of candidateFunctions(bytes, span, fallback)) {
    const size = fn <= 2 ? Math.ceil(span.count / 8) : span.count * 2
    const format = FRAME_FORMATS.find(
      ({ headerBytes: before, trailerBytes: after }) => bytes.length === before + size + after,
    )
    if (!format) continue
    const mismatch = findFault(bytes, format, { fn, size })
    if (mismatch !== undefined) return fault(mismatch)
    const data = bytes.slice(format.headerBytes, format.headerBytes + size)
    const words = fn <= 2 ? bitsIn(data, span.count) : wordsIn(data)
    return { block: { function: fn, address: span.address, words } }
  }
  return fault(FRAME_FAULTS.MAP_FRAME_SIZE({ bytes: bytes.length, count: span.count }))
}

function candidateFunctions(
  bytes: readonly number[],
  span: Span,
  fallback: ReadFunction | undefined,
): ReadFunction[] {
  if (span.function !== undefined) return [span.function]
  if (fallback !== undefined) return [fallback]
  const candidates = [bytes[7], bytes[1], bytes[0]].filter(
    (byte) => byte !== undefined && byte >= 1 && byte <= 4,
  )
  return candidates as ReadFunction[]
}

function findFault(
  bytes: readonly number[],
  { headerBytes: before, trailerBytes: after, name }: FrameFormat,
  { fn, size }: { readonly fn: ReadFunction; readonly size: number },
): Message | undefined {
  if (before === 0) return undefined
  const [actualFunction, actualSize] = [at(bytes, before - 2), at(bytes, before - 1)]
  if (actualFunction !== fn)
    return FRAME_FAULTS.MAP_FRAME_FUNCTION({ format: name, actual: actualFunction, expected: fn })
  if (actualSize !== size)
    return FRAME_FAULTS.MAP_FRAME_LENGTH({ format: name, actual: actualSize, expected: size })
  if (before === 9 && (bytes[2] || bytes[3] || at(bytes, 4) * 256 + at(bytes, 5) !== size + 3))
    return FRAME_FAULTS.MAP_FRAME_TCP_HEADER()
  if (after === 0) return undefined
  const crc = at(bytes, bytes.length - 1) * 256 + at(bytes, bytes.length - 2)
  return crc === checksumOf(bytes.slice(0, -2)) ? undefined : FRAME_FAULTS.MAP_FRAME_CHECKSUM()
}

const wordsIn = (data: readonly number[]): number[] =>
  Array.from({ length: data.length / 2 }, (_, index) => at(data, index * 2) * 256 + at(data, index * 2 + 1))

const bitsIn = (data: readonly number[], count: number): number[] =>
  Array.from({ length: count }, (_, index) => (at(data, index >> 3) >> (index & 7)) & 1)
