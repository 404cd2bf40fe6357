import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { NEED_READING_MAX_MS } from '../../src/areas/charging/limits.ts'
import { OVERVIEW_POWER_AGE_MAX_MS } from '../../src/areas/insight/overview/limits.ts'
import { REALTIME_WINDOW_MAX_MS } from '../../src/areas/insight/widgets/limits.ts'
import { COMPRESSED_AGE_MIN_MS } from '../../src/areas/metering/history/index.ts'
import { LIVE_BACKFILL_AGE_MAX_MS } from '../../src/areas/metering/live/limits.ts'
import { MAP_POWER_AGE_MAX_MS } from '../../src/areas/metering/map/limits.ts'
import { LATEST_AGE_MAX_S } from '../../src/areas/metering/samples/limits.ts'
import { LOTO_METER_LOOK_BACK_MS } from '../../src/areas/safety/loto/limits.ts'
import { HOME_ASSISTANT_SAMPLE_AGE_MAX_MS } from '../../src/field/mqtt/limits.ts'

/**
 * Samples are rows of `measurement`, or compressed in `measurement_chunk` (ADR 0107). A statement that names the table
 * must read both, through src/areas/metering/history, or must not meet old samples. Every file with such a statement is
 * listed here with their number, so that a new one is noticed.
 */
const THROUGH_HISTORY: Readonly<Record<string, number>> = {
  'src/areas/insight/exports/raw-store.ts': 2,
  'src/areas/metering/aggregates/bulk-reads/store.ts': 3,
  'src/areas/metering/meter-changes/effect-store.ts': 1,
  'src/areas/metering/power/store.ts': 1,
  'src/areas/metering/rollup/neighbour-store.ts': 1,
  'src/areas/metering/rollup/store.ts': 3,
  'src/areas/metering/sample-watch/store.ts': 3,
  'src/areas/metering/samples/curve-store.ts': 1,
  'src/areas/metering/samples/nearest-readings-store.ts': 2,
  'src/areas/netting/hourly-energy/rebuild-store.ts': 1,
  'src/areas/netting/hourly-energy/store.ts': 2,
}

/** One constant for the two statements of a read, and those of newest samples beside one of newest values. */
const BOTH: Readonly<Record<string, readonly [statements: number, reason: string]>> = {
  'src/areas/metering/samples/store.ts': [1, 'a text that the count and the read share'],
  'src/areas/metering/samples/newest-store.ts': [
    2,
    'newest values of any age, and newest samples of the last days',
  ],
}

const ROWS_ONLY: Readonly<Record<string, readonly [statements: number, reason: string]>> = {
  'src/areas/charging/groups/member-store.ts': [1, 'NEED_READING_MAX_MS'],
  'src/areas/equipment/gateway-link/home-assistant-store.ts': [1, 'HOME_ASSISTANT_SAMPLE_AGE_MAX_MS'],
  'src/areas/metering/history/chunk-store.ts': [1, 'whether a day of a chunk has rows'],
  'src/areas/metering/history/compress-store.ts': [5, 'the rows that are compressed'],
  'src/areas/metering/history/next-samples-store.ts': [1, 'the rows after the chunks that it has read'],
  'src/areas/metering/history/read-store.ts': [2, 'the union of rows and chunks itself'],
  'src/areas/metering/history/reopen-store.ts': [1, 'returns chunks to the rows'],
  'src/areas/metering/intake/batch-connection.ts': [1, 'writes'],
  'src/areas/metering/intake/stored-rows-store.ts': [2, 'after the days of the batch are rows again'],
  'src/areas/metering/map/store.ts': [2, 'since midnight and MAP_POWER_AGE_MAX_MS'],
  'src/areas/metering/samples/newest-of-metrics-store.ts': [3, 'LATEST_AGE_MAX_S'],
  'src/areas/metering/storage/deleted-devices-store.ts': [1, 'deletes both tables'],
  'src/areas/metering/storage/store.ts': [2, 'names of partitions, and no rows'],
}

const STATEMENT =
  /\b(?:from|join|into|update|copy|truncate)\s+"?measurement"?(?![\w.'’-])|'measurement'(?=[,)\]\s])/g

const statementsIn = (text: string): number =>
  text
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line))
    .join('\n')
    .match(STATEMENT)?.length ?? 0

/** Lists of tables and permissions, where the name is no part of a statement. */
const NO_STATEMENT: readonly string[] = [
  'src/areas/metering/archive/store.ts',
  'src/areas/metering/intake/write-store.ts',
  'src/field/mqtt/home-assistant/entities.ts',
  'src/jobs/partitions-ahead.ts',
  'src/kernel/permissions.ts',
]

async function filesWithStatements(): Promise<Map<string, string>> {
  const names = (await readdir('src', { recursive: true })).map((name) => `src/${name}`.replaceAll('\\', '/'))
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const))
  return new Map(texts.filter(([file, text]) => !NO_STATEMENT.includes(file) && statementsIn(text) > 0))
}

describe('statements on the table of samples', () => {
  it.each([
    ['select ts from measurement where tenant_id = $1', 1],
    ['select ts from measurement m', 1],
    ['from unnest($1) w join measurement m on true', 1],
    ["selectRows(tenant, 'measurement')", 1],
    ['select from measurement_hour', 0],
    ["needs('read:measurement')", 0],
    ['  // of a sample from measurement', 0],
  ])('are found in: %s', (text, count) => {
    expect(statementsIn(text)).toBe(count)
  })

  it('are listed, and read chunks as well or no old samples', async () => {
    const found = await filesWithStatements()
    const listed = new Map<string, number>([
      ...Object.entries(THROUGH_HISTORY),
      ...[...Object.entries(BOTH), ...Object.entries(ROWS_ONLY)].map(
        ([file, [count]]) => [file, count] as const,
      ),
    ])
    const counts = Object.fromEntries([...found].map(([file, text]) => [file, statementsIn(text)]))
    expect(counts).toEqual(Object.fromEntries(listed))
    for (const file of [...Object.keys(THROUGH_HISTORY), ...Object.keys(BOTH)])
      expect(found.get(file), file).toMatch(/from '(?:\.\.\/)+(?:metering\/)?history\/index\.ts'/)
  })

  it('that read rows only are bounded to days that cannot be compressed', () => {
    const ages = {
      HOME_ASSISTANT_SAMPLE_AGE_MAX_MS,
      LATEST_AGE_MAX_MS: LATEST_AGE_MAX_S * 1000,
      LIVE_BACKFILL_AGE_MAX_MS,
      LOTO_METER_LOOK_BACK_MS,
      MAP_POWER_AGE_MAX_MS,
      NEED_READING_MAX_MS,
      OVERVIEW_POWER_AGE_MAX_MS,
      REALTIME_WINDOW_MAX_MS,
    }
    for (const [name, age] of Object.entries(ages)) expect(age, name).toBeLessThan(COMPRESSED_AGE_MIN_MS)
  })
})
