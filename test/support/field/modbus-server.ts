import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** A request as it came: the whole frame, its header read. */
export interface Asked {
  readonly transaction: number
  readonly unit: number
  readonly pdu: Buffer
  readonly socket: Socket
}

export interface TestServer {
  readonly port: number
  /** Connections that were made so far. */
  readonly connections: number
  readonly asked: readonly Asked[]
  /** Cuts all connections and listens no more. */
  stop(): Promise<void>
}

/** The header of Modbus TCP before a message. */
export function framed(transaction: number, unit: number, pdu: Uint8Array): Buffer {
  const head = Buffer.alloc(7)
  head.writeUInt16BE(transaction, 0)
  head.writeUInt16BE(pdu.length + 1, 4)
  head[6] = unit
  return Buffer.concat([head, pdu])
}

/** An answer to functions 3 and 4 with these words. */
export const wordsPdu = (fn: number, words: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 + words.length * 2)
  bytes[0] = fn
  bytes[1] = words.length * 2
  for (const [place, word] of words.entries()) bytes.writeUInt16BE(word, 2 + place * 2)
  return bytes
}

/** Reads function, address and count of a request. */
export const spanOf = ({ pdu }: Asked) => ({
  fn: pdu[0] ?? 0,
  address: pdu.readUInt16BE(1),
  count: pdu.readUInt16BE(3),
})

/** Answers as an honest device whose word at an address is what `word` says. */
export function answerHonestly(asked: Asked, word: (address: number, unit: number) => number): void {
  const { fn, address, count } = spanOf(asked)
  const words = Array.from({ length: count }, (_, place) => word(address + place, asked.unit))
  asked.socket.write(framed(asked.transaction, asked.unit, wordsPdu(fn, words)))
}

export const answerException = ({ socket, transaction, unit, pdu }: Asked, code: number): void =>
  void socket.write(framed(transaction, unit, Uint8Array.of((pdu[0] ?? 0) | 0x80, code)))

/** A server for the exact faults of a test: `handle` writes to the socket whatever it likes. */
export async function serveModbus(handle: (asked: Asked) => void, port = 0): Promise<TestServer> {
  const asked: Asked[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server: Server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    let rest = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 6 && rest.length >= 6 + rest.readUInt16BE(4)) {
        const end = 6 + rest.readUInt16BE(4)
        const one = {
          transaction: rest.readUInt16BE(0),
          unit: rest[6] ?? 0,
          pdu: rest.subarray(7, end),
          socket,
        }
        rest = rest.subarray(end)
        asked.push(one)
        handle(one)
      }
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections
    },
    asked,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
