import { randomBytes } from 'node:crypto'
import { link, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EMBEDDED_HEARTBEAT_MS, EMBEDDED_HEARTBEAT_WATCH_MS } from './limits.ts'
import { findProcess, pidScope } from './process-table.ts'

interface Owner {
  scope: string
  pid: number
  startMark: string
  released: boolean
}

export interface OwnerLock {
  /**
   * False when another service has taken the folder, which is possible only after somebody deleted the lock
   * by hand.
   */
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

/** Another service owns the folder. The message is shown to the user. */
export class FolderInUse extends Error {}

/**
 * Makes this process the only service on `base`.
 *
 * The owner writes `owner.<n>.json`; the file with the highest n counts. A file is created by link(), which
 * fails when the name exists, and is deleted only by somebody who holds a higher one. So of several processes
 * that find the same dead owner exactly one gets n + 1, and nobody can remove a lock that is alive. A plain
 * lock file cannot promise that: between "its owner is dead" and "delete it" another process may have taken
 * it.
 */
export async function takeOwnership(base: string): Promise<OwnerLock> {
  const own = await ownIdentity()
  for (let attempt = 0; attempt < 10; attempt++) {
    const latest = await newestOwner(base)
    if (latest?.owner && (await isAlive(base, latest.owner, own.scope))) throw inUse(base, latest.owner)
    const generation = (latest?.generation ?? 0) + 1
    if (!(await claim(base, generation, own))) continue
    return keepAlive(base, generation, own)
  }
  throw new FolderInUse(`Several services try to take ${base} at the same time`)
}

function inUse(base: string, owner: Owner): FolderInUse {
  return new FolderInUse(
    `Another Netsaat (process ${owner.pid}) uses the database in ${base}: stop it, or give this one its own DATA_DIR`,
  )
}

async function ownIdentity(): Promise<Owner> {
  const self = await findProcess(process.pid)
  return { scope: await pidScope(), pid: process.pid, startMark: self?.startMark ?? '', released: false }
}

async function isAlive(base: string, owner: Owner, ownScope: string): Promise<boolean> {
  if (owner.released) return false
  if (owner.scope === ownScope) {
    const facts = await findProcess(owner.pid)
    return facts !== undefined && facts.startMark === owner.startMark
  }
  // A different scope is another container on the same volume, or the time before a reboot: the process
  // number has no meaning here.
  const before = await readHeartbeat(base)
  await sleep(EMBEDDED_HEARTBEAT_WATCH_MS)
  return (await readHeartbeat(base)) !== before
}

const fileOf = (base: string, generation: number) => join(base, `owner.${generation}.json`)
const heartbeatOf = (base: string) => join(base, 'owner.heartbeat')
const readHeartbeat = (base: string) => readFile(heartbeatOf(base), 'utf8').catch(() => '')

async function generations(base: string): Promise<number[]> {
  const numbers = (await readdir(base)).map((name) => Number(/^owner\.(\d+)\.json$/.exec(name)?.[1]))
  return numbers.filter((n) => Number.isInteger(n)).sort((a, b) => b - a)
}

async function newestOwner(
  base: string,
): Promise<{ generation: number; owner: Owner | undefined } | undefined> {
  const [generation] = await generations(base)
  if (generation === undefined) return undefined
  try {
    return { generation, owner: JSON.parse(await readFile(fileOf(base, generation), 'utf8')) as Owner }
  } catch {
    // The file was deleted because a higher generation exists, which claim() detects; or it is empty after a
    // power failure, so its owner is dead.
    return { generation, owner: undefined }
  }
}

/** Returns true when this process created `generation` and no higher generation exists. */
async function claim(base: string, generation: number, own: Owner): Promise<boolean> {
  const draft = join(base, `.owner-${randomBytes(6).toString('hex')}`)
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 })
  try {
    await link(draft, fileOf(base, generation))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await unlink(draft)
  }
  const all = await generations(base)
  if (all[0] !== generation) {
    // Other processes have taken and released ownership since the generations were read.
    await unlink(fileOf(base, generation)).catch(() => undefined)
    return false
  }
  for (const older of all.slice(1)) await unlink(fileOf(base, older)).catch(() => undefined)
  return true
}

async function keepAlive(base: string, generation: number, own: Owner): Promise<OwnerLock> {
  let beats = 0
  const beat = async () => {
    beats += 1
    await writeFile(heartbeatOf(base), `${generation}.${beats}`, { mode: 0o600 }).catch(() => undefined)
  }
  await unlink(heartbeatOf(base)).catch(() => undefined)
  await beat()
  const timer = setInterval(() => void beat(), EMBEDDED_HEARTBEAT_MS).unref()
  return {
    async isHeld() {
      const owner = (await newestOwner(base))?.owner
      return JSON.stringify(owner) === JSON.stringify(own)
    },
    async release() {
      clearInterval(timer)
      // The file is not deleted: a generation that is reused could be taken twice by a process that read the
      // list before.
      const draft = join(base, `.owner-${randomBytes(6).toString('hex')}`)
      try {
        await writeFile(draft, JSON.stringify({ ...own, released: true }), { mode: 0o600 })
        await rename(draft, fileOf(base, generation))
      } catch (error) {
        // The whole folder was deleted: nothing is left to release.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    },
  }
}
