import { grantCertificate, recordSecurityEvent, recordUploadStatus } from '../../areas/charging/stations.ts'
import { inStationTx, instant } from './fields.ts'
import { makeFirmwareReports } from './firmware.ts'
import type { Handlers, OcppDeps, Station } from './types.ts'

interface Progress {
  readonly status: string
  /** The number of the command; absent where nothing was asked for. */
  readonly requestId?: number
}

interface SecurityEventNotification {
  readonly type: string
  readonly timestamp: string
  readonly techInfo?: string
}

interface SignCertificate {
  readonly csr: string
  /** 2.0.1 knows another one, of vehicles. */
  readonly certificateType?: string
}

/**
 * What stations tell of firmware, files and their security: the same in 2.0.1 and in the security extension of 1.6. The
 * progress messages of 1.6 itself say less: FirmwareStatusNotification and DiagnosticsStatusNotification carry no number.
 */
export function maintenanceHandlers(deps: OcppDeps): Handlers {
  const firmware = makeFirmwareReports(deps)
  const now = () => new Date(deps.clock.now())

  async function handleFirmwareStatus(station: Station, { status, requestId }: Progress) {
    await firmware.status(station, status, requestId)
    return {}
  }
  async function handleUploadStatus(station: Station, { status, requestId }: Progress) {
    const upload = { status, commandNumber: requestId, now: now() }
    await inStationTx(deps, station, (tx) => recordUploadStatus(tx, station, upload))
    return {}
  }

  return {
    FirmwareStatusNotification: handleFirmwareStatus,
    SignedFirmwareStatusNotification: handleFirmwareStatus,
    DiagnosticsStatusNotification: handleUploadStatus,
    LogStatusNotification: handleUploadStatus,

    async SecurityEventNotification(station: Station, message: SecurityEventNotification) {
      const { type, timestamp, techInfo } = message
      const event = { type, at: new Date(instant(timestamp)), techInfo, now: now() }
      await inStationTx(deps, station, (tx) => recordSecurityEvent(tx, station, event))
      return {}
    },

    async SignCertificate(station: Station, { csr, certificateType }: SignCertificate) {
      if (certificateType === 'V2GCertificate') return { status: 'Rejected' }
      const answer = await grantCertificate(deps, station, csr)
      return { status: answer === 'accepted' ? 'Accepted' : 'Rejected' }
    },
  }
}
