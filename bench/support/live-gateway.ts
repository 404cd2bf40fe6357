/**
 * Gateways in a separate process. `live`: QoS 1 messages of one sample each at an even rate, whatever the
 * service does; returns when each was published and acknowledged. `store`: one gateway that sends backfill,
 * at a rate or as fast as it is acknowledged, a window of messages at a time, for some seconds; returns the
 * number of acknowledged samples a second.
 */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchGateway } from './gateways.ts'
import { login, PUBACK_BYTES, publishPacket } from './mqtt-packets.ts'
import { makeSample } from './samples.ts'

export interface LiveTask {
  readonly kind: 'live'
  readonly port: number
  readonly gateways: readonly BenchGateway[]
  /** Samples a second in total, and the duration. */
  readonly rate: number
  readonly seconds: number
  /** The number of the first sample, which is in the values as `no`. */
  readonly firstNo: number
  readonly startAt: number
  readonly stepMs: number
}

export interface StoreTask {
  readonly kind: 'store'
  readonly port: number
  readonly gateway: BenchGateway
  readonly seconds: number
  /** Maximum samples a second; undefined: as fast as it is acknowledged. */
  readonly rate: number | undefined
  readonly startAt: number
  readonly stepMs: number
}

/** Epoch milliseconds with decimals. */
export type Timing = readonly [no: number, publishedAt: number, acknowledgedAt: number]

const TICK_MS = 5
const STORE_WINDOW = 100
const STORE_READINGS = 60
const IDS = 65_535
const now = () => performance.timeOrigin + performance.now()

/** Calls `onPacketId` for each PUBACK. */
function onPuback(socket: Socket, onPacketId: (packetId: number) => void): void {
  let rest = Buffer.alloc(0)
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    for (; rest.length >= PUBACK_BYTES; rest = rest.subarray(PUBACK_BYTES)) onPacketId(rest.readUInt16BE(2))
  })
  socket.on('error', (error) => {
    throw error
  })
}

async function sendLive(task: LiveTask): Promise<Timing[]> {
  const { gateways, rate, seconds, firstNo } = task
  const published = new Map<number, number>()
  const timings: Timing[] = []
  const sockets = await Promise.all(gateways.map((gateway) => login(task.port, gateway)))
  const lines = sockets.map((socket) => ({ socket, sent: 0, waiting: new Map<number, number>() }))
  for (const { socket, waiting } of lines) {
    onPuback(socket, (id) => {
      const no = waiting.get(id) ?? Number.NaN
      timings.push([no, published.get(no) ?? Number.NaN, now()])
    })
  }
  const count = rate * seconds
  const begun = performance.now()
  for (let index = 0; index < count; ) {
    const due = Math.min(count, Math.floor(((performance.now() - begun) / 1000) * rate))
    for (; index < due; index++) {
      const no = firstNo + index
      const gatewayIndex = no % gateways.length
      const line = lines[gatewayIndex]
      const ids = gateways[gatewayIndex]?.deviceIds ?? []
      const turn = Math.floor(no / gateways.length)
      const device = turn % ids.length
      const { at, values } = makeSample(task, gatewayIndex * 1000 + device, Math.floor(turn / ids.length))
      const devices = { [ids[device] ?? '']: [{ ts: at, v: { ...values, no } }] }
      if (!line) continue
      const packet = publishPacket('telemetry', line.sent, JSON.stringify({ devices }))
      line.waiting.set((line.sent % IDS) + 1, no)
      line.sent += 1
      published.set(no, now())
      line.socket.write(packet)
    }
    await sleep(TICK_MS)
  }
  while (timings.length < count) await sleep(TICK_MS)
  for (const { socket } of lines) socket.destroy()
  return timings
}

async function sendStore(task: StoreTask): Promise<number> {
  const { gateway } = task
  const socket = await login(task.port, gateway)
  let sent = 0
  let acknowledged = 0
  const messageOf = (number: number): Buffer => {
    const device = number % gateway.deviceIds.length
    const first = Math.floor(number / gateway.deviceIds.length) * STORE_READINGS
    const points = Array.from({ length: STORE_READINGS }, (_, index) => {
      const { at, values } = makeSample(task, device, first + index)
      return { ts: at, v: values }
    })
    const devices = { [gateway.deviceIds[device] ?? '']: points }
    return publishPacket('telemetry', number, JSON.stringify({ devices }))
  }
  const begun = performance.now()
  const fill = (): void => {
    const due = ((performance.now() - begun) / 1000) * ((task.rate ?? 0) / STORE_READINGS)
    const most = acknowledged + STORE_WINDOW
    for (; sent < (task.rate === undefined ? most : Math.min(most, due)); sent++)
      socket.write(messageOf(sent))
  }
  let firstAt = begun
  let lastAt = begun
  let isOver = false
  onPuback(socket, () => {
    lastAt = performance.now()
    if (acknowledged === 0) firstAt = lastAt
    acknowledged += 1
    if (!isOver) fill()
  })
  while (performance.now() - begun < task.seconds * 1000) {
    fill()
    await sleep(TICK_MS)
  }
  isOver = true
  while (acknowledged < sent) await sleep(TICK_MS)
  socket.destroy()
  return ((acknowledged - 1) * STORE_READINGS * 1000) / (lastAt - firstAt)
}

process.on('message', (task: LiveTask | StoreTask) => {
  const work = task.kind === 'live' ? sendLive(task) : sendStore(task)
  work.then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      process.stderr.write(`${(error as Error).stack}\n`)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))
