import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** A received request: the PDU and the fields of its header. */
export interface ReceivedRequest {
  readonly transaction: number
  readonly unit: number
  readonly pdu: Buffer
  readonly socket: Socket
}

export interface TestServer {
  readonly port: number
  /** Number of accepted connections. */
  readonly connections: number
  readonly requests: readonly ReceivedRequest[]
  /** Destroys all connections and closes the server. */
  stop(): Promise<void>
}

/** Prepends the Modbus TCP header to a PDU. */
export function framed(transaction: number, unit: number, pdu: Uint8Array): Buffer {
  const head = Buffer.alloc(7)
  head.writeUInt16BE(transaction, 0)
  head.writeUInt16BE(pdu.length + 1, 4)
  head[6] = unit
  return Buffer.concat([head, pdu])
}

/** A response to functions 3 and 4 with these words. */
export const wordsPdu = (fn: number, words: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 + words.length * 2)
  bytes[0] = fn
  bytes[1] = words.length * 2
  for (const [index, word] of words.entries()) bytes.writeUInt16BE(word, 2 + index * 2)
  return bytes
}

/** Reads function, address and count of a request. */
export const spanOf = ({ pdu }: ReceivedRequest) => ({
  fn: pdu[0] ?? 0,
  address: pdu.readUInt16BE(1),
  count: pdu.readUInt16BE(3),
})

/** Responds as a correct device whose word at an address is `word(address, unit)`. */
export function respondWithWords(
  request: ReceivedRequest,
  word: (address: number, unit: number) => number,
): void {
  const { fn, address, count } = spanOf(request)
  const words = Array.from({ length: count }, (_, index) => word(address + index, request.unit))
  request.socket.write(framed(request.transaction, request.unit, wordsPdu(fn, words)))
}

export const respondWithException = (
  { socket, transaction, unit, pdu }: ReceivedRequest,
  code: number,
): void => void socket.write(framed(transaction, unit, Uint8Array.of((pdu[0] ?? 0) | 0x80, code)))

/** A server for exact faults of a test: `handle` writes arbitrary bytes to the socket. */
export async function serveModbus(
  handle: (requests: ReceivedRequest) => void,
  port = 0,
): Promise<TestServer> {
  const request: ReceivedRequest[] = []
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
        request.push(one)
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
    requests: request,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
