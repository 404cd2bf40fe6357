/**
 * Publishes prepared QoS 1 messages over a few connections, each with a window, in a separate process.
 * Reports for each task the time from the first message to the last acknowledgement.
 */
import type { Socket } from 'node:net'
import { login, PUBACK_BYTES, publishPacket } from './mqtt-packets.ts'
import { makeSample } from './samples.ts'

export interface PublishTask {
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

function makeMessages(task: PublishTask, gateway: PublishTask['gateways'][number], index: number): Buffer[] {
  return Array.from({ length: task.messages }, (_, step) => {
    const device = step % gateway.deviceIds.length
    const { at, values } = makeSample(task, index * 1000 + device, step)
    const document = {
      seq: step + 1,
      sent_at: at,
      devices: { [gateway.deviceIds[device] ?? '']: [{ ts: at, v: values }] },
      note: '',
    }
    document.note = 'x'.repeat(Math.max(0, task.bytes - JSON.stringify(document).length))
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

async function run(task: PublishTask): Promise<void> {
  const all = task.gateways.map((gateway, index) => makeMessages(task, gateway, index))
  const sockets = await Promise.all(task.gateways.map((gateway) => login(task.port, gateway)))
  const started = performance.now()
  await Promise.all(sockets.map((socket, index) => publishAll(socket, all[index] ?? [], task.window)))
  const tookMs = performance.now() - started
  for (const socket of sockets) {
    socket.removeAllListeners('close')
    socket.destroy()
  }
  process.send?.({ tookMs })
}

process.on('message', (task: PublishTask) => void run(task))
