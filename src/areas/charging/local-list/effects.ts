import { AppError } from '../../../kernel/errors.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { EndedCommand } from '../commands/index.ts'
import { findCharger, type KnownCharger } from '../registry/index.ts'
import { heldAfter, type SendLocalList } from './entries.ts'
import * as store from './store.ts'
import { sendNextPart } from './sync.ts'

/** The result of a part, as far as the next step depends on it. */
type Result = 'taken' | 'mismatch' | 'not_supported' | 'undelivered' | 'refused' | 'unknown'

function resultOf({ command, response: answer }: EndedCommand): Result {
  const { status } = (answer ?? {}) as { readonly status?: unknown }
  switch (command.state) {
    case 'accepted':
      return 'taken'
    case 'rejected':
      return status === 'VersionMismatch'
        ? 'mismatch'
        : status === 'NotSupported'
          ? 'not_supported'
          : 'refused'
    case 'failed':
      return typeof command.error === 'string' && /^Not(Supported|Implemented)/.test(command.error)
        ? 'not_supported'
        : 'refused'
    case 'expired':
    case 'cancelled':
      return 'undelivered'
    default:
      return 'unknown'
  }
}

const REASONS: Readonly<Record<Result, string>> = {
  taken: '',
  mismatch: 'version_mismatch',
  not_supported: 'not_supported',
  undelivered: 'not_delivered',
  refused: 'failed',
  unknown: 'no_answer',
}

/**
 * Applies the end of a part. After an accepted one the next part is sent; a station with another version gets
 * the full list.
 */
export async function settleListPart(tx: TenantTx, ended: EndedCommand): Promise<void> {
  const { command, now } = ended
  const charger = await findCharger(tx, command.charger_id)
  if (!charger) return
  const list = await store.lock(tx, charger.id, now)
  if (list.command_id !== command.id) return
  const request = command.request as SendLocalList
  const result = resultOf(ended)
  const { requested_by: requestedBy } = command
  if (result === 'taken') {
    const held = heldAfter(list.held, request)
    await store.setVersion(tx, charger.id, request.version)
    await store.update(tx, charger.id, { held, is_uncertain: false, updated_at: now })
    await sendNextOrFail(tx, charger, { ...list, held }, { mode: 'differential', requestedBy, now })
  } else if (result === 'mismatch' && request.mode === 'differential') {
    await sendNextOrFail(tx, charger, list, { mode: 'full', requestedBy, now })
  } else {
    await store.update(tx, charger.id, {
      state: result === 'not_supported' ? 'not_supported' : 'failed',
      reason: REASONS[result],
      // A station that rejects a part may have lost the rest of its list.
      is_uncertain:
        list.is_uncertain || result === 'refused' || result === 'unknown' || result === 'mismatch',
      updated_at: now,
    })
  }
}

/**
 * Sends the next part. An error marks the list as failed and does not roll back the response of the station.
 */
async function sendNextOrFail(
  tx: TenantTx,
  charger: KnownCharger,
  list: store.ListRow,
  options: Parameters<typeof sendNextPart>[3],
): Promise<void> {
  try {
    await sendNextPart(tx, charger, list, options)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await store.update(tx, charger.id, {
      state: 'failed',
      reason: error.code.toLowerCase(),
      updated_at: options.now,
    })
  }
}

/**
 * Stores the version that a station reports. A version other than the last one that it accepted means that
 * its list differs.
 */
export async function settleListVersion(
  tx: TenantTx,
  { command, response: answer, now }: EndedCommand,
): Promise<void> {
  const { listVersion, versionNumber } = (answer ?? {}) as Record<string, unknown>
  const version = listVersion ?? versionNumber
  if (typeof version !== 'number') return
  const chargerId = command.charger_id
  const list = await store.lock(tx, chargerId, now)
  if (version < 0) {
    await store.update(tx, chargerId, { state: 'not_supported', reason: 'not_supported', updated_at: now })
    return
  }
  const before = await store.findVersion(tx, chargerId)
  await store.setVersion(tx, chargerId, version)
  if (version === 0) await store.update(tx, chargerId, { held: {}, is_uncertain: false, updated_at: now })
  else if (version !== before && list.state !== 'syncing')
    await store.update(tx, chargerId, { is_uncertain: true, reason: 'version_mismatch', updated_at: now })
}
