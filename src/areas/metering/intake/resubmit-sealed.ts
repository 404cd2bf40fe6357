import { AppError } from '../../../kernel/errors.ts'
import type { Range } from '../../../kernel/time.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { INGEST_BATCH_ROWS_MAX, RESUBMIT_REFUSALS_MAX } from './limits.ts'
import { forgetSetAside, nextSealed } from './quarantine-store.ts'

const isOverloaded = (error: unknown): boolean => error instanceof AppError && error.status === 503

/**
 * Submits the samples that were quarantined because their month was sealed to the intake again, after the
 * month was opened. Returns the number of stored samples; those of deleted devices stay quarantined. It can
 * be interrupted and repeated, because a sample is removed from quarantine only after it is stored.
 */
export async function takeUpSealed(
  { database, ingest }: Pick<Deps, 'database' | 'ingest'>,
  range: Range,
): Promise<number> {
  let taken = 0
  let refusals = 0
  for (;;) {
    const kept = await nextSealed(database.kysely, range, INGEST_BATCH_ROWS_MAX)
    const [first] = kept
    if (!first) return taken
    const outcome = await ingest.submit(first.tenantId, kept).catch((error: unknown) => {
      refusals += 1
      if (!isOverloaded(error) || refusals >= RESUBMIT_REFUSALS_MAX) throw error
    })
    // Samples of many compressed days take longer than a request may: what is rows again by now is not read again.
    if (!outcome) continue
    refusals = 0
    const { setAside } = outcome
    // When the month was sealed again meanwhile, the sample is quarantined as the same row, which must be
    // kept.
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
