import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { it } from 'vitest'
import { EXPORT_STALLED_MS, EXPORTS_DIRECT_PER_TENANT } from '../../src/areas/insight/exports/limits.ts'
import { startApi } from '../support/api.ts'
import { insertSamples } from '../support/metering/many-samples.ts'
import { createDevice } from '../support/metering/measurements.ts'
import { createTenant } from '../support/tenants.ts'
import { waitFor } from '../support/wait-for.ts'

const START = Date.parse('2026-11-18T00:00:00Z')
/** Of a device with a long name: more than the buffers of a connection hold. */
const ROWS = 49_000

it('closes clients that do not read their exports, and frees their slots', async () => {
  const api = await startApi()
  try {
    const tenant = await createTenant(api)
    const device = await createDevice(api, tenant)
    await api.deps.database.kysely
      .updateTable('device')
      .set({ name: 'x'.repeat(200) })
      .where('id', '=', device.id)
      .execute()
    await insertSamples(api, { tenant, device }, { startAt: START, count: ROWS, stepMs: 1000 })
    const body = {
      device_ids: [device.id],
      start: '2026-11-18T00:00:00Z',
      end: '2026-11-19T00:00:00Z',
      format: 'csv',
    }
    const { token } = tenant.operator
    /** Polled seldom, so that the rate limit of API calls does not reject it. */
    const retryExport = async (): Promise<string> => {
      await sleep(1_000)
      const order = { ...body, interval: 'daily' }
      const { status, text } = await api.call('POST', '/api/measurements/export', { token, body: order })
      return `${status} ${text}`
    }
    const requestBody = JSON.stringify({ ...body, interval: 'raw' })
    const { hostname, port } = new URL(api.url)
    const stalled = Array.from({ length: EXPORTS_DIRECT_PER_TENANT }, () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      socket.pause()
      socket.write(
        `POST /api/measurements/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${requestBody.length}\r\n\r\n${requestBody}`,
      )
      return socket
    })
    await waitFor(async () => /^429 .*files are being sent/.test(await retryExport()), 180_000)
    await waitFor(async () => (await retryExport()).startsWith('200'), EXPORT_STALLED_MS + 180_000)
    for (const socket of stalled) socket.destroy()
  } finally {
    await api.close()
  }
}, 600_000)
