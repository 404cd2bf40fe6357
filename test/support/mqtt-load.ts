import { setTimeout as sleep } from 'node:timers/promises'
import type { MqttClient } from 'mqtt'
import type { Installation } from './killed-service.ts'
import { connectGateway } from './mqtt.ts'
import { isAcknowledged, type Load, type SentBatch, timeOf, valuesOf } from './sample-load.ts'
import type { Dice } from './seed.ts'

/** A gateway with its login, that speaks for the installation's devices. */
export interface Spokesman {
  readonly gatewayId: string
  readonly username: string
  readonly password: string
}

async function call(method: string, url: string, token: string, body: object = {}) {
  const answer = await fetch(url, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads
  const parsed: any = await answer.json()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${JSON.stringify(parsed)}`)
  return parsed
}

/** Puts a gateway before all devices of the installation. */
export async function appointGateway({ target }: Installation): Promise<Spokesman> {
  const { url, token, deviceIds } = target
  const gateway = await call('POST', `${url}/api/gateways`, token, { name: 'roof', gateway_type: 'mqtt' })
  const template = await call('POST', `${url}/api/devices/device-templates`, token, {
    name: 'over the broker',
    device_type: 'energy_analyzer',
    protocols: ['mqtt'],
  })
  const binding = { mqtt_gateway_id: gateway.id, template_id: template.id }
  for (const id of deviceIds) await call('PUT', `${url}/api/devices/${id}`, token, binding)
  const { username, password } = await call('POST', `${url}/api/gateways/${gateway.id}/credentials`, token)
  return { gatewayId: gateway.id, username, password }
}

/** Where the running service takes gateways; it says so at its start. */
export function brokerPort({ service }: Pick<Installation, 'service'>): number {
  const [, port] = /mqtt:\/\/[^:]+:(\d+)/.exec(service.out()) ?? []
  if (!port) throw new Error(`the service did not say where gateways connect:\n${service.out()}`)
  return Number(port)
}

/** The samples of some steps of every device; `note` only makes it longer. */
export const messageOf = (
  deviceIds: readonly string[],
  { from, count, note = '' }: { from: number; count: number; note?: string },
): string => {
  const devices: Record<string, object[]> = {}
  for (const [device, id] of deviceIds.entries()) {
    devices[id] = Array.from({ length: count }, (_, index) => ({
      ts: timeOf(from + index),
      v: valuesOf(device, from + index),
    }))
  }
  return JSON.stringify({ devices, note })
}

const CLIENTS = 4
/** Messages of one client that are under way at once. */
const WINDOW = 8
const STEPS = [1, 5, 20, 60] as const

/** Resolves whether the message was acknowledged; a connection that breaks before leaves that open. */
function publish(client: MqttClient, message: string): Promise<SentBatch['outcome']> {
  return new Promise((resolve) => {
    const broken = () => resolve({ kind: 'broken', reason: 'the connection broke' })
    client.once('close', broken)
    client.publish('telemetry', message, { qos: 1 }, (error) => {
      client.off('close', broken)
      if (error) broken()
      else resolve({ kind: 'answered', status: 201, body: {} })
    })
  })
}

/** Several clients at once, each with a window of messages under way, until their connections break. */
export const startMqttLoad =
  (spokesman: Spokesman) =>
  (installation: Installation, dice: Dice, firstStep: number): Load => {
    const { deviceIds } = installation.target
    const port = brokerPort(installation)
    const sent: SentBatch[] = []
    let next = firstStep
    let isOver = false
    const lane = async (client: MqttClient): Promise<void> => {
      while (!isOver && client.connected) {
        const batch = { from: next, count: dice.pick(STEPS) }
        next += batch.count
        const outcome = await publish(client, messageOf(deviceIds, batch))
        sent.push({ ...batch, outcome })
      }
    }
    const client = async (): Promise<void> => {
      const connected = await connectGateway(port, spokesman)
      connected.setMaxListeners(2 * WINDOW)
      await Promise.all(Array.from({ length: WINDOW }, () => lane(connected)))
      connected.end(true)
    }
    const clients = Promise.all(Array.from({ length: CLIENTS }, client))
    clients.catch(() => {})
    return {
      sent,
      async acknowledged(count) {
        const until = performance.now() + 30_000
        while (sent.filter(isAcknowledged).length < count) {
          if (performance.now() > until) throw new Error(`${sent.length} batches in 30 s`)
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
