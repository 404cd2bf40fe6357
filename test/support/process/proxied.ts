import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createDatabase } from '../database.ts'
import { makeDataFolder } from '../folder.ts'
import { waitFor } from '../wait-for.ts'
import { ADMIN } from './killed-service.ts'
import { hasProgram } from './programs.ts'
import { type RunningService, startService } from './service.ts'

export const hasHaproxy = hasProgram('haproxy')

const CONFIG = 'packaging/haproxy/haproxy.cfg'
/** More than the second in which the example notices a stop, on a busy machine. */
const DRAIN_SECONDS = '4'
const SETTLE_MAX_MS = 120_000

/** Two processes with the role api behind HAProxy with the example configuration. */
export interface Proxied {
  readonly url: string
  /** Stops `api1` or `api2` and starts it again; resolves when the proxy uses it. Returns its exit code. */
  restart(name: string, signal: NodeJS.Signals): Promise<number | null>
  end(): Promise<void>
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** The ports that the example names: those of the processes, and those of the proxy itself. */
const EXAMPLE_PORTS = [
  ...['8081', '8082', '8083', '8084', '8085', '8086', '18831', '18832'],
  ...['8080', '1883', '8404'],
]

export async function startProxied(): Promise<Proxied> {
  const database = await createDatabase()
  const folder = await makeDataFolder('proxied')
  const free = await freePorts(EXAMPLE_PORTS.length)
  const portOf = (example: string): number => free[EXAMPLE_PORTS.indexOf(example)] ?? 0
  const text = (await readFile(CONFIG, 'utf8'))
    .replace(/bind (?:127\.0\.0\.1)?:(\d+)/g, (_, port: string) => `bind 127.0.0.1:${portOf(port)}`)
    .replace(/(server \S+ 127\.0\.0\.1:)(\d+)/g, (_, start: string, port: string) => start + portOf(port))
  await writeFile(join(folder, 'haproxy.cfg'), text)
  const env = {
    ...ADMIN,
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, 'data'),
    SECRET_KEY: randomBytes(32).toString('hex'),
    CREDENTIAL_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_SECONDS,
    LOG_LEVEL: 'warn',
    RATE_LIMIT_API_PER_SECOND: '0',
    RATE_LIMIT_LOGIN_PER_MINUTE: '0',
  }
  const [first, second] = ['api1', 'api2'] as const
  const settings = new Map<string, Record<string, string>>([
    [first, { ...env, ROLES: 'api', PORT: `${portOf('8081')}` }],
    [second, { ...env, ROLES: 'api', PORT: `${portOf('8082')}` }],
  ])
  const processes = new Map<string, RunningService>()
  const start = async (name: string): Promise<void> =>
    void processes.set(name, await startService({ env: settings.get(name) ?? {} }))
  // One after the other: the administrator is made by the first one.
  await start(first)
  await start(second)
  const proxy = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
  const isSettled = () => hasAllServers(portOf('8404'))
  await waitFor(isSettled, SETTLE_MAX_MS)
  return {
    url: `http://127.0.0.1:${portOf('8080')}`,
    async restart(name, signal) {
      const stopped = await processes.get(name)?.stop(signal)
      await start(name)
      await waitFor(isSettled, SETTLE_MAX_MS)
      return stopped?.code ?? null
    },
    async end() {
      await Promise.all([...processes.values()].map((one) => one.stop('SIGKILL')))
      await endProxy(proxy)
      await database.drop()
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
    },
  }
}

async function endProxy(proxy: ChildProcess): Promise<void> {
  const ended = once(proxy, 'exit')
  proxy.kill('SIGKILL')
  await ended
}

/** Whether the proxy uses both processes. */
async function hasAllServers(port: number): Promise<boolean> {
  const csv = await fetch(`http://127.0.0.1:${port}/;csv`).then(
    (response) => response.text(),
    () => '',
  )
  const rows = csv.split('\n').map((line) => line.split(','))
  return rows.filter(([, name = '', ...states]) => /^api[12]$/.test(name) && states[15] === 'UP').length === 2
}
