import { rmSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freeBytes, mountDisk as mount, remount, unmount } from '../support/disk.ts'
import { audit } from '../support/metering/sample-audit.ts'
import { isAcknowledged, type SentBatch, send } from '../support/metering/sample-load.ts'
import { type Installation, install } from '../support/process/killed-service.ts'
import { runNetsaat } from '../support/process/service.ts'
import { firmwareForm } from '../support/updates/firmware.ts'
import { waitFor } from '../support/wait-for.ts'

const WAIT_MS = 120_000
const MIB = 1024 ** 2
const disks: string[] = []

/** A disk that is removed after the tests. */
function mountDisk(bytes: number): string | undefined {
  const path = mount(bytes)
  if (path !== undefined) disks.push(path)
  return path
}

const ballast = (path: string) => join(path, 'ballast')
async function fill(path: string, bytesLeft: number): Promise<void> {
  const size = Math.max(0, (await freeBytes(path)) - bytesLeft)
  await writeFile(ballast(path), Buffer.alloc(size), { flag: 'a' }).catch(() => {})
}

const probe = process.env['DATABASE_URL'] ? undefined : mountDisk(MIB)
afterAll(() => {
  for (const disk of disks) {
    unmount(disk)
    rmSync(disk, { recursive: true })
  }
})

describe.skipIf(!probe)('data folder (needs the right to mount, embedded database)', () => {
  describe('that becomes full while the service runs', () => {
    let disk: string
    let installation: Installation
    beforeAll(async () => {
      disk = mountDisk(400 * MIB) ?? ''
      installation = await install({ DATA_DIR: disk, MQTT_PORT: '0' })
    }, WAIT_MS)
    afterAll(() => installation?.remove())
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${installation.service.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${installation.target.token}` },
      })

    it(
      'refuses samples with 503, acknowledges none that is lost, and recovers when there is space',
      async () => {
        const { target } = installation
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        const sent: SentBatch[] = []
        let step = 0
        const post = async (): Promise<SentBatch> => {
          const batch = { from: step, count: 100 }
          step += 100
          const result = { ...batch, outcome: await send(target, batch, agent) }
          sent.push(result)
          return result
        }
        expect(isAcknowledged(await post())).toBe(true)
        await fill(disk, 4 * MIB)
        while (isAcknowledged(await post())) if (sent.length % 10 === 0) await fill(disk, 0)
        expect(sent.at(-1)?.outcome).toMatchObject({
          kind: 'answered',
          status: 503,
        })
        expect((await call('/health')).status).toBe(200)
        const form = firmwareForm(Buffer.alloc(1_000), { version: '1.0.0', device_model: 'gateway 1' })
        const upload = await call('/api/firmware/versions', { method: 'POST', body: form })
        expect([503, 507]).toContain(upload.status)
        await rm(ballast(disk))
        await waitFor(async () => isAcknowledged(await post()), WAIT_MS)
        await waitFor(async () => (await call('/readiness')).status === 200, WAIT_MS)
        expect((await audit(target, sent)).faults).toEqual([])
      },
      4 * WAIT_MS,
    )

    it(
      'reports a backup without room in one line, and leaves nothing behind',
      async () => {
        const small = mountDisk(8 * MIB) ?? ''
        const backup = await runNetsaat(['backup', join(small, 'backup')], { DATA_DIR: disk })
        expect(backup.code).toBe(1)
        const lines = backup.err.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
        expect(lines).toEqual([expect.stringMatching(/^netsaat: .*(ENOSPC|no space)/i)])
        expect(await freeBytes(small)).toBeGreaterThan(7 * MIB)
      },
      WAIT_MS,
    )
  })

  it(
    'that is full or read-only prevents the start with one line that names it',
    async () => {
      const disk = mountDisk(2 * MIB) ?? ''
      const start = async () => {
        const { code, err } = await runNetsaat(['serve'], { DATA_DIR: disk, PORT: '0', MQTT_PORT: '0' })
        expect(code).toBe(1)
        return err.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
      }
      await fill(disk, 0)
      const full = await start()
      expect(full).toEqual([expect.stringMatching(/^netsaat: .*(ENOSPC|space)/i)])
      await rm(ballast(disk))
      const small = await start()
      expect(small).toEqual([
        expect.stringMatching(/^netsaat: DATA_DIR: .* needs 128 MiB, and \d MiB are free$/),
      ])
      remount(disk, 'ro')
      expect(await start()).toEqual([expect.stringMatching(/^netsaat: .*(EROFS|read-only)/i)])
    },
    2 * WAIT_MS,
  )
})
