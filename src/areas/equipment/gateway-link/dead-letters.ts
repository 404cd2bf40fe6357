import { found } from '../../../kernel/errors.ts'
import { DEAD_LETTERS_AT_ONCE } from '../../../kernel/limits.ts'
import { inTenantTx, type TenantDb, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import * as store from './dead-letter-store.ts'
import {
  DEAD_LETTER_BYTES_PER_TENANT_MAX,
  DEAD_LETTER_REPLAY_AGE_MS,
  DEAD_LETTER_REPLAY_MAX,
  DEAD_LETTER_REPLAY_PAGE,
  DEAD_LETTER_RETENTION_MS,
  DEAD_LETTERS_PER_TENANT_MAX,
  REPLAY_GATEWAYS_PAGE,
  REPLAY_OVERLAP_MS,
} from './limits.ts'
import type { Unused } from './mqtt-intake.ts'
import { type GatewayKey, listGatewaysToReplay, listReplayableDeadLetters } from './replay-store.ts'
import type { DeadLetterFilter } from './schema.ts'

type RetryDeps = Pick<Deps, 'database' | 'clock' | 'mqtt'>
type ReplayDeps = RetryDeps & Pick<Deps, 'bus'>

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
  isGone: () => boolean = () => false,
): Promise<Unused | undefined> {
  const { id, gateway_id: gatewayId, topic, payload } = letter
  const failure = gatewayId
    ? await mqtt.retake({
        tenantId: tenant.tenantId,
        gatewayId,
        topic,
        payload,
        receivedAt: letter.received_at.getTime(),
        isGone,
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

export interface ReplayOptions {
  /** Devices count as appeared that were named in the last milliseconds. */
  readonly namedForMs: number
  /** Checked between the pages; true ends the replay, which a later one continues. */
  readonly isGone: () => boolean
}

/**
 * Replays the dead letters of a gateway that name a device which has appeared: oldest first, at most
 * DEAD_LETTER_REPLAY_MAX of the last DEAD_LETTER_REPLAY_AGE_MS. Each is deleted after its samples are committed, so
 * nothing is lost at a kill, and a second replay at the same time stores no sample twice. Returns how many were
 * replayed.
 */
export async function replayDeadLetters(
  deps: ReplayDeps,
  { tenantId, gatewayId }: GatewayKey,
  { namedForMs, isGone }: ReplayOptions,
): Promise<number> {
  const tenant = tenantDb(deps.database.kysely, tenantId)
  const since = new Date(deps.clock.now() - DEAD_LETTER_REPLAY_AGE_MS)
  const max = DEAD_LETTER_REPLAY_PAGE
  let after: { receivedAt: Date; id: string } | undefined
  let replayed = 0
  while (replayed < DEAD_LETTER_REPLAY_MAX && !isGone()) {
    const page = await listReplayableDeadLetters(tenant, { gatewayId, since, namedForMs, max, after })
    // Another process may have changed the devices, so the cached ones are dropped.
    if (page.length > 0) deps.bus.emit('gateways_changed', { tenantId, gatewayId })
    // All of a page are enqueued in one turn, in their order, and so become one batch.
    await Promise.all(page.map((letter) => retry(deps, tenant, letter, isGone)))
    replayed += page.length
    const last = page.at(-1)
    if (!last || page.length < max) break
    after = { receivedAt: last.received_at, id: last.id }
  }
  return replayed
}

/**
 * The scheduled job: replays the dead letters of all devices that appeared since the last completed slot, or a short
 * time before it, because a message that was looked up before its device was committed becomes a dead letter after it.
 * It replays what a stopped process left.
 */
export async function replayOnSchedule(
  deps: ReplayDeps,
  { after: lastSlot, signal }: { readonly after: number | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const now = deps.clock.now()
  const namedForMs = now - (lastSlot ?? now) + REPLAY_OVERLAP_MS
  const isGone = () => signal.aborted
  let page: readonly GatewayKey[]
  let after: GatewayKey | undefined
  do {
    page = await listGatewaysToReplay(deps.database, { namedForMs, max: REPLAY_GATEWAYS_PAGE, after })
    for (const gateway of page) {
      signal.throwIfAborted()
      await replayDeadLetters(deps, gateway, { namedForMs, isGone })
    }
    after = page.at(-1)
  } while (page.length === REPLAY_GATEWAYS_PAGE)
}
