import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { EMBEDDED_TOOL_MAX_MS } from './limits.ts'

/**
 * The properties that distinguish a process from a later one with the same number. Zombies are not listed,
 * because they have ended.
 */
export interface ProcessFacts {
  readonly pid: number
  /** The start time in the unit of the system; it is only compared for equality. */
  readonly startMark: string
  /** Arguments joined by blanks, or the title that the process gave itself. */
  readonly title: string
  /** Unknown where the system does not reveal it (macOS; root in a container without the right to trace). */
  readonly exe?: string
  readonly cwd?: string
}

/**
 * The `cluster_name` of a cluster. The titles of all its processes contain it, which identifies them on
 * systems without /proc.
 */
export function clusterName(cluster: string): string {
  return `netsaat-${createHash('sha256').update(cluster).digest('hex').slice(0, 12)}`
}

/**
 * True for the postmaster and every other process of the server whose data folder is `cluster` (a real path).
 */
export function servesCluster(facts: ProcessFacts, cluster: string): boolean {
  if (facts.exe !== undefined && facts.cwd !== undefined) {
    // A reinstall while the server runs makes it "postgres (deleted)".
    return basename(facts.exe).replace(/ \(deleted\)$/, '') === 'postgres' && facts.cwd === cluster
  }
  const postmaster = facts.title.includes('postgres -D ') && `${facts.title} `.includes(` -D ${cluster} `)
  return postmaster || facts.title.startsWith(`postgres: ${clusterName(cluster)}: `)
}

/**
 * Returns an identifier of the boot and the pid namespace (containers have their own), within which process
 * numbers are unique.
 */
export async function pidScope(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

export async function findProcess(pid: number): Promise<ProcessFacts | undefined> {
  if (process.platform === 'linux') return readProc(pid)
  return (await listWithPs()).find((facts) => facts.pid === pid)
}

/** All running processes of the server on `cluster`, including backends whose postmaster has ended. */
export async function serversOf(cluster: string): Promise<ProcessFacts[]> {
  const all = process.platform === 'linux' ? await listProc() : await listWithPs()
  return all.filter((facts) => servesCluster(facts, cluster))
}

async function listProc(): Promise<ProcessFacts[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const all = await Promise.all(pids.map((pid) => readProc(Number(pid))))
  return all.filter((facts) => facts !== undefined)
}

async function readProc(pid: number): Promise<ProcessFacts | undefined> {
  const folder = `/proc/${pid}`
  const [stat, cmdline, exe, cwd] = await Promise.all([
    readFile(`${folder}/stat`, 'utf8').catch(() => undefined),
    readFile(`${folder}/cmdline`, 'utf8').catch(() => ''),
    readlink(`${folder}/exe`).catch(() => undefined),
    readlink(`${folder}/cwd`).catch(() => undefined),
  ])
  if (stat === undefined) return undefined
  // The name in brackets may contain blanks and brackets, so the fields are counted from the last bracket.
  // Field 3 is the state, field 22 the start time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  const title = cmdline.replaceAll('\0', ' ').trimEnd()
  return {
    pid,
    startMark: fields[19] ?? '',
    title,
    ...(exe !== undefined && cwd !== undefined && { exe, cwd }),
  }
}

/** Lists the processes with `ps`, for systems without /proc. */
export function listWithPs(): Promise<ProcessFacts[]> {
  const args = ['-A', '-ww', '-o', 'pid=', '-o', 'stat=', '-o', 'lstart=', '-o', 'args=']
  const options = {
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    timeout: EMBEDDED_TOOL_MAX_MS,
    maxBuffer: 2 ** 24,
  }
  return new Promise((resolve, reject) => {
    execFile('ps', args, options, (error, stdout) => {
      if (error) return reject(new Error(`The process list cannot be read: ${error.message}`))
      resolve(stdout.split('\n').flatMap(parsePsLine))
    })
  })
}

function parsePsLine(line: string): ProcessFacts[] {
  // pid, state, "Fri Nov 20 05:11:00 2026", arguments
  const parts = /^\s*(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s(.*)$/.exec(line)
  if (!parts || parts[2]?.startsWith('Z')) return []
  return [{ pid: Number(parts[1]), startMark: parts[3] ?? '', title: (parts[4] ?? '').trim() }]
}
