import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SECRET_KEY_MIN_LENGTH } from '../kernel/limits.ts'
import { makeDataFolder, PRIVATE_FILE_MODE } from '../platform/files/data-folder.ts'

export interface KeptKey {
  readonly secretKey: string
  readonly file: string
  readonly isNew: boolean
}

const keyFile = (folder: string): string => join(folder, 'secret-key')

/** Returns the generated key of the data folder, for a backup. Throws when there is none. */
export async function requireSecretKey(dataDir: string): Promise<string> {
  const key = await readKey(dataDir)
  if (key !== undefined) return key
  throw new Error(`there is no ${keyFile(dataDir)}: a key of the setting SECRET_KEY is not part of a backup`)
}

export const backUpSecretKey = (key: string, backupDir: string): Promise<void> =>
  writeFile(keyFile(backupDir), key, { mode: PRIVATE_FILE_MODE, flush: true })

/** Throws when a backup contains a key and the data folder has another one. */
export async function requireNoOtherSecretKey(backupDir: string, dataDir: string): Promise<void> {
  const [key, own] = await Promise.all([backupDir, dataDir].map(readKey))
  if (key !== undefined && own !== undefined && key !== own)
    throw new Error(`${keyFile(dataDir)} is another key than that of the backup: move it away`)
}

/** Restores the key of a backup that contains one. Returns whether it does. */
export async function restoreSecretKey(backupDir: string, dataDir: string): Promise<boolean> {
  const key = await readKey(backupDir)
  if (key === undefined) return false
  await makeDataFolder(dataDir)
  await writeFile(keyFile(dataDir), key, { mode: PRIVATE_FILE_MODE, flush: true })
  return true
}

const readKey = (folder: string): Promise<string | undefined> =>
  readFile(keyFile(folder), 'utf8').catch(() => undefined)

/**
 * Returns the key of the data folder, which is used without SECRET_KEY. It is generated at the first start
 * and readable by the service's user only.
 */
export async function loadSecretKey(dataDir: string): Promise<KeptKey> {
  await makeDataFolder(dataDir)
  const file = keyFile(dataDir)
  const isNew = !existsSync(file) && (await makeKey(file))
  const secretKey = (await readFile(file, 'utf8')).trim()
  if (secretKey.length < SECRET_KEY_MIN_LENGTH)
    throw new Error(`${file} does not hold a key: set SECRET_KEY, or delete the file to have a new one made`)
  return { secretKey, file, isNew }
}

/**
 * Returns false when another process that starts at the same time has made the key. The file is complete before it gets
 * its name, as a full disk would leave an empty one.
 */
async function makeKey(file: string): Promise<boolean> {
  const draft = `${file}.${process.pid}.new`
  try {
    await writeFile(draft, `${randomBytes(48).toString('base64url')}\n`, {
      mode: PRIVATE_FILE_MODE,
      flush: true,
    })
    await link(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    await rm(draft, { force: true })
  }
}
