import type { TenantNodes } from '../../../platform/db/distribution/tenant-nodes.ts'
import type { Part } from './block.ts'
import {
  INGEST_BACKFILL_BATCH_SAMPLES,
  INGEST_BATCH_ROWS_MAX,
  INGEST_BATCH_ROWS_MIN,
  INGEST_DRAIN_MAX_MS,
  INGEST_LINGER_MS,
  INGEST_TURN_SAMPLES,
} from './limits.ts'

/** Writes batches over one connection; several run side by side. */
export interface BatchWriter {
  /**
   * Resolves when the batch is committed. `BatchRetry` when it is to be written again; any other error is caused by the
   * batch.
   */
  write(parts: readonly Part[]): Promise<void>
  /** Resolves when a batch may be retried after `BatchRetry`. */
  reconnect(): Promise<void>
  close(): Promise<void>
}

/**
 * The batch is to be written again: the connection broke, so that it is unknown whether it is stored, a transaction
 * conflicted, or it took too long. Writing it again is idempotent.
 */
export class BatchRetry extends Error {}

export interface QueueOptions {
  readonly writers: readonly BatchWriter[]
  /** A batch has tenants of one node only; one node when absent. */
  readonly nodes?: Pick<TenantNodes, 'nodeOf'>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Called after the commit of each part. Its entries are acknowledged when the returned promise resolves. */
  readonly onStored?: (part: Part) => Promise<void> | undefined
  /**
   * Called with an error of `onStored`. The part is committed, so its entries are acknowledged nevertheless.
   */
  readonly onError?: (error: unknown) => void
}

export const BATCH_LIMITS = {
  batchMin: INGEST_BATCH_ROWS_MIN,
  batchMax: INGEST_BATCH_ROWS_MAX,
  turnMax: INGEST_TURN_SAMPLES,
  backfillMax: INGEST_BACKFILL_BATCH_SAMPLES,
  lingerMs: INGEST_LINGER_MS,
  drainMs: INGEST_DRAIN_MAX_MS,
}
export type BatchLimits = Readonly<typeof BATCH_LIMITS>
