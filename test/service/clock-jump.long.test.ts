import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDataFolder } from '../support/folder.ts'
import { callService } from '../support/process/call.ts'
import { ADMIN, createDevices, logIn } from '../support/process/killed-service.ts'
import { type RunningService, startService } from '../support/process/service.ts'
import { waitFor } from '../support/wait-for.ts'

const LIBRARY = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib']
  .map((folder) => `${folder}/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path))
const isPossible = LIBRARY !== undefined && !process.env['DATABASE_URL']
const WAIT_MS = 180_000
const HOUR_MS = 3_600_000

let folder: string
let service: RunningService
/** The clock of the service's process; the monotonic clock stays, as on a real jump. */
let offsetHours = 0
async function setClock(hours: number): Promise<void> {
  offsetHours = hours
  const file = join(folder, 'clock')
  await writeFile(`${file}.new`, `${hours < 0 ? '' : '+'}${hours}h\n`)
  await rename(`${file}.new`, file)
}

beforeAll(async () => {
  if (!isPossible) return
  folder = await makeDataFolder('clock')
  await setClock(0)
  service = await startService({
    env: {
      ...ADMIN,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      MQTT_PORT: '0',
      LD_PRELOAD: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: join(folder, 'clock'),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  })
}, WAIT_MS)
afterAll(async () => {
  await service?.stop()
  if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

const readiness = async () => {
  const response = await fetch(`${service.url}/readiness`)
  // biome-ignore lint/suspicious/noExplicitAny: untyped JSON; the test asserts the fields that it reads
  return { status: response.status, body: (await response.json()) as any }
}

it.skipIf(!isPossible)(
  'samples, sign-in and jobs continue when the clock jumps by hours (needs libfaketime, embedded database)',
  async () => {
    const { url } = service
    const [device_id] = await createDevices(url, await logIn(url))
    const post = async () => {
      const token = await logIn(url)
      const timestamp = new Date(Date.now() + offsetHours * HOUR_MS - 60_000).toISOString()
      const samples = [{ device_id, timestamp, values: { active_power: offsetHours } }]
      const body = await callService('POST', `${url}/api/measurements`, token, { samples })
      expect(body).toMatchObject({ accepted: 1 })
      const path = `${url}/api/measurements/devices/${device_id}/samples?from=${timestamp}&limit=10`
      expect(await callService('GET', path, token)).toContainEqual(expect.objectContaining({ timestamp }))
    }
    /** Whether a job was done since an instant of the clock of the service. */
    const isDoneSince = async (instant: number) => {
      const { body } = await readiness()
      return body.jobs.some(
        (job: { last_success_at: string | null }) => Date.parse(job.last_success_at ?? '') >= instant,
      )
    }
    for (const hours of [5, -3]) {
      await setClock(hours)
      const changedAt = Date.now() + hours * HOUR_MS
      await post()
      await waitFor(() => isDoneSince(changedAt), WAIT_MS)
      expect((await readiness()).status).toBe(200)
    }
  },
  4 * WAIT_MS,
)
