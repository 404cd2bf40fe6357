import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { createDatabase } from '../database.ts'
import { makeDataFolder } from '../folder.ts'
import { waitFor } from '../wait-for.ts'
import { ADMIN } from './killed-service.ts'
import { hasProgram } from './programs.ts'
import { type RunningService, startService } from './service.ts'

export const hasHaproxy = hasProgram('haproxy')
const hasNginx = hasProgram('nginx')

const ROLES = ['api', 'realtime', 'ocpp', 'ingest', 'jobs'] as const
const HAPROXY_EXAMPLE = 'packaging/haproxy/haproxy.cfg'
const NGINX_EXAMPLE = 'packaging/nginx/netsaat.conf'
/** More than the second in which the example notices a stop, on a busy machine. */
const DRAIN_SECONDS = '4'
const SETTLE_MAX_MS = 120_000

/** Two processes of each role behind HAProxy and, where it is installed, nginx, with the example configurations. */
export interface Proxied {
  readonly url: string
  /** The same API through nginx; undefined without it. */
  readonly nginxUrl: string | undefined
  readonly mqttPort: number
  readonly databaseUrl: string
  /** The process with the role ingest that serves the gateways: `ingest1` or `ingest2`. */
  servingGateways(): Promise<string>
  /** Ends a process, `api1` for example. Returns its exit code. */
  stop(name: string, signal: NodeJS.Signals): Promise<number | null>
  /** Starts it again; resolves when the proxy uses every running process. */
  start(name: string): Promise<void>
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
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))))
  return ports
}

/** The ports that the examples name: those of the processes, and those of the proxies. */
const EXAMPLE_PORTS = [
  ...['8081', '8082', '8083', '8084', '8085', '8086', '18831', '18832'],
  ...['8080', '1883', '8404'],
]

/** Returns the free port that stands for one of the examples. */
async function choosePorts(): Promise<(example: string) => number> {
  const free = await freePorts(EXAMPLE_PORTS.length)
  return (example) => free[EXAMPLE_PORTS.indexOf(example)] ?? 0
}
type PortOf = Awaited<ReturnType<typeof choosePorts>>

export async function startProxied(): Promise<Proxied> {
  const database = await createDatabase()
  const folder = await makeDataFolder('proxied')
  const portOf = await choosePorts()
  const settings = settingsOf(portOf, { databaseUrl: database.url, dataDir: join(folder, 'data') })
  const processes = new Map<string, RunningService>()
  const launch = async (name: string): Promise<void> =>
    void processes.set(name, await startService({ env: settings.get(name) ?? {} }))
  const proxies: ChildProcess[] = []
  const end = async (): Promise<void> => {
    await Promise.all([...processes.values()].map((one) => one.stop('SIGKILL')))
    await Promise.all(proxies.map(endProxy))
    await database.drop()
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }
  const isSettled = async (): Promise<boolean> => {
    const up = await listUp(portOf('8404'))
    const expected = [...processes.keys()].filter((name) => !name.startsWith('jobs'))
    // Of the processes for gateways one serves them.
    return expected.every((name) => up.has(name) || name.startsWith('ingest')) && servingOf(up) !== undefined
  }
  try {
    // One after the other: the administrator is made by the first one.
    const [first = '', ...others] = settings.keys()
    await launch(first)
    await Promise.all(others.map(launch))
    proxies.push(await startHaproxy(folder, portOf))
    const nginx = hasNginx ? await startNginx(folder, portOf) : undefined
    if (nginx) proxies.push(nginx.proxy)
    await waitFor(isSettled, SETTLE_MAX_MS)
    return {
      url: `http://127.0.0.1:${portOf('8080')}`,
      nginxUrl: nginx?.url,
      mqttPort: portOf('1883'),
      databaseUrl: database.url,
      servingGateways: async () => servingOf(await listUp(portOf('8404'))) ?? '',
      async stop(name, signal) {
        const stopped = await processes.get(name)?.stop(signal)
        processes.delete(name)
        return stopped?.code ?? null
      },
      async start(name) {
        await launch(name)
        await waitFor(isSettled, SETTLE_MAX_MS)
      },
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** The settings of each process by its name: `api1`, `api2` and so on. */
function settingsOf(
  portOf: PortOf,
  { databaseUrl, dataDir }: { readonly databaseUrl: string; readonly dataDir: string },
): Map<string, Record<string, string>> {
  const shared = {
    ...ADMIN,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('hex'),
    CREDENTIAL_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_SECONDS,
    LOG_LEVEL: 'warn',
    RATE_LIMIT_API_PER_SECOND: '0',
    RATE_LIMIT_LOGIN_PER_MINUTE: '0',
  }
  const settings = new Map<string, Record<string, string>>()
  for (const [index, role] of ROLES.entries())
    for (const number of [1, 2]) {
      const hasHttp = role !== 'ingest' && role !== 'jobs'
      const http = hasHttp ? portOf(`808${2 * index + number}`) : 0
      const mqtt = role === 'ingest' ? portOf(`1883${number}`) : 0
      settings.set(`${role}${number}`, { ...shared, ROLES: role, PORT: `${http}`, MQTT_PORT: `${mqtt}` })
    }
  return settings
}

async function startHaproxy(folder: string, portOf: PortOf): Promise<ChildProcess> {
  const text = (await readFile(HAPROXY_EXAMPLE, 'utf8'))
    .replace(/bind (?:127\.0\.0\.1)?:(\d+)/g, (_, port: string) => `bind 127.0.0.1:${portOf(port)}`)
    .replace(/(server \S+ 127\.0\.0\.1:)(\d+)/g, (_, start: string, port: string) => start + portOf(port))
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, text)
  return spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
}

async function startNginx(folder: string, portOf: PortOf) {
  const [port = 0] = await freePorts(1)
  const text = (await readFile(NGINX_EXAMPLE, 'utf8'))
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace(/(server 127\.0\.0\.1:)(\d+)/g, (_, start: string, example: string) => start + portOf(example))
  await writeFile(join(folder, 'netsaat.conf'), text)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const lines = [
    'worker_processes 1;',
    'daemon off;',
    'master_process off;',
    `pid ${join(folder, 'nginx.pid')};`,
    'events {}',
    'http {',
    'access_log off;',
    ...temporary.map((name) => `${name}_temp_path ${join(folder, name)};`),
    `include ${join(folder, 'netsaat.conf')};`,
    '}',
  ]
  const file = join(folder, 'nginx.conf')
  await writeFile(file, `${lines.join('\n')}\n`)
  const proxy = spawn('nginx', ['-c', resolve(file), '-e', join(folder, 'nginx.log')], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const isAnswering = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitFor(isAnswering, SETTLE_MAX_MS)
  return { proxy, url }
}

async function endProxy(proxy: ChildProcess): Promise<void> {
  if (proxy.exitCode !== null || proxy.signalCode !== null) return
  const ended = once(proxy, 'exit')
  proxy.kill('SIGKILL')
  await ended
}

/** The processes that HAProxy uses. */
async function listUp(port: number): Promise<ReadonlySet<string>> {
  const csv = await fetch(`http://127.0.0.1:${port}/;csv`).then(
    (response) => response.text(),
    () => '',
  )
  const rows = csv.split('\n').map((line) => line.split(','))
  const up = rows.filter(([, name = '', ...states]) => /^[a-z]+[12]$/.test(name) && states[15] === 'UP')
  return new Set(up.map(([, name = '']) => name))
}

const servingOf = (up: ReadonlySet<string>): string | undefined => {
  const serving = [...up].filter((name) => name.startsWith('ingest'))
  return serving.length === 1 ? serving[0] : undefined
}
