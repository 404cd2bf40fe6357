import { conflict } from '../../../kernel/errors.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/deps.ts'
import { requireCharger } from '../registry/lookup-store.ts'
import type { ChargerRef } from '../registry/charger-ref.ts'
import type { Ended } from '../commands/effect.ts'
import { placeCommand } from '../commands/enqueue.ts'
import { recordEvent } from '../events/store.ts'
import type { GetFile } from './request.ts'
import type { AskForFile } from './schema.ts'
import { expectFile } from './service.ts'
import * as store from './store.ts'

interface Asked {
  readonly chargerId: string
  readonly body: AskForFile
  readonly userId: string
  readonly now: Date
}

/**
 * Asks a station for its diagnostics or its security log; to us, or to the address that the operator names. 409
 * STATE_CONFLICT without PUBLIC_BASE_URL, and while it already sends one of that kind.
 */
export async function askForFile(
  deps: Pick<Deps, 'config'>,
  tx: TenantTx,
  { chargerId, body, userId, now }: Asked,
) {
  await requireCharger(tx, chargerId)
  const { kind, location, ...how } = body
  if (await store.isWaiting(tx, chargerId, kind, now))
    throw conflict('STATE_CONFLICT', 'the station was already asked for such a file, and it has not come yet')
  const expected = location === undefined ? await expectFile(deps, tx, { chargerId, kind, now }) : undefined
  const request: GetFile = { kind, location: location ?? expected?.location ?? '', ...how }
  const command = await placeCommand(tx, {
    charger: { chargerId },
    action: kind === 'security' ? 'get_security_log' : 'get_diagnostics',
    request,
    requestedBy: userId,
    now,
  })
  if (expected) await store.setCommand(tx, expected.id, command.id)
  return { command, file_id: expected?.id ?? null }
}

/** Nothing will come when the station refuses, or has nothing. */
export async function endAsk(tx: TenantTx, { command, answer }: Ended): Promise<void> {
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

export interface UploadTold {
  /** As the station says it: Uploading, Uploaded, UploadFailed ... */
  readonly status: string
  /** The number of the command, where the message carries it. */
  readonly commandNumber?: number | undefined
  readonly now: Date
}

/** What a station says of the sending of a file; it says it of the newest command where it names none. */
export async function recordUpload(tx: TenantTx, charger: ChargerRef, told: UploadTold): Promise<void> {
  const { status, commandNumber, now } = told
  const command = await store.findAsking(tx, charger.chargerId, commandNumber)
  const details = { status, command_id: command?.id ?? null }
  await recordEvent(tx, charger, { type: 'file_upload', details, now })
  if (command && FAILURES.has(status)) await store.markFailed(tx, charger.chargerId, command.id)
}
