import { setTimeout as sleep } from 'node:timers/promises'
import type { MqttClient } from 'mqtt'
import {
  isAcknowledged,
  type Load,
  type SentBatch,
  type Target,
  timeOf,
  valuesOf,
} from '../metering/sample-load.ts'
import { callService } from '../process/call.ts'
import type { Installation } from '../process/killed-service.ts'
import type { Random } from '../seed.ts'
import { connectGateway } from './mqtt.ts'

/** A gateway with its login, which sends for the devices of the installation. */
export interface LoadGateway {
  readonly gatewayId: string
  readonly presentId: string
  readonly username: string
  readonly password: string
}

/** A gateway for all devices of the target, and for one more device whose samples are current. */
export async function placeGateway({ url, token, deviceIds }: Target) {
  const post = (path: string, body: object) => callService('POST', url + path, token, body)
  const gateway = await post('/api/gateways', { name: 'roof', gateway_type: 'mqtt' })
  const template = await post('/api/devices/device-templates', {
    name: 'over the broker',
    device_type: 'energy_analyzer',
    protocols: ['mqtt'],
  })
  const present = await post('/api/devices', { name: 'of the present', device_type: 'energy_analyzer' })
  const binding = { mqtt_gateway_id: gateway.id, template_id: template.id }
  for (const id of [...deviceIds, present.id])
    await callService('PUT', `${url}/api/devices/${id}`, token, binding)
  return { gatewayId: gateway.id as string, presentId: present.id as string }
}

/** The same with a login at the embedded broker. */
export async function createLoadGateway({ target }: Pick<Installation, 'target'>): Promise<LoadGateway> {
  const { gatewayId, presentId } = await placeGateway(target)
  const path = `${target.url}/api/gateways/${gatewayId}/credentials`
  const { username, password } = await callService('POST', path, target.token)
  return { gatewayId, presentId, username, password }
}

/** The MQTT address of the running service, as printed at its start. */
export function brokerPort({ service }: Pick<Installation, 'service'>): number {
  const [, port] = /mqtt:\/\/[^:]+:(\d+)/.exec(service.out()) ?? []
  if (!port) throw new Error(`the service did not say where gateways connect:\n${service.out()}`)
  return Number(port)
}

interface Steps {
  readonly from: number
  readonly count: number
  /** Only makes the message longer. */
  readonly note?: string
  /** A device with a current sample makes the message live; without it the message is backfill. */
  readonly presentId?: string | undefined
}

/** The samples of some steps of every device. */
export const messageOf = (
  deviceIds: readonly string[],
  { from, count, note = '', presentId }: Steps,
): string => {
  const devices: Record<string, object[]> = {}
  if (presentId !== undefined) devices[presentId] = [{ ts: Date.now(), v: { voltage: 230 } }]
  for (const [device, id] of deviceIds.entries()) {
    devices[id] = Array.from({ length: count }, (_, index) => ({
      ts: timeOf(from + index),
      v: valuesOf(device, from + index),
    }))
  }
  return JSON.stringify({ devices, note })
}

const ACKNOWLEDGED_MAX_MS = 60_000
const CLIENTS = 4
/** Unacknowledged messages of one client. */
const WINDOW = 8
const STEPS = [1, 5, 20, 60] as const

/** Resolves whether the message was acknowledged; a broken connection leaves that unknown. */
function publish(client: MqttClient, topic: string, message: string): Promise<SentBatch['outcome']> {
  return new Promise((resolve) => {
    const broken = () => resolve({ kind: 'broken', reason: 'the connection broke' })
    client.once('close', broken)
    client.publish(topic, message, { qos: 1 }, (error) => {
      client.off('close', broken)
      if (error) broken()
      else resolve({ kind: 'answered', status: 201, body: {} })
    })
  })
}

interface Publishing {
  readonly deviceIds: readonly string[]
  readonly presentId: string
  readonly topic: string
  connect(): Promise<MqttClient>
}

/**
 * Several concurrent clients, each with a window of unacknowledged messages, until their connections break.
 */
export function startPublishing(order: Publishing, random: Random, firstStep: number): Load {
  const { deviceIds, topic } = order
  const sent: SentBatch[] = []
  let next = firstStep
  let isOver = false
  const lane = async (client: MqttClient): Promise<void> => {
    while (!isOver && client.connected) {
      const batch = { from: next, count: random.pick(STEPS) }
      next += batch.count
      const presentId = random.between(0, 1) === 0 ? order.presentId : undefined
      const outcome = await publish(client, topic, messageOf(deviceIds, { ...batch, presentId }))
      sent.push({ ...batch, outcome })
    }
  }
  const publishUntilBroken = async (client: MqttClient): Promise<void> => {
    client.setMaxListeners(2 * WINDOW)
    await Promise.all(Array.from({ length: WINDOW }, () => lane(client)))
    client.end(true)
  }
  // All clients connect before the first message, so that none is still connecting at a kill.
  const connected = Promise.all(Array.from({ length: CLIENTS }, () => order.connect()))
  const clients = connected.then((all) => Promise.all(all.map(publishUntilBroken)))
  clients.catch(() => {})
  return {
    sent,
    async acknowledged(count) {
      await connected
      const until = performance.now() + ACKNOWLEDGED_MAX_MS
      while (sent.filter(isAcknowledged).length < count) {
        if (performance.now() > until) throw new Error(`${sent.length} batches in a minute`)
        await sleep(5)
      }
    },
    async end() {
      isOver = true
      await clients
      return sent
    },
  }
}

/** The load through the gateway at the embedded broker of the service, at its current address. */
export const startMqttLoad =
  ({ presentId, ...login }: LoadGateway) =>
  (installation: Pick<Installation, 'service' | 'target'>, random: Random, firstStep: number): Load =>
    startPublishing(
      {
        deviceIds: installation.target.deviceIds,
        presentId,
        topic: 'telemetry',
        connect: () => connectGateway(brokerPort(installation), login, { connectTimeout: 30_000 }),
      },
      random,
      firstStep,
    )
