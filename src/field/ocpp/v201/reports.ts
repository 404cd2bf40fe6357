import { type ReportPart, recordEvent, recordReportPart } from '../../../areas/charging/stations.ts'
import { inStationTx, instant, integer } from '../fields.ts'
import { CHARGER_REPORT_PARTS_MAX } from '../limits.ts'
import type { MessagesV201 } from '../messages-v201.ts'
import type { Handlers, OcppDeps, Station } from '../types.ts'

/** A part of a report; those of charging profiles have neither number nor time. */
interface PartOfReport {
  readonly requestId: number
  readonly seqNo?: number
  readonly tbc?: boolean
  readonly generatedAt?: string
}

export const partOf = (kind: ReportPart['kind'], message: PartOfReport, now: Date): ReportPart => ({
  kind,
  requestId: integer(message.requestId, 'requestId'),
  seqNo:
    message.seqNo === undefined ? undefined : integer(message.seqNo, 'seqNo', [0, CHARGER_REPORT_PARTS_MAX]),
  isLast: message.tbc !== true,
  generatedAt: message.generatedAt === undefined ? null : new Date(instant(message.generatedAt)),
  now,
})

/** Stores reports that come in parts as events; reports of variables are handled by `device-model.ts`. */
export function reportHandlers(deps: OcppDeps): Handlers<MessagesV201> {
  const storeAsEvent =
    (kind: ReportPart['kind'], type: string) => async (station: Station, message: PartOfReport) => {
      const now = new Date(deps.clock.now())
      const part = partOf(kind, message, now)
      const event = { type, at: part.generatedAt ?? undefined, details: message, now }
      await inStationTx(deps, station, async (tx) => {
        await recordEvent(tx, station, event)
        await recordReportPart(tx, station, part)
      })
      return {}
    }
  return {
    NotifyMonitoringReport: storeAsEvent('monitoring', 'monitoring_report'),
    NotifyCustomerInformation: storeAsEvent('customer_information', 'customer_information'),
    ReportChargingProfiles: storeAsEvent('charging_profiles', 'charging_profiles'),
  }
}
