import { AppError } from '../../../kernel/errors.ts'
import { hashLinkToken, makeTenantToken } from '../../../platform/auth/link-token.ts'
import { makeSealer } from '../../../platform/auth/sealer.ts'
import { SHORT_ID } from '../../../platform/auth/short-id.ts'
import { findTokenTenant } from '../../../platform/auth/token-tenant-store.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import { systemDb, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { METERING_TEXTS } from '../messages.ts'
import { LIVE_TICKET_TTL_MS, LIVE_TICKETS_PER_USER_MAX } from './limits.ts'
import {
  consumeTicket,
  countTickets,
  deleteAllExpiredTickets,
  deleteExpiredTickets,
  insertTicket,
  TICKETS,
} from './ticket-store.ts'

/*
 * A ticket replaces the token in the URL of a socket, because URLs are written to logs of proxies. The row of a
 * ticket holds the credential of the caller, encrypted with the ticket itself: neither the database nor, after
 * the first use, the URL discloses it. The socket then has the credential, so that expiry, revocation and lost
 * permissions apply to it as to a socket that was opened with the token.
 */
const CONTEXT = 'live ticket'
const TICKET = new RegExp(`^(?:${SHORT_ID}\\.)?([\\w-]{43})$`)

/** Encrypts with the random part of a ticket. */
const sealerOf = (ticket: string) => makeSealer(TICKET.exec(ticket)?.[1])

export interface TicketInput {
  readonly userId: string
  /** Access token or API key of the request. */
  readonly credential: string
  readonly now: number
}

/** Creates a ticket; 429 when the user has too many unused ones. */
export async function createTicket(tx: TenantTx, { userId, credential, now }: TicketInput) {
  await lockResource(tx, `live tickets ${userId}`)
  await deleteExpiredTickets(tx, userId, new Date(now))
  if ((await countTickets(tx, userId)) >= LIVE_TICKETS_PER_USER_MAX) {
    const seconds = LIVE_TICKET_TTL_MS / 1000
    const text = METERING_TEXTS.LIVE_TICKETS_TOO_MANY({ max: LIVE_TICKETS_PER_USER_MAX, seconds })
    throw new AppError(429, 'RATE_LIMITED', text, { retryAfterS: seconds })
  }
  const { token: ticket, tokenHash } = makeTenantToken(tx.tenantId)
  const expiresAt = new Date(now + LIVE_TICKET_TTL_MS)
  await insertTicket(tx, {
    user_id: userId,
    token_hash: tokenHash,
    credential_sealed: sealerOf(ticket).seal(credential, CONTEXT),
    expires_at: expiresAt,
  })
  return { ticket, expires_at: expiresAt }
}

/** Uses a ticket up and returns its credential; undefined when the ticket is not valid. */
export async function redeemTicket(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  ticket: string,
): Promise<string | undefined> {
  if (!TICKET.test(ticket)) return undefined
  const now = new Date(clock.now())
  const tenantId = await findTokenTenant(database.pool, TICKETS, ticket)
  if (tenantId === undefined) return undefined
  const row = await consumeTicket(tenantDb(database.kysely, tenantId), hashLinkToken(ticket), now)
  return row && sealerOf(ticket).open(row.credential_sealed, CONTEXT)
}

/** The job: deletes the tickets that were not used in time, also those of users who create no other. */
export async function clearTickets({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await deleteAllExpiredTickets(systemDb(database.kysely), new Date(clock.now()))
}
