import { makeFirmwareNews } from '../firmware.ts'
import type { Handlers, OcppDeps, Station } from '../types.ts'

interface FirmwareStatus {
  readonly status: string
  /** Of the signed update; absent where nothing was asked for. */
  readonly requestId?: number
}

/** How an update goes: the profile FirmwareManagement, and the signed one of the security extension. */
export function firmwareHandlers(deps: OcppDeps): Handlers {
  const firmware = makeFirmwareNews(deps)
  const take = async (station: Station, { status, requestId }: FirmwareStatus) => {
    await firmware.status(station, status, requestId)
    return {}
  }
  return { FirmwareStatusNotification: take, SignedFirmwareStatusNotification: take }
}
