import { systemDb, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { WAITING_SAMPLES_MAX_MS, WAITING_SESSIONS_AT_ONCE } from '../limits.ts'
import { listUnassigned, setWaiting } from './session-state-store.ts'

/**
 * The job: samples of 2.0.1 sessions whose EVSE no event has named for a day go to the device of the charger.
 */
export async function storeUnassignedReadings(
  { database, ingest }: Pick<Deps, 'database' | 'ingest'>,
  slot: number,
): Promise<void> {
  const { kysely } = database
  const asked = { until: new Date(slot - WAITING_SAMPLES_MAX_MS), limit: WAITING_SESSIONS_AT_ONCE }
  for (;;) {
    const sessions = await listUnassigned(systemDb(kysely), asked)
    for (const { tenant_id, id, device_id: deviceId, waiting } of sessions) {
      await ingest.submit(
        tenant_id,
        waiting.map((sample) => ({ ...sample, deviceId })),
      )
      await setWaiting(tenantDb(kysely, tenant_id), id, [])
    }
    if (sessions.length < WAITING_SESSIONS_AT_ONCE) return
  }
}
