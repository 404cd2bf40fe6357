import { authorize, recordBoot, recordStatus } from '../../../areas/charging/stations.ts'
import { tenantDb } from '../../../platform/db/tenant.ts'
import { currentTime } from '../common-handlers.ts'
import { connectorNumber, inStationTx, instant } from '../fields.ts'
import { makeFirmwareReports } from '../firmware.ts'
import type { Handlers, OcppDeps, Station } from '../types.ts'
import type { IdToken } from './fields.ts'
import { idTokenInfo, tagOf } from './id-token.ts'

interface BootNotification {
  readonly reason: string
  readonly chargingStation: {
    readonly model: string
    readonly vendorName: string
    readonly serialNumber?: string
    readonly firmwareVersion?: string
  }
}

interface StatusNotification {
  readonly timestamp: string
  readonly connectorStatus: string
  readonly evseId: number
  readonly connectorId: number
}

/** A station that starts, tells of its connectors, and asks who may charge. */
export function bootHandlers(deps: OcppDeps): Handlers {
  const { clock, config, database } = deps
  const firmware = makeFirmwareReports(deps)
  const now = () => new Date(clock.now())

  return {
    async BootNotification(station: Station, message: BootNotification) {
      const { vendorName, model, serialNumber, firmwareVersion } = message.chargingStation
      const at = now()
      await inStationTx(deps, station, (tx) =>
        recordBoot(tx, station, { vendor: vendorName, model, serialNumber, firmwareVersion, message, at }),
      )
      if (firmwareVersion) await firmware.booted(station, firmwareVersion)
      return { currentTime: currentTime(deps), interval: config.ocpp.heartbeatSeconds, status: 'Accepted' }
    },

    async StatusNotification(station: Station, message: StatusNotification) {
      const { connectorStatus: status, timestamp } = message
      const connectorId = connectorNumber(message.evseId, 'evseId')
      const evseConnectorId = connectorNumber(message.connectorId)
      const at = new Date(instant(timestamp))
      await inStationTx(deps, station, (tx) =>
        recordStatus(tx, station, { connectorId, evseConnectorId, status, at, now: now() }),
      )
      return {}
    },

    async Authorize({ tenantId }: Station, { idToken }: { readonly idToken: IdToken }) {
      const tag = tagOf(idToken)
      const tenant = tenantDb(database.kysely, tenantId)
      const answer = tag === undefined ? undefined : await authorize(tenant, tag, now())
      return { idTokenInfo: idTokenInfo(answer) }
    },
  }
}
