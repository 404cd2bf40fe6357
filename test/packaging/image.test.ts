import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callService } from '../support/process/call.ts'

const run = promisify(execFile)
const TOOLS = ['buildah', 'mmdebstrap', 'unshare', 'chroot']
const READY_MAX_MS = 120_000

const isInstalled = (tool: string): boolean => {
  try {
    execFileSync('sh', ['-c', 'command -v "$1"', 'sh', tool], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
/** Some sandboxes refuse mounts to root. */
const mayMount = (): boolean => {
  const mounts = 'mount --make-rprivate / && mount -t tmpfs tmpfs /mnt && mount -t proc proc /mnt'
  return spawnSync('unshare', ['--mount', 'sh', '-c', mounts], { stdio: 'ignore' }).status === 0
}

/** Why the image cannot be built or run here. */
function findObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root'
  const missing = TOOLS.filter((tool) => !isInstalled(tool))
  if (missing.length > 0) return `needs ${missing.join(', ')}`
  return mayMount() ? undefined : 'needs the right to mount'
}
const obstacle = findObstacle()

interface ImageConfig {
  readonly User: string
  readonly WorkingDir: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly Healthcheck: { readonly Test: readonly string[] }
  readonly Volumes: Readonly<Record<string, object>>
}

const ADMIN = { email: 'admin@plant.example', password: 'image-smoke-2026' }

let folder: string
let root: string
let config: ImageConfig
let port: number
const running = new Set<ChildProcess>()

/**
 * Runs a command in the image as a container engine does with `--read-only`: as the user of the image, in its
 * environment, with a root filesystem that cannot be written, a temporary /tmp and a volume. The mounts belong to a
 * mount namespace of the command, so they end with it.
 */
function inImage(command: readonly string[]) {
  const mounts = `
    set -e
    mount --make-rprivate /
    mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"
    mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/tmp"
    mount --bind "$2" "$1/data"
    root="$1"; shift 2
    exec chroot --userspec=10001:10001 "$root" "$@"`
  const settings = [`PORT=${port}`, 'MQTT_PORT=0', `NETSAAT_ADMIN_EMAIL=${ADMIN.email}`]
  const environment = [...config.Env, ...settings, `NETSAAT_ADMIN_PASSWORD=${ADMIN.password}`, 'HOME=/data']
  const inside = [
    'env',
    '-i',
    ...environment,
    'sh',
    '-c',
    'cd "$0" && exec "$@"',
    config.WorkingDir,
    ...command,
  ]
  const args = ['--mount', 'sh', '-c', mounts, 'sh', root, join(folder, 'data'), ...inside]
  const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += String(data)
    })
  running.add(child)
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  return { child, ended, output: () => output }
}

async function startContainer() {
  const container = inImage([...config.Entrypoint, ...config.Cmd])
  await expect
    .poll(() => container.child.exitCode ?? container.output(), { timeout: READY_MAX_MS })
    .toMatch(/ready at/)
  return container
}

const isHealthy = async (): Promise<boolean> => (await inImage(config.Healthcheck.Test.slice(1)).ended) === 0

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address() as { port: number }
  server.close()
  return free
}

const url = (path: string): string => `http://127.0.0.1:${port}${path}`

async function gatewayNames(): Promise<readonly string[]> {
  const { access_token: token } = await callService('POST', url('/api/auth/login'), undefined, ADMIN)
  const gateways = await callService('GET', url('/api/gateways'), token)
  return gateways.items.map(({ name }: { name: string }) => name)
}

describe.skipIf(obstacle !== undefined)(
  `the image (${obstacle ?? 'built with buildah'})`,
  { timeout: 900_000 },
  () => {
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'netsaat-image-'))
      await run('chmod', ['755', folder])
      const { stdout } = await run('test/packaging/build-image.sh', [folder])
      root = stdout.trim()
      config = JSON.parse(await readFile(join(folder, 'image.json'), 'utf8')).Docker.config
      await mkdir(join(folder, 'data'), { mode: 0o700 })
      await chown(join(folder, 'data'), 10_001, 10_001)
      port = await freePort()
    }, 900_000)
    afterAll(async () => {
      for (const child of running) child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
    })

    it('runs as an ordinary user and keeps its data in a volume', async () => {
      expect(config).toMatchObject({ User: 'netsaat', Volumes: { '/data': {} } })
      expect(config.Env).toContain('DATA_DIR=/data')
      const writes = inImage(['sh', '-c', 'id -u; touch /app/file; touch /data/file && echo written'])
      await writes.ended
      expect(writes.output()).toMatch(/^10001\n.*Read-only file system\nwritten\n$/)
    })

    it('carries neither the sources nor the tools of development', async () => {
      const look = inImage(['ls', '/app', '/app/node_modules'])
      expect(await look.ended).toBe(0)
      const names = look.output().split('\n')
      expect(names).toEqual(expect.arrayContaining(['dist', 'fastify']))
      expect(
        names.filter((name) => ['src', 'test', 'vitest', 'esbuild', 'typescript-7'].includes(name)),
      ).toEqual([])
    })

    it('serves, is healthy only while it runs, and keeps its data over a stop and a kill', async () => {
      expect(await isHealthy()).toBe(false)
      const first = await startContainer()
      expect(await isHealthy()).toBe(true)
      expect(await (await fetch(url('/'))).text()).toMatch(/src="\.\/assets\/index-/)
      const { access_token: token } = await callService('POST', url('/api/auth/login'), undefined, ADMIN)
      await callService('POST', url('/api/gateways'), token, { name: 'Trafo 1', gateway_type: 'mqtt' })
      first.child.kill('SIGTERM')
      expect(await first.ended).toBe(0)

      const second = await startContainer()
      expect(await gatewayNames()).toEqual(['Trafo 1'])
      second.child.kill('SIGKILL')
      await second.ended
      expect(await isHealthy()).toBe(false)

      const third = await startContainer()
      expect(await gatewayNames()).toEqual(['Trafo 1'])
      third.child.kill('SIGTERM')
      expect(await third.ended).toBe(0)
    })
  },
)
