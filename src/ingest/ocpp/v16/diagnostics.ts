import { recordUpload } from '../../../modules/chargers/index.ts'
import { inStationTx } from '../fields.ts'
import type { Handlers, OcppDeps, Station } from '../types.ts'

/** How the sending of diagnostics and of security logs goes. */
export function diagnosticsHandlers(deps: OcppDeps): Handlers {
  const note = async (station: Station, status: string, commandNumber?: number) => {
    const told = { status, commandNumber, now: new Date(deps.clock.now()) }
    await inStationTx(deps, station, (tx) => recordUpload(tx, station, told))
    return {}
  }
  return {
    DiagnosticsStatusNotification: (station: Station, { status }: { readonly status: string }) =>
      note(station, status),
    LogStatusNotification: (
      station: Station,
      { status, requestId }: { readonly status: string; readonly requestId?: number },
    ) => note(station, status, requestId),
  }
}
