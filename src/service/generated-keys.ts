import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SECRET_KEY_MIN_LENGTH } from '../kernel/limits.ts'
import { isSealerKey, SEALER_KEY_BYTES } from '../platform/auth/sealer.ts'
import { makeDataFolder, PRIVATE_FILE_MODE } from '../platform/files/data-folder.ts'

/**
 * Keys that the service generates at the first start when their setting is absent. Each is a file of the data folder,
 * which only the user of the service can read. A backup contains them on request.
 */
interface KeyKind {
  readonly setting: string
  readonly fileName: string
  generate(): string
  isValid(key: string): boolean
}

export const SECRET_KEY: KeyKind = {
  setting: 'SECRET_KEY',
  fileName: 'secret-key',
  generate: () => randomBytes(48).toString('base64url'),
  isValid: (key) => key.length >= SECRET_KEY_MIN_LENGTH,
}

export const CREDENTIAL_KEY: KeyKind = {
  setting: 'CREDENTIAL_ENCRYPTION_KEY',
  fileName: 'credential-key',
  generate: () => randomBytes(SEALER_KEY_BYTES).toString('base64'),
  isValid: isSealerKey,
}

const KINDS = [SECRET_KEY, CREDENTIAL_KEY] as const

export interface GeneratedKey {
  readonly key: string
  readonly file: string
  readonly isNew: boolean
}

const fileOf = (folder: string, { fileName }: KeyKind): string => join(folder, fileName)

/** Returns the generated key of the data folder; undefined before it was generated. */
export const readGeneratedKey = (dataDir: string, kind: KeyKind): Promise<string | undefined> =>
  readFile(fileOf(dataDir, kind), 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )

/** Returns the key of the data folder, which is generated at the first call. */
export async function loadGeneratedKey(dataDir: string, kind: KeyKind): Promise<GeneratedKey> {
  await makeDataFolder(dataDir)
  const file = fileOf(dataDir, kind)
  const isNew = !existsSync(file) && (await writeNewKey(file, kind.generate()))
  const key = await readGeneratedKey(dataDir, kind)
  if (key === undefined || !kind.isValid(key))
    throw new Error(
      `${file} does not contain a key: set ${kind.setting}, or delete the file so that a new key is generated`,
    )
  return { key, file, isNew }
}

/**
 * Returns false when another process that starts at the same time has written the key. The file is complete before it
 * gets its name, as a full disk would leave an empty one.
 */
async function writeNewKey(file: string, key: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}.new`
  try {
    await writeFile(draft, `${key}\n`, { mode: PRIVATE_FILE_MODE, flush: true })
    await link(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    await rm(draft, { force: true })
  }
}

const writeKey = (folder: string, kind: KeyKind, key: string): Promise<void> =>
  writeFile(fileOf(folder, kind), `${key}\n`, { mode: PRIVATE_FILE_MODE, flush: true })

/** The generated keys of a folder: a data folder or a backup. */
export type GeneratedKeys = ReadonlyMap<KeyKind, string>

export async function readGeneratedKeys(folder: string): Promise<GeneratedKeys> {
  const keys = new Map<KeyKind, string>()
  for (const kind of KINDS) {
    const key = await readGeneratedKey(folder, kind)
    if (key !== undefined) keys.set(kind, key)
  }
  return keys
}

/** Returns the generated keys of the data folder, for a backup. Throws when there is none. */
export async function requireGeneratedKeys(dataDir: string): Promise<GeneratedKeys> {
  const keys = await readGeneratedKeys(dataDir)
  if (keys.size > 0) return keys
  throw new Error(`${dataDir} contains no generated key: keys of settings are not part of a backup`)
}

export async function writeGeneratedKeys(folder: string, keys: GeneratedKeys): Promise<void> {
  for (const [kind, key] of keys) await writeKey(folder, kind, key)
}

/** Throws when a backup contains a key and the data folder another one of the same kind. */
export async function requireNoOtherKey(backupDir: string, dataDir: string): Promise<void> {
  const [keys, own] = await Promise.all([readGeneratedKeys(backupDir), readGeneratedKeys(dataDir)])
  for (const [kind, key] of keys) {
    const present = own.get(kind)
    if (present !== undefined && present !== key)
      throw new Error(`${fileOf(dataDir, kind)} is another key than that of the backup: move it away`)
  }
}

/** Restores the keys that a backup contains, and returns the settings that they stand for. */
export async function restoreGeneratedKeys(backupDir: string, dataDir: string): Promise<readonly string[]> {
  const keys = await readGeneratedKeys(backupDir)
  if (keys.size > 0) await makeDataFolder(dataDir)
  await writeGeneratedKeys(dataDir, keys)
  return [...keys.keys()].map(({ setting }) => setting)
}
