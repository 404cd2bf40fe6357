import type { Client } from 'aedes'

const PUBACK = 0x40
const PUBACK_BYTES = 4

/** Of messages that are committed together: written together, when everything that this turn settles is settled. */
export class Acknowledgements {
  private readonly client: Client
  private readonly ids: number[] = []

  constructor(client: Client) {
    this.client = client
  }

  add(messageId: number): void {
    if (this.ids.push(messageId) === 1) process.nextTick(this.flush)
  }

  readonly flush = (): void => {
    const ids = this.ids.splice(0)
    if (ids.length === 0 || this.client.closed) return
    const bytes = Buffer.allocUnsafe(ids.length * PUBACK_BYTES)
    let at = 0
    for (const id of ids) {
      bytes[at] = PUBACK
      bytes[at + 1] = 2
      bytes.writeUInt16BE(id, at + 2)
      at += PUBACK_BYTES
    }
    this.client.conn.write(bytes)
  }
}
