import { grantCertificate, recordSecurityEvent, recordUploadStatus } from '../../areas/charging/stations.ts'
import { inStationTx, instant } from './fields.ts'
import { makeFirmwareReports } from './firmware.ts'
import type { MessagesV16 } from './messages-v16.ts'
import type { Handlers, OcppDeps, SharedHandlers, Station } from './types.ts'

/** The status of a firmware update or of an upload. */
interface StatusMessage {
  readonly status: string
  /** The number of the command; absent where no command asked for it. */
  readonly requestId?: number
}

type Shared =
  | 'FirmwareStatusNotification'
  | 'LogStatusNotification'
  | 'SecurityEventNotification'
  | 'SignCertificate'
type Only16 = Pick<MessagesV16, 'SignedFirmwareStatusNotification' | 'DiagnosticsStatusNotification'>

/**
 * Handles what stations report of firmware, files and their security: the same in 2.0.1 and in the security
 * extension of 1.6. FirmwareStatusNotification and DiagnosticsStatusNotification of 1.6 itself carry no
 * number of a command.
 */
export function maintenanceHandlers(deps: OcppDeps): SharedHandlers<Shared> & Required<Handlers<Only16>> {
  const firmware = makeFirmwareReports(deps)
  const now = () => new Date(deps.clock.now())

  async function handleFirmwareStatus(station: Station, { status, requestId }: StatusMessage) {
    await firmware.status(station, status, requestId)
    return {}
  }
  async function handleUploadStatus(station: Station, { status, requestId }: StatusMessage) {
    const upload = { status, commandNumber: requestId, now: now() }
    await inStationTx(deps, station, (tx) => recordUploadStatus(tx, station, upload))
    return {}
  }

  return {
    FirmwareStatusNotification: handleFirmwareStatus,
    SignedFirmwareStatusNotification: handleFirmwareStatus,
    DiagnosticsStatusNotification: handleUploadStatus,
    LogStatusNotification: handleUploadStatus,

    async SecurityEventNotification(station, { type, timestamp, techInfo }) {
      const event = { type, at: new Date(instant(timestamp)), techInfo, now: now() }
      await inStationTx(deps, station, (tx) => recordSecurityEvent(tx, station, event))
      return {}
    },

    async SignCertificate(station, request) {
      // 2.0.1 has a second type of certificate, for vehicles.
      const isOfVehicle = 'certificateType' in request && request.certificateType === 'V2GCertificate'
      if (isOfVehicle) return { status: 'Rejected' }
      const result = await grantCertificate(deps, station, request.csr)
      return { status: result === 'accepted' ? 'Accepted' : 'Rejected' }
    },
  }
}
