import { conflict } from '../../../kernel/errors.ts'
import { refusing } from '../../../platform/db/constraints.ts'
import { readPage } from '../../../platform/db/list.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import type { SystemTx, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { lastSeq } from './outlet-store.ts'
import type { WebhookQuery } from './webhook-schema.ts'

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
  notification_webhook_name_key: () => conflict('DUPLICATE_ENTRY', 'a webhook with this name exists'),
}

/** As stored: the secret is sealed. It never goes out. */
export type WebhookRow = NonNullable<Awaited<ReturnType<typeof findWebhook>>>

export const findWebhook = ({ db, tenantId }: TenantDb, id: string) =>
  db
    .selectFrom('notification_webhook')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()

export const listWebhooks = ({ db, tenantId }: TenantDb, query: WebhookQuery) =>
  readPage(db.selectFrom('notification_webhook').select(columns).where('tenant_id', '=', tenantId), query)

/** How the sending to webhooks goes, by the webhook's id. */
export async function readProgress({ db, tenantId }: TenantDb, webhookIds: readonly string[]) {
  const rows = await db
    .selectFrom('notification_outlet')
    .select(['webhook_id', 'attempts', 'failing_since', 'last_error'])
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', 'in', [...webhookIds, '00000000-0000-0000-0000-000000000000'])
    .execute()
  return new Map(rows.map((row) => [row.webhook_id, row]))
}

/** Whoever adds a webhook does so alone in the tenant, so that their number holds. */
export async function lockAndCount(tx: TenantTx): Promise<number> {
  await lockResource(tx, `webhooks of tenant ${tx.tenantId}`)
  const { count } = await tx.db
    .selectFrom('notification_webhook')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('tenant_id', '=', tx.tenantId)
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

/** With its outlet, which begins with what comes from now on. */
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
    .insertInto('notification_outlet')
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

export const updateWebhook = ({ db, tenantId }: TenantTx, id: string, set: WebhookChange) =>
  refusing(
    constraints,
    db
      .updateTable('notification_webhook')
      .set(set)
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirst(),
  )

/** Tries at once what waits, as if nothing had failed before. A batch on its way stays with its sender. */
export const tryAgain = ({ db, tenantId }: TenantTx, webhookId: string, due: Date) =>
  db
    .updateTable('notification_outlet')
    .set({ attempts: 0, failing_since: null, last_error: null, due_at: due })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .execute()

export const removeWebhook = ({ db, tenantId }: TenantTx, id: string) =>
  db
    .deleteFrom('notification_webhook')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()

/** Held until the end of the transaction. */
export const lockWebhook = ({ db, tenantId }: TenantTx, id: string) =>
  db
    .selectFrom('notification_webhook')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const noteSuccess = ({ db, tenantId }: TenantTx, id: string, at: Date) =>
  db
    .updateTable('notification_webhook')
    .set({ last_success_at: at })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()

/** Undefined when it is not active any more. */
export const disable = ({ db, tenantId }: TenantTx, id: string, at: Date) =>
  db
    .updateTable('notification_webhook')
    .set({ is_active: false, disabled_at: at })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('is_active', '=', true)
    .returning('name')
    .executeTakeFirst()

/** Every stored secret of every tenant, held until the end of the transaction. */
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
