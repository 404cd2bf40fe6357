import { recordBoot } from '../../../areas/charging/stations.ts'
import { currentTime } from '../common-handlers.ts'
import { inStationTx } from '../fields.ts'
import { makeFirmwareReports } from '../firmware.ts'
import type { Handlers, OcppDeps, Station } from '../types.ts'

interface BootNotification {
  readonly chargePointVendor: string
  readonly chargePointModel: string
  readonly chargePointSerialNumber?: string
  readonly chargeBoxSerialNumber?: string
  readonly firmwareVersion?: string
}

/** A station starts (OCPP 1.6, 4.2). */
export function bootHandlers(deps: OcppDeps): Handlers {
  const { clock, config } = deps
  const firmware = makeFirmwareReports(deps)

  return {
    async BootNotification(station: Station, message: BootNotification) {
      await inStationTx(deps, station, (tx) =>
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
      return { status: 'Accepted', currentTime: currentTime(deps), interval: config.ocpp.heartbeatSeconds }
    },
  }
}
