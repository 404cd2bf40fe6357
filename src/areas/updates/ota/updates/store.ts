import { sql } from 'kysely'
import { conflict } from '../../../../kernel/errors.ts'
import type { Message } from '../../../../kernel/messages.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import { type JsonText, toJson } from '../../../../platform/db/json-columns.ts'
import { readPage } from '../../../../platform/db/list.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { isOfActiveTenant, selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { OTA_EVENTS_RETURNED_MAX } from '../limits.ts'
import { OTA_TEXTS } from '../messages.ts'
import type { UpdateQuery } from './schema.ts'
import type { Actor, OtaStatus, OtaTransition } from './states.ts'

declare module '../../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'ota_update.error': Message
    'ota_event.detail': Message
  }
}

const columns = [
  ...([
    'id',
    'device_id',
    'gateway_id',
    'via_gateway_id',
    'via_charger_id',
    'firmware_version_id',
    'batch_id',
    'wave',
  ] as const),
  ...(['is_due', 'progress_pct', 'attempt', 'retries', 'retries_left', 'rolls_back', 'error'] as const),
  ...([
    'timeout_s',
    'attempt_started_at',
    'deadline_at',
    'from_version',
    'rollback_of',
    'created_by',
    'created_at',
  ] as const),
  ...(['notified_at', 'changed_at', 'finished_at'] as const),
  sql<OtaStatus>`status`.as('status'),
] as const

const alreadyOpen = () => conflict('STATE_CONFLICT', OTA_TEXTS.OTA_ALREADY_OPEN())
const constraints = { ota_update_open_device_key: alreadyOpen, ota_update_open_gateway_key: alreadyOpen }

const withVersion = (tenant: TenantDb) =>
  selectRows(tenant, 'ota_update')
    .select(columns)
    .select((eb) =>
      eb
        .selectFrom('firmware_version as f')
        .select('f.version')
        .where('f.tenant_id', '=', tenant.tenantId)
        .whereRef('f.id', '=', 'ota_update.firmware_version_id')
        .$asScalar()
        .$notNull()
        .as('version'),
    )

export function list(tenant: TenantDb, query: UpdateQuery) {
  let rows = withVersion(tenant)
  for (const field of ['status', 'device_id', 'gateway_id', 'firmware_version_id', 'batch_id'] as const) {
    const wanted = query[field]
    if (wanted !== undefined) rows = rows.where(field, '=', wanted)
  }
  return readPage(rows, query)
}

export const find = (tenant: TenantDb, id: string) =>
  withVersion(tenant).where('id', '=', id).executeTakeFirst()
export type UpdateRow = NonNullable<Awaited<ReturnType<typeof find>>>

/** The trail of an update, oldest first; of a very long one the newest OTA_EVENTS_RETURNED_MAX. */
export async function listEvents(tenant: TenantDb, updateId: string) {
  const rows = await selectRows(tenant, 'ota_event')
    .select(['transition as move', 'status', 'by', 'user_id', 'detail', 'at'])
    .where('update_id', '=', updateId)
    .orderBy('seq', 'desc')
    .limit(OTA_EVENTS_RETURNED_MAX)
    .execute()
  return rows.reverse()
}

export const hasBegunToInstall = async (tenant: TenantDb, updateId: string): Promise<boolean> =>
  (await selectRows(tenant, 'ota_event')
    .select('seq')
    .where('update_id', '=', updateId)
    .where('transition', 'in', ['install', 'succeed'] satisfies OtaTransition[])
    .limit(1)
    .executeTakeFirst()) !== undefined

/** The first notification of the device in the present attempt; later ones do not count. */
export async function findNotifiedAt(tenant: TenantDb, updateId: string): Promise<Date | undefined> {
  const row = await selectRows(tenant, 'ota_event')
    .select('at')
    .where('update_id', '=', updateId)
    .where('transition', '=', 'notify' satisfies OtaTransition)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

/** Locks an update. Lock order: batch before update, so that two ends of updates cannot deadlock. */
export async function lock(tx: TenantTx, id: string): Promise<UpdateRow | undefined> {
  const { db, tenantId } = tx
  const update = await db
    .selectFrom('ota_update')
    .select('batch_id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!update) return undefined
  if (update.batch_id !== null)
    await db
      .selectFrom('ota_batch')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', update.batch_id)
      .forUpdate()
      .execute()
  return withVersion(tx).where('id', '=', id).forUpdate().executeTakeFirst()
}

export interface NewUpdate {
  readonly id: string
  readonly device_id: string | null
  readonly gateway_id: string | null
  readonly via_gateway_id: string | null
  readonly via_charger_id: string | null
  readonly firmware_version_id: string
  readonly batch_id: string | null
  readonly wave: number
  readonly is_due: boolean
  readonly retries: number
  readonly retries_left: number
  readonly rolls_back: boolean
  readonly timeout_s: number
  readonly attempt_started_at: Date | null
  readonly deadline_at: Date | null
  readonly from_version: string | null
  readonly rollback_of: string | null
  readonly created_by: string | null
  readonly created_at: Date
  readonly changed_at: Date
}

const ROWS_PER_STATEMENT = 500

/** Throws 409 STATE_CONFLICT when one of the devices has an open update. */
export async function insert({ db, tenantId }: TenantTx, rows: readonly NewUpdate[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const values = rows
      .slice(start, start + ROWS_PER_STATEMENT)
      .map((row) => ({ tenant_id: tenantId, ...row }))
    await refusing(constraints, db.insertInto('ota_update').values(values).execute())
  }
}

export interface UpdateChange {
  readonly status: OtaStatus
  readonly changed_at: Date
  readonly finished_at: Date | null
  readonly progress_pct?: number
  readonly error?: JsonText<Message> | null
  readonly attempt?: number
  readonly retries_left?: number
  readonly is_due?: boolean
  readonly rolls_back?: boolean
  readonly via_gateway_id?: string | null
  readonly via_charger_id?: string | null
  readonly attempt_started_at?: Date | null
  readonly deadline_at?: Date | null
  readonly notified_at?: Date | null
}

export interface TrailEvent {
  readonly transition: OtaTransition
  readonly by: Actor
  readonly userId: string | null
  readonly detail: Message | null
}

/** Changes the status of an update and appends the transition to its trail. */
export async function recordTransition(
  tx: TenantTx,
  id: string,
  { set, event }: { readonly set: UpdateChange; readonly event: TrailEvent },
): Promise<void> {
  const update = updateRows(tx, 'ota_update').set(set).where('id', '=', id)
  await refusing(constraints, update.execute())
  const { transition, by, userId, detail } = event
  await tx.db
    .insertInto('ota_event')
    .values({
      tenant_id: tx.tenantId,
      update_id: id,
      transition,
      status: set.status,
      by,
      user_id: userId,
      detail: detail && toJson(detail),
      at: set.changed_at,
    })
    .execute()
}

export const setProgress = ({ db, tenantId }: TenantDb, id: string, pct: number) =>
  db
    .updateTable('ota_update')
    .set({ progress_pct: pct })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('progress_pct', '<', pct)
    .where('finished_at', 'is', null)
    .execute()

export const setNotifiedAt = ({ db, tenantId }: TenantDb, id: string, at: Date) =>
  db
    .updateTable('ota_update')
    .set({ notified_at: at })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()

export const postponeDeadline = (tx: TenantTx, id: string, deadline: Date) =>
  updateRows(tx, 'ota_update').set({ deadline_at: deadline }).where('id', '=', id).execute()

/** Stores the version that a gateway runs. */
export const setGatewayVersion = (tx: TenantTx, id: string, version: string) =>
  updateRows(tx, 'gateway').set({ firmware_version: version }).where('id', '=', id).execute()

export interface UpdateRef {
  readonly tenantId: number
  readonly id: string
}

/** Open updates of all active tenants whose deadline has passed, the oldest first. */
export async function listOverdue(
  { db }: SystemDb,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<UpdateRef[]> {
  const rows = await db
    .selectFrom('ota_update')
    .select(['tenant_id', 'id'])
    .where('finished_at', 'is', null)
    .where('deadline_at', '<=', now)
    .where(isOfActiveTenant('ota_update.tenant_id'))
    .orderBy('deadline_at')
    .limit(limit)
    .execute()
  return rows.map(({ tenant_id: tenantId, id }) => ({ tenantId, id }))
}

/**
 * Due updates of all active tenants whose device was not notified, or was notified before `since` and has not begun.
 */
export async function listUnnotified(
  { db }: SystemDb,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<UpdateRef[]> {
  const rows = await db
    .selectFrom('ota_update')
    .select(['tenant_id', 'id'])
    .where('status', 'in', ['queued', 'notified'] satisfies OtaStatus[])
    .where('is_due', '=', true)
    .where(isOfActiveTenant('ota_update.tenant_id'))
    .where((eb) => eb.or([eb('notified_at', 'is', null), eb('notified_at', '<=', since)]))
    .orderBy('notified_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute()
  return rows.map(({ tenant_id: tenantId, id }) => ({ tenantId, id }))
}
