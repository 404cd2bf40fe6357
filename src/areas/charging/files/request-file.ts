import { conflict } from '../../../kernel/errors.ts'
import { declaredOf } from '../../../platform/db/columns.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { type EndedCommand, enqueueCommand } from '../commands/index.ts'
import { recordEvent } from '../events/index.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import { type ChargerRef, requireCharger } from '../registry/index.ts'
import { type GetFile, RequestFile } from './schema.ts'
import { expectFile } from './service.ts'
import * as store from './store.ts'

interface FileRequest {
  readonly chargerId: string
  readonly body: RequestFile
  readonly userId: string
  readonly now: Date
}

/**
 * Requests the diagnostics or the security log of a station, to this service or to the address that the
 * operator names. 409 STATE_CONFLICT without PUBLIC_BASE_URL, and while a file of that kind is awaited.
 */
export async function requestFile(
  deps: Pick<Deps, 'config'>,
  tx: TenantTx,
  { chargerId, body, userId, now }: FileRequest,
) {
  await requireCharger(tx, chargerId)
  const { kind, location, ...options } = declaredOf(body, RequestFile)
  if (await store.isWaiting(tx, chargerId, kind, now))
    throw conflict('STATE_CONFLICT', CHARGING_TEXTS.FILE_ALREADY_REQUESTED())
  const expected = location === undefined ? await expectFile(deps, tx, { chargerId, kind, now }) : undefined
  const request: GetFile = { kind, location: location ?? expected?.location ?? '', ...options }
  const command = await enqueueCommand(tx, {
    charger: { chargerId },
    action: kind === 'security' ? 'get_security_log' : 'get_diagnostics',
    request,
    requestedBy: userId,
    now,
  })
  if (expected) await store.setCommand(tx, expected.id, command.id)
  return { command, file_id: expected?.id ?? null }
}

/** Marks the file as failed when the station refuses the request or has no file. */
export async function settleFileRequest(
  tx: TenantTx,
  { command, response: answer }: EndedCommand,
): Promise<void> {
  const hasFile = command.state === 'accepted' || command.state === 'timed_out'
  if (!hasFile) return store.markFailed(tx, command.charger_id, command.id)
  // GetLog calls it `filename`, GetDiagnostics `fileName`.
  const { fileName, filename } = (answer ?? {}) as { readonly fileName?: string; readonly filename?: string }
  const name = fileName ?? filename
  if (name) await store.nameFile(tx, command.id, name)
}

const FAILURES: ReadonlySet<string> = new Set([
  ...['UploadFailed', 'UploadFailure', 'BadMessage', 'NotSupportedOperation', 'PermissionDenied'],
  ...['AcceptedCanceled'],
])

export interface UploadStatus {
  /** The status of OCPP: Uploading, Uploaded, UploadFailed ... */
  readonly status: string
  /** The number of the command, where the message carries it. */
  readonly commandNumber?: number | undefined
  readonly now: Date
}

/** Records the status of an upload. Where the message names no command it is about the newest one. */
export async function recordUploadStatus(
  tx: TenantTx,
  charger: ChargerRef,
  upload: UploadStatus,
): Promise<void> {
  const { status, commandNumber, now } = upload
  const command = await store.findRequest(tx, charger.chargerId, commandNumber)
  const details = { status, command_id: command?.id ?? null }
  await recordEvent(tx, charger, { type: 'file_upload', details, now })
  if (command && FAILURES.has(status)) await store.markFailed(tx, charger.chargerId, command.id)
}
