import type { TenantTx } from '../../../platform/db/tenant.ts'
import { recordEvent } from '../events/index.ts'
import { markGroupDue } from '../groups/index.ts'
import { type ChargerRef, lockChargerRow } from '../registry/index.ts'
import { type Authorization, authorize } from '../tags/index.ts'
import { endFlags, isSameGroup } from './flags.ts'
import * as store from './transaction-store.ts'

export interface ReportedEnd {
  /** The number that the station names; it may be any. */
  readonly transactionNumber: number
  readonly endedAt: Date
  readonly meterStopWh: number
  readonly stopReason: string | null
  readonly idTag: string | null
  readonly now: Date
}

export interface EndedSession {
  /**
   * The connector of the session; undefined for an unknown transaction, whose readings cannot be assigned.
   */
  readonly connectorId: number | undefined
  /** The authorization of the tag that ended it, where the station names one. */
  readonly authorization: Authorization | undefined
}

const INT4_MAX = 2_147_483_647

/** Records the end of a transaction that is unknown or has ended otherwise, so that it can be seen. */
const recordAnomaly = (
  tx: TenantTx,
  charger: ChargerRef,
  { type, reported }: { type: string; reported: ReportedEnd },
) =>
  recordEvent(tx, charger, {
    type,
    at: reported.endedAt,
    details: {
      transaction_id: reported.transactionNumber,
      meter_stop_wh: reported.meterStopWh,
      ...(reported.stopReason !== null && { reason: reported.stopReason }),
      ...(reported.idTag !== null && { id_tag: reported.idTag }),
    },
    now: reported.now,
  })

const isSameEnd = ({ ended_at, meter_stop_wh }: store.TransactionRow, reported: ReportedEnd): boolean =>
  ended_at?.getTime() === reported.endedAt.getTime() && Number(meter_stop_wh) === reported.meterStopWh

/** Ends a session of OCPP 1.6. No report about the past is refused: the station would repeat it for ever. */
export async function endSession(
  tx: TenantTx,
  charger: ChargerRef,
  reported: ReportedEnd,
): Promise<EndedSession> {
  await lockChargerRow(tx, charger)
  const { transactionNumber: number, idTag, now } = reported
  const session = number > 0 && number <= INT4_MAX ? await store.findByNumber(tx, charger, number) : undefined
  const isOpen = session?.state === 'active' || session?.flags.includes('end_not_told') === true
  if (!session) await recordAnomaly(tx, charger, { type: 'unknown_transaction_ended', reported: reported })
  else if (isOpen) await end(tx, session, reported)
  else if (!isSameEnd(session, reported))
    await recordAnomaly(tx, charger, { type: 'ended_transaction_ended_again', reported: reported })
  if (isOpen) await markGroupDue(tx, charger.chargerId, now)
  return {
    connectorId: session?.connector_id,
    authorization: idTag === null ? undefined : await authorize(tx, idTag, now),
  }
}

async function end(tx: TenantTx, session: store.TransactionRow, reported: ReportedEnd): Promise<void> {
  const { idTag, endedAt, meterStopWh, stopReason, now } = reported
  const owner = { tag: session.id_tag, parentTag: session.parent_tag }
  const isOfGroup = async (tag: string) => {
    const { parentTag } = await authorize(tx, tag, now)
    return isSameGroup(owner, { tag, parentTag })
  }
  const flags = endFlags(session.flags, {
    startedAt: session.started_at,
    startWh: Number(session.meter_start_wh),
    endedAt,
    stopWh: meterStopWh,
    isOfGroup: idTag === null ? undefined : await isOfGroup(idTag),
  })
  await store.end(tx, session.id, { endedAt, meterStopWh, stopReason, stopIdTag: idTag, flags }, now)
}
