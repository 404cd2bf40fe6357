import { readdir, readFile, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EMBEDDED_ORPHAN_STOP_MAX_MS, EMBEDDED_PROBE_MAX_MS, EMBEDDED_ZOMBIE_MAX_MS } from './limits.ts'
import type { Log } from './log.ts'
import { type ProcessFacts, serversOf } from './process-table.ts'

/** The lines of PostgreSQL's postmaster.pid that the service reads. */
export interface PostmasterPid {
  readonly pid: number
  readonly port: number
  /** The folder of a Unix socket, or an address. */
  readonly host: string
  readonly status: string
}

export async function readPostmasterPid(cluster: string): Promise<PostmasterPid | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const lines = text.split('\n').map((line) => line.trim())
  const host = lines[4] || lines[5] || ''
  return { pid: Number(lines[0]), port: Number(lines[3]), host, status: lines[7] ?? '' }
}

/**
 * Stops a server whose service has ended and removes its postmaster.pid. Only the owner of the folder calls
 * it, so a server that still runs on the folder is an orphan. After its stop a remaining postmaster.pid
 * names a dead process or an unrelated one with the same number; PostgreSQL cannot distinguish these and
 * would refuse to start.
 */
export async function stopOrphanedServer(cluster: string, log: Log): Promise<void> {
  const left = await readPostmasterPid(cluster)
  if (!left) return
  const servers = await serversOf(cluster)
  const postmaster = servers.find((facts) => facts.pid === left.pid)
  if (postmaster) await stopOrphan(cluster, postmaster, log)
  // The backends detect that their postmaster has ended and exit by themselves.
  else if (!(await waitUntilGone(cluster, EMBEDDED_ZOMBIE_MAX_MS))) throw stillServed(cluster)
  if (await acceptsConnections(left)) throw stillServed(cluster)
  await removeStale(cluster, log)
}

function stillServed(cluster: string): Error {
  return new Error(`A PostgreSQL that this process cannot stop still serves ${cluster}: stop it first`)
}

async function stopOrphan(cluster: string, postmaster: ProcessFacts, log: Log): Promise<void> {
  log.warn({ pid: postmaster.pid, cluster }, 'stopping the PostgreSQL server of a service that has ended')
  for (const [signal, waitMs] of [
    ['SIGINT', EMBEDDED_ORPHAN_STOP_MAX_MS],
    ['SIGQUIT', EMBEDDED_ZOMBIE_MAX_MS],
  ] as const) {
    sendSignal(postmaster.pid, signal)
    if (await waitUntilGone(cluster, waitMs)) return
  }
  throw stillServed(cluster)
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function waitUntilGone(cluster: string, waitMs: number): Promise<boolean> {
  const end = performance.now() + waitMs
  for (;;) {
    if ((await serversOf(cluster)).length === 0) return true
    if (performance.now() > end) return false
    await sleep(50)
  }
}

/**
 * Returns whether a server accepts connections on the socket. This is the last check before postmaster.pid
 * is deleted: a server in another container is absent from this process table, but its socket is in the
 * shared folder. A TCP port is not checked, because another program may use it meanwhile.
 */
function acceptsConnections({ host, port }: PostmasterPid): Promise<boolean> {
  if (!host.startsWith('/')) return Promise.resolve(false)
  return new Promise((resolve) => {
    const socket = connect(join(host, socketName(port)))
    const finish = (isConnected: boolean) => {
      socket.destroy()
      resolve(isConnected)
    }
    socket.setTimeout(EMBEDDED_PROBE_MAX_MS, () => finish(false))
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
  })
}

export const socketName = (port: number) => `.s.PGSQL.${port}`

async function removeStale(cluster: string, log: Log): Promise<void> {
  const stale = (await readdir(cluster)).filter(
    (name) => name === 'postmaster.pid' || name.startsWith('.s.PGSQL.'),
  )
  if (stale.length === 0) return
  log.info({ cluster }, 'removing the pid file of a PostgreSQL server that has ended')
  for (const name of stale) await unlink(join(cluster, name)).catch(() => undefined)
}
