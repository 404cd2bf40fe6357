import { once } from 'node:events'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { Aedes } from 'aedes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { makeDataFolder } from '../support/folder.ts'
import type { Json } from '../support/json.ts'
import { type RunningService, runNetsaat, startService } from '../support/process/service.ts'
import { waitFor } from '../support/wait-for.ts'

let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = await makeDataFolder('service')
  database = await createDatabase()
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

const outside = (env: Record<string, string> = {}) => ({
  DATA_DIR: join(folder, 'outside'),
  DATABASE_URL: database.url,
  PORT: '0',
  RATE_LIMIT_API_PER_SECOND: '0',
  RATE_LIMIT_LOGIN_PER_MINUTE: '0',
  RATE_LIMIT_LOGIN_FAILURES: '0',
  ...env,
})

const json = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, init)
  return { status: response.status, body: (await response.json()) as Json }
}
const login = (service: RunningService, email: string, password: string) =>
  json(`${service.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })

const WAIT_MS = 60_000

/** The log message of a part that exceeded its time at the stop. */
const UNCLEAN = 'did not stop cleanly'

async function occupy(port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as { port: number }).port }
}

/** Six clients that repeat a request, answered with 401, until the service refuses connections. */
function requestWithoutPause(request: () => Promise<{ readonly status: number }>) {
  const outcomes = { answered: 0, cut: [] as string[] }
  let isOver = false
  const client = async (): Promise<void> => {
    while (!isOver) {
      try {
        const { status } = await request()
        if (status === 401) outcomes.answered += 1
        else outcomes.cut.push(`status ${status}`)
      } catch (error) {
        const { code = '' } = (error as { cause?: { code?: string } }).cause ?? {}
        if (code === 'ECONNREFUSED') return
        outcomes.cut.push(code || String(error))
      }
    }
  }
  const clients = Array.from({ length: 6 }, client)
  return {
    outcomes,
    async end() {
      isOver = true
      await Promise.all(clients)
    },
  }
}

describe('start and stop', () => {
  it('starts with a data folder only, prints a login once, and starts again with its data', async () => {
    const env = { DATA_DIR: join(folder, 'embedded'), PORT: '0' }
    const first = await startService({ env })
    const [, email = '', password = ''] = /log in as (\S+) with the password (\S+)/.exec(first.out()) ?? []
    const response = await login(first, email, password)
    expect(response.status).toBe(200)
    expect((await json(`${first.url}/readiness`)).body.status).toBe('ready')
    expect(first.err()).not.toContain(password)
    for (const name of ['secret-key', 'credential-key']) {
      const keyFile = join(env.DATA_DIR, name)
      expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
      const key = (await readFile(keyFile, 'utf8')).trim()
      expect(first.out() + first.err()).not.toContain(key)
    }
    expect(await first.stop()).toMatchObject({ code: 0 })

    const second = await startService({ env })
    // The built program has the document beside it.
    const document = JSON.parse(await readFile('docs/api/openapi.json', 'utf8'))
    expect((await json(`${second.url}/openapi.json`)).body).toEqual(document)
    expect(second.out()).not.toContain('password')
    const me = await json(`${second.url}/api/auth/me`, {
      headers: { authorization: `Bearer ${response.body.access_token}` },
    })
    expect(me.status).toBe(200)
    expect(await second.stop('SIGINT')).toMatchObject({ code: 0 })
    expect(second.err()).not.toContain(UNCLEAN)
  })

  it('creates the configured administrator; its stop aborts no request and waits for no idle connection', async () => {
    const [email, password] = ['root@plant.example', 'correct horse 7']
    const env = outside({ NETSAAT_ADMIN_EMAIL: email, NETSAAT_ADMIN_PASSWORD: password })
    const service = await startService({ env })
    expect((await login(service, email, password)).status).toBe(200)
    expect(service.out() + service.err()).not.toContain('correct horse')

    const idle = connect(Number(new URL(service.url).port), '127.0.0.1')
    idle.on('error', () => {})
    await once(idle, 'connect')
    const { outcomes, end } = requestWithoutPause(() =>
      login(service, 'nobody@plant.example', 'not a password 1'),
    )
    await waitFor(() => outcomes.answered > 5)
    const stopped = await service.stop()
    await end()
    expect(outcomes.cut).toEqual([])
    expect(stopped.code).toBe(0)
    expect(service.err()).not.toContain(UNCLEAN)
    idle.destroy()
  })

  it('stops in order and exits with 1 after an uncaught error', async () => {
    const planted = `process.on('SIGUSR2', () => setImmediate(() => { throw new Error('planted') }))`
    const env = { DATA_DIR: join(folder, 'embedded'), PORT: '0' }
    const service = await startService({
      env: { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(planted)}` },
    })
    expect((await service.stop('SIGUSR2')).code).toBe(1)
    const lines = service
      .err()
      .split('\n')
      .filter((line) => line.includes('planted'))
    expect(lines).toHaveLength(1)
    expect(service.err()).toContain('"msg":"stopped"')
    expect((await runNetsaat(['migrate'], env)).out).toBe('The schema is up to date.\n')
  })

  it('answers only health requests without the role api', async () => {
    const service = await startService({
      args: ['serve', '--roles', 'jobs'],
      env: outside({ MQTT_URL: 'mqtt://127.0.0.1:1' }),
    })
    expect((await json(`${service.url}/readiness`)).status).toBe(200)
    expect((await json(`${service.url}/api/regions`)).status).toBe(404)
    await service.stop()
  })

  it('reports that it is ready only when the readiness does', async () => {
    const [http, mqtt] = await Promise.all([occupy(), occupy()])
    http.server.close()
    mqtt.server.close()
    const starting = startService({
      env: outside({ PORT: String(http.port), MQTT_URL: `mqtt://127.0.0.1:${mqtt.port}` }),
    })
    let isReported = false
    const reported = starting.then(() => {
      isReported = true
    })
    const readiness = () => json(`http://127.0.0.1:${http.port}/readiness`)
    const isMissing = async () => (await readiness().catch(() => undefined))?.status === 503
    await waitFor(isMissing, WAIT_MS)
    expect(isReported).toBe(false)
    const aedes = await Aedes.createBroker()
    const broker = createServer(aedes.handle).listen(mqtt.port, '127.0.0.1')
    await reported
    expect((await readiness()).status).toBe(200)
    const service = await starting
    expect(service.out()).toContain('is not ready yet (broker: ')
    await service.stop()
    await new Promise<void>((resolve) => aedes.close(resolve))
    broker.close()
  })
})

describe('HTTP port', () => {
  it('is the next free one, and is printed, when none is set', async () => {
    const taken = await occupy(8080).catch(() => undefined)
    const { PORT: _unset, ...env } = outside()
    const service = await startService({ env })
    expect(service.out()).toMatch(/Port 8080 is taken: using 80\d\d\./)
    expect(new URL(service.url).port).not.toBe('8080')
    expect((await json(`${service.url}/health`)).status).toBe(200)
    await service.stop()
    taken?.server.close()
  })

  it('reports in one line that the requested port is in use', async () => {
    const { server, port } = await occupy()
    const { code, out, err } = await runNetsaat(['serve'], outside({ PORT: `${port}` }))
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err.trim().split('\n')).toEqual([`netsaat: PORT ${port} on 127.0.0.1 cannot be used: it is taken`])
    server.close()
  })

  it('follows the same rules for MQTT_PORT', async () => {
    const { server, port } = await occupy()
    const { code, err } = await runNetsaat(['serve'], outside({ MQTT_PORT: `${port}` }))
    expect(code).toBe(1)
    const line = `netsaat: MQTT_PORT ${port} on 127.0.0.1 cannot be used: it is taken`
    expect(err.trim().split('\n')).toEqual([line])
    server.close()
  })
})

describe('failed start', () => {
  it('reports all invalid settings at once and exits with 2', async () => {
    const { code, err } = await runNetsaat(['serve'], { PORT: 'x', SECRET_KEY: 'short', LOG_LEVEL: 'loud' })
    expect(code).toBe(2)
    expect(err.trim().split('\n')).toHaveLength(4)
    expect(err).not.toContain('short;')
  })

  it('names the setting and the folder or host that cannot be used', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    for (const dataDir of [
      file,
      join(file, 'data'),
      ...(process.platform === 'linux' ? ['/proc/data'] : []),
    ]) {
      const { code, err } = await runNetsaat(['serve'], { DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0' })
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(`^netsaat: DATA_DIR ${dataDir} cannot be used: `),
      ])
    }
    // An address for documentation (RFC 5737), which no machine has.
    const { code, err } = await runNetsaat(['serve'], outside({ HOST: '192.0.2.1', PORT: '8123' }))
    expect([code, err]).toEqual([
      1,
      'netsaat: HOST 192.0.2.1 cannot be used: it is no address of this machine\n',
    ])
  })

  it('rejects unknown roles, and a part of the roles without a database to connect the processes', async () => {
    const unknown = await runNetsaat(['serve', '--roles', 'api,cook'], {})
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('ROLES: "api,cook"')])
    const part = await runNetsaat(['serve', '--roles', 'api'], {})
    expect([part.code, part.err]).toEqual([
      2,
      expect.stringContaining('a part of the roles needs DATABASE_URL'),
    ])
  })

  it('reports in one line that the database does not answer, without its password', async () => {
    const { server, port } = await occupy()
    server.close()
    const { code, err } = await runNetsaat(
      ['serve'],
      outside({ DATABASE_URL: `postgresql://u:hunter2hunter@127.0.0.1:${port}/d` }),
    )
    expect(code).toBe(1)
    const lines = err.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
    expect(lines).toEqual([expect.stringMatching(/^netsaat: DATABASE_URL: .*ECONNREFUSED/)])
    expect(err).not.toContain('hunter2')
  })
})
