import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
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
  try {
    const secretKey = randomBytes(48).toString('base64url')
    // Fails when the file exists, so that two processes that start together use the same key.
    await writeFile(file, `${secretKey}\n`, { mode: PRIVATE_FILE_MODE, flag: 'wx', flush: true })
    return { secretKey, file, isNew: true }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const secretKey = (await readFile(file, 'utf8')).trim()
  if (secretKey.length < SECRET_KEY_MIN_LENGTH)
    throw new Error(`${file} does not hold a key: set SECRET_KEY, or delete the file to have a new one made`)
  return { secretKey, file, isNew: false }
}
