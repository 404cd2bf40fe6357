import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { type JsonObject, toJson } from '../../../src/platform/db/json-columns.ts'
import type { TestApi } from '../api.ts'
import type { TestTenant } from '../tenants.ts'

export interface TestGateway {
  readonly id: string
  readonly username: string
  readonly password: string
  /** The prefix of its topics; ends in a slash. */
  readonly root: string
}

/** A gateway of the tenant with its login. */
export async function createGateway(api: TestApi, tenant: TestTenant, name: string): Promise<TestGateway> {
  const { token } = tenant.admin
  const created = await api.call('POST', '/api/gateways', { token, body: { name, gateway_type: 'mqtt' } })
  const { id } = created.body
  const issued = await api.call('POST', `/api/gateways/${id}/credentials`, { token })
  const { username, password, topic_root: root } = issued.body
  return { id, username, password, root }
}

/** A device behind the gateway; returns its id. */
export async function createDevice(
  { deps }: Pick<TestApi, 'deps'>,
  tenant: Pick<TestTenant, 'id'>,
  device: { readonly name: string; readonly gatewayId: string; readonly metadata?: JsonObject },
): Promise<string> {
  const { id } = await deps.database.kysely
    .insertInto('device')
    .values({
      tenant_id: tenant.id,
      name: device.name,
      device_type: 'energy_analyzer',
      device_source: 'manual',
      mqtt_gateway_id: device.gatewayId,
      extra_metadata: toJson(device.metadata ?? {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Login = Partial<Pick<TestGateway, 'username' | 'password'>>

/** Connects as a gateway does; rejects when the login is rejected. */
export async function connectGateway(
  port: number,
  login: Login,
  options: IClientOptions = {},
): Promise<MqttClient> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, {
    reconnectPeriod: 0,
    connectTimeout: 30_000,
    ...(login.username !== undefined && { username: login.username }),
    ...(login.password !== undefined && { password: login.password }),
    ...options,
  })
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', reject)
    client.once('close', () => reject(new Error('the connection was closed')))
  }).catch((error: unknown) => {
    client.end(true)
    throw error
  })
  client.on('error', () => {})
  return client
}

/** A canonical telemetry message of one device. */
export const telemetry = (device: string, points: readonly object[], more: object = {}): string =>
  JSON.stringify({ ...more, devices: { [device]: points } })

/** The next message on a topic that the client has subscribed to. */
export function nextMessage(
  client: MqttClient,
  wanted: (topic: string) => boolean = () => true,
): Promise<{ topic: string; payload: Buffer }> {
  return new Promise((resolve) => {
    const look = (topic: string, payload: Buffer): void => {
      if (!wanted(topic)) return
      client.off('message', look)
      resolve({ topic, payload })
    }
    client.on('message', look)
  })
}
