import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const TSC = resolve('node_modules/typescript/bin/tsc')

const PROGRAM = `
import { ApiError, type LiveOptions, NetsaatClient, type Region } from '@netsaat/client'

const client = new NetsaatClient({
  baseUrl: process.argv[2] ?? '',
  credentials: { apiKey: 'nst_test' },
})
const names: string[] = []
for await (const region of client.list('/api/regions', { query: { search: 'e' } })) {
  const named: Region = region
  names.push(named.name)
}
const failure = await client.get('/api/users').catch((error: unknown) => error)
if (!(failure instanceof ApiError)) throw failure
// @ts-expect-error: there is no such path
if (names.length > 9) await client.get('/api/nothing')
export const options: LiveOptions = { devices: [], onSample: ({ values }) => void values['voltage'] }
console.log(names.join(), failure.code)
`

let folder: string
let server: Server

/** A program of a user, who has the package and no sources of the service. */
describe('the package of the TypeScript client', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'netsaat-client-'))
    server = createServer(({ url, headers }, response) => {
      const isList = url?.startsWith('/api/regions') && headers.authorization === 'Bearer nst_test'
      const body = isList
        ? { items: [{ name: 'Ege' }], total: 1, skip: 0, limit: 200 }
        : { detail: 'no', error_code: 'PERMISSION_DENIED' }
      response.writeHead(isList ? 200 : 403, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  })

  it('is installed in an empty folder, compiles a strict program and runs it', async () => {
    const pack = ['pack', '--silent', '--pack-destination', folder]
    const { stdout } = await run('npm', pack, { cwd: 'clients/typescript' })
    const tarball = join(folder, stdout.trim().split('\n').at(-1) ?? '')
    const user = join(folder, 'user')
    await mkdir(user)
    await writeFile(join(user, 'package.json'), '{ "private": true, "type": "module" }')
    const install = ['install', '--offline', '--no-audit', '--no-fund', tarball]
    await run('npm', install, { cwd: user })
    await mkdir(join(user, 'node_modules/@types'), { recursive: true })
    for (const types of ['node', '../undici-types'])
      await symlink(resolve('node_modules/@types', types), join(user, 'node_modules/@types', types))
    await writeFile(join(user, 'program.ts'), PROGRAM)
    const options = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2022']
    await run(process.execPath, [TSC, ...options, '--types', 'node', 'program.ts'], { cwd: user })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const result = await run(process.execPath, ['program.js', url], { cwd: user })
    expect(result.stdout).toBe('Ege PERMISSION_DENIED\n')
  })
})
