import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new DATA_DIR for a service that a test starts; the test removes it. Others may enter it, which mkdtemp forbids:
 * as root the database's user must, or the data would go to /var/lib/netsaat and stay there.
 */
export async function makeDataFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `netsaat-${name}-`))
  await chmod(folder, 0o755)
  return folder
}
