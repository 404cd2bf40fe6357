import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new DATA_DIR for a service that a test starts; the test removes it. It is accessible for other users,
 * unlike the result of mkdtemp: as root, the database's user must enter it, or the data would be written to
 * /var/lib/netsaat and stay there.
 */
export async function makeDataFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `netsaat-${name}-`))
  await chmod(folder, 0o755)
  return folder
}
