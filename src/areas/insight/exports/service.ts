import type { Readable } from 'node:stream'
import { conflict, found, unprocessable } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { inTenantTx, type TenantDb, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { takeExport } from '../../access/quotas/index.ts'
import { type ExportDevice, findDevices } from './device-store.ts'
import { type ExportRequest, parseRequest, rangeOfRequest } from './export-request.ts'
import { bucketRows, openFile } from './file.ts'
import { deleteFile, pathOf, sizeOf } from './folder.ts'
import { EXPORT_DIRECT_ROWS_MAX, EXPORT_KEPT_MS, EXPORTS_KEPT_MAX, EXPORTS_WAITING_MAX } from './limits.ts'
import { EXPORT_TEXTS } from './messages.ts'
import { countSamples } from './raw-store.ts'
import type { CreateExport, DataExport } from './schema.ts'
import { locationOfNew, ownLocations } from './storage-location.ts'
import type { ExportRow } from './store.ts'
import * as exports from './store.ts'

type Exporting = Pick<Deps, 'config' | 'database' | 'clock'>

interface StartInput {
  readonly tenant: TenantDb
  readonly body: CreateExport
  readonly userId: string
  /** Called before a file is streamed as the response; throws when all slots are taken. */
  readonly beforeFile: () => void
}

/** Starts an export: returns either the file as a stream, or the queued export. 422 for unknown devices. */
export async function startExport(
  deps: Exporting,
  { tenant, body, userId, beforeFile }: StartInput,
): Promise<
  { readonly request: ExportRequest; readonly content: Readable } | { readonly waiting: DataExport }
> {
  const { database, clock } = deps
  const request = parseRequest(body, clock.now())
  const devices = await findDevices(tenant, request.device_ids)
  const known = new Set(devices.map(({ id }) => id))
  const missing = request.device_ids.find((id) => !known.has(id))
  if (missing !== undefined) {
    throw unprocessable('INVALID_REFERENCE', EXPORT_TEXTS.EXPORT_DEVICE_UNKNOWN({ id: missing }), {
      field: 'device_ids',
    })
  }
  await takeExport(deps, tenant)
  const isWaiting = body.async || (await isLarge(deps, { tenant, request, devices }))
  if (isWaiting) return { waiting: await addExport(deps, { tenant, request, userId }) }
  beforeFile()
  const content = await openFile({
    database,
    tenantId: tenant.tenantId,
    devices,
    request,
    at: clock.now(),
  })
  return { request, content }
}

interface SizeInput {
  readonly tenant: TenantDb
  readonly request: ExportRequest
  readonly devices: readonly ExportDevice[]
}

/**
 * Raw samples are counted up to the limit; the number of hours, days and months follows from the range. A PDF
 * is always small.
 */
async function isLarge({ database }: Exporting, { tenant, request, devices }: SizeInput): Promise<boolean> {
  if (request.format === 'pdf') return false
  if (request.interval !== 'raw') return bucketRows(request) > EXPORT_DIRECT_ROWS_MAX
  const { rows } = await countSamples(database.pool, {
    tenantId: tenant.tenantId,
    deviceKeys: devices.map(({ key }) => key),
    range: rangeOfRequest(request),
    rowsMax: EXPORT_DIRECT_ROWS_MAX + 1,
    isOnlyCount: true,
  })
  return rows > EXPORT_DIRECT_ROWS_MAX
}

interface AddInput {
  readonly tenant: TenantDb
  readonly request: ExportRequest
  readonly userId: string
}

async function addExport(
  { config, database, clock }: Exporting,
  { tenant, request, userId }: AddInput,
): Promise<DataExport> {
  const location = await locationOfNew(config)
  const row = await inTenantTx(database.kysely, tenant.tenantId, async (tx) => {
    await exports.lockExports(tx)
    if ((await exports.countOpen(tx)) >= EXPORTS_WAITING_MAX) {
      throw conflict('STATE_CONFLICT', EXPORT_TEXTS.EXPORTS_WAITING({ max: EXPORTS_WAITING_MAX }))
    }
    await exports.deleteOldest(tx, EXPORTS_KEPT_MAX - 1)
    const at = new Date(clock.now())
    return exports.create(tx, { request, location, requestedBy: userId, at })
  })
  return toResponse(row)
}

const PROGRESS_MAX_UNFINISHED = 99

function progressOf({ status, rows_done, rows_total }: ExportRow): number {
  if (status === 'completed') return 100
  const total = Number(rows_total ?? 0)
  return total === 0 ? 0 : Math.min(PROGRESS_MAX_UNFINISHED, Math.floor((Number(rows_done) / total) * 100))
}

/** Converts an export to its response. */
export const toResponse = (row: ExportRow): DataExport => ({
  export_id: row.id,
  status: row.status as DataExport['status'],
  progress_pct: progressOf(row),
  format: row.format as DataExport['format'],
  file_name: row.file_name,
  rows_done: Number(row.rows_done),
  rows_total: row.rows_total === null ? null : Number(row.rows_total),
  size_bytes: row.size_bytes === null ? null : Number(row.size_bytes),
  error: row.error,
  request: { ...row.request },
  created_at: row.created_at,
  started_at: row.started_at,
  finished_at: row.finished_at,
  expires_at: iso(new Date(row.created_at).getTime() + EXPORT_KEPT_MS),
})

/**
 * Finds the file of a completed export. 404 for an unknown export; 409 while there is no file, or when it is
 * in a folder of other processes, which is reported to `onElsewhere`.
 */
export async function findFile(
  { config }: Exporting,
  {
    tenant,
    id,
    onElsewhere,
  }: { readonly tenant: TenantDb; readonly id: string; readonly onElsewhere: () => void },
) {
  const row = found('export', await exports.find(tenant, id))
  if (row.status !== 'completed') {
    throw conflict('STATE_CONFLICT', EXPORT_TEXTS.EXPORT_WITHOUT_FILE({ status: row.status }))
  }
  const path = pathOf(config, { tenantId: tenant.tenantId, id: row.id, format: row.format })
  const sizeBytes = await sizeOf(path)
  if (sizeBytes !== undefined)
    return { path, sizeBytes, fileName: row.file_name, format: row.format as DataExport['format'] }
  if ((await ownLocations(config)).includes(row.location))
    throw conflict('STATE_CONFLICT', EXPORT_TEXTS.EXPORT_FILE_GONE())
  onElsewhere()
  throw conflict('STATE_CONFLICT', EXPORT_TEXTS.EXPORT_FILE_ELSEWHERE())
}

/** Deletes an export. A running one stops within seconds. */
export async function deleteExport({ config }: Exporting, tx: TenantTx, id: string): Promise<void> {
  const row = found('export', await exports.remove(tx, id))
  await deleteFile(pathOf(config, { tenantId: tx.tenantId, id: row.id, format: row.format }))
}
