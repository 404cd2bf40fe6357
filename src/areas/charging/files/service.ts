import type { Readable } from 'node:stream'
import { conflict, found, notFound } from '../../../kernel/errors.ts'
import { hashLinkToken, makeTenantToken } from '../../../platform/auth/link-token.ts'
import { findTokenTenant } from '../../../platform/auth/token-tenant-store.ts'
import { inTenantTx, systemDb, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import { deletePart, keepPart } from '../../../platform/files/upload-file.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { CHARGER_FILE_WAIT_MS, CHARGER_FILES_KEPT } from '../limits.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import type { ChargerRef } from '../registry/index.ts'
import { deleteFile, deleteOldParts, pathOf, receive } from './folder.ts'
import type { FileKind } from './schema.ts'
import * as store from './store.ts'

type FileDeps = Pick<Deps, 'config' | 'clock' | 'database'>

/** Below PUBLIC_BASE_URL; the token follows. */
const UPLOADS_PATH = '/api/ocpp/uploads'

export interface Expected {
  readonly id: string
  /** The address for the upload, with its secret token. */
  readonly location: string
}

/**
 * Creates the record and the address of an upload. 409 STATE_CONFLICT without PUBLIC_BASE_URL: the station
 * needs an address.
 */
export async function expectFile(
  { config }: Pick<Deps, 'config'>,
  tx: TenantTx,
  { chargerId, kind, now }: ChargerRef & { readonly kind: FileKind; readonly now: Date },
): Promise<Expected> {
  if (!config.publicBaseUrl) throw conflict('STATE_CONFLICT', CHARGING_TEXTS.FILE_WITHOUT_BASE_URL())
  const { token, tokenHash } = makeTenantToken(tx.tenantId)
  const { id } = await store.insert(tx, {
    charger_id: chargerId,
    kind,
    token_hash: tokenHash,
    created_at: now,
    expires_at: new Date(now.getTime() + CHARGER_FILE_WAIT_MS),
  })
  return { id, location: `${config.publicBaseUrl}${UPLOADS_PATH}/${token}` }
}

interface ArrivingFile {
  /** Empty where the station names none. */
  readonly name: string
  readonly content: Readable
}

interface Upload {
  readonly token: string
  /** Starts to read the body; called once the token is valid. */
  readonly open: () => Promise<ArrivingFile>
  readonly signal: AbortSignal
}

/** Receives an upload. 404 for a token that is unknown, used or expired, before anything is read. */
export async function receiveFile(deps: FileDeps, { token, open, signal }: Upload): Promise<void> {
  const { config, clock, database } = deps
  const tenantId = await findTokenTenant(database.pool, store.UPLOAD_TOKENS, token)
  if (tenantId === undefined) throw notFound('upload')
  const tenant = tenantDb(database.kysely, tenantId)
  const waiting = await store.findWaiting(tenant, hashLinkToken(token), new Date(clock.now()))
  const { id, charger_id: chargerId } = found('upload', waiting)
  const { name, content } = await open()
  const part = await receive(config, content, signal)
  try {
    const dropped = await inTenantTx(database.kysely, tenantId, async (tx) => {
      const isFirst = await store.markReceived(tx, id, {
        ...(name !== '' && { file_name: name }),
        size_bytes: part.sizeBytes,
        sha256: part.sha256,
        received_at: new Date(clock.now()),
      })
      if (!isFirst) throw notFound('upload')
      const old = await store.deleteAllBut(tx, chargerId, CHARGER_FILES_KEPT)
      // Last, so that a record without its file cannot be committed.
      await keepPart(part, pathOf(config, tenantId, id))
      return old
    })
    for (const old of dropped) await deleteFile(config, tenantId, old)
  } finally {
    await deletePart(part)
  }
}

/** The received file for a download. 409 STATE_CONFLICT before it was received. */
export async function fileOf(
  { config }: Pick<Deps, 'config'>,
  tenant: Parameters<typeof store.find>[0],
  { chargerId, id }: ChargerRef & { readonly id: string },
) {
  const row = found('file', await store.find(tenant, chargerId, id))
  if (row.state !== 'received' || row.size_bytes === null)
    throw conflict('STATE_CONFLICT', CHARGING_TEXTS.FILE_NOT_RECEIVED({ state: row.state }))
  return {
    path: pathOf(config, tenant.tenantId, id),
    sizeBytes: row.size_bytes,
    etag: `"${row.sha256}"`,
    fileName: row.file_name ?? `${row.kind}-${id}.bin`,
  }
}

/** The job: expires uploads that did not come, and deletes the parts that killed processes have left. */
export async function clearFiles({ config, clock, database }: FileDeps): Promise<void> {
  const now = clock.now()
  await store.expire(systemDb(database.kysely), new Date(now))
  // File times are those of the machine's clock, which may differ from the clock of the service.
  const machine = performance.timeOrigin + performance.now()
  await deleteOldParts(config, Math.min(now, machine) - CHARGER_FILE_WAIT_MS)
}
