import { inTenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordEvent } from '../events/index.ts'
import type { ChargerCredentials } from './store.ts'

/**
 * Records that a station with the correct password was refused because of its security profile: without it,
 * the operator would see only a station that is offline. One event a day.
 */
export async function recordProfileRefusal(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { tenantId, chargerId, securityProfile }: ChargerCredentials,
): Promise<void> {
  const now = new Date(clock.now())
  const missing = securityProfile === 3 ? 'client certificate' : 'TLS'
  const details = { security_profile: securityProfile, missing, day: now.toISOString().slice(0, 10) }
  await inTenantTx(database.kysely, tenantId, (tx) =>
    recordEvent(tx, { chargerId }, { type: 'security_profile_refused', details, now }),
  )
}
