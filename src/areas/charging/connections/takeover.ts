import { inTenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { raise } from '../../alarms/system-alarms/index.ts'
import { recordEvent } from '../events/index.ts'
import { OCPP_TAKEOVERS_WITHIN_MS } from '../limits.ts'
import { CHARGING_ALARM_TEXTS } from '../messages.ts'
import { alarmSubject, readAlarmPayload } from '../registry/index.ts'
import { countTakeover } from './store.ts'

/** An open connection that was replaced by a newer one. */
export interface Takeover {
  readonly tenantId: number
  readonly chargerId: string
  /** The address of the replaced connection and, where it is known here, that of the newer one. */
  readonly addresses: readonly string[]
}

/**
 * Counts takeovers of a station's connection. The newest connection wins, so two stations with one identity
 * replace each other for ever, and so does a station whose network drops connections silently. Too many
 * takeovers are recorded as an event and an alarm once, and again only after a quiet time.
 */
export async function recordTakeover(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { tenantId, chargerId, addresses }: Takeover,
): Promise<void> {
  const now = new Date(clock.now())
  await inTenantTx(database.kysely, tenantId, async (tx) => {
    const counted = await countTakeover(tx, { chargerId, addresses, now })
    if (!counted?.is_new) return
    const { takeovers, takeover_addresses: known } = counted
    const details = { takeovers, addresses: known }
    await recordEvent(tx, { chargerId }, { type: 'connection_contested', at: now, details, now })
    const chargerPayload = await readAlarmPayload(tx, { chargerId })
    await raise(tx, {
      policy: 'ocpp_connection_contested',
      cause: alarmSubject({ chargerId }),
      message: CHARGING_ALARM_TEXTS.OCPP_CONNECTION_CONTESTED({
        charger: chargerPayload.name,
        takeovers,
        minutes: OCPP_TAKEOVERS_WITHIN_MS / 60_000,
      }),
      payload: { ...chargerPayload, ...details },
      at: now.getTime(),
    })
  })
}
