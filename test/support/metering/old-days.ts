import { makeCompressor, readNextSamples } from '../../../src/areas/metering/history/index.ts'
import { startIngest } from '../../../src/areas/metering/intake/index.ts'
import { DAY_MS, HOUR_MS, periodOf, type Range } from '../../../src/kernel/time.ts'
import { ensurePartitions } from '../../../src/platform/db/partitions.ts'
import type { Database } from '../../../src/platform/db/pool.ts'
import type { ReadDatabase } from '../../../src/platform/db/replica-reads.ts'
import { makeBus } from '../../../src/platform/messaging/bus.ts'
import { makeLog } from '../../../src/platform/observability/log.ts'
import { makeMetrics } from '../../../src/platform/observability/metrics.ts'
import { testClock } from '../clock.ts'
import { testConfig } from '../config.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
const METRICS = ['import_active_energy', 'voltage'] as const
const STEP_MS = 20 * 60_000
/** Three local days that are old enough. */
const OLD_DAYS: Range = {
  from: Date.parse('2026-09-29T00:00:00+03:00'),
  to: Date.parse('2026-10-02T00:00:00+03:00'),
}

/** A tenant of a migrated database with a device, whose samples of three old days can be compressed. */
export async function openOldDays(database: Database) {
  const log = makeLog('silent')
  const clock = testClock(new Date(NOW).toISOString())
  const base = { config: testConfig(), database, clock, log, metrics: makeMetrics(), bus: makeBus(log) }
  const ingest = startIngest(base)
  const months = [periodOf(OLD_DAYS.from), periodOf(OLD_DAYS.to), periodOf(NOW)]
  await ensurePartitions(database, 'measurement', months)
  const { pool } = database
  const tenants = await pool.query<{ id: number }>(
    "insert into tenant (name, slug) values ('Old days', 'old-days') returning id",
  )
  const tenantId = tenants.rows[0]?.id ?? 0
  const devices = await pool.query<{ id: string; key: number }>(
    `insert into device (tenant_id, name, device_type, device_source)
     values ($1, 'meter', 'energy_analyzer', 'manual') returning id, key`,
    [tenantId],
  )
  const device = devices.rows[0] ?? { id: '', key: 0 }
  const count = async (table: string): Promise<number> => {
    const { rows } = await pool.query(`select 1 from ${table} where tenant_id = $1`, [tenantId])
    return rows.length
  }
  const submit = (instants: readonly number[]) =>
    ingest.submit(
      tenantId,
      instants.map((at) => ({
        deviceId: device.id,
        at,
        values: {
          import_active_energy: (at - OLD_DAYS.from) / HOUR_MS,
          ...(at % 7 === 0 && { voltage: 230.5 }),
        },
      })),
    )
  return {
    /** Stores samples of all days. */
    async fill() {
      const steps = (OLD_DAYS.to - OLD_DAYS.from) / STEP_MS
      await submit(Array.from({ length: steps }, (_, step) => OLD_DAYS.from + step * STEP_MS))
    },
    /** Stores a late sample of the second day. */
    late: () => submit([OLD_DAYS.from + DAY_MS + STEP_MS / 2]),
    /** Publishes chunks, and deletes the rows of those that are settled; days with as many rows in a thread. */
    compress: (threadRowsMin = 1_000) => makeCompressor({ ...base, ingest }, { threadRowsMin })(NOW),
    /** Makes chunks old enough for the deletion of their rows. */
    settle: () =>
      pool.query(
        "update measurement_chunk set published_at = published_at - interval '2 hours' where tenant_id = $1",
        [tenantId],
      ),
    rows: () => count('measurement'),
    chunks: () => count('measurement_chunk'),
    /** All samples of the days, as a reader sees them. */
    async read(reads: ReadDatabase) {
      const samples: (number | bigint | null)[][] = []
      for (let { from, to } = OLD_DAYS; from < to; ) {
        const query = { tenantId, deviceKey: device.key, metrics: METRICS, range: { from, to }, limit: 50 }
        const { samples: read, until } = await readNextSamples(reads, query)
        for (const { times, metrics } of read)
          for (const [row, time] of times.entries())
            samples.push([
              time,
              ...METRICS.map((metric) => {
                const column = metrics.get(metric)
                return column && column.nulls?.[row] !== 1 ? (column.values[row] ?? null) : null
              }),
            ])
        from = until
      }
      return samples
    },
    stop: () => ingest.drain(),
  }
}
