import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { makeDataFolder } from '../../support/folder.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { firmwareForm, upload } from '../../support/updates/firmware.ts'
import { waitFor } from '../../support/wait-for.ts'

const MIB = 1024 * 1024
const run = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0
const mount = (folder: string, options: string): boolean =>
  run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder)

const isFull = (path: string): boolean => {
  try {
    writeFileSync(path, Buffer.alloc(2 * MIB))
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOSPC'
  }
}

/**
 * Whether a small file system can be mounted and shrunk here: requires root, and not every container permits
 * it.
 */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'netsaat-mount-'))
  const isMounted = mount(folder, 'size=3m')
  const isBounded = isMounted && run('mount', '-o', 'remount,size=1m', folder) && isFull(join(folder, 'file'))
  if (isMounted) run('umount', folder)
  rmSync(folder, { recursive: true, force: true })
  return isBounded
}

const responseOf = (sending: ClientRequest) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    sending.on('error', reject).on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
  })

describe.skipIf(!canMount())('firmware upload to a full disk (needs the right to mount)', () => {
  let dataDir: string
  let folder: string
  let api: TestApi
  let ownTenant: TestTenant

  beforeAll(async () => {
    dataDir = await makeDataFolder('firmware-full')
    folder = join(dataDir, 'firmware')
    mkdirSync(folder)
    // Takes only the memory of what is written.
    if (!mount(folder, 'size=3g')) throw new Error('the folder could not be mounted')
    api = await startApi({ config: { dataDir } })
    ownTenant = await createTenant(api)
  })
  afterAll(async () => {
    await api.close()
    run('umount', '-l', folder)
    await rm(dataDir, { recursive: true, force: true })
  })

  const resize = (size: string): void => {
    if (!run('mount', '-o', `remount,size=${size}`, folder)) throw new Error(`not resized to ${size}`)
  }
  const left = async (): Promise<unknown[]> => {
    const { body } = await api.call('GET', '/api/firmware/versions', { token: ownTenant.admin.token })
    return [body.total, await readdir(folder)]
  }
  /** The sizes of the partial files. */
  async function bytesArrived(): Promise<number> {
    const [part] = (await readdir(folder)).filter((name) => name.endsWith('.part'))
    return part === undefined ? 0 : (await stat(join(folder, part))).size
  }

  it('is rejected before it begins', async () => {
    resize('100m')
    const form = firmwareForm(randomBytes(1000), { version: '1.0.0', device_model: 'EM-1' })
    const response = await upload(api, ownTenant, form)
    expect([response.status, response.body.error_code]).toEqual([507, 'STORAGE_FULL'])
    expect(await left()).toEqual([0, []])
  })

  it('is rejected when the disk fills up during it, and leaves no file', async () => {
    resize('3g')
    const form = new Response(firmwareForm(randomBytes(8 * MIB), { version: '1.0.0', device_model: 'EM-1' }))
    const bytes = Buffer.from(await form.arrayBuffer())
    const sending = request(`${api.url}/api/firmware/versions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ownTenant.admin.token}`,
        'content-type': form.headers.get('content-type') ?? '',
        'content-length': bytes.length,
      },
    })
    const answered = responseOf(sending)
    sending.write(bytes.subarray(0, MIB))
    await waitFor(async () => (await bytesArrived()) > MIB / 2)
    resize('2m')
    sending.end(bytes.subarray(MIB))
    const { status, text } = await answered
    expect([status, JSON.parse(text).error_code]).toEqual([507, 'STORAGE_FULL'])
    await waitFor(async () => (await readdir(folder)).length === 0)
    resize('3g')
    expect(await left()).toEqual([0, []])
    await waitFor(() => sending.destroyed || sending.writableFinished)
    const form2 = firmwareForm(randomBytes(1000), { version: '1.0.0', device_model: 'EM-1' })
    expect((await upload(api, ownTenant, form2)).status).toBe(201)
  })
})
