import { readdir, readFile } from 'node:fs/promises'

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

/**
 * Bytes of memory of processes, with shared pages counted once (Linux: the proportional set size). Undefined
 * where the system does not report it.
 */
export async function memoryOf(pids: readonly number[]): Promise<number | undefined> {
  let kilobytes = 0
  for (const pid of pids) {
    const rollup = /^Pss:\s+(\d+)/m.exec(await read(`/proc/${pid}/smaps_rollup`))?.[1]
    if (rollup === undefined) return undefined
    kilobytes += Number(rollup)
  }
  return kilobytes * 1024
}

/** A process and its children. */
export async function familyOf(pid: number): Promise<number[]> {
  const family = [pid]
  for (const name of await readdir('/proc').catch(() => [])) {
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(await read(`/proc/${name}/stat`))?.[1]
    if (Number(parent) === pid) family.push(Number(name))
  }
  return family
}

/** The process of the embedded PostgreSQL in a data folder. */
export async function serverOf(dataFolder: string): Promise<number> {
  const lines = (await read(`${dataFolder}/postmaster.pid`)).split('\n')
  return Number(lines[0])
}

/** The highest number of bytes of memory that a process has had (Linux). */
export async function peakOf(pid: number): Promise<number | undefined> {
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(await read(`/proc/${pid}/status`))?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
