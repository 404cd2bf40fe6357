import { conflict } from '../../../../kernel/errors.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import { readPage } from '../../../../platform/db/list.ts'
import { lockResource } from '../../../../platform/db/locks.ts'
import { matchesSearch } from '../../../../platform/db/search.ts'
import type { SystemTx, TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { ALARM_TEXTS } from '../../messages.ts'
import { lastSeq } from '../delivery/delivery-store.ts'
import type { WebhookQuery } from './schema.ts'

const columns = [
  'id',
  'name',
  'url',
  'secret_sealed',
  'min_severity',
  'is_active',
  'disabled_at',
  'last_success_at',
  'created_at',
  'updated_at',
] as const
const constraints = {
  notification_webhook_name_key: () => conflict('DUPLICATE_ENTRY', ALARM_TEXTS.WEBHOOK_NAME_EXISTS()),
}

/** A stored webhook with its sealed secret, which is never part of a response. */
export type WebhookRow = NonNullable<Awaited<ReturnType<typeof findWebhook>>>

export const findWebhook = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'notification_webhook').select(columns).where('id', '=', id).executeTakeFirst()

export const listWebhooks = (tenant: TenantDb, query: WebhookQuery) =>
  readPage(
    selectRows(tenant, 'notification_webhook')
      .select(columns)
      .where(matchesSearch(query.search, ['name'])),
    query,
  )

/** Returns the delivery state of webhooks by webhook id. */
export async function readProgress(tenant: TenantDb, webhookIds: readonly string[]) {
  const rows = await selectRows(tenant, 'notification_cursor')
    .select(['webhook_id', 'attempts', 'failing_since', 'last_error'])
    .where('webhook_id', 'in', [...webhookIds, '00000000-0000-0000-0000-000000000000'])
    .execute()
  return new Map(rows.map((row) => [row.webhook_id, row]))
}

/** Serializes the creation of webhooks of a tenant, so that their limit is enforced. */
export async function lockAndCount(tx: TenantTx): Promise<number> {
  await lockResource(tx, `webhooks of tenant ${tx.tenantId}`)
  const { count } = await selectRows(tx, 'notification_webhook')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export interface NewWebhook {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly secret_sealed: string
  readonly min_severity: string
  readonly is_active: boolean
  readonly created_by: string
  readonly created_at: Date
  readonly updated_at: Date
}

/** Creates a webhook with its cursor, which starts after the newest notification. */
export async function insertWebhook(tx: TenantTx, webhook: NewWebhook) {
  const { db, tenantId } = tx
  const row = await refusing(
    constraints,
    db
      .insertInto('notification_webhook')
      .values({ tenant_id: tenantId, ...webhook })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )
  await db
    .insertInto('notification_cursor')
    .values({ tenant_id: tenantId, webhook_id: webhook.id, done_through: await lastSeq(tx) })
    .execute()
  return row
}

export interface WebhookChange {
  readonly name?: string
  readonly url?: string
  readonly secret_sealed?: string
  readonly min_severity?: string
  readonly is_active?: boolean
  readonly disabled_at?: null
  readonly updated_at: Date
}

export const updateWebhook = (tx: TenantTx, id: string, set: WebhookChange) =>
  refusing(
    constraints,
    updateRows(tx, 'notification_webhook')
      .set(set)
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirst(),
  )

/** Makes pending deliveries due and resets the failure count. A batch in flight is not affected. */
export const resetRetries = (tx: TenantTx, webhookId: string, due: Date) =>
  updateRows(tx, 'notification_cursor')
    .set({ attempts: 0, failing_since: null, last_error: null, due_at: due })
    .where('webhook_id', '=', webhookId)
    .execute()

export const removeWebhook = (tx: TenantTx, id: string) =>
  deleteRows(tx, 'notification_webhook').where('id', '=', id).returning('id').executeTakeFirst()

/** Locks a webhook until the end of the transaction. */
export const lockWebhook = (tx: TenantTx, id: string) =>
  selectRows(tx, 'notification_webhook').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

export const recordSuccess = (tx: TenantTx, id: string, at: Date) =>
  updateRows(tx, 'notification_webhook').set({ last_success_at: at }).where('id', '=', id).execute()

/** Disables a webhook; undefined when it is no longer active. */
export const disable = (tx: TenantTx, id: string, at: Date) =>
  updateRows(tx, 'notification_webhook')
    .set({ is_active: false, disabled_at: at })
    .where('id', '=', id)
    .where('is_active', '=', true)
    .returning('name')
    .executeTakeFirst()

/** Returns every stored secret of every tenant, locked until the end of the transaction. */
export const lockSecrets = ({ db }: SystemTx) =>
  db
    .selectFrom('notification_webhook')
    .select(['tenant_id', 'id', 'name', 'secret_sealed'])
    .orderBy('tenant_id')
    .orderBy('id')
    .forUpdate()
    .execute()

export const setSecret = (
  { db }: SystemTx,
  { tenant_id, id }: { readonly tenant_id: number; readonly id: string },
  sealed: string,
) =>
  db
    .updateTable('notification_webhook')
    .set({ secret_sealed: sealed })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
