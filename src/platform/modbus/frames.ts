import { ModbusError } from './modbus-error.ts'

/** One message of Modbus TCP: the fields of the MBAP header and the PDU. */
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
  // From the pool of Node: memory of its own for every frame costs more than the rest of this function.
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + 1 + pdu.length)
  bytes.writeUInt16BE(transaction, 0)
  bytes.writeUInt16BE(0, 2)
  bytes.writeUInt16BE(pdu.length + 1, 4)
  bytes[HEADER_BYTES] = unit
  pdu.copy(bytes, HEADER_BYTES + 1)
  return bytes
}

const NOTHING = Buffer.alloc(0)

/**
 * Reassembles frames from the chunks of a stream. Buffers at most one incomplete frame. A chunk may be overwritten as
 * soon as its frames were handled: what is kept of it is a copy.
 */
export class FrameReader {
  private incomplete: Buffer = NOTHING

  /** True while a part of a frame is buffered. */
  get hasIncompleteFrame(): boolean {
    return this.incomplete.length > 0
  }

  /**
   * Throws ModbusError `malformed` when the stream is not Modbus: the position of the next frame is unknown
   * then.
   */
  push(chunk: Buffer): Frame[] {
    const bytes = this.incomplete.length === 0 ? chunk : Buffer.concat([this.incomplete, chunk])
    const frames: Frame[] = []
    let offset = 0
    for (let end = this.frameEnd(bytes, offset); end !== undefined; end = this.frameEnd(bytes, offset)) {
      frames.push({
        transaction: bytes.readUInt16BE(offset),
        unit: bytes.readUInt8(offset + HEADER_BYTES),
        pdu: bytes.subarray(offset + HEADER_BYTES + 1, end),
      })
      offset = end
    }
    this.incomplete = offset === bytes.length ? NOTHING : Buffer.from(bytes.subarray(offset))
    return frames
  }

  /** End of the frame that begins at the offset; undefined while the frame is incomplete. */
  private frameEnd(bytes: Buffer, offset: number): number | undefined {
    if (bytes.length - offset < HEADER_BYTES) return undefined
    const length = bytes.readUInt16BE(offset + 4)
    if (bytes.readUInt16BE(offset + 2) !== 0 || length < LENGTH_MIN || length > LENGTH_MAX)
      throw new ModbusError('malformed', 'what came is not Modbus TCP')
    const end = offset + HEADER_BYTES + length
    return end <= bytes.length ? end : undefined
  }
}
