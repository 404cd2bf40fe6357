import { expect, it } from 'vitest'
import { connectGateway } from '../support/field/mqtt.ts'
import { brokerPort, createLoadGateway, messageOf } from '../support/field/mqtt-load.ts'
import { audit } from '../support/metering/sample-audit.ts'
import { install } from '../support/process/killed-service.ts'
import { waitFor } from '../support/wait-for.ts'

const WAIT_MS = 90_000

it.skipIf(process.env['DATABASE_URL'])(
  'answers 503 and acknowledges no message while its database cannot start (needs the embedded one)',
  async () => {
    const installation = await install({ MQTT_PORT: '0' })
    try {
      const { service, target } = installation
      const client = await connectGateway(brokerPort(installation), await createLoadGateway(installation), {
        keepalive: 3600,
      })
      const acknowledged: number[] = []
      const publish = async (step: number): Promise<void> => {
        const message = messageOf(target.deviceIds, { from: step, count: 1 })
        await client.publishAsync('telemetry', message, { qos: 1 })
        acknowledged.push(step)
      }
      await publish(0)
      const giveBack = await installation.breakServer()
      const sending = Promise.all(Array.from({ length: 50 }, (_, index) => publish(index + 1)))
      const headers = { authorization: `Bearer ${target.token}` }
      const devices = () => fetch(`${service.url}/api/devices`, { headers })
      const readiness = async () => {
        const response = await fetch(`${service.url}/readiness`)
        return { status: response.status, body: (await response.json()) as { notes: string[] } }
      }
      // Until the server has failed to start at least twice.
      await waitFor(() => service.err().split('could not be restarted').length > 2, WAIT_MS)
      const refused = await devices()
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).not.toBeNull()
      expect(await refused.json()).toMatchObject({ error_code: 'SERVICE_UNAVAILABLE' })
      const away = await readiness()
      expect(away.status).toBe(503)
      expect(away.body.notes).toContainEqual(expect.stringContaining('PostgreSQL ended by itself'))
      expect((await fetch(`${service.url}/health`)).status).toBe(200)
      expect(acknowledged).toEqual([0])
      await giveBack()
      await sending
      await waitFor(async () => (await readiness()).status === 200, WAIT_MS)
      expect((await readiness()).body.notes).toEqual([])
      expect((await devices()).status).toBe(200)
      const outcome = { kind: 'answered', status: 201, body: {} } as const
      const sent = acknowledged.map((from) => ({ from, count: 1, outcome }))
      expect(await audit(target, sent)).toMatchObject({ faults: [], stored: 51 * target.deviceIds.length })
      await client.endAsync(true)
    } finally {
      await installation.remove()
    }
  },
  300_000,
)
