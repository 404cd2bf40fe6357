import { serveGateways } from '../../src/field/mqtt/embedded-source.ts'
import { startIntake } from '../../src/field/mqtt/intake.ts'
import { makeEmbeddedBroker } from '../../src/platform/mqtt/embedded-broker.ts'
import { makeMetrics } from '../../src/platform/observability/metrics.ts'
import type { BenchService } from './service.ts'

export interface BenchGateway {
  readonly username: string
  readonly password: string
  readonly deviceIds: readonly string[]
}

/** A gateway with its login and devices. */
export async function makeGateway(
  { url, deps, tenant }: BenchService,
  name: string,
  devices: number,
): Promise<BenchGateway> {
  const headers = { authorization: `Bearer ${tenant.admin.token}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return (await response.json()) as { id: string; username: string; password: string }
  }
  const { id } = await post('/api/gateways', { name, gateway_type: 'mqtt' })
  const { username, password } = await post(`/api/gateways/${id}/credentials`, {})
  const rows = await deps.database.kysely
    .insertInto('device')
    .values(
      Array.from({ length: devices }, (_, device) => ({
        tenant_id: tenant.id,
        name: `meter ${device}`,
        device_type: 'energy_analyzer',
        device_source: 'manual',
        mqtt_gateway_id: id,
      })),
    )
    .returning('id')
    .execute()
  return { username, password, deviceIds: rows.map((device) => device.id) }
}

export interface OpenBroker {
  readonly port: number
  close(): Promise<void>
}

/** The embedded broker of the service, open to gateways. */
export async function openGateways({ deps }: BenchService): Promise<OpenBroker> {
  const broker = await makeEmbeddedBroker(deps.log)
  const intake = startIntake({ ...deps, broker, metrics: makeMetrics() })
  await serveGateways(deps, intake, broker)
  const port = await broker.listen({ host: '127.0.0.1', port: 0 })
  return {
    port,
    async close() {
      await broker.close()
      await intake.close()
    },
  }
}
