/**
 * A process that responds to Modbus TCP as fast as Node can: any unit, functions 3 and 4, words by their
 * address.
 */
import { type AddressInfo, createServer } from 'node:net'

export interface SlavesReady {
  readonly port: number
}

const responses = new Map<number, Buffer>()

/** The response to a count of words, without the transaction id and unit of the header. */
function responseOf(fn: number, count: number): Buffer {
  const known = responses.get(fn * 1000 + count)
  if (known) return known
  const bytes = Buffer.alloc(9 + count * 2)
  bytes.writeUInt16BE(3 + count * 2, 4)
  bytes[7] = fn
  bytes[8] = count * 2
  for (let index = 0; index < count; index++) bytes.writeUInt16BE(0x4148 + (index % 2), 9 + index * 2)
  responses.set(fn * 1000 + count, bytes)
  return bytes
}

const server = createServer((socket) => {
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (request: Buffer) => {
    const response = Buffer.from(responseOf(request[7] ?? 3, request.readUInt16BE(10)))
    request.copy(response, 0, 0, 2)
    response[6] = request[6] ?? 0
    socket.write(response)
  })
})
server.listen(0, '127.0.0.1')

process.on('message', () => {
  process.send?.({ port: (server.address() as AddressInfo).port })
})
