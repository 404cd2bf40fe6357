import { randomUUID } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { makePrivateFolder, tenantFolder } from '../../../platform/files/data-folder.ts'
import type { Config } from '../../../platform/settings/config.ts'

type DataDir = Pick<Config, 'dataDir'>

/*
 * The identity of the folder of export files, which says which processes can read and write them.
 *
 * The folder has an id, whatever the machine and the path by which a process reaches it: containers with the same host
 * name and path have folders of their own, and machines with different names may share one. The id is the name of the
 * only entry of the folder `folder-id`. Folders are used because they can be moved to a name as one step, which
 * fails where another process was first, also on network file systems without links; and because processes of a
 * version before this one delete unknown files, but no folders.
 */
const ID_FOLDER = 'folder-id'

export const exportsFolder = (config: DataDir): string => tenantFolder(config, 'exports')

/** The location of exports of versions without ids, and of those accepted while the folder was not writable. */
const locationOfMachine = (config: DataDir): string => `${hostname()}:${exportsFolder(config)}`

async function readId(config: DataDir): Promise<string | undefined> {
  const [id] = await readdir(join(exportsFolder(config), ID_FOLDER)).catch(() => [])
  return id
}

async function createId(config: DataDir): Promise<void> {
  const id = randomUUID()
  const path = join(exportsFolder(config), ID_FOLDER)
  const made = `${path}.${id}`
  await makePrivateFolder(join(made, id))
  // The target is never empty, so that only the first of several processes succeeds.
  await rename(made, path).catch(() => rm(made, { recursive: true }))
}

/** The locations whose exports belong to this process. */
export async function ownLocations(config: DataDir): Promise<string[]> {
  const id = await readId(config)
  return [...(id === undefined ? [] : [id]), locationOfMachine(config)]
}

/** The location of a new export; gives the folder an id when it has none. */
export async function locationOfNew(config: DataDir): Promise<string> {
  const known = await readId(config)
  if (known !== undefined) return known
  // The export itself reports why its folder cannot be written to.
  await createId(config).catch(() => {})
  return (await readId(config)) ?? locationOfMachine(config)
}
