import { authorize, recordBoot, recordStatus } from '../../../areas/charging/stations.ts'
import { tenantDb } from '../../../platform/db/tenant.ts'
import { currentTime } from '../common-handlers.ts'
import { connectorNumber, inStationTx, instant } from '../fields.ts'
import { makeFirmwareReports } from '../firmware.ts'
import type { MessagesV201 } from '../messages-v201.ts'
import type { Handlers, OcppDeps } from '../types.ts'
import { idTokenInfo, tagOf } from './id-token.ts'

/** Handles the start of a station, the status of its connectors, and the question who may charge. */
export function bootHandlers(deps: OcppDeps): Handlers<MessagesV201> {
  const { clock, config, database } = deps
  const firmware = makeFirmwareReports(deps)
  const now = () => new Date(clock.now())

  return {
    async BootNotification(station, message) {
      const { vendorName, model, serialNumber, firmwareVersion } = message.chargingStation
      const at = now()
      await inStationTx(deps, station, (tx) =>
        recordBoot(tx, station, { vendor: vendorName, model, serialNumber, firmwareVersion, message, at }),
      )
      if (firmwareVersion) await firmware.booted(station, firmwareVersion)
      return { currentTime: currentTime(deps), interval: config.ocpp.heartbeatSeconds, status: 'Accepted' }
    },

    async StatusNotification(station, message) {
      const { connectorStatus: status, timestamp } = message
      const connectorId = connectorNumber(message.evseId, 'evseId')
      const evseConnectorId = connectorNumber(message.connectorId)
      const at = new Date(instant(timestamp))
      await inStationTx(deps, station, (tx) =>
        recordStatus(tx, station, { connectorId, evseConnectorId, status, at, now: now() }),
      )
      return {}
    },

    async Authorize({ tenantId }, { idToken }) {
      const tag = tagOf(idToken)
      const tenant = tenantDb(database.kysely, tenantId)
      const authorization = tag === undefined ? undefined : await authorize(tenant, tag, now())
      return { idTokenInfo: idTokenInfo(authorization) }
    },
  }
}
