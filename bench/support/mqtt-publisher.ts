/**
 * Publishes prepared QoS 1 messages over a few connections, each with a window, in a process of its own. Speaks MQTT by
 * hand: a client library would cost more than the broker. Answers each order with how long it took from the first
 * message to the last acknowledgement.
 */
import { connect, type Socket } from 'node:net'
import { makeSample } from './samples.ts'

export interface PublishOrder {
  readonly port: number
  readonly gateways: readonly { username: string; password: string; deviceIds: readonly string[] }[]
  /** Of each gateway. */
  readonly messages: number
  /** Messages of each gateway that are under way. */
  readonly window: number
  readonly startAt: number
  readonly stepMs: number
  readonly bytes: number
}

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

function makeMessages(
  order: PublishOrder,
  gateway: PublishOrder['gateways'][number],
  index: number,
): Buffer[] {
  return Array.from({ length: order.messages }, (_, step) => {
    const device = step % gateway.deviceIds.length
    const { at, values } = makeSample(order, index * 1000 + device, step)
    const document = {
      seq: step + 1,
      sent_at: at,
      devices: { [gateway.deviceIds[device] ?? '']: [{ ts: at, v: values }] },
      note: '',
    }
    document.note = 'x'.repeat(Math.max(0, order.bytes - JSON.stringify(document).length))
    const id = (step % 65_535) + 1
    return packet(
      0x32,
      text('telemetry'),
      Buffer.from([id >> 8, id & 0xff]),
      Buffer.from(JSON.stringify(document)),
    )
  })
}

const CONNACK_BYTES = 4
const PUBACK_BYTES = 4

/** Resolves when everything is acknowledged. */
function publishAll(socket: Socket, messages: readonly Buffer[], window: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = 0
    let bytes = 0
    const fill = (): void => {
      const acknowledged = Math.floor(bytes / PUBACK_BYTES)
      const until = Math.min(messages.length, acknowledged + window)
      if (until > sent) socket.write(Buffer.concat(messages.slice(sent, until)))
      sent = Math.max(sent, until)
      if (acknowledged >= messages.length) resolve()
    }
    socket.on('data', (data: Buffer) => {
      bytes += data.length
      fill()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`the connection ended after ${bytes / PUBACK_BYTES} messages`)))
    fill()
  })
}

async function login(order: PublishOrder, gateway: PublishOrder['gateways'][number]): Promise<Socket> {
  const socket = connect(order.port, '127.0.0.1')
  socket.setNoDelay(true)
  socket.write(connectPacket(gateway.username, gateway.password))
  await new Promise<void>((resolve, reject) => {
    socket.once('data', (data: Buffer) =>
      data.length === CONNACK_BYTES && data[3] === 0 ? resolve() : reject(new Error('the login was refused')),
    )
    socket.once('error', reject)
  })
  return socket
}

async function run(order: PublishOrder): Promise<void> {
  const all = order.gateways.map((gateway, index) => makeMessages(order, gateway, index))
  const sockets = await Promise.all(order.gateways.map((gateway) => login(order, gateway)))
  const started = performance.now()
  await Promise.all(sockets.map((socket, index) => publishAll(socket, all[index] ?? [], order.window)))
  const tookMs = performance.now() - started
  for (const socket of sockets) {
    socket.removeAllListeners('close')
    socket.destroy()
  }
  process.send?.({ tookMs })
}

process.on('message', (order: PublishOrder) => void run(order))
