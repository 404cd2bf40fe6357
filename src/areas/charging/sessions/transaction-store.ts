import { type SqlBool, sql } from 'kysely'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { REMOTE_START_MATCH_MS } from '../limits.ts'
import type { ChargerRef } from '../registry/index.ts'

const columns = [
  ...(['id', 'transaction_number', 'connector_id', 'device_id', 'id_tag', 'parent_tag'] as const),
  ...(['authorization_status', 'state', 'started_at', 'meter_start_wh'] as const),
  ...(['ended_at', 'meter_stop_wh', 'flags'] as const),
] as const

/** The sessions of OCPP 1.6. Those of 2.0.1 are in `session-state-store.ts`. */
const sessions = (tenant: TenantDb, { chargerId }: ChargerRef) =>
  selectRows(tenant, 'charging_session')
    .select(columns)
    .where('charger_id', '=', chargerId)
    .where('ocpp_transaction_id', 'is', null)

export type TransactionRow = Awaited<ReturnType<ReturnType<typeof sessions>['executeTakeFirstOrThrow']>>

export interface StartKey {
  readonly connectorId: number
  readonly idTag: string
  readonly startedAt: Date
  readonly meterStartWh: number
}

/** The session that an earlier message of the same start has created. */
export const findStarted = (tx: TenantTx, charger: ChargerRef, key: StartKey) =>
  sessions(tx, charger)
    .where('connector_id', '=', key.connectorId)
    .where(sql`lower(id_tag)`, '=', sql`lower(${key.idTag})`)
    .where('started_at', '=', key.startedAt)
    .where('meter_start_wh', '=', String(key.meterStartWh))
    .executeTakeFirst()

export const findByNumber = (tx: TenantTx, charger: ChargerRef, transactionNumber: number) =>
  sessions(tx, charger).where('transaction_number', '=', transactionNumber).executeTakeFirst()

interface ConnectorTime {
  readonly connectorId: number
  readonly at: Date
}

/** A session with a wrong clock is not ordered by its start. */
const hasWrongClock = sql<SqlBool>`'clock_wrong' = any(flags)`

/**
 * The active sessions of a connector that began by then. One with a wrong clock began before it was received.
 */
export const listOpen = (tx: TenantTx, charger: ChargerRef, { connectorId, at }: ConnectorTime) =>
  sessions(tx, charger)
    .where('connector_id', '=', connectorId)
    .where('state', '=', 'active')
    .where((eb) => eb.or([eb('started_at', '<=', at), hasWrongClock]))
    .orderBy('started_at')
    .execute()

/** The start of the next session of a connector; undefined for the newest one. */
export async function nextStart(
  tx: TenantTx,
  charger: ChargerRef,
  { connectorId, at }: ConnectorTime,
): Promise<Date | undefined> {
  const next = await sessions(tx, charger)
    .where('connector_id', '=', connectorId)
    .where('started_at', '>', at)
    .where((eb) => eb.not(hasWrongClock))
    .orderBy('started_at')
    .limit(1)
    .executeTakeFirst()
  return next?.started_at
}

export interface SessionEnd {
  readonly endedAt: Date
  readonly meterStopWh: number | null
  readonly stopReason: string | null
  readonly stopIdTag: string | null
  readonly flags: readonly string[]
}

const endColumns = ({ endedAt, meterStopWh, stopReason, stopIdTag, flags }: SessionEnd) => ({
  state: 'ended',
  ended_at: endedAt,
  meter_stop_wh: meterStopWh,
  stop_reason: stopReason,
  stop_id_tag: stopIdTag,
  meter_last_wh: meterStopWh,
  meter_last_at: endedAt,
  flags: [...flags],
})

export interface NewTransaction extends StartKey {
  readonly deviceId: string
  readonly parentTag: string | null
  readonly authorizationStatus: string
  readonly reservationNumber: number | null
  readonly flags: readonly string[]
  /** The end, where it is known to be over already. */
  readonly end: SessionEnd | undefined
  readonly now: Date
}

export const insert = ({ db, tenantId }: TenantTx, { chargerId }: ChargerRef, start: NewTransaction) =>
  db
    .insertInto('charging_session')
    .values({
      tenant_id: tenantId,
      charger_id: chargerId,
      connector_id: start.connectorId,
      device_id: start.deviceId,
      id_tag: start.idTag,
      parent_tag: start.parentTag,
      authorization_status: start.authorizationStatus,
      started_at: start.startedAt,
      meter_start_wh: start.meterStartWh,
      meter_last_wh: start.meterStartWh,
      meter_last_at: start.startedAt,
      reservation_number: start.reservationNumber,
      flags: [...start.flags],
      created_at: start.now,
      updated_at: start.now,
      ...(start.end && endColumns(start.end)),
    })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const end = (tx: TenantTx, id: string, end: SessionEnd, now: Date) =>
  updateRows(tx, 'charging_session')
    .set({ ...endColumns(end), updated_at: now })
    .where('id', '=', id)
    .execute()

interface StartedSession {
  readonly id: string
  readonly idTag: string
  readonly connectorId: number
  readonly now: Date
}

/** Links a session to its remote start: the newest one for this tag and connector that has no session yet. */
export const linkNewestRemoteStart = (
  tx: TenantTx,
  { chargerId }: ChargerRef,
  { id, idTag, connectorId, now }: StartedSession,
) =>
  updateRows(tx, 'charging_session')
    .set((eb) => ({
      command_id: eb
        .selectFrom('charger_command as c')
        .select('c.id')
        .where('c.tenant_id', '=', tx.tenantId)
        .where('c.charger_id', '=', chargerId)
        .where('c.action', '=', 'remote_start')
        .where('c.state', 'in', ['sent', 'accepted'])
        .where('c.sent_at', '>', new Date(now.getTime() - REMOTE_START_MATCH_MS))
        .where(sql<SqlBool>`lower(c.request ->> 'id_tag') = lower(${idTag})`)
        .where(sql<SqlBool>`coalesce((c.request ->> 'connector_id')::int, ${connectorId}) = ${connectorId}`)
        .where(
          sql<SqlBool>`not exists (select 1 from charging_session s where s.tenant_id = ${tx.tenantId}
            and s.charger_id = ${chargerId} and s.command_id = c.id)`,
        )
        .orderBy('c.seq', 'desc')
        .limit(1),
    }))
    .where('id', '=', id)
    .execute()

export const setReservation = (tx: TenantTx, id: string, reservationNumber: number) =>
  updateRows(tx, 'charging_session')
    .set({ reservation_number: reservationNumber })
    .where('id', '=', id)
    .execute()
