import type pg from 'pg'

const COPY_DATA = 0x64
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4])

/** As the driver calls whatever it has submitted. */
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
    // What it asks for is on its way.
  }

  handleRowDescription(): void {
    // Nobody reads what the other statements answer.
  }

  handleDataRow(): void {
    // As above.
  }

  handleCommandComplete(): void {
    // Of each statement; the last word is that the server is ready.
  }

  handleEmptyQuery(): void {
    // As above.
  }
}

/**
 * Runs statements of which one is a COPY … FROM STDIN, with the bytes behind them in the same write. A server that refuses
 * a statement passes over the bytes (PostgreSQL's manual, message flow, COPY operations), so nothing is waited for but
 * the end: on a busy machine every answer that is waited for costs a turn of both processes. The bytes may be written over
 * when the next statement of the connection has been answered.
 */
export function copyIn(client: pg.ClientBase, text: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(text, bytes, (error) => (error ? reject(error) : resolve())))
  })
}
