import { found } from '../../../kernel/errors.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { deviceOfConnector } from '../connectors/index.ts'
import { markGroupDue } from '../groups/index.ts'
import { type ChargerRef, lockCharger } from '../registry/index.ts'
import { useReservation } from '../reservations/index.ts'
import { type Authorization, type AuthorizationStatus, authorize } from '../tags/index.ts'
import { estimateLostEnd } from './close-session.ts'
import { orderingTime, startFlags } from './flags.ts'
import * as store from './transaction-store.ts'

export interface SessionStart extends store.StartKey {
  readonly reservationNumber: number | null
  readonly now: Date
}

export interface StartedSession {
  readonly id: string
  readonly transactionNumber: number
  readonly authorization: Authorization
}

/** Ends the open sessions of the connector, which charges one car at a time: their end was not reported. */
async function endAbandoned(tx: TenantTx, charger: ChargerRef, start: SessionStart): Promise<void> {
  const { connectorId, startedAt, now } = start
  const at = orderingTime(startedAt, now)
  for (const session of await store.listOpen(tx, charger, { connectorId, at })) {
    const end = await estimateLostEnd(tx, {
      deviceId: session.device_id,
      startedAt: session.started_at,
      startWh: session.meter_start_wh === null ? null : Number(session.meter_start_wh),
      until: at,
      flags: session.flags,
    })
    await store.end(tx, session.id, end, now)
  }
}

/**
 * Starts a session of OCPP 1.6. Idempotent: a repeated start is the same session with the same response.
 * There is a session whatever the tag may do, because the car may be charging already. A session before a
 * later one of its connector is over, although its end may still be reported.
 */
export async function startSession(
  tx: TenantTx,
  charger: ChargerRef,
  start: SessionStart,
): Promise<StartedSession> {
  found('charger', await lockCharger(tx, charger.chargerId))
  const known = await store.findStarted(tx, charger, start)
  if (known) return { ...toResult(known), authorization: previousAuthorization(known) }
  const { connectorId, idTag, startedAt, now } = start
  const deviceId = await deviceOfConnector(tx, charger, connectorId)
  await endAbandoned(tx, charger, start)
  const until = await store.nextStart(tx, charger, { connectorId, at: orderingTime(startedAt, now) })
  const authorization = await authorize(tx, idTag, now, { isStart: until === undefined })
  const { status, parentTag } = authorization
  const flags = startFlags({ status, startedAt, now })
  const abandoned = { deviceId, startedAt, startWh: start.meterStartWh, flags }
  const session = await store.insert(tx, charger, {
    ...start,
    deviceId,
    parentTag,
    authorizationStatus: status,
    flags,
    end: until && (await estimateLostEnd(tx, { ...abandoned, until })),
  })
  const { id } = session
  await store.linkNewestRemoteStart(tx, charger, { id, idTag, connectorId, now })
  const use = { connectorId, idTag, parentTag, reservationNumber: start.reservationNumber }
  const reservation = await useReservation(tx, charger, { ...use, sessionId: id, at: startedAt })
  if (reservation !== null) await store.setReservation(tx, id, reservation)
  await markGroupDue(tx, charger.chargerId, now)
  return { ...toResult(session), authorization }
}

const toResult = ({ id, transaction_number }: store.TransactionRow) => ({
  id,
  transactionNumber: transaction_number,
})

const previousAuthorization = ({
  authorization_status,
  parent_tag,
}: store.TransactionRow): Authorization => ({
  status: authorization_status as AuthorizationStatus,
  parentTag: parent_tag,
  expiresAt: null,
})
