import type pg from 'pg'

/** Signature of 11 bytes, flags, and length of the header extension (PostgreSQL's manual, COPY, "Binary Format"). */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const HEADER_BYTES = SIGNATURE.length + 8
const TRAILER = -1

/**
 * Receives one row: its fields begin at an offset, each with a length of 4 bytes, -1 for null. The bytes belong to the
 * driver and are valid during the call only.
 */
export type RowReader = (bytes: Buffer, offset: number) => void

/** Implements the interface through which the driver runs a submitted query. */
class CopyOut implements pg.Submittable {
  private readonly text: string
  private readonly readRow: RowReader
  private readonly settle: (error?: Error) => void
  private isBegun = false
  private failure: Error | undefined

  constructor(text: string, readRow: RowReader, settle: (error?: Error) => void) {
    this.text = text
    this.readRow = readRow
    this.settle = settle
  }

  submit(connection: pg.Connection): void {
    connection.query(this.text)
  }

  /** The server sends each row as a message; the header is part of the first one, or a message of its own. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.failure) return
    try {
      this.read(chunk)
    } catch (error) {
      // The remaining rows are received and discarded, so that the connection can be used again.
      this.failure = error instanceof Error ? error : new Error(String(error))
    }
  }

  private read(chunk: Buffer): void {
    let offset = 0
    if (!this.isBegun) {
      if (chunk.compare(SIGNATURE, 0, SIGNATURE.length, 0, SIGNATURE.length) !== 0)
        throw new Error('the response of COPY has no binary header')
      this.isBegun = true
      offset = HEADER_BYTES
    }
    if (chunk.length < offset + 2 || chunk.readInt16BE(offset) === TRAILER) return
    this.readRow(chunk, offset + 2)
  }

  handleError(error: Error): void {
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
