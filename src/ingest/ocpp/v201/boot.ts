import { authorize, recordBoot, recordEvent, recordStatus } from '../../../modules/chargers/index.ts'
import { tenantDb } from '../../../platform/db/tenant.ts'
import { connectorNumber, inStationTx, instant, integer } from '../fields.ts'
import { makeFirmwareNews } from '../firmware.ts'
import { secondsOnly } from '../saying.ts'
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

interface DataTransfer {
  readonly vendorId: string
  readonly messageId?: string
  readonly data?: unknown
}

/** A station that starts, is there, tells of its connectors, and asks who may charge. */
export function bootHandlers(deps: OcppDeps): Handlers {
  const { clock, config, database } = deps
  const firmware = makeFirmwareNews(deps)
  const now = () => new Date(clock.now())
  const currentTime = () => secondsOnly(now().toISOString())

  return {
    async BootNotification(station: Station, message: BootNotification) {
      const { vendorName, model, serialNumber, firmwareVersion } = message.chargingStation
      const at = now()
      await inStationTx(deps, station, (tx) =>
        recordBoot(tx, station, { vendor: vendorName, model, serialNumber, firmwareVersion, message, at }),
      )
      if (firmwareVersion) await firmware.booted(station, firmwareVersion)
      return { currentTime: currentTime(), interval: config.ocpp.heartbeatSeconds, status: 'Accepted' }
    },

    Heartbeat: async () => ({ currentTime: currentTime() }),

    async StatusNotification(station: Station, message: StatusNotification) {
      const { connectorStatus: status, timestamp } = message
      const connectorId = connectorNumber(message.evseId)
      const evseConnectorId = integer(message.connectorId, 'connectorId')
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

    /** No vendor's messages are understood; they are kept, so that somebody may read them. */
    async DataTransfer(station: Station, { vendorId, messageId, data }: DataTransfer) {
      const details = { vendor_id: vendorId, message_id: messageId ?? null, data: data ?? null }
      await inStationTx(deps, station, (tx) =>
        recordEvent(tx, station, { type: 'data_transfer', details, now: now() }),
      )
      return { status: 'UnknownVendorId' }
    },
  }
}
