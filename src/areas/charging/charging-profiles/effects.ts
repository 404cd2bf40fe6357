import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { EndedCommand } from '../commands/index.ts'
import type { ClearChargingProfiles, SetChargingProfile } from './profile.ts'
import * as store from './store.ts'

const statusOf = (response: unknown): string | undefined => {
  const { status } = (response ?? {}) as { readonly status?: unknown }
  return typeof status === 'string' ? status : undefined
}

/**
 * A profile is active once its station has accepted it. When the response was lost it stays pending, because
 * it may be active.
 */
export async function settleProfile(tx: TenantTx, ended: EndedCommand): Promise<void> {
  const { command, response, now } = ended
  const { profile } = command.request as SetChargingProfile
  const row = await store.lockByNumber(tx, command.charger_id, profile.profile_number)
  if (!row) return
  if (command.state === 'accepted') {
    await store.update(tx, row.id, { state: 'active', reason: null, updated_at: now })
    await store.replaceOthers(tx, row, now)
  } else if (command.state === 'timed_out') {
    await store.update(tx, row.id, { reason: 'no_answer', updated_at: now })
  } else {
    const reason = statusOf(response)?.toLowerCase() ?? command.reason ?? command.state
    await store.update(tx, row.id, { state: 'rejected', reason, updated_at: now })
  }
}

/** `Unknown` means that the station has no such profile, so that the records are cleared as well. */
export async function settleClearedProfiles(
  tx: TenantTx,
  { command, response, now }: EndedCommand,
): Promise<void> {
  if (command.state !== 'accepted' && statusOf(response) !== 'Unknown') return
  await store.clear(tx, command.charger_id, command.request as ClearChargingProfiles, now)
}
