import type { QueuedCommand } from '../../areas/charging/stations.ts'
import { handleBootVersion, handleFirmwareStatus, notifyDevices } from '../../areas/updates/ota/index.ts'
import type { OcppDeps, Station } from './types.ts'

type StationRef = Pick<Station, 'tenantId' | 'chargerId'>

/** Forwards firmware reports of stations of both versions to the updates over the air. */
export function makeFirmwareReports(deps: OcppDeps) {
  const notify = (tenantId: number, updates: readonly string[]) => notifyDevices(deps, tenantId, updates)
  return {
    /** Handles FirmwareStatusNotification; `commandNumber` is known where the message carries it. */
    async status(station: StationRef, status: string, commandNumber?: number): Promise<void> {
      const report = { status, commandNumber }
      await notify(station.tenantId, await handleFirmwareStatus(deps, station, report))
    },

    async booted(station: StationRef, version: string): Promise<void> {
      await notify(station.tenantId, await handleBootVersion(deps, station, version))
    },

    /** Checks the update of a firmware command that ended: the station may have refused it. */
    async commandEnded({ tenantId }: StationRef, { action, request }: QueuedCommand): Promise<void> {
      if (action !== 'update_firmware' && action !== 'update_signed_firmware') return
      await notify(tenantId, [(request as { readonly update_id: string }).update_id])
    },
  }
}
