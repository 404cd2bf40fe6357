import { conflict, found } from '../../../kernel/errors.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { readNearestReadings } from '../../metering/samples/index.ts'
import { markGroupDue } from '../groups/index.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import { lockChargerRow } from '../registry/index.ts'
import * as states from './session-state-store.ts'
import * as sessions from './store.ts'
import * as store from './transaction-store.ts'

interface AbandonedSession {
  readonly deviceId: string
  readonly startedAt: Date
  readonly startWh: number | null
  /** An instant at which it was over. */
  readonly until: Date
  readonly flags: readonly string[]
}

/**
 * Estimates the end of a session whose end was not reported: the time and register of the last reading of its
 * connector.
 */
export async function estimateLostEnd(tx: TenantTx, abandoned: AbandonedSession): Promise<store.SessionEnd> {
  const [from, to] = [abandoned.startedAt.getTime(), abandoned.until.getTime()]
  const [around] = await readNearestReadings(tx, [{ deviceId: abandoned.deviceId, at: to - 1, from, to }])
  const last = around?.before
  return {
    endedAt: last ? new Date(last.at) : abandoned.startedAt,
    meterStopWh: last?.wh ?? abandoned.startWh,
    stopReason: null,
    stopIdTag: null,
    flags: [...abandoned.flags, 'end_not_told'],
  }
}

/**
 * Closes a session whose end was lost, for an operator who knows that nobody charges there any more. The real
 * end still counts when it comes. 404 when unknown, 409 when it is over.
 */
export async function closeSession(tx: TenantTx, id: string, now: Date): Promise<void> {
  const { charger_id: chargerId } = found('session', await sessions.find(tx, id))
  await lockChargerRow(tx, { chargerId })
  const session = found('session', await sessions.find(tx, id))
  const { ocpp_transaction_id: transactionId, device_id: deviceId, started_at: startedAt } = session
  if (session.state !== 'active') throw conflict('STATE_CONFLICT', CHARGING_TEXTS.SESSION_OVER())
  if (transactionId === null) {
    const abandoned = {
      deviceId,
      startedAt,
      startWh: session.meter_start_wh,
      until: now,
      flags: session.flags,
    }
    await store.end(tx, session.id, await estimateLostEnd(tx, abandoned), now)
  } else {
    const known = found('session', await states.findByTransactionId(tx, { chargerId }, transactionId))
    await states.updateState(tx, known.id, { deviceId, state: { ...known.state, superseded: true }, now })
  }
  await markGroupDue(tx, chargerId, now)
}
