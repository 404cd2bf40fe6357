import { inTenantTx, tenantDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/deps.ts'
import { pathOf, readPiece } from '../../firmware/index.ts'
import { takeReport } from '../lifecycle/report.ts'
import { OTA_CHUNK_BYTES_MAX, OTA_PROGRESS_STEP_PCT } from '../limits.ts'
import { isLockedOut } from '../targets/interlock.ts'
import type { Command } from '../updates/command-store.ts'
import { isUnderWay } from '../updates/states.ts'
import * as updates from '../updates/store.ts'

type PieceDeps = Pick<Deps, 'clock' | 'config' | 'database'>

/** That a device has begun to fetch its file is seen from here, whether or not it says so. */
export async function noteDownload(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  tenantId: number,
  command: Command,
): Promise<void> {
  if (command.status !== 'notified') return
  const at = new Date(clock.now())
  await inTenantTx(database.kysely, tenantId, (tx) =>
    takeReport(tx, { command, report: { state: 'downloading' }, at }),
  )
}

interface Wanted {
  readonly offset: number
  readonly size: number
}

/** A piece of the file of an update, shorter or empty at its end; a sentence when there is none to be had. */
export async function takePiece(
  deps: PieceDeps,
  { tenantId, command }: { readonly tenantId: number; readonly command: Command },
  { offset, size }: Wanted,
): Promise<Buffer | string> {
  if (!isUnderWay(command.status)) return `the update is ${command.status}`
  if (await isLockedOut(tenantDb(deps.database.kysely, tenantId), command))
    return 'the device is locked out, people may be at work on it; ask again later'
  if (size < 1 || size > OTA_CHUNK_BYTES_MAX) return `a piece has 1 to ${OTA_CHUNK_BYTES_MAX} bytes`
  if (offset > command.size_bytes) return `the file has ${command.size_bytes} bytes`
  const path = pathOf(deps.config, { tenantId, id: command.firmware_version_id })
  const piece = await readPiece(path, { offset, size })
  if (!piece) return 'this process does not have the file'
  await noteDownload(deps, tenantId, command)
  const pct = Math.floor(((offset + piece.length) * 100) / command.size_bytes)
  if (pct >= command.progress_pct + OTA_PROGRESS_STEP_PCT || (pct === 100 && command.progress_pct < 100))
    await updates.noteProgress(tenantDb(deps.database.kysely, tenantId), command.id, pct)
  return piece
}
