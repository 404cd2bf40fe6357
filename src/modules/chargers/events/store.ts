import { createHash } from 'node:crypto'
import { parseInstant } from '../../../kernel/time.ts'
import { readPage } from '../../../platform/db/list.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import type { ChargerRef } from '../refs.ts'
import type { EventQuery } from './schema.ts'

export interface NewEvent {
  readonly type: string
  /** By the station's clock; left out where it tells no time. */
  readonly at?: Date | undefined
  readonly connectorId?: number | null | undefined
  readonly details?: object | undefined
  /** When we heard of it. */
  readonly now: Date
}

/**
 * Keeps what a station told; false when it had told it before. The same is the same type, connector, time and details; where
 * the station tells no time the details must tell one occasion from another, by a request id for example.
 */
export async function recordEvent(
  { db, tenantId }: TenantTx,
  { chargerId }: ChargerRef,
  { type, at, connectorId = null, details = {}, now }: NewEvent,
): Promise<boolean> {
  const json = JSON.stringify(details)
  const told = JSON.stringify([type, connectorId, at?.toISOString() ?? null, json])
  const row = await db
    .insertInto('charger_event')
    .values({
      tenant_id: tenantId,
      charger_id: chargerId,
      connector_id: connectorId,
      event_type: type,
      occurred_at: at ?? now,
      details: json,
      digest: createHash('sha256').update(told).digest(),
    })
    .onConflict((on) => on.columns(['tenant_id', 'charger_id', 'digest']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

const instant = (text: string): Date => new Date(parseInstant(text)?.at ?? 0)

export function list({ db, tenantId }: TenantDb, chargerId: string, query: EventQuery) {
  let rows = db
    .selectFrom('charger_event')
    .select(['id', 'charger_id', 'connector_id', 'event_type', 'occurred_at', 'details'])
    .where('tenant_id', '=', tenantId)
    .where('charger_id', '=', chargerId)
  if (query.event_type !== undefined) rows = rows.where('event_type', '=', query.event_type)
  if (query.connector_id !== undefined) rows = rows.where('connector_id', '=', query.connector_id)
  if (query.from !== undefined) rows = rows.where('occurred_at', '>=', instant(query.from))
  if (query.to !== undefined) rows = rows.where('occurred_at', '<', instant(query.to))
  return readPage(rows, query)
}
