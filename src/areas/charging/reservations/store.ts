import { sql } from 'kysely'
import { readPage } from '../../../platform/db/list.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { isOfActiveTenant, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { ReservationQuery } from './schema.ts'
import { OPEN_STATES, type ReservationState } from './states.ts'

const columns = [
  ...(['id', 'reservation_number', 'charger_id', 'connector_id', 'id_tag', 'parent_tag', 'reason'] as const),
  ...(['expires_at', 'command_id', 'session_id', 'requested_by', 'created_at', 'ended_at'] as const),
] as const

const reservations = (tenant: TenantDb) => selectRows(tenant, 'charger_reservation')

/**
 * The state at an instant: a reservation is expired at its time, although the job that stores it runs later.
 */
const stateAt = (now: Date) =>
  sql<ReservationState>`case when state in ('pending', 'active') and expires_at <= ${now} then 'expired' else state end`

export function list(tenant: TenantDb, query: ReservationQuery, now: Date) {
  const state = stateAt(now)
  let rows = reservations(tenant).select([...columns, state.as('state')])
  if (query.charger_id !== undefined) rows = rows.where('charger_id', '=', query.charger_id)
  if (query.state !== undefined) rows = rows.where(state, '=', query.state)
  if (query.id_tag !== undefined) rows = rows.where(sql`lower(id_tag)`, '=', query.id_tag.toLowerCase())
  return readPage(rows, query)
}

export const find = (tenant: TenantDb, id: string, now: Date) =>
  reservations(tenant)
    .select([...columns, stateAt(now).as('state')])
    .where('id', '=', id)
    .executeTakeFirst()

const locked = (tx: TenantTx) =>
  reservations(tx)
    .select([...columns, sql<ReservationState>`state`.as('state')])
    .forUpdate()

export const lock = (tx: TenantTx, id: string) => locked(tx).where('id', '=', id).executeTakeFirst()

/** Locks a reservation by the number that the station knows. */
export const lockByNumber = (tx: TenantTx, chargerId: string, number: number) =>
  locked(tx).where('charger_id', '=', chargerId).where('reservation_number', '=', number).executeTakeFirst()

/** Milliseconds by which the clock of a station may be behind. */
const RESERVATION_CLOCK_SLACK_MS = 5 * 60_000

interface MatchInput {
  readonly chargerId: string
  readonly connectorId: number
  readonly idTag: string
  /** The group of the tag. */
  readonly parentTag: string | null
  readonly at: Date
}

/** Locks the oldest reservation of the connector for a tag or its group at a time. */
export const lockMatching = (tx: TenantTx, { chargerId, connectorId, idTag, parentTag, at }: MatchInput) =>
  locked(tx)
    .where('charger_id', '=', chargerId)
    .where('connector_id', 'in', [0, connectorId])
    .where('state', 'in', [...OPEN_STATES, 'expired'])
    .where('created_at', '<=', new Date(at.getTime() + RESERVATION_CLOCK_SLACK_MS))
    .where('expires_at', '>', at)
    .where((eb) =>
      eb.or([
        eb(sql`lower(id_tag)`, '=', idTag.toLowerCase()),
        eb(sql`lower(parent_tag)`, '=', parentTag?.toLowerCase() ?? null),
        // The group's own tag.
        eb(sql`lower(parent_tag)`, '=', idTag.toLowerCase()),
      ]),
    )
    .orderBy('connector_id', 'desc')
    .orderBy('reservation_number')
    .limit(1)
    .executeTakeFirst()

export const findOfSession = (tenant: TenantDb, sessionId: string) =>
  reservations(tenant)
    .select('reservation_number')
    .where('session_id', '=', sessionId)
    .limit(1)
    .executeTakeFirst()

interface NewReservation {
  readonly chargerId: string
  readonly connectorId: number
  readonly idTag: string
  readonly parentTag: string | null
  readonly expiresAt: Date
  readonly requestedBy: string
  readonly now: Date
}

/**
 * Inserts a reservation, which gets its number. Its command needs the number, so it is set afterwards in the
 * same transaction.
 */
export const create = ({ db, tenantId }: TenantTx, reservation: NewReservation) =>
  db
    .insertInto('charger_reservation')
    .values({
      tenant_id: tenantId,
      charger_id: reservation.chargerId,
      connector_id: reservation.connectorId,
      id_tag: reservation.idTag,
      parent_tag: reservation.parentTag,
      expires_at: reservation.expiresAt,
      requested_by: reservation.requestedBy,
      created_at: reservation.now,
      updated_at: reservation.now,
    })
    .returning(['id', 'reservation_number'])
    .executeTakeFirstOrThrow()

export interface Change {
  readonly state?: ReservationState
  readonly reason?: string | null
  readonly session_id?: string
  readonly ended_at?: Date
  readonly command_id?: string
}

export const update = (tx: TenantTx, id: string, set: Change & { updated_at: Date }) =>
  updateRows(tx, 'charger_reservation').set(set).where('id', '=', id).execute()

export const endOpen = (tx: TenantTx, chargerId: string, set: Change & { updated_at: Date }) =>
  updateRows(tx, 'charger_reservation')
    .set(set)
    .where('charger_id', '=', chargerId)
    .where('state', 'in', OPEN_STATES)
    .execute()

/** The active tenants that have due reservations. */
export async function listTenantsToExpire({ db }: SystemDb, now: Date): Promise<number[]> {
  const { rows } = await sql<{ tenant_id: number }>`
    select distinct tenant_id from charger_reservation
    where state in ('pending', 'active') and expires_at <= ${now}
      and ${isOfActiveTenant('charger_reservation.tenant_id')} order by tenant_id`.execute(db)
  return rows.map(({ tenant_id }) => tenant_id)
}

/** Expires due reservations of a tenant; returns their number. */
export async function expireDue({ db, tenantId }: TenantDb, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with due as (
      select id from charger_reservation
      where tenant_id = ${tenantId} and state in ('pending', 'active') and expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked)
    update charger_reservation r set state = 'expired', ended_at = r.expires_at, updated_at = ${now}
    from due where r.tenant_id = ${tenantId} and r.id = due.id`.execute(db)
  return Number(numAffectedRows ?? 0)
}
