import type { Database } from '../../src/platform/db/pool.ts'
import { citusNodes, queryNodes } from './citus.ts'
import { waitFor } from './wait-for.ts'

const WAITING = `
  select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** The statements that wait for a lock in a database; on a cluster those of all nodes, where the rows are. */
export async function lockWaits({ pool, url }: Pick<Database, 'pool' | 'url'>): Promise<string[]> {
  const rows =
    citusNodes.length > 0
      ? await queryNodes<{ query: string }>(new URL(url).pathname.slice(1), WAITING)
      : (await pool.query<{ query: string }>(WAITING)).rows
  return rows.map(({ query }) => query)
}

/** Waits until that number of statements of the database wait for a lock. */
export const untilLocked = (database: Pick<Database, 'pool' | 'url'>, count = 1): Promise<void> =>
  waitFor(async () => (await lockWaits(database)).length >= count)
