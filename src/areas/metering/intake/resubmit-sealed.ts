import type { Range } from '../../../kernel/time.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { INGEST_BATCH_ROWS_MAX } from './limits.ts'
import { forgetSetAside, nextSealed } from './quarantine-store.ts'

/**
 * Sends what was kept aside because its month was sealed the way of every sample once more, now that the
 * month is open. Returns how many were taken up; those of devices that are gone stay aside. A stop loses
 * nothing, and doing it again goes on: a sample leaves the quarantine only after it is stored.
 */
export async function takeUpSealed(
  { database, ingest }: Pick<Deps, 'database' | 'ingest'>,
  range: Range,
): Promise<number> {
  let taken = 0
  for (;;) {
    const kept = await nextSealed(database.kysely, range, INGEST_BATCH_ROWS_MAX)
    const [first] = kept
    if (!first) return taken
    const { setAside } = await ingest.submit(first.tenantId, kept)
    // Sealed again meanwhile: then it is the same row, and has to stay.
    const still = new Set(
      setAside.filter(({ reason }) => reason === 'sealed_month').map(({ index }) => index),
    )
    const done = kept.filter((_, index) => !still.has(index))
    await forgetSetAside(
      { db: database.kysely, tenantId: first.tenantId },
      done.map(({ id }) => id),
    )
    taken += done.length
    if (still.size > 0) return taken
  }
}
