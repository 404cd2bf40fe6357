import { found, invalidReference, unprocessable } from '../../../kernel/errors.ts'
import { parseValidInstant } from '../../../kernel/time.ts'
import { systemDb, type TenantDb, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { cancelIfPending, enqueueCommand } from '../commands/index.ts'
import { ID_TAG_LENGTH_16, RESERVATION_AHEAD_MAX_MS, RESERVATIONS_DUE_AT_ONCE } from '../limits.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import { type KnownCharger, referToCharger } from '../registry/index.ts'
import { authorize } from '../tags/index.ts'
import { settleReservation } from './effects.ts'
import type { CreateReservation, Reserve } from './schema.ts'
import { requireTransition } from './states.ts'
import * as store from './store.ts'

const WHAT = 'reservation'

export interface Caller {
  readonly userId: string
  readonly now: Date
}

export const findReservation = async (db: TenantDb, id: string, now: Date) =>
  found(WHAT, await store.find(db, id, now))

function expiryOf(body: CreateReservation, now: Date): Date {
  const expiresAt = parseValidInstant(body.expires_at)
  const aheadMs = expiresAt.getTime() - now.getTime()
  if (aheadMs > 0 && aheadMs <= RESERVATION_AHEAD_MAX_MS) return expiresAt
  const days = RESERVATION_AHEAD_MAX_MS / 86_400_000
  throw unprocessable('BUSINESS_RULE_VIOLATION', CHARGING_TEXTS.RESERVATION_TOO_FAR({ days }))
}

/**
 * The tags of a reservation; 422 for one that is unknown, not accepted, or too long for the version of OCPP.
 */
async function tagsOf(tx: TenantTx, body: CreateReservation, charger: KnownCharger, now: Date) {
  const tag = await authorize(tx, body.id_tag, now)
  if (tag.status === 'invalid') throw invalidReference('id_tag')
  if (tag.status !== 'accepted')
    throw unprocessable(
      'BUSINESS_RULE_VIOLATION',
      CHARGING_TEXTS.RESERVATION_TAG_STATUS({ status: tag.status }),
    )
  const parentTag = body.parent_tag === undefined ? tag.parentTag : body.parent_tag
  for (const text of [body.id_tag, parentTag])
    if (charger.version === '1.6' && text && text.length > ID_TAG_LENGTH_16)
      throw unprocessable(
        'BUSINESS_RULE_VIOLATION',
        CHARGING_TEXTS.TAG_TOO_LONG_16({ max: ID_TAG_LENGTH_16 }),
      )
  return { idTag: body.id_tag, parentTag }
}

/**
 * Creates a reservation and enqueues its command; 409 LOTO_LOCKED_OUT while people are at work on the
 * connector.
 */
export async function reserve(tx: TenantTx, body: CreateReservation, { userId, now }: Caller) {
  const charger = await referToCharger(tx, body.charger_id)
  const expiresAt = expiryOf(body, now)
  const tags = await tagsOf(tx, body, charger, now)
  const chargerId = charger.id
  const { id, reservation_number } = await store.create(tx, {
    chargerId,
    connectorId: body.connector_id,
    ...tags,
    expiresAt,
    requestedBy: userId,
    now,
  })
  const request: Reserve = {
    reservation_number,
    connector_id: body.connector_id,
    id_tag: tags.idTag,
    parent_tag: tags.parentTag,
    expires_at: expiresAt.toISOString(),
  }
  const command = await enqueueCommand(tx, {
    charger: { chargerId },
    action: 'reserve',
    request,
    requestedBy: userId,
    now,
  })
  await store.update(tx, id, { command_id: command.id, updated_at: now })
  return findReservation(tx, id, now)
}

/**
 * Cancels a reservation: at once while its command is pending, otherwise with a command of its own, and the
 * reservation stays until the station has answered. 404 when unknown, 409 STATE_CONFLICT when it is over.
 */
export async function cancelReservation(tx: TenantTx, id: string, { userId, now }: Caller) {
  const effects = { reserve: settleReservation }
  const current = await findReservation(tx, id, now)
  requireTransition('cancel', current.state)
  // Lock order: command before reservation, as when the command ends. The effect of that end cancels the
  // reservation.
  if (current.command_id !== null && (await cancelIfPending(tx, current.command_id, { now, effects })))
    return { chargerId: current.charger_id }
  const reservation = found(WHAT, await store.lock(tx, id))
  requireTransition('cancel', reservation.state)
  await enqueueCommand(tx, {
    charger: { chargerId: reservation.charger_id },
    action: 'cancel_reservation',
    request: { reservation_number: reservation.reservation_number },
    requestedBy: userId,
    now,
  })
  return { chargerId: reservation.charger_id }
}

/** The job: expires the reservations whose time is over. */
export async function expireReservations({ database, clock }: Pick<Deps, 'database' | 'clock'>) {
  const now = new Date(clock.now())
  for (const tenantId of await store.listTenantsToExpire(systemDb(database.kysely), now)) {
    const db = tenantDb(database.kysely, tenantId)
    while ((await store.expireDue(db, now, RESERVATIONS_DUE_AT_ONCE)) === RESERVATIONS_DUE_AT_ONCE);
  }
}
