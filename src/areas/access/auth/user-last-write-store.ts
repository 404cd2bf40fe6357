import { makeLru } from '../../../platform/async/lru.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { LAST_WRITES_MAX, WRITES_COVERED_MS } from '../limits.ts'

/**
 * The row is needed only by reads of the next seconds: its commit does not wait for the disk. The clock is that of the
 * primary, with which the positions in its log are compared as well.
 */
const RECORD = `
  insert into user_last_write as w (tenant_id, user_id, until)
  select u.tenant_id, u.id, clock_timestamp() + $3 * interval '1 millisecond' from app_user u
  where u.tenant_id = $1 and u.id = $2 and set_config('synchronous_commit', 'off', true) = 'off'
  on conflict (tenant_id, user_id) do update set until = greatest(w.until, excluded.until)
  where w.tenant_id = $1`

/**
 * Returns a function that records on the primary that a user has written, for the user's reads in every process; it
 * resolves when that is stored. A record covers the writes of the next WRITES_COVERED_MS, so that a user who writes all
 * the time costs two statements a second in each process.
 */
export function makeRecordWrite({ database, log }: Pick<Deps, 'database' | 'log'>) {
  /** By user: the record, and until when (performance.now) it covers further writes. */
  const records = makeLru<{ readonly until: number; readonly stored: Promise<unknown> }>(LAST_WRITES_MAX)

  async function store(key: string, { tenantId, id }: Principal): Promise<void> {
    // Taken before the statement is sent, so that the process stops to rely on the record before it ends.
    const until = performance.now() + WRITES_COVERED_MS
    const values = [tenantId, id, WRITES_COVERED_MS]
    const stored = database.pool.query({ name: 'record_last_write', text: RECORD, values })
    records.set(key, { until, stored })
    await stored.catch((error: Error) => {
      records.delete(key)
      throw error
    })
  }

  return async (principal: Principal): Promise<void> => {
    const key = `${principal.tenantId}/${principal.id}`
    const known = records.get(key)
    const isCovered = known !== undefined && performance.now() < known.until
    await (isCovered ? known.stored : store(key, principal)).catch((error: Error) => {
      log.warn({ reason: error.message }, 'a write was not recorded for the reads of its user')
    })
  }
}
