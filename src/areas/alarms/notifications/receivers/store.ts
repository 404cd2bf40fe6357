import { sql } from 'kysely'
import { lockResource } from '../../../../platform/db/locks.ts'
import type { SystemTx, TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { lockTenantByTenant } from '../../../../platform/db/tenant-lists.ts'
import { deleteRows, selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { lastSeq } from '../delivery/delivery-store.ts'

/**
 * What the tables of webhooks and channels have in common: both receive notifications by a cursor of their own, have a
 * sealed secret, and are disabled by the service when they refuse deliveries.
 */
export type ReceiverKind = 'webhook' | 'channel'

export interface Receiver {
  readonly kind: ReceiverKind
  readonly id: string
}

/** The columns named in this file are the same in both tables; the types are those of the first. */
const tableOf = (kind: ReceiverKind) => `notification_${kind}` as 'notification_webhook'
const cursorColumnOf = (kind: ReceiverKind) => `${kind}_id` as 'webhook_id'

/** Returns the delivery state of receivers of one kind by their ids. */
export async function readProgress(tenant: TenantDb, kind: ReceiverKind, ids: readonly string[]) {
  const column = cursorColumnOf(kind)
  const rows = await selectRows(tenant, 'notification_cursor')
    .select(['attempts', 'failing_since', 'last_error'])
    .select(sql<string>`${sql.ref(column)}`.as('receiver_id'))
    .where(column, 'in', [...ids, '00000000-0000-0000-0000-000000000000'])
    .execute()
  return new Map(rows.map((row) => [row.receiver_id, row]))
}

/** Serializes the creation of receivers of one kind of a tenant, so that their limit is enforced. */
export async function lockAndCount(tx: TenantTx, kind: ReceiverKind): Promise<number> {
  await lockResource(tx, `${tableOf(kind)} of tenant ${tx.tenantId}`)
  const { count } = await selectRows(tx, tableOf(kind))
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Creates the cursor of a new receiver, which starts after the newest notification. */
export async function insertCursor(tx: TenantTx, { kind, id }: Receiver): Promise<void> {
  const { db, tenantId } = tx
  await db
    .insertInto('notification_cursor')
    .values({ tenant_id: tenantId, [cursorColumnOf(kind)]: id, done_through: await lastSeq(tx) })
    .execute()
}

/** Makes pending notifications due and resets the failure count. A batch in flight is not affected. */
export const resetRetries = (tx: TenantTx, { kind, id }: Receiver, due: Date) =>
  updateRows(tx, 'notification_cursor')
    .set({ attempts: 0, failing_since: null, last_error: null, due_at: due })
    .where(cursorColumnOf(kind), '=', id)
    .execute()

export const remove = (tx: TenantTx, { kind, id }: Receiver) =>
  deleteRows(tx, tableOf(kind)).where('id', '=', id).returning('id').executeTakeFirst()

/** Locks a receiver until the end of the transaction. */
export const lock = (tx: TenantTx, { kind, id }: Receiver) =>
  selectRows(tx, tableOf(kind)).select('id').where('id', '=', id).forUpdate().executeTakeFirst()

export const recordSuccess = (tx: TenantTx, { kind, id }: Receiver, at: Date) =>
  updateRows(tx, tableOf(kind)).set({ last_success_at: at }).where('id', '=', id).execute()

/** Disables a receiver; undefined when it is no longer active. */
export const disable = (tx: TenantTx, { kind, id }: Receiver, at: Date) =>
  updateRows(tx, tableOf(kind))
    .set({ is_active: false, disabled_at: at })
    .where('id', '=', id)
    .where('is_active', '=', true)
    .returning('name')
    .executeTakeFirst()

/** Returns every stored secret of every tenant, locked until the end of the transaction. */
export const lockSecrets = (tx: SystemTx, kind: ReceiverKind) =>
  lockTenantByTenant(tx, tableOf(kind), (tenant) =>
    selectRows(tenant, tableOf(kind))
      .select(['tenant_id', 'id', 'name', 'secret_sealed'])
      .where('secret_sealed', 'is not', null)
      .orderBy('id')
      .forUpdate()
      .execute(),
  )

export const setSecret = (
  { db }: SystemTx,
  { kind, tenant_id, id }: Receiver & { readonly tenant_id: number },
  sealed: string,
) =>
  db
    .updateTable(tableOf(kind))
    .set({ secret_sealed: sealed })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
