import { conflict } from '../../../../kernel/errors.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import { readPage } from '../../../../platform/db/list.ts'
import { matchesSearch } from '../../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { ALARM_TEXTS } from '../../messages.ts'
import { insertCursor } from '../receivers/store.ts'
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
  await insertCursor(tx, { kind: 'webhook', id: webhook.id })
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
