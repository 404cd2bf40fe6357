/**
 * Publishes prepared QoS 1 messages over a few connections, each with a window, in a separate process.
 * Reports for each order the time from the first message to the last acknowledgement.
 */
import type { Socket } from 'node:net'
import { login, PUBACK_BYTES, publishPacket } from './mqtt-packets.ts'
import { makeSample } from './samples.ts'

export interface PublishOrder {
  readonly port: number
  readonly gateways: readonly { username: string; password: string; deviceIds: readonly string[] }[]
  /** For each gateway. */
  readonly messages: number
  /** Unacknowledged messages of each gateway. */
  readonly window: number
  readonly startAt: number
  readonly stepMs: number
  readonly bytes: number
}

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
    return publishPacket('telemetry', step, JSON.stringify(document))
  })
}

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

async function run(order: PublishOrder): Promise<void> {
  const all = order.gateways.map((gateway, index) => makeMessages(order, gateway, index))
  const sockets = await Promise.all(order.gateways.map((gateway) => login(order.port, gateway)))
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
