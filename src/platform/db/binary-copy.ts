import type pg from 'pg'

/** Signature, no flags, no header extension (PostgreSQL's manual, COPY, "Binary Format"). */
const HEADER = Uint8Array.of(
  0x50,
  0x47,
  0x43,
  0x4f,
  0x50,
  0x59,
  0x0a,
  0xff,
  0x0d,
  0x0a,
  0x00,
  ...new Array(8).fill(0),
)
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1)
const TWO_32 = 4_294_967_296
const JSONB_VERSION = 1
/** The sign of a numeric. */
const NEGATIVE = 0x4000
/** Bytes that are reserved for a row of fixed-width columns: 2 bytes, and 12 for each of up to 80 columns. */
const ROW_BYTES = 1024

/**
 * Encodes rows for COPY … FROM STDIN (FORMAT binary). The buffer is reused: `finish` returns a view of it.
 */
export class BinaryCopy {
  private bytes: Uint8Array<ArrayBuffer>
  private view: DataView
  private at = 0

  constructor(buffer = new ArrayBuffer(256 * 1024)) {
    this.bytes = new Uint8Array(buffer)
    this.view = new DataView(this.bytes.buffer)
    this.begin()
  }

  /** Clears the buffer. */
  begin(): void {
    this.bytes.set(HEADER, 0)
    this.at = HEADER.length
  }

  row(columns: number): void {
    this.reserve(ROW_BYTES)
    this.view.setInt16(this.at, columns)
    this.at += 2
  }

  missing(): void {
    this.view.setInt32(this.at, -1)
    this.at += 4
  }

  int4(value: number): void {
    this.view.setInt32(this.at, 4)
    this.view.setInt32(this.at + 4, value)
    this.at += 8
  }

  /** The value must be a safe integer. */
  int8(value: number): void {
    const high = Math.floor(value / TWO_32)
    this.view.setInt32(this.at, 8)
    this.view.setInt32(this.at + 4, high)
    this.view.setUint32(this.at + 8, value - high * TWO_32)
    this.at += 12
  }

  float8(value: number): void {
    this.view.setInt32(this.at, 8)
    this.view.setFloat64(this.at + 4, value)
    this.at += 12
  }

  bool(value: boolean): void {
    this.view.setInt32(this.at, 1)
    this.view.setUint8(this.at + 4, value ? 1 : 0)
    this.at += 5
  }

  /** A text in UTF-8, or the 16 bytes of a uuid. */
  raw(value: Uint8Array): void {
    this.reserve(ROW_BYTES + value.length)
    this.view.setInt32(this.at, value.length)
    this.bytes.set(value, this.at + 4)
    this.at += 4 + value.length
  }

  /** A decimal of at most 18 digits as an integer of its last place. The server's digits have four places each. */
  numeric(value: bigint, decimals: 3 | 6): void {
    const magnitude = value < 0n ? -value : value
    const scale = decimals === 3 ? 1_000 : 1_000_000
    const near = Number(magnitude)
    const isExact = near <= Number.MAX_SAFE_INTEGER
    let whole = isExact ? Math.floor(near / scale) : Number(magnitude / BigInt(scale))
    const fraction = isExact ? near % scale : Number(magnitude % BigInt(scale))
    const wholeDigits = whole === 0 ? 0 : whole < 1e4 ? 1 : whole < 1e8 ? 2 : whole < 1e12 ? 3 : 4
    const digits = wholeDigits + (decimals === 3 ? 1 : 2)
    this.view.setInt32(this.at, 8 + 2 * digits)
    this.view.setInt16(this.at + 4, digits)
    this.view.setInt16(this.at + 6, wholeDigits - 1)
    this.view.setInt16(this.at + 8, value < 0n ? NEGATIVE : 0)
    this.view.setInt16(this.at + 10, decimals)
    const first = this.at + 12
    for (let index = wholeDigits - 1; index >= 0; index -= 1) {
      const rest = Math.floor(whole / 1e4)
      this.view.setInt16(first + 2 * index, whole - rest * 1e4)
      whole = rest
    }
    const after = first + 2 * wholeDigits
    if (decimals === 3) {
      this.view.setInt16(after, fraction * 10)
    } else {
      this.view.setInt16(after, Math.floor(fraction / 100))
      this.view.setInt16(after + 2, (fraction % 100) * 100)
    }
    this.at = first + 2 * digits
  }

  /** Converts epoch milliseconds; the server counts microseconds from 2000. */
  timestamptz(instant: number): void {
    this.int8((instant - POSTGRES_EPOCH_MS) * 1000)
  }

  jsonb(value: unknown): void {
    const text = Buffer.from(JSON.stringify(value))
    this.reserve(ROW_BYTES + text.length)
    this.view.setInt32(this.at, text.length + 1)
    this.view.setUint8(this.at + 4, JSONB_VERSION)
    this.bytes.set(text, this.at + 5)
    this.at += 5 + text.length
  }

  /** Returns everything that was written, with the trailer; valid until the next `begin`. */
  finish(): Buffer<ArrayBuffer> {
    this.reserve(2)
    this.view.setInt16(this.at, -1)
    return Buffer.from(this.bytes.buffer, 0, this.at + 2)
  }

  private reserve(more: number): void {
    if (this.at + more <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.at + more))
    larger.set(this.bytes.subarray(0, this.at))
    this.bytes = larger
    this.view = new DataView(larger.buffer)
  }
}

const COPY_DATA = 0x64
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4])

/** Implements the interface through which the driver runs a submitted query. */
class CopyIn implements pg.Submittable {
  private readonly text: string
  private readonly bytes: Buffer
  private readonly settle: (error?: Error) => void

  constructor(text: string, bytes: Buffer, settle: (error?: Error) => void) {
    this.text = text
    this.bytes = bytes
    this.settle = settle
  }

  submit(connection: pg.Connection): void {
    const { stream } = connection
    const head = Buffer.allocUnsafe(5)
    head[0] = COPY_DATA
    head.writeUInt32BE(this.bytes.length + 4, 1)
    stream.cork()
    connection.query(this.text)
    stream.write(head)
    stream.write(this.bytes)
    stream.write(COPY_DONE)
    stream.uncork()
  }

  handleError(error: Error): void {
    this.settle(error)
  }

  handleReadyForQuery(): void {
    this.settle()
  }

  handleCopyInResponse(): void {
    // The data has been written already.
  }

  handleRowDescription(): void {
    // The rows that other statements return are not used.
  }

  handleDataRow(): void {
    // As above.
  }

  handleCommandComplete(): void {
    // Called after each statement; the end is signalled by ReadyForQuery.
  }

  handleEmptyQuery(): void {
    // As above.
  }
}

/**
 * The data of a COPY as the only parameter of a statement of Kysely, whose connection passes it to `copyIn`
 * (`kysely-pool.ts`).
 */
export class CopyData {
  readonly bytes: Buffer

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }
}

/**
 * Runs statements of which one is a COPY … FROM STDIN, and writes its data together with them. A server
 * that refuses a statement discards the data (PostgreSQL's manual, message flow, COPY operations), so only
 * the end is awaited: on a busy machine every awaited response costs a context switch in both processes.
 * The buffer may be reused once the next statement of the connection has a response.
 */
export function copyIn(client: pg.ClientBase, text: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(text, bytes, (error) => (error ? reject(error) : resolve())))
  })
}
