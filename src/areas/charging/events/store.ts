import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { parseValidInstant } from '../../../kernel/time.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import { readPage } from '../../../platform/db/list.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { CHARGER_EVENT_BYTES_A_DAY, CHARGER_EVENTS_A_DAY } from '../limits.ts'
import type { ChargerRef } from '../registry/index.ts'
import type { EventQuery } from './schema.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'charger_event.details': object
  }
}

export interface NewEvent {
  readonly type: string
  /** By the station's clock; undefined where the message has no time. */
  readonly at?: Date | undefined
  readonly connectorId?: number | null | undefined
  readonly details?: JsonColumns['charger_event.details'] | undefined
  /** The time of receipt. */
  readonly now: Date
}

/**
 * Records an event. Idempotent: an event with the same type, connector, time and details is `known`. Where
 * the station names no time, the details must distinguish two occasions, by a request id for example. Of one
 * type a limited number is stored in a day; further ones are counted, and the first of them leaves a note.
 */
export async function recordEvent(
  tx: TenantTx,
  charger: ChargerRef,
  event: NewEvent,
): Promise<'kept' | 'known' | 'left_out'> {
  const { isKept, isFull } = await store(tx, charger, event)
  if (isKept) return 'kept'
  if (!isFull) return 'known'
  await countLeftOut(tx, charger, event)
  return 'left_out'
}

const digestOf = ({ type, at, connectorId = null, details = {} }: NewEvent): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([type, connectorId, at?.toISOString() ?? null, JSON.stringify(details)]))
    .digest()

const dayOf = ({ now }: NewEvent): string => now.toISOString().slice(0, 10)

/** Inserts an event. `isFull`: the limit of the day is reached and the event is a new one. */
async function store(
  { db, tenantId }: TenantTx,
  { chargerId }: ChargerRef,
  event: NewEvent,
): Promise<{ readonly isKept: boolean; readonly isFull: boolean }> {
  const { type, at, connectorId = null, details = {}, now } = event
  const json = toJson<JsonColumns['charger_event.details']>(details)
  const [digest, size] = [digestOf(event), Buffer.byteLength(json)]
  const day = sql`${dayOf(event)}::date`
  const { rows } = await sql<{ isKept: boolean; isFull: boolean }>`
    with spent as (
      select 1 from charger_event_day
      where (tenant_id, charger_id, event_type, day) = (${tenantId}::int, ${chargerId}::uuid, ${type}, ${day})
        and (kept >= ${CHARGER_EVENTS_A_DAY} or kept_bytes >= ${CHARGER_EVENT_BYTES_A_DAY})
    ), kept as (
      insert into charger_event (tenant_id, charger_id, connector_id, event_type, occurred_at, received_at, details,
        size_bytes, digest)
      select ${tenantId}::int, ${chargerId}::uuid, ${connectorId}::int, ${type}::text, ${at ?? now}::timestamptz,
        ${now}::timestamptz, ${json}::jsonb, ${size}::int, ${digest}::bytea
      where not exists (select 1 from spent)
      on conflict (tenant_id, charger_id, digest) do nothing
      returning size_bytes
    ), counted as (
      insert into charger_event_day as d (tenant_id, charger_id, event_type, day, kept, kept_bytes)
      select ${tenantId}::int, ${chargerId}::uuid, ${type}::text, ${day}, 1, size_bytes from kept
      on conflict (tenant_id, charger_id, event_type) do update set
        day = excluded.day,
        kept = case when d.day = excluded.day then d.kept else 0 end + 1,
        kept_bytes = case when d.day = excluded.day then d.kept_bytes else 0 end + excluded.kept_bytes,
        left_out = case when d.day = excluded.day then d.left_out else 0 end
    )
    select exists (select 1 from kept) as "isKept", exists (select 1 from spent) and not exists (
      select 1 from charger_event
      where (tenant_id, charger_id, digest) = (${tenantId}::int, ${chargerId}::uuid, ${digest}::bytea)) as "isFull"`.execute(
    db,
  )
  return rows[0] ?? { isKept: false, isFull: false }
}

/**
 * Counts an event that is not stored. The first one of a type and day leaves a note, which is not counted
 * itself.
 */
async function countLeftOut(tx: TenantTx, { chargerId }: ChargerRef, event: NewEvent): Promise<void> {
  const [day, { now }] = [dayOf(event), event]
  const { left_out: count } = await updateRows(tx, 'charger_event_day')
    .set((eb) => ({ left_out: eb('left_out', '+', 1) }))
    .where('charger_id', '=', chargerId)
    .where('event_type', '=', event.type)
    .returning('left_out')
    .executeTakeFirstOrThrow()
  if (count > 1) return
  const details = { event_type: event.type, day }
  const json = toJson(details)
  await tx.db
    .insertInto('charger_event')
    .values({
      tenant_id: tx.tenantId,
      charger_id: chargerId,
      event_type: LEFT_OUT,
      occurred_at: now,
      received_at: now,
      details: json,
      size_bytes: Buffer.byteLength(json),
      digest: digestOf({ type: LEFT_OUT, details, now }),
    })
    .onConflict((on) => on.columns(['tenant_id', 'charger_id', 'digest']).doNothing())
    .execute()
}

const LEFT_OUT = 'events_left_out'

export function list(tenant: TenantDb, chargerId: string, query: EventQuery) {
  let rows = selectRows(tenant, 'charger_event')
    .select(['id', 'charger_id', 'connector_id', 'event_type', 'occurred_at', 'details'])
    .where('charger_id', '=', chargerId)
  if (query.event_type !== undefined) rows = rows.where('event_type', '=', query.event_type)
  if (query.connector_id !== undefined) rows = rows.where('connector_id', '=', query.connector_id)
  if (query.from !== undefined) rows = rows.where('occurred_at', '>=', parseValidInstant(query.from))
  if (query.to !== undefined) rows = rows.where('occurred_at', '<', parseValidInstant(query.to))
  return readPage(rows, query)
}
