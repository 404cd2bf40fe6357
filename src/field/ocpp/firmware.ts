import type { CommandToSay } from '../../areas/charging/index.ts'
import { handleBootVersion, handleFirmwareStatus, notifyDevices } from '../../areas/updates/ota/index.ts'
import type { OcppDeps, Station } from './types.ts'

type Whose = Pick<Station, 'tenantId' | 'chargerId'>

/** What stations of both versions tell of their firmware, for the updates they are part of. */
export function makeFirmwareNews(deps: OcppDeps) {
  const follow = (tenantId: number, updates: readonly string[]) => notifyDevices(deps, tenantId, updates)
  return {
    /** FirmwareStatusNotification; the number of the command where the message carries it. */
    async status(station: Whose, status: string, commandNumber?: number): Promise<void> {
      const told = { status, commandNumber }
      await follow(station.tenantId, await handleFirmwareStatus(deps, station, told))
    },

    async booted(station: Whose, version: string): Promise<void> {
      await follow(station.tenantId, await handleBootVersion(deps, station, version))
    },

    /** The update that the command was for is looked at anew: it may have been refused. */
    async commandEnded({ tenantId }: Whose, { action, request }: CommandToSay): Promise<void> {
      if (action !== 'update_firmware' && action !== 'update_signed_firmware') return
      await follow(tenantId, [(request as { readonly update_id: string }).update_id])
    },
  }
}
