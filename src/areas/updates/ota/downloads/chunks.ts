import { inTenantTx, tenantDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { firmwarePath, readChunk } from '../../firmware/index.ts'
import { applyReport } from '../lifecycle/report.ts'
import { OTA_CHUNK_BYTES_MAX, OTA_PROGRESS_STEP_PCT } from '../limits.ts'
import { isLockedOut } from '../targets/interlock.ts'
import type { UpdateCommand } from '../updates/command-store.ts'
import { isUnderWay } from '../updates/states.ts'
import * as updates from '../updates/store.ts'

type ChunkDeps = Pick<Deps, 'clock' | 'config' | 'database'>

/** Records that a device has begun to fetch its file, whether or not it reports so itself. */
export async function recordDownloadStart(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  tenantId: number,
  command: UpdateCommand,
): Promise<void> {
  if (command.status !== 'notified') return
  const at = new Date(clock.now())
  await inTenantTx(database.kysely, tenantId, (tx) =>
    applyReport(tx, { command, report: { state: 'downloading' }, at }),
  )
}

interface ChunkRange {
  readonly offset: number
  readonly size: number
}

/**
 * A chunk of the file of an update, shorter or empty at its end; the text of the error when there is none.
 */
export async function readDownloadChunk(
  deps: ChunkDeps,
  { tenantId, command }: { readonly tenantId: number; readonly command: UpdateCommand },
  { offset, size }: ChunkRange,
): Promise<Buffer | string> {
  if (!isUnderWay(command.status)) return `the update is ${command.status}`
  if (await isLockedOut(tenantDb(deps.database.kysely, tenantId), command))
    return 'the device is locked out, people may be at work on it; ask again later'
  if (size < 1 || size > OTA_CHUNK_BYTES_MAX) return `a piece has 1 to ${OTA_CHUNK_BYTES_MAX} bytes`
  if (offset > command.size_bytes) return `the file has ${command.size_bytes} bytes`
  const path = firmwarePath(deps.config, { tenantId, id: command.firmware_version_id })
  const chunk = await readChunk(path, { offset, size })
  if (!chunk) return 'this process does not have the file'
  await recordDownloadStart(deps, tenantId, command)
  const pct = Math.floor(((offset + chunk.length) * 100) / command.size_bytes)
  if (pct >= command.progress_pct + OTA_PROGRESS_STEP_PCT || (pct === 100 && command.progress_pct < 100))
    await updates.setProgress(tenantDb(deps.database.kysely, tenantId), command.id, pct)
  return chunk
}
