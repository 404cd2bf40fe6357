import { recordBoot, recordEvent } from '../../../modules/chargers/index.ts'
import { inTenantTx } from '../../../platform/db/tenant.ts'
import { makeFirmwareNews } from '../firmware.ts'
import { secondsOnly } from '../saying.ts'
import type { Handlers, OcppDeps, Station } from '../types.ts'

interface BootNotification {
  readonly chargePointVendor: string
  readonly chargePointModel: string
  readonly chargePointSerialNumber?: string
  readonly chargeBoxSerialNumber?: string
  readonly firmwareVersion?: string
}

interface DataTransfer {
  readonly vendorId: string
  readonly messageId?: string
  readonly data?: string
}

/** A station starts, lives, and says things that only its vendor knows (OCPP 1.6, 4.2, 4.6 and 4.3). */
export function bootHandlers(deps: OcppDeps): Handlers {
  const { database, clock, config } = deps
  const firmware = makeFirmwareNews(deps)
  const currentTime = () => secondsOnly(new Date(clock.now()).toISOString())

  return {
    async BootNotification(station: Station, message: BootNotification) {
      await inTenantTx(database.kysely, station.tenantId, (tx) =>
        recordBoot(tx, station, {
          vendor: message.chargePointVendor,
          model: message.chargePointModel,
          serialNumber: message.chargePointSerialNumber ?? message.chargeBoxSerialNumber,
          firmwareVersion: message.firmwareVersion,
          message,
          at: new Date(clock.now()),
        }),
      )
      if (message.firmwareVersion) await firmware.booted(station, message.firmwareVersion)
      return { status: 'Accepted', currentTime: currentTime(), interval: config.ocpp.heartbeatSeconds }
    },

    Heartbeat: async () => ({ currentTime: currentTime() }),

    /** No vendor's messages are understood; they are kept, so that somebody may read them. */
    async DataTransfer(station: Station, { vendorId, messageId, data }: DataTransfer) {
      await inTenantTx(database.kysely, station.tenantId, (tx) =>
        recordEvent(tx, station, {
          type: 'data_transfer',
          details: { vendor_id: vendorId, message_id: messageId ?? null, data: data ?? null },
          now: new Date(clock.now()),
        }),
      )
      return { status: 'UnknownVendorId' }
    },
  }
}
