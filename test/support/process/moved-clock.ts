import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The library of Debian's package libfaketime, for programs with threads; undefined when it is absent. */
const LIBRARY: string | undefined = [
  process.env['LIBFAKETIME_PATH'],
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
].find((path) => path !== undefined && existsSync(path))

export const hasFaketime = LIBRARY !== undefined

export interface MovedClock {
  /** Settings of a service whose time of day is moved. */
  readonly env: Readonly<Record<string, string>>
  /** The PATH of a process that starts a PostgreSQL server whose time of day is moved in the same way. */
  readonly path: string
  /** Moves the time of day, also of running processes; their monotonic clocks are not affected. */
  moveTo(hours: number): Promise<void>
  /** The moved time, epoch milliseconds. */
  now(): number
}

/** A time of day that a test moves with libfaketime, for a service and its database server. */
export async function makeMovedClock(folder: string): Promise<MovedClock> {
  const file = join(folder, 'offset')
  const bin = join(folder, 'bin')
  let offsetHours = 0
  const moveTo = async (hours: number): Promise<void> => {
    offsetHours = hours
    await writeFile(file, `${hours < 0 ? '' : '+'}${hours}h\n`)
  }
  await mkdir(bin)
  await moveTo(0)
  const env = {
    LD_PRELOAD: LIBRARY ?? '',
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
  }
  // The server gets a clean environment, but is started by the setpriv of the PATH.
  const exports = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  const guard = join(bin, 'setpriv')
  await writeFile(guard, `#!/bin/sh\nexec env ${exports.join(' ')} /usr/bin/setpriv "$@"\n`)
  for (const path of [guard, bin]) await chmod(path, 0o755)
  const path = `${bin}:${process.env['PATH'] ?? ''}`
  return { env: { ...env, PATH: path }, path, moveTo, now: () => Date.now() + offsetHours * 3_600_000 }
}
