import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { connectGateway } from '../support/field/mqtt.ts'
import { brokerPort, createLoadGateway, messageOf } from '../support/field/mqtt-load.ts'
import { audit } from '../support/metering/sample-audit.ts'
import type { SentBatch } from '../support/metering/sample-load.ts'
import { install } from '../support/process/killed-service.ts'

const PAUSE_MS = 60_000
const CLIENTS = 4
const STEPS = 4_000
/** 80 MB in total, many times the limit of received and unstored bytes. */
const NOTE = 'x'.repeat(20_000)
const GROWTH_MB_MAX = 150

const isPossible = !process.env['DATABASE_URL'] && existsSync('/proc/self/task')

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

it.skipIf(!isPossible)(
  'bounds its memory and drops nothing while the database is paused for a minute (needs Linux, embedded database)',
  { retry: 0, timeout: 600_000 },
  async () => {
    const installation = await install({ MQTT_PORT: '0' })
    try {
      const loadGateway = await createLoadGateway(installation)
      const { deviceIds } = installation.target
      const port = brokerPort(installation)
      const clients = await Promise.all(
        Array.from({ length: CLIENTS }, (_, index) =>
          connectGateway(port, loadGateway, { clientId: `flood ${index}`, keepalive: 3600 }),
        ),
      )
      const sent: SentBatch[] = []
      const publish = async (step: number): Promise<void> => {
        const client = clients[step % CLIENTS]
        const batch = { from: step, count: 1 }
        await client?.publishAsync('telemetry', messageOf(deviceIds, { ...batch, note: NOTE }), { qos: 1 })
        sent.push({ ...batch, outcome: { kind: 'answered', status: 201, body: {} } })
      }
      await Promise.all(Array.from({ length: 100 }, (_, step) => publish(step)))
      const before = await residentMb(installation.service.pid)
      const thaw = await installation.freeze()
      const flood = Array.from({ length: STEPS - 100 }, (_, index) => publish(100 + index))
      // Acknowledgements of samples stored before may still arrive.
      let acknowledged = -1
      while (acknowledged !== sent.length) {
        acknowledged = sent.length
        await sleep(5_000)
      }
      let peak = 0
      for (let waitedMs = 5_000; waitedMs < PAUSE_MS; waitedMs += 1_000) {
        await sleep(1_000)
        peak = Math.max(peak, await residentMb(installation.service.pid))
      }
      // Nothing can be stored, so nothing is acknowledged.
      expect(sent.length).toBe(acknowledged)
      expect(acknowledged).toBeLessThan(STEPS / 2)
      thaw()
      await Promise.all(flood)
      console.info(
        `${acknowledged} of ${STEPS} messages before the pause; ${before.toFixed(0)} to ${peak.toFixed(0)} MB`,
      )
      expect(peak - before).toBeLessThan(GROWTH_MB_MAX)
      expect(sent).toHaveLength(STEPS)
      const { faults, stored } = await audit(installation.target, sent)
      expect(faults).toEqual([])
      expect(stored).toBe(STEPS * deviceIds.length)
      await Promise.all(clients.map((client) => client.endAsync(true)))
    } finally {
      await installation.remove()
    }
  },
)
