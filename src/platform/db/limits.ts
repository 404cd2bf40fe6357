import { HOUR_MS } from '../../kernel/time.ts'

/** A claim without an outcome this old belongs to a process that died. */
export const IDEMPOTENCY_CLAIM_MAX_MS = 10 * 60_000
export const IDEMPOTENCY_PURGE_ROWS = 100
export const IDEMPOTENCY_TTL_MS = 24 * HOUR_MS
