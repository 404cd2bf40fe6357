import { ModbusError } from './modbus-error.ts'

/** One message of Modbus TCP: the MBAP header and what it carries. */
export interface Frame {
  readonly transaction: number
  readonly unit: number
  readonly pdu: Buffer
}

const HEADER_BYTES = 6
/** Unit and at least a function code; at most 253 bytes behind the unit (Modbus over TCP/IP 1.0b, 4.1). */
const LENGTH_MIN = 2
const LENGTH_MAX = 254

export function encodeFrame({ transaction, unit, pdu }: Frame): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + 1 + pdu.length)
  bytes.writeUInt16BE(transaction, 0)
  bytes.writeUInt16BE(pdu.length + 1, 4)
  bytes[HEADER_BYTES] = unit
  pdu.copy(bytes, HEADER_BYTES + 1)
  return bytes
}

/** Cuts a stream into frames, however the network cut it. Never holds more than one frame. */
export class FrameReader {
  private rest: Buffer = Buffer.alloc(0)

  /** Part of a frame is there, and the rest is not. */
  get hasRest(): boolean {
    return this.rest.length > 0
  }

  /** Throws ModbusError `malformed` when the stream is not Modbus: where the next frame begins is not known then. */
  push(chunk: Buffer): Frame[] {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk])
    const frames: Frame[] = []
    let at = 0
    for (let end = this.endOf(bytes, at); end !== undefined; end = this.endOf(bytes, at)) {
      frames.push({
        transaction: bytes.readUInt16BE(at),
        unit: bytes[at + HEADER_BYTES] ?? 0,
        pdu: bytes.subarray(at + HEADER_BYTES + 1, end),
      })
      at = end
    }
    this.rest = bytes.subarray(at)
    return frames
  }

  /** Where the frame that begins there ends; undefined while it is not whole. */
  private endOf(bytes: Buffer, at: number): number | undefined {
    if (bytes.length - at < HEADER_BYTES) return undefined
    const length = bytes.readUInt16BE(at + 4)
    if (bytes.readUInt16BE(at + 2) !== 0 || length < LENGTH_MIN || length > LENGTH_MAX)
      throw new ModbusError('malformed', 'what came is not Modbus TCP')
    const end = at + HEADER_BYTES + length
    return end <= bytes.length ? end : undefined
  }
}
