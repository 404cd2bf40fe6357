import { HOUR_MS } from '../../kernel/time.ts'

/**
 * Milliseconds after which a claim without an outcome belongs to a process that died; the next request takes
 * the key over.
 */
export const IDEMPOTENCY_CLAIM_MAX_MS = 10 * 60_000
/** Expired keys that one request deletes, so that cleaning up never delays a request noticeably. */
export const IDEMPOTENCY_PURGE_ROWS = 100
/** Milliseconds that the response of an Idempotency-Key is kept; then the key is free again. */
export const IDEMPOTENCY_TTL_MS = 24 * HOUR_MS
