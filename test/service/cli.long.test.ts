import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDataFolder } from '../support/folder.ts'
import { runNetsaat, startService } from '../support/process/service.ts'

let folder: string
beforeAll(async () => {
  folder = await makeDataFolder('cli')
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }))

const login = (url: string, email: string, password: string) =>
  fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })

describe('command line', () => {
  it('manages users and makes a backup while the service runs', async () => {
    const env = { DATA_DIR: join(folder, 'live'), PORT: '0' }
    const service = await startService({ env })
    const tenant = await runNetsaat(
      ['tenant', 'create', '--name', 'Ege Enerji', '--admin-email', 'A@ege.example', '--password-stdin'],
      env,
      'a password of 12\n',
    )
    expect(tenant).toMatchObject({ code: 0, out: expect.stringContaining('Created tenant ege-enerji') })
    expect((await login(service.url, 'a@ege.example', 'a password of 12')).status).toBe(200)

    const user = await runNetsaat(
      ['user', 'create', '--tenant', 'ege-enerji', '--email', 'v@ege.example', '--role', 'viewer'],
      env,
    )
    const created = /The password is (\S+)/.exec(user.out)?.[1] ?? ''
    expect((await login(service.url, 'v@ege.example', created)).status).toBe(200)

    const reset = await runNetsaat(
      ['user', 'reset-password', '--email', 'v@ege.example', '--password-stdin'],
      env,
      'another of 2026',
    )
    expect(reset.code).toBe(0)
    expect((await login(service.url, 'v@ege.example', created)).status).toBe(401)

    const organizations = await runNetsaat(['organization', 'list'], env)
    expect(organizations.out).toMatch(/distribution_company +active +2 {2}Başkent Elektrik Dağıtım A\.Ş\./)

    const copy = join(folder, 'copy')
    expect(await runNetsaat(['backup', copy], env)).toMatchObject({ code: 0 })
    expect((await service.stop()).code).toBe(0)

    const restored = { DATA_DIR: join(folder, 'restored'), PORT: '0' }
    expect(await runNetsaat(['restore', copy], restored)).toMatchObject({ code: 0 })
    const second = await startService({ env: restored })
    expect(second.out()).not.toContain('First start')
    expect((await login(second.url, 'v@ege.example', 'another of 2026')).status).toBe(200)
    await second.stop()
  })

  it('works on its own database server when no service runs', async () => {
    const env = { DATA_DIR: join(folder, 'alone') }
    const early = await runNetsaat(['user', 'create', '--tenant', 'default', '--email', 'x@y.example'], env)
    expect(early).toMatchObject({ code: 1, err: expect.stringContaining('netsaat migrate') })
    const migrated = await runNetsaat(['migrate'], env)
    expect(migrated).toMatchObject({ code: 0, out: expect.stringContaining('applied 0001_') })
  })
})
