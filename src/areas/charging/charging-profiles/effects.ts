import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Ended } from '../commands/effect.ts'
import { endShare } from '../groups/effects.ts'
import { PROFILE_NUMBER_FIRST } from '../limits.ts'
import type { ClearProfiles, SetProfile } from './profile.ts'
import * as store from './store.ts'

const statusOf = (answer: unknown): string | undefined => {
  const { status } = (answer ?? {}) as { readonly status?: unknown }
  return typeof status === 'string' ? status : undefined
}

/** A profile counts once its station has accepted it. One whose answer was lost stays pending: it may count. */
export async function endSetProfile(tx: TenantTx, ended: Ended): Promise<void> {
  const { command, answer, now } = ended
  const { profile } = command.request as unknown as SetProfile
  if (profile.profile_number < PROFILE_NUMBER_FIRST) return endShare(tx, ended)
  const row = await store.lockByNumber(tx, command.charger_id, profile.profile_number)
  if (!row) return
  if (command.state === 'accepted') {
    await store.update(tx, row.id, { state: 'active', reason: null, updated_at: now })
    await store.replaceOthers(tx, row, now)
  } else if (command.state === 'timed_out') {
    await store.update(tx, row.id, { reason: 'no_answer', updated_at: now })
  } else {
    const isUntold = command.state === 'expired'
    const reason =
      statusOf(answer)?.toLowerCase() ?? command.error ?? (isUntold ? 'not_delivered' : command.state)
    await store.update(tx, row.id, { state: 'rejected', reason, updated_at: now })
  }
}

/** Unknown says that the station has no such profile: then ours are gone too. */
export async function endClearProfiles(tx: TenantTx, { command, answer, now }: Ended): Promise<void> {
  if (command.state !== 'accepted' && statusOf(answer) !== 'Unknown') return
  await store.clear(tx, command.charger_id, command.request as unknown as ClearProfiles, now)
}
