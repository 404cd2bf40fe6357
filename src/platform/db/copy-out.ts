import type { Duplex } from 'node:stream'
import type pg from 'pg'

/** Signature of 11 bytes, flags, and length of the header extension (PostgreSQL's manual, COPY, "Binary Format"). */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const HEADER_BYTES = SIGNATURE.length + 8
const TRAILER = -1

/**
 * Receives one row: its fields lie between an offset and an end, each after its length in 4 bytes, -1 for null. The
 * bytes are valid during the call only.
 */
export type RowReader = (bytes: Buffer, offset: number, end: number) => void

/** A message of the server (PostgreSQL's manual, "Message Formats"): a code, and a length of 4 bytes with its own. */
const MESSAGE_HEADER_BYTES = 5
const COPY_DATA = codeOf('d')
/** What may precede the rows or come between them: CopyOutResponse, notices, notifications, changed settings. */
const BETWEEN = new Set(['H', 'N', 'A', 'S'].map(codeOf))

function codeOf(letter: string): number {
  return letter.charCodeAt(0)
}

/**
 * Implements the interface through which the driver runs a submitted query. Until the last row it receives the bytes of
 * the connection instead of the driver, which would make a buffer, an object and an event of each row. All messages
 * that are no rows are passed on to the driver.
 */
class CopyOut implements pg.Submittable {
  private readonly text: string
  private readonly readRow: RowReader
  private readonly settle: (error?: Error) => void
  private stream: Duplex | undefined
  private driver: ((bytes: Buffer) => void)[] = []
  /** The begin of a message whose end has not arrived. */
  private rest: Buffer | undefined
  private isBegun = false
  private failure: Error | undefined

  constructor(text: string, readRow: RowReader, settle: (error?: Error) => void) {
    this.text = text
    this.readRow = readRow
    this.settle = settle
  }

  submit(connection: pg.Connection): void {
    this.stream = connection.stream
    this.driver = this.stream.listeners('data') as typeof this.driver
    // Our listener first: a stream without any would pause.
    this.stream.on('data', this.receive)
    for (const listener of this.driver) this.stream.off('data', listener)
    connection.query(this.text)
  }

  /** Returns the connection to the driver. */
  private detach(): void {
    for (const listener of this.driver) this.stream?.on('data', listener)
    this.stream?.off('data', this.receive)
    this.stream = undefined
  }

  private passOn(bytes: Buffer): void {
    for (const listener of this.driver) listener(bytes)
  }

  private readonly receive = (arrived: Buffer): void => {
    const bytes = this.rest ? Buffer.concat([this.rest, arrived]) : arrived
    this.rest = undefined
    let offset = 0
    while (offset + MESSAGE_HEADER_BYTES <= bytes.length) {
      const code = bytes[offset] ?? 0
      const end = offset + 1 + bytes.readUInt32BE(offset + 1)
      if (code !== COPY_DATA && !BETWEEN.has(code)) {
        // The end of the rows, or an error.
        this.detach()
        this.passOn(bytes.subarray(offset))
        return
      }
      if (end > bytes.length) break
      if (code === COPY_DATA) this.read(bytes, offset + MESSAGE_HEADER_BYTES, end)
      else this.passOn(bytes.subarray(offset, end))
      offset = end
    }
    if (offset < bytes.length) this.rest = bytes.subarray(offset)
  }

  /** The server sends each row as a message; the header is part of the first one, or a message of its own. */
  private read(bytes: Buffer, begin: number, end: number): void {
    if (this.failure) return
    try {
      let offset = begin
      if (!this.isBegun) {
        if (bytes.compare(SIGNATURE, 0, SIGNATURE.length, begin, begin + SIGNATURE.length) !== 0)
          throw new Error('the response of COPY has no binary header')
        this.isBegun = true
        offset += HEADER_BYTES
      }
      if (end < offset + 2 || bytes.readInt16BE(offset) === TRAILER) return
      this.readRow(bytes, offset + 2, end)
    } catch (error) {
      // The remaining rows are received and discarded, so that the connection can be used again.
      this.failure = error instanceof Error ? error : new Error(String(error))
    }
  }

  /** The server reports an error, or the connection has ended. */
  handleError(error: Error): void {
    this.detach()
    this.settle(error)
  }

  handleReadyForQuery(): void {
    this.settle(this.failure)
  }

  handleCommandComplete(): void {
    // The end is signalled by ReadyForQuery.
  }

  handleRowDescription(): void {
    // COPY returns none.
  }

  handleDataRow(): void {
    // As above.
  }

  handleEmptyQuery(): void {
    // As above.
  }
}

/**
 * Runs COPY … TO STDOUT (FORMAT binary) and passes each row as it arrives: a value is neither printed as text by the
 * server nor becomes an object here.
 */
export function copyOut(client: pg.ClientBase, text: string, readRow: RowReader): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyOut(text, readRow, (error) => (error ? reject(error) : resolve())))
  })
}

/**
 * The receiver of the rows of a COPY as the only parameter of a statement of Kysely, whose connection runs `copyOut`
 * (`kysely-pool.ts`).
 */
export class CopyReceiver {
  readonly readRow: RowReader

  constructor(readRow: RowReader) {
    this.readRow = readRow
  }
}

/** Receives the rows of one COPY. */
export interface RowsReader {
  readonly readRow: RowReader
}

/** Runs `copyOut` on a connection of a pool. */
export async function copyOutOfPool<Reader extends RowsReader>(
  pool: Pick<pg.Pool, 'connect'>,
  text: string,
  begin: () => Reader,
): Promise<Reader> {
  const client = await pool.connect()
  const reader = begin()
  try {
    await copyOut(client, text, reader.readRow)
  } catch (error) {
    // As the pool does after a statement that failed: the connection may be the reason.
    client.release(true)
    throw error
  }
  client.release()
  return reader
}
