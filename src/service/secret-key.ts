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

/**
 * Returns the key of the data folder, which is used without SECRET_KEY. It is generated at the first start
 * and readable by the service's user only.
 */
export async function loadSecretKey(dataDir: string): Promise<KeptKey> {
  await makeDataFolder(dataDir)
  const file = join(dataDir, 'secret-key')
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
