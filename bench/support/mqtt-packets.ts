/** MQTT 3.1.1 without a client library, which would cost more than the broker. */
import { connect, type Socket } from 'node:net'

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}

function packet(head: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length: number[] = []
  for (let left = body.length; ; left >>= 7) {
    const isLast = left < 128
    length.push(isLast ? left : (left & 127) | 128)
    if (isLast) break
  }
  return Buffer.concat([Buffer.from([head, ...length]), body])
}

const CONNECT_HEAD = Buffer.from([0, 4, 77, 81, 84, 84, 4, 0xc2, 0, 60])
const connectPacket = (username: string, password: string): Buffer =>
  packet(0x10, CONNECT_HEAD, text(`bench ${username}`), text(username), text(password))

/** PUBLISH with QoS 1; the number of the message is its packet id. */
export function publishPacket(topic: string, number: number, payload: string): Buffer {
  const id = (number % 65_535) + 1
  return packet(0x32, text(topic), Buffer.from([id >> 8, id & 0xff]), Buffer.from(payload))
}

const CONNACK_BYTES = 4
export const PUBACK_BYTES = 4

export interface GatewayLogin {
  readonly username: string
  readonly password: string
}

/** A connection that was accepted. */
export async function login(port: number, { username, password }: GatewayLogin): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  socket.write(connectPacket(username, password))
  await new Promise<void>((resolve, reject) => {
    socket.once('data', (data: Buffer) =>
      data.length === CONNACK_BYTES && data[3] === 0
        ? resolve()
        : reject(new Error('the login was rejected')),
    )
    socket.once('error', reject)
  })
  return socket
}
