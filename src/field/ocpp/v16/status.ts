import { recordStatus } from '../../../areas/charging/stations.ts'
import { connectorNumber, inStationTx, instant } from '../fields.ts'
import type { Handlers, OcppDeps, Station } from '../types.ts'

interface StatusNotification {
  readonly connectorId: number
  readonly status: string
  readonly errorCode: string
  readonly timestamp?: string
  readonly info?: string
  readonly vendorId?: string
  readonly vendorErrorCode?: string
}

/** The state of connectors; 0 is the station as a whole. */
export const statusHandlers = (deps: OcppDeps): Handlers => ({
  async StatusNotification(station: Station, message: StatusNotification) {
    const { status, errorCode, timestamp, info, vendorId, vendorErrorCode } = message
    const connectorId = connectorNumber(message.connectorId)
    const at = timestamp === undefined ? undefined : new Date(instant(timestamp))
    const now = new Date(deps.clock.now())
    const event = { connectorId, status, errorCode, vendorErrorCode, vendorId, info, at, now }
    await inStationTx(deps, station, (tx) => recordStatus(tx, station, event))
    return {}
  },
})
