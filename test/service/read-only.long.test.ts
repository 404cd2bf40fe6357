import { execFileSync } from 'node:child_process'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mountReadOnly, unmount } from '../support/disk.ts'
import { audit } from '../support/metering/sample-audit.ts'
import { isAcknowledged, type SentBatch, send } from '../support/metering/sample-load.ts'
import { callService } from '../support/process/call.ts'
import { type Installation, install } from '../support/process/killed-service.ts'
import { firmwareForm } from '../support/updates/firmware.ts'
import { waitFor } from '../support/wait-for.ts'

const WAIT_MS = 120_000
const isRoot = process.getuid?.() === 0

/** Needs root: the service then writes its files as root, and PostgreSQL runs as a user that modes apply to. */
describe.skipIf(!isRoot || process.env['DATABASE_URL'])(
  'data folder that becomes read-only while the service runs (needs root, embedded database)',
  () => {
    let installation: Installation
    beforeAll(async () => {
      installation = await install({ MQTT_PORT: '0' })
    }, WAIT_MS)
    afterAll(() => installation?.remove())

    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sent: SentBatch[] = []
    let step = 0
    const post = async (): Promise<SentBatch> => {
      const batch = { from: step, count: 100 }
      step += 100
      const result = { ...batch, outcome: await send(installation.target, batch, agent) }
      sent.push(result)
      return result
    }
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${installation.service.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${installation.target.token}`, ...init.headers },
      })
    const readiness = async () => (await call('/readiness')).json()
    const upload = (version: string) =>
      call('/api/firmware/versions', {
        method: 'POST',
        body: firmwareForm(Buffer.alloc(1_000), { version, device_model: 'gateway 1' }),
      })
    /** Orders an export; returns it once it has ended. */
    async function exported(): Promise<{ status: string; error: string | null }> {
      const { url, token, deviceIds } = installation.target
      const order = {
        device_ids: deviceIds.slice(0, 1),
        start: '2026-01-01',
        interval: 'raw',
        format: 'csv',
        async: true,
      }
      const { export_id: id } = await callService('POST', `${url}/api/measurements/export`, token, order)
      let last = { status: 'queued', error: null }
      await waitFor(async () => {
        last = await callService('GET', `${url}/api/measurements/exports/${id}`, token)
        return ['completed', 'failed'].includes(last.status)
      }, WAIT_MS)
      return last
    }

    it(
      'refuses files with 503 and a reason, stores samples, and stores files again when it is writable',
      async () => {
        expect(isAcknowledged(await post())).toBe(true)
        const folder = installation.folder
        mountReadOnly(folder)
        try {
          const refused = await upload('1.0.0')
          expect(refused.status).toBe(503)
          expect(refused.headers.get('retry-after')).toBe('60')
          expect(await refused.json()).toMatchObject({ message_code: 'STORAGE_LOCKED' })
          expect(await exported()).toMatchObject({
            status: 'failed',
            error: expect.stringContaining('must make the folder writable'),
          })
          expect(isAcknowledged(await post())).toBe(true)
          expect(await readiness()).toMatchObject({
            status: 'ready',
            notes: [expect.stringMatching(/^DATA_DIR cannot be written \(EROFS\)/)],
          })
        } finally {
          unmount(folder)
        }
        const stored = await upload('1.0.0')
        expect(stored.status, await stored.text()).toBe(201)
        expect((await exported()).status).toBe('completed')
        expect((await audit(installation.target, sent)).faults).toEqual([])
      },
      4 * WAIT_MS,
    )

    it(
      'refuses samples with 503 while the database cannot write, loses none, and recovers by itself',
      async () => {
        expect(isAcknowledged(await post())).toBe(true)
        const cluster = join(installation.folder, 'postgres', 'cluster')
        const chmod = (mode: string) => execFileSync('chmod', ['-R', mode, cluster])
        chmod('a-w')
        try {
          // Sessions that have opened a file before go on writing it.
          while (isAcknowledged(await post()));
          expect(sent.at(-1)?.outcome).toMatchObject({ kind: 'answered', status: 503 })
          expect((await call('/health')).status).toBe(200)
          expect(await readiness()).toMatchObject({
            status: 'not_ready',
            checks: { database: 'the database cannot write to its folder' },
          })
          const refused = await upload('2.0.0')
          expect(refused.status, await refused.text()).toBe(503)
        } finally {
          chmod('u+w')
        }
        await waitFor(async () => isAcknowledged(await post()), WAIT_MS)
        await waitFor(async () => (await call('/readiness')).status === 200, WAIT_MS)
        expect((await audit(installation.target, sent)).faults).toEqual([])
        expect((await upload('2.0.0')).status).toBe(201)
      },
      4 * WAIT_MS,
    )
  },
)
