import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import {
  IDEMPOTENCY_CLAIM_MAX_MS,
  IDEMPOTENCY_OWNER_CHECK_MS,
  IDEMPOTENCY_OWNER_CHECKS,
  IDEMPOTENCY_PURGE_ROWS,
  IDEMPOTENCY_TTL_MS,
} from './limits.ts'
import { hasEnded } from './process-life.ts'
import type { TenantTx } from './tenant.ts'
import type { DB } from './types.ts'

/** A request with an Idempotency-Key: its user, its key, and a hash of its content. */
export interface KeyedRequest {
  readonly tenantId: number
  readonly userId: string
  readonly key: string
  /** Method and path. */
  readonly route: string
  readonly bodyHash: Buffer
  /** Epoch milliseconds; with the process it identifies the claim. */
  readonly now: number
  /** The id of the process that serves the request: see ProcessLife. */
  readonly processId: string
}

export type Claim =
  | { readonly kind: 'mine' }
  /** Another request with the same key is still running; `owner` is the id of its process, where it is known. */
  | { readonly kind: 'busy'; readonly owner?: string | undefined }
  | { readonly kind: 'otherRequest' }
  /** Work was committed under the key, but its response was not stored. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'answered'; readonly status: number; readonly answer: string }

/**
 * The status of a claim whose work was committed and whose response is not stored yet. Until there is a response its
 * column contains the id of the process that holds the claim.
 */
const COMMITTED = 0

/**
 * Claims the key for this request; replaces expired keys, claims of processes that have ended, and very old claims.
 * The process has to have proved before that it is alive.
 */
export async function claimKey(db: Kysely<DB>, request: KeyedRequest): Promise<Claim> {
  await purgeExpired(db, request)
  for (let check = 1; ; check += 1) {
    const claim = await tryClaim(db, request)
    if (claim.kind !== 'busy' || claim.owner === undefined || claim.owner === request.processId) return claim
    if ((await hasEnded(db, claim.owner)) && (await takeOver(db, request, claim.owner)))
      return { kind: 'mine' }
    if (check === IDEMPOTENCY_OWNER_CHECKS) return claim
    await sleep(IDEMPOTENCY_OWNER_CHECK_MS)
  }
}

async function tryClaim(db: Kysely<DB>, request: KeyedRequest): Promise<Claim> {
  const { tenantId, userId, key, route, bodyHash, now, processId } = request
  const { rows } = await sql`
    insert into idempotency_key as mine (tenant_id, user_id, key, route, body_hash, created_at, response_body)
    values (${tenantId}, ${userId}, ${key}, ${route}, ${bodyHash}, ${new Date(now)}, ${processId})
    on conflict (tenant_id, user_id, key) do update
      set route = excluded.route, body_hash = excluded.body_hash, status = null,
          response_body = excluded.response_body, created_at = excluded.created_at
      where mine.created_at < ${new Date(now - IDEMPOTENCY_TTL_MS)}
        or (mine.status is null and mine.created_at < ${new Date(now - IDEMPOTENCY_CLAIM_MAX_MS)})
    returning key`.execute(db)
  if (rows.length > 0) return { kind: 'mine' }
  const first = await db
    .selectFrom('idempotency_key')
    .select(['route', 'body_hash', 'status', 'response_body'])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!first) return { kind: 'busy' }
  if (first.route !== route || !first.body_hash.equals(bodyHash)) return { kind: 'otherRequest' }
  if (first.status === null) return { kind: 'busy', owner: first.response_body ?? undefined }
  if (first.status === COMMITTED) return { kind: 'unknown' }
  return { kind: 'answered', status: first.status, answer: first.response_body ?? '' }
}

/**
 * Takes the claim of a process that has ended. False when another request was first, or when the transaction of that
 * process is committed after all: the statement waits for one whose commit is under way.
 */
async function takeOver(
  db: Kysely<DB>,
  { tenantId, userId, key, now, processId }: KeyedRequest,
  owner: string,
): Promise<boolean> {
  const { rows } = await sql`
    update idempotency_key set response_body = ${processId}, created_at = ${new Date(now)}
    where tenant_id = ${tenantId} and user_id = ${userId} and key = ${key}
      and status is null and response_body = ${owner}
    returning key`.execute(db)
  return rows.length > 0
}

const purgeExpired = (db: Kysely<DB>, { tenantId, now }: KeyedRequest) =>
  sql`
    delete from idempotency_key where tenant_id = ${tenantId} and (user_id, key) in (
      select user_id, key from idempotency_key
      where tenant_id = ${tenantId} and created_at < ${new Date(now - IDEMPOTENCY_TTL_MS)}
      limit ${IDEMPOTENCY_PURGE_ROWS} for update skip locked)`.execute(db)

const claimed = ({ tenantId, userId, key, now, processId }: KeyedRequest) => sql`
  tenant_id = ${tenantId} and user_id = ${userId} and key = ${key} and created_at = ${new Date(now)}
    and response_body = ${processId} and (status is null or status = ${COMMITTED})`

/**
 * Marks the claim as committed, in the transaction of the work. Returns false when the claim was lost
 * meanwhile: then the work must not be committed.
 */
export async function markCommitted({ db }: Pick<TenantTx, 'db'>, request: KeyedRequest): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update idempotency_key set status = ${COMMITTED} where ${claimed(request)}`.execute(db)
  return numAffectedRows === 1n
}

export async function storeAnswer(
  db: Kysely<DB>,
  request: KeyedRequest,
  { status, answer }: { status: number; answer: string },
): Promise<void> {
  await sql`update idempotency_key set status = ${status}, response_body = ${answer}
    where ${claimed(request)}`.execute(db)
}

/** Releases the key after a failure, unless work was committed under it. */
export async function releaseKey(db: Kysely<DB>, request: KeyedRequest): Promise<void> {
  await sql`delete from idempotency_key where ${claimed(request)} and status is null`.execute(db)
}
