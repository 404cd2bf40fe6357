import { conflict, found } from '../../../kernel/errors.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/deps.ts'
import { placeCommand } from '../commands/enqueue.ts'
import type { CommandRow } from '../commands/store.ts'
import { cancelWaiting, isUnderWay } from '../commands/queue.ts'
import { sealPassword } from '../commands/secret-request.ts'
import type { NewPassword } from '../chargers/service.ts'
import * as store from '../chargers/store.ts'

interface Change {
  readonly chargerId: string
  readonly password: NewPassword
  /** The station is told, and the old password is good until it has taken the new one. */
  readonly isPushed: boolean
  readonly requestedBy: string
  readonly timeoutMs: number | undefined
}

/**
 * Gives a charger another password. Returns the command that tells the station, null where it is told by hand; then its
 * socket, which was opened with the old one, is closed. 404 when unknown, 409 while the station is taking another one.
 */
export async function changePassword(
  tx: TenantTx,
  deps: Pick<Deps, 'clock' | 'config'>,
  { chargerId, password, isPushed, requestedBy, timeoutMs }: Change,
): Promise<CommandRow | null> {
  found('charger', await store.lock(tx, chargerId))
  const now = new Date(deps.clock.now())
  if (await isUnderWay(tx, chargerId, 'set_password'))
    throw conflict('STATE_CONFLICT', 'the station is being told another password this moment: try again soon')
  await cancelWaiting(tx, chargerId, now, 'set_password')
  if (!isPushed) {
    const set = { password_hash: password.hash, next_password_hash: null, password_changed_at: now }
    await store.update(tx, chargerId, { ...set, connection_id: null, disconnected_at: now }, now)
    return null
  }
  await store.update(tx, chargerId, { next_password_hash: password.hash }, now)
  return placeCommand(tx, {
    charger: { chargerId },
    action: 'set_password',
    request: sealPassword(deps.config, chargerId, password.clear),
    requestedBy,
    now,
    timeoutMs,
  })
}
