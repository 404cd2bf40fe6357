import { systemDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { deleteFile, listFolder, pathOf, pathsOf, sizeOf } from './folder.ts'
import { EXPORT_FOLDER_BYTES_MAX, EXPORT_KEPT_MS, EXPORT_LOST_MS } from './limits.ts'
import * as exports from './store.ts'

type SweepDeps = Pick<Deps, 'config' | 'database' | 'clock'>

/**
 * Deletes expired exports, files in our folder that belong to no export, and the oldest exports when the
 * folder is too large. Idempotent.
 */
export async function sweepExports({ config, database, clock }: SweepDeps): Promise<void> {
  const db = systemDb(database.kysely)
  const now = clock.now()
  await exports.expire(db, {
    keptSince: new Date(now - EXPORT_KEPT_MS),
    lostSince: new Date(now - EXPORT_LOST_MS),
    at: new Date(now),
  })
  // The files are listed before the rows: an export that begins in between then has a row.
  const found = await listFolder(config)
  if (found.length === 0) return
  const files = await exports.listFiles(db)
  const known = new Set(files.flatMap((file) => pathsOf(config, file)))
  for (const path of found) if (!known.has(path)) await deleteFile(path)
  let bytes = 0
  for (const file of files) {
    const path = pathOf(config, file)
    const size = await sizeOf(path)
    bytes += size ?? 0
    if (size === undefined || bytes <= EXPORT_FOLDER_BYTES_MAX || file.isRunning) continue
    await exports.deleteExport(db, file)
    await deleteFile(path)
  }
}
