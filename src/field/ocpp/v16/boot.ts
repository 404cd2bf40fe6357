import { authorize, recordBoot, recordStatus } from '../../../areas/charging/stations.ts'
import { tenantDb } from '../../../platform/db/tenant.ts'
import { currentTime } from '../common-handlers.ts'
import { connectorNumber, inStationTx, instant } from '../fields.ts'
import { makeFirmwareReports } from '../firmware.ts'
import type { MessagesV16 } from '../messages-v16.ts'
import type { Handlers, OcppDeps } from '../types.ts'
import { idTagInfo } from './id-tag.ts'

/**
 * Handles the start of a station, the status of its connectors, and the question who may charge (OCPP 1.6,
 * 4.1 to 4.9).
 */
export function bootHandlers(deps: OcppDeps): Handlers<MessagesV16> {
  const { clock, config, database } = deps
  const firmware = makeFirmwareReports(deps)
  const now = () => new Date(clock.now())

  return {
    async BootNotification(station, message) {
      await inStationTx(deps, station, (tx) =>
        recordBoot(tx, station, {
          vendor: message.chargePointVendor,
          model: message.chargePointModel,
          serialNumber: message.chargePointSerialNumber ?? message.chargeBoxSerialNumber,
          firmwareVersion: message.firmwareVersion,
          message,
          at: now(),
        }),
      )
      if (message.firmwareVersion) await firmware.booted(station, message.firmwareVersion)
      return { status: 'Accepted', currentTime: currentTime(deps), interval: config.ocpp.heartbeatSeconds }
    },

    /** Connector 0 is the station as a whole. */
    async StatusNotification(station, message) {
      const { status, errorCode, timestamp, info, vendorId, vendorErrorCode } = message
      const connectorId = connectorNumber(message.connectorId)
      const at = timestamp === undefined ? undefined : new Date(instant(timestamp))
      const event = { connectorId, status, errorCode, vendorErrorCode, vendorId, info, at, now: now() }
      await inStationTx(deps, station, (tx) => recordStatus(tx, station, event))
      return {}
    },

    /**
     * A tag that is charging already is not refused here: it may be presented to end that session.
     * `ConcurrentTx` is only a response to StartTransaction.
     */
    async Authorize({ tenantId }, { idTag }) {
      return { idTagInfo: idTagInfo(await authorize(tenantDb(database.kysely, tenantId), idTag, now())) }
    },
  }
}
