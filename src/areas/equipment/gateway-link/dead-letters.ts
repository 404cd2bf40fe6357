import { found } from '../../../kernel/errors.ts'
import { DEAD_LETTERS_AT_ONCE } from '../../../kernel/limits.ts'
import { inTenantTx, type TenantDb, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import * as store from './dead-letter-store.ts'
import {
  DEAD_LETTER_BYTES_PER_TENANT_MAX,
  DEAD_LETTER_RETENTION_MS,
  DEAD_LETTERS_PER_TENANT_MAX,
} from './limits.ts'
import type { Unused } from './mqtt-intake.ts'
import type { DeadLetterFilter } from './schema.ts'

type RetryDeps = Pick<Deps, 'database' | 'clock' | 'mqtt'>

/** Removes dead letters of a tenant beyond the limits. Returns their number. */
export const trimTenantDeadLetters = (
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  tenantId: number,
): Promise<number> =>
  inTenantTx(database.kysely, tenantId, (tx) =>
    store.trimDeadLetters(tx, {
      count: DEAD_LETTERS_PER_TENANT_MAX,
      bytes: DEAD_LETTER_BYTES_PER_TENANT_MAX,
      since: new Date(clock.now() - DEAD_LETTER_RETENTION_MS),
    }),
  )

/** Daily retention job for all tenants. */
export async function trimAllDeadLetters(deps: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  let dropped = 0
  for (const tenantId of await store.listTenantsWithDeadLetters(deps.database)) {
    dropped += await trimTenantDeadLetters(deps, tenantId)
  }
  return dropped
}

interface DeadLetterRow {
  readonly id: string
  readonly gateway_id: string | null
  readonly topic: string
  readonly payload: Buffer
  readonly received_at: Date
}

const NO_GATEWAY: Unused = { reason: 'unknown_gateway', detail: 'the tenant has no gateway of this id' }

/**
 * Processes a dead letter again and deletes it when it was stored completely. Idempotent, so a crash in
 * between is harmless.
 */
async function retry(
  { clock, mqtt }: RetryDeps,
  tenant: TenantDb,
  letter: DeadLetterRow,
): Promise<Unused | undefined> {
  const { id, gateway_id: gatewayId, topic, payload } = letter
  const failure = gatewayId
    ? await mqtt.retake({
        tenantId: tenant.tenantId,
        gatewayId,
        topic,
        payload,
        receivedAt: letter.received_at.getTime(),
      })
    : NO_GATEWAY
  if (failure) await store.recordFailedRetry(tenant, id, { ...failure, now: new Date(clock.now()) })
  else await store.removeDeadLetter(tenant, id)
  return failure
}

export async function retryDeadLetter(deps: RetryDeps, tenantId: number, id: string) {
  const tenant = tenantDb(deps.database.kysely, tenantId)
  const letter = found('dead letter', await store.findDeadLetter(tenant, id))
  const failure = await retry(deps, tenant, letter)
  return { used: !failure, reason: failure?.reason ?? null, detail: failure?.detail ?? null }
}

/**
 * Retries one batch of matching dead letters, oldest first; the next call continues with the remaining ones.
 */
export async function retryDeadLetters(deps: RetryDeps, tenantId: number, filter: DeadLetterFilter) {
  const tenant = tenantDb(deps.database.kysely, tenantId)
  const before = new Date(deps.clock.now())
  const letters = await store.listDeadLettersToRetry(tenant, filter, DEAD_LETTERS_AT_ONCE, before)
  let used = 0
  for (const letter of letters) if (!(await retry(deps, tenant, letter))) used += 1
  return { used, left: letters.length - used }
}
