import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseLocation } from './database-location.ts'
import {
  EMBEDDED_POLL_MS,
  EMBEDDED_START_MAX_MS,
  EMBEDDED_STOP_KILL_MS,
  EMBEDDED_STOP_MAX_MS,
  EMBEDDED_ZOMBIE_MAX_MS,
  UNIX_SOCKET_PATH_BYTES_MAX,
} from './limits.ts'
import type { Log } from './log.ts'
import { type PostmasterPid, readPostmasterPid, socketName, stopOrphanedServer } from './postmaster-pid.ts'
import { clusterName } from './process-table.ts'
import { childOptions, run } from './run-as.ts'
import { openServerLog, type ServerLog } from './server-log.ts'

export interface RunningServer {
  readonly address: PostmasterPid
  /**
   * Resolves with the last lines of the log when the server ends by itself, and with undefined when it was
   * stopped.
   */
  readonly ended: Promise<string | undefined>
  /**
   * Must be called only once, also for a server that ended by itself. It takes at most `maxMs`, but at least the time
   * of EMBEDDED_STOP_MAX_MS and of a hard stop.
   */
  stop(maxMs?: number): Promise<void>
}

export interface LaunchOptions {
  location: DatabaseLocation
  postgres: string
  settings: Record<string, string>
  log: Log
  /** The port of the previous run, for a restart on loopback, where the port must stay the same. */
  port?: number
  /** Aborts the start. */
  signal?: AbortSignal
  /** Called when the process of the server runs, before it accepts connections. */
  onLaunch?: (() => void) | undefined
}

/**
 * Settings for a service of this size on a small machine. Durability has PostgreSQL's defaults. Refused
 * statements are not logged (`log_min_messages = log` omits ERROR): the service handles these errors, and
 * the statements may contain personal data. The build has neither lz4 nor LLVM.
 */
const SETTINGS: Record<string, string> = {
  shared_buffers: '256MB',
  max_connections: '60',
  max_wal_size: '2GB',
  wal_compression: 'pglz',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/**
 * Where the server listens: a Unix socket in its own folder (mode 0700), or loopback when that path is too
 * long.
 */
async function listenSettings(cluster: string, port?: number): Promise<Record<string, string>> {
  if (Buffer.byteLength(join(cluster, socketName(5432))) <= UNIX_SOCKET_PATH_BYTES_MAX) {
    const quoted = `"${cluster.replaceAll('"', '""')}"`
    return {
      listen_addresses: '',
      port: '5432',
      unix_socket_directories: quoted,
      unix_socket_permissions: '0700',
    }
  }
  const onLoopback = port ?? (await freePort())
  return { listen_addresses: '127.0.0.1', port: String(onLoopback), unix_socket_directories: '' }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/**
 * Errors that are retried for a while: a postmaster that was just killed may hold its lock or its shared
 * memory a little longer.
 */
const WILL_PASS =
  /lock file ".*" already exists|pre-existing shared memory block|could not create any TCP\/IP sockets/

/** Starts the server and waits until it accepts connections, which includes crash recovery. */
export async function launchServer(options: LaunchOptions): Promise<RunningServer> {
  const serverLog = await openServerLog(options.location.base)
  const retryUntil = performance.now() + EMBEDDED_ZOMBIE_MAX_MS
  try {
    for (;;) {
      await stopOrphanedServer(options.location.cluster, options.log)
      const child = await spawnServer(options, serverLog)
      options.onLaunch?.()
      const outcome = await waitUntilReady(child, options)
      if (outcome.ready) return runningServer(child, outcome.address, { serverLog, log: options.log })
      const tail = await serverLog.tail()
      const isHopeless = !WILL_PASS.test(tail) || performance.now() > retryUntil
      if (isHopeless || options.signal?.aborted) {
        throw new Error(`PostgreSQL did not start (${outcome.reason}): ${tail}`)
      }
      await sleep(EMBEDDED_POLL_MS * 10)
    }
  } catch (error) {
    await serverLog.close()
    throw error
  }
}

async function spawnServer(
  { location, postgres, settings, port }: LaunchOptions,
  serverLog: ServerLog,
): Promise<ChildProcess> {
  const all = {
    ...SETTINGS,
    cluster_name: clusterName(location.cluster),
    ...(await listenSettings(location.cluster, port)),
    ...settings,
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [postgres, '-D', location.cluster, ...flags]
  // With setpriv the kernel stops the server when this process ends, even after SIGKILL.
  const guard = (await canDieWithParent(location)) ? ['setpriv', '--pdeathsig', 'INT', '--'] : []
  const [file = postgres, ...args] = [...guard, ...command]
  // The server is detached, because Ctrl-C in a terminal must reach the service only, which stops the server
  // after its last request.
  return spawn(file, args, {
    ...childOptions(location.user),
    detached: true,
    stdio: ['ignore', serverLog.fd, serverLog.fd],
  })
}

/**
 * Returns whether `setpriv --pdeathsig` works. It is executed, because Busybox has a setpriv without this
 * option.
 */
async function canDieWithParent({ user }: DatabaseLocation): Promise<boolean> {
  if (process.platform !== 'linux') return false
  return (await run(user, 'setpriv', ['--pdeathsig', 'INT', '--', '/bin/sh', '-c', ':'])).code === 0
}

type Outcome = { ready: true; address: PostmasterPid } | { ready: false; reason: string }

async function waitUntilReady(
  child: ChildProcess,
  { location, log, signal }: LaunchOptions,
): Promise<Outcome> {
  let ended: string | undefined
  const breakOff = () => child.kill('SIGINT')
  if (signal?.aborted) breakOff()
  signal?.addEventListener('abort', breakOff, { once: true })
  child.once('error', (error) => {
    ended = error.message
  })
  child.once('exit', (code, signal) => {
    ended ??= signal ?? `exit code ${code}`
  })
  const started = performance.now()
  let loggedAt = started
  while (ended === undefined) {
    const address = await readPostmasterPid(location.cluster)
    if (address?.pid === child.pid && address?.status === 'ready') return { ready: true, address }
    const now = performance.now()
    if (now - started > EMBEDDED_START_MAX_MS) {
      child.kill('SIGKILL')
      ended = `not ready after ${EMBEDDED_START_MAX_MS / 1000} s`
    } else if (now - loggedAt > 5000) {
      loggedAt = now
      log.info(
        { seconds: Math.round((now - started) / 1000) },
        'PostgreSQL is still starting (recovering its log)',
      )
    }
    await sleep(EMBEDDED_POLL_MS)
  }
  return { ready: false, reason: ended }
}

interface Keeping {
  serverLog: ServerLog
  log: Log
}

function runningServer(
  child: ChildProcess,
  address: PostmasterPid,
  { serverLog, log }: Keeping,
): RunningServer {
  const ended = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })
  let isStopping = false
  // The server must not keep a program running that did not stop it; when that program exits, the server is
  // stopped too.
  child.unref()
  const stopAtExit = () => child.kill('SIGINT')
  process.once('exit', stopAtExit)
  async function stop(maxMs = 0): Promise<void> {
    const fastMs = Math.max(EMBEDDED_STOP_MAX_MS, maxMs - 3 * EMBEDDED_STOP_KILL_MS)
    isStopping = true
    child.ref()
    process.removeListener('exit', stopAtExit)
    child.kill('SIGINT')
    if (!(await endsWithin(ended, fastMs))) {
      log.warn(
        { pid: child.pid },
        'PostgreSQL did not stop in time and is ended hard; it will recover at the next start',
      )
      child.kill('SIGQUIT')
      if (!(await endsWithin(ended, EMBEDDED_STOP_KILL_MS))) child.kill('SIGKILL')
      await endsWithin(ended, EMBEDDED_STOP_KILL_MS)
    }
    await serverLog.close()
  }
  return { address, ended: ended.then(() => (isStopping ? undefined : serverLog.tail())), stop }
}

/**
 * Returns whether the server ends in time. The timer is cleared so that a stopped service does not wait for
 * it.
 */
async function endsWithin(ended: Promise<void>, waitMs: number): Promise<boolean> {
  const giveUp = new AbortController()
  const timer = sleep(waitMs, false, { signal: giveUp.signal }).catch(() => false)
  const result = await Promise.race([ended.then(() => true), timer])
  giveUp.abort()
  return result
}
