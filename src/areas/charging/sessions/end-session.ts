import type { TenantTx } from '../../../platform/db/tenant.ts'
import { recordEvent } from '../events/index.ts'
import { markGroupDue } from '../groups/index.ts'
import { type ChargerRef, lockChargerRow } from '../registry/index.ts'
import { type Authorization, authorize } from '../tags/index.ts'
import { areOfOneGroup, endFlags } from './flags.ts'
import * as store from './transaction-store.ts'

export interface ReportedEnd {
  /** As the station says it; it may be any number. */
  readonly transactionNumber: number
  readonly endedAt: Date
  readonly meterStopWh: number
  readonly stopReason: string | null
  readonly idTag: string | null
  readonly now: Date
}

export interface EndedSession {
  /** Where it was; undefined for an unknown transaction, whose readings nobody can place. */
  readonly connectorId: number | undefined
  /** Where the station names who has ended it. */
  readonly authorization: Authorization | undefined
}

const INT4_MAX = 2_147_483_647

/**
 * What the station says of a transaction that is not there, or that has ended otherwise: kept, so that
 * somebody can see it.
 */
const note = (tx: TenantTx, charger: ChargerRef, { type, told }: { type: string; told: ReportedEnd }) =>
  recordEvent(tx, charger, {
    type,
    at: told.endedAt,
    details: {
      transaction_id: told.transactionNumber,
      meter_stop_wh: told.meterStopWh,
      ...(told.stopReason !== null && { reason: told.stopReason }),
      ...(told.idTag !== null && { id_tag: told.idTag }),
    },
    now: told.now,
  })

const isSameEnd = ({ ended_at, meter_stop_wh }: store.TransactionRow, told: ReportedEnd): boolean =>
  ended_at?.getTime() === told.endedAt.getTime() && Number(meter_stop_wh) === told.meterStopWh

/** Ends a session of OCPP 1.6, whoever does it: nothing that a station says of the past is refused. */
export async function endSession(
  tx: TenantTx,
  charger: ChargerRef,
  told: ReportedEnd,
): Promise<EndedSession> {
  await lockChargerRow(tx, charger)
  const { transactionNumber: number, idTag, now } = told
  const session = number > 0 && number <= INT4_MAX ? await store.findByNumber(tx, charger, number) : undefined
  const isOpen = session?.state === 'active' || session?.flags.includes('end_not_told') === true
  if (!session) await note(tx, charger, { type: 'unknown_transaction_ended', told })
  else if (isOpen) await end(tx, session, told)
  else if (!isSameEnd(session, told)) await note(tx, charger, { type: 'ended_transaction_ended_again', told })
  if (isOpen) await markGroupDue(tx, charger.chargerId, now)
  return {
    connectorId: session?.connector_id,
    authorization: idTag === null ? undefined : await authorize(tx, idTag, now),
  }
}

async function end(tx: TenantTx, session: store.TransactionRow, told: ReportedEnd): Promise<void> {
  const { idTag, endedAt, meterStopWh, stopReason, now } = told
  const owner = { tag: session.id_tag, parentTag: session.parent_tag }
  const isOfGroup = async (tag: string) => {
    const { parentTag } = await authorize(tx, tag, now)
    return areOfOneGroup(owner, { tag, parentTag })
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
