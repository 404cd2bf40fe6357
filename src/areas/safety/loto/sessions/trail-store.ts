import { sql } from 'kysely'
import { toJson } from '../../../../platform/db/json-columns.ts'
import { readList } from '../../../../platform/db/list.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { selectRows } from '../../../../platform/db/tenant-rows.ts'
import type { PointVerification } from './store.ts'

/** What belongs to an event of the trail, by its type. */
export interface LotoEventDetails {
  readonly note?: string
  readonly title?: string
  readonly reason?: string
  readonly point_ids?: readonly string[]
  readonly verifications?: readonly (PointVerification & { readonly point_id: string })[]
  readonly lock_id?: string
  readonly point_id?: string
  readonly lock_number?: string | null
  readonly owner_id?: string
  readonly owner_name?: string
}

declare module '../../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'loto_event.details': LotoEventDetails
  }
}

export type LotoEventType =
  | 'requested'
  | 'changed'
  | 'approved'
  | 'rejected'
  | 'applied'
  | 'released'
  | 'lock_placed'
  | 'lock_removed'
  | 'lock_forced'

export interface NewLotoEvent {
  readonly type: LotoEventType
  readonly at: Date
  readonly byUser: string
  readonly details?: LotoEventDetails
}

/** The present name of a user, or the e-mail address of a user without a name. */
export async function readName(tx: TenantTx, userId: string): Promise<string> {
  const user = await selectRows(tx, 'app_user')
    .select(sql<string>`coalesce(full_name, email)`.as('name'))
    .where('id', '=', userId)
    .executeTakeFirst()
  return user?.name ?? userId
}

/** Appends an event to the audit trail, which is never changed. */
export async function append(tx: TenantTx, sessionId: string, event: NewLotoEvent): Promise<void> {
  const { type, at, byUser, details = {} } = event
  await tx.db
    .insertInto('loto_event')
    .values({
      tenant_id: tx.tenantId,
      session_id: sessionId,
      event_type: type,
      occurred_at: at,
      by_user: byUser,
      by_name: await readName(tx, byUser),
      details: toJson(details),
    })
    .execute()
}

/** The events of a session, ascending by time. */
export const list = (
  tenant: TenantDb,
  sessionId: string,
  slice: { readonly limit: number; readonly offset: number },
) =>
  readList(
    selectRows(tenant, 'loto_event')
      .select(['id', 'event_type', 'occurred_at', 'by_user', 'by_name', 'details'])
      .where('session_id', '=', sessionId)
      .orderBy('seq'),
    slice,
  )
