import { conflict } from '../../../../kernel/errors.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import { readPage } from '../../../../platform/db/list.ts'
import { matchesSearch } from '../../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { ALARM_TEXTS } from '../../messages.ts'
import type { Language } from '../delivery/mails.ts'
import { insertCursor } from '../receivers/store.ts'
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
  await insertCursor(tx, { kind: 'channel', id: channel.id })
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

/** Locks a channel until the end of the transaction. */
export const lockChannel = (tx: TenantTx, id: string) =>
  selectRows(tx, 'notification_channel')
    .select(columns)
    .where('id', '=', id)
    .$narrowType<Words>()
    .forUpdate()
    .executeTakeFirst()
