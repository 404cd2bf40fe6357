import { conflict } from '../../../../kernel/errors.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import { readPage } from '../../../../platform/db/list.ts'
import { lockResource } from '../../../../platform/db/locks.ts'
import { matchesSearch } from '../../../../platform/db/search.ts'
import type { SystemTx, TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { ALARM_TEXTS } from '../../messages.ts'
import { lastSeq } from '../delivery/delivery-store.ts'
import type { Language } from '../delivery/mails.ts'
import type { ChannelQuery, ChannelType } from './schema.ts'

const columns = [
  'id',
  'name',
  'type',
  'language',
  'chat_id',
  'server_url',
  'topic',
  'secret_sealed',
  'min_severity',
  'is_active',
  'disabled_at',
  'last_success_at',
  'created_at',
  'updated_at',
] as const
const constraints = {
  notification_channel_name_key: () => conflict('DUPLICATE_ENTRY', ALARM_TEXTS.CHANNEL_NAME_EXISTS()),
}

interface Words {
  type: ChannelType
  language: Language
}

/** A stored channel with its sealed secret, which is never part of a response. */
export type ChannelRow = NonNullable<Awaited<ReturnType<typeof findChannel>>>

export const findChannel = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'notification_channel')
    .select(columns)
    .where('id', '=', id)
    .$narrowType<Words>()
    .executeTakeFirst()

export function listChannels(tenant: TenantDb, query: ChannelQuery) {
  let rows = selectRows(tenant, 'notification_channel').select(columns).$narrowType<Words>()
  if (query.type !== undefined) rows = rows.where('type', '=', query.type)
  return readPage(rows.where(matchesSearch(query.search, ['name'])), query)
}

/** Returns the delivery state of channels by channel id. */
export async function readProgress(tenant: TenantDb, channelIds: readonly string[]) {
  const rows = await selectRows(tenant, 'notification_cursor')
    .select(['channel_id', 'attempts', 'failing_since', 'last_error'])
    .where('channel_id', 'in', [...channelIds, '00000000-0000-0000-0000-000000000000'])
    .execute()
  return new Map(rows.map((row) => [row.channel_id, row]))
}

/** Serializes the creation of channels of a tenant, so that their limit is enforced. */
export async function lockAndCount(tx: TenantTx): Promise<number> {
  await lockResource(tx, `notification channels of tenant ${tx.tenantId}`)
  const { count } = await selectRows(tx, 'notification_channel')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export interface ChannelChange {
  readonly name?: string
  readonly language?: string
  readonly chat_id?: string
  readonly server_url?: string
  readonly topic?: string
  readonly secret_sealed?: string | null
  readonly min_severity?: string
  readonly is_active?: boolean
  readonly disabled_at?: null
  readonly updated_at: Date
}

export interface NewChannel extends ChannelChange {
  readonly id: string
  readonly type: ChannelType
  readonly name: string
  readonly language: string
  readonly min_severity: string
  readonly created_by: string
  readonly created_at: Date
}

/** Creates a channel with its cursor, which starts after the newest notification. */
export async function insertChannel(tx: TenantTx, channel: NewChannel) {
  const { db, tenantId } = tx
  const row = await refusing(
    constraints,
    db
      .insertInto('notification_channel')
      .values({ tenant_id: tenantId, ...channel })
      .returning(columns)
      .$narrowType<Words>()
      .executeTakeFirstOrThrow(),
  )
  await db
    .insertInto('notification_cursor')
    .values({ tenant_id: tenantId, channel_id: channel.id, done_through: await lastSeq(tx) })
    .execute()
  return row
}

export const updateChannel = (tx: TenantTx, id: string, set: ChannelChange) =>
  refusing(
    constraints,
    updateRows(tx, 'notification_channel')
      .set(set)
      .where('id', '=', id)
      .returning(columns)
      .$narrowType<Words>()
      .executeTakeFirst(),
  )

/** Makes pending messages due and resets the failure count. A batch in flight is not affected. */
export const resetRetries = (tx: TenantTx, channelId: string, due: Date) =>
  updateRows(tx, 'notification_cursor')
    .set({ attempts: 0, failing_since: null, last_error: null, due_at: due })
    .where('channel_id', '=', channelId)
    .execute()

export const removeChannel = (tx: TenantTx, id: string) =>
  deleteRows(tx, 'notification_channel').where('id', '=', id).returning('id').executeTakeFirst()

/** Locks a channel until the end of the transaction. */
export const lockChannel = (tx: TenantTx, id: string) =>
  selectRows(tx, 'notification_channel')
    .select(columns)
    .where('id', '=', id)
    .$narrowType<Words>()
    .forUpdate()
    .executeTakeFirst()

export const recordSuccess = (tx: TenantTx, id: string, at: Date) =>
  updateRows(tx, 'notification_channel').set({ last_success_at: at }).where('id', '=', id).execute()

/** Disables a channel; undefined when it is no longer active. */
export const disable = (tx: TenantTx, id: string, at: Date) =>
  updateRows(tx, 'notification_channel')
    .set({ is_active: false, disabled_at: at })
    .where('id', '=', id)
    .where('is_active', '=', true)
    .returning('name')
    .executeTakeFirst()

/** Returns every stored secret of every tenant, locked until the end of the transaction. */
export const lockSecrets = ({ db }: SystemTx) =>
  db
    .selectFrom('notification_channel')
    .select(['tenant_id', 'id', 'name', 'secret_sealed'])
    .where('secret_sealed', 'is not', null)
    .$narrowType<{ secret_sealed: string }>()
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
    .updateTable('notification_channel')
    .set({ secret_sealed: sealed })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
