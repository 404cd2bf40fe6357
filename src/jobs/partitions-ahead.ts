import { addMonths, periodOf } from '../kernel/time.ts'
import { ensurePartitions, type PartitionedTable } from '../platform/db/partitions.ts'
import type { Database } from '../platform/db/pool.ts'
import { PARTITIONS_AHEAD_MONTHS } from './limits.ts'

/** The partitioned tables: samples, their roll-up, and hourly energy. */
const PARTITIONED_TABLES = [
  'measurement',
  'measurement_hour',
  'hourly_energy',
] as const satisfies readonly PartitionedTable[]

/**
 * Creates the partitions of the month of an instant and of the months after it, so that no write waits for
 * one.
 */
export async function makePartitionsAhead(database: Database, at: number): Promise<void> {
  const period = periodOf(at)
  const periods = Array.from({ length: PARTITIONS_AHEAD_MONTHS + 1 }, (_, months) =>
    addMonths(period, months),
  )
  for (const table of PARTITIONED_TABLES) await ensurePartitions(database, table, periods)
}
