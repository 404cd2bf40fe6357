import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows } from '../../../platform/db/tenant-rows.ts'

export async function countTickets(tx: TenantTx, userId: string): Promise<number> {
  const { total } = await selectRows(tx, 'live_ticket')
    .where('user_id', '=', userId)
    .select((eb) => eb.fn.countAll().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

export const deleteExpiredTickets = (tx: TenantTx, userId: string, now: Date) =>
  deleteRows(tx, 'live_ticket').where('user_id', '=', userId).where('expires_at', '<=', now).execute()

/** Deletes the expired tickets of all tenants, inactive ones too: nothing can use them. */
export const deleteAllExpiredTickets = ({ db }: SystemDb, now: Date) =>
  db.deleteFrom('live_ticket').where('expires_at', '<=', now).execute()

export interface NewTicket {
  readonly user_id: string
  readonly token_hash: Buffer
  readonly credential_sealed: string
  readonly expires_at: Date
}

export const insertTicket = ({ db, tenantId }: TenantTx, ticket: NewTicket) =>
  db
    .insertInto('live_ticket')
    .values({ tenant_id: tenantId, ...ticket })
    .execute()

export const TICKETS = { table: 'live_ticket', column: 'token_hash' } as const

/**
 * Deletes a valid ticket and returns its row. Undefined for an unknown or expired ticket and for every use but the
 * first.
 */
export const consumeTicket = ({ db, tenantId }: TenantDb, tokenHash: Buffer, now: Date) =>
  db
    .deleteFrom('live_ticket')
    .where('tenant_id', '=', tenantId)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('credential_sealed')
    .executeTakeFirst()
