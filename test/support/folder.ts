import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new DATA_DIR for a service that a test starts; the test removes it. It is accessible for other users,
 * unlike the result of mkdtemp: as root, the database's user must enter it, or the data would be written to
 * /var/lib/netsaat and stay there.
 */
export async function makeDataFolder(name: string, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, `netsaat-${name}-`))
  await chmod(folder, 0o755)
  return folder
}

const MEMORY_FOLDER = '/dev/shm'
/** More than the databases of a whole run, with their write-ahead log, have ever taken. */
const MEMORY_BYTES_MIN = 4 * 1024 ** 3

/**
 * A folder in memory where there is enough of it, else the usual one. A database of about 850 files is created
 * for nearly every test file: in memory that takes 20 ms, on a disk 500 to 1,000 ms.
 */
export async function quickFolder(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(MEMORY_FOLDER)
    return bavail * bsize >= MEMORY_BYTES_MIN ? MEMORY_FOLDER : tmpdir()
  } catch {
    return tmpdir()
  }
}
