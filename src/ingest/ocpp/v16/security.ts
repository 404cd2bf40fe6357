import { grantCertificate, recordEvent } from '../../../modules/chargers/index.ts'
import { inStationTx, instant } from '../fields.ts'
import type { Handlers, OcppDeps, Station } from '../types.ts'

interface SecurityEventNotification {
  readonly type: string
  readonly timestamp: string
  readonly techInfo?: string
}

interface SignCertificate {
  readonly csr: string
}

/** The security extension of 1.6: what the station saw, and the certificate it asks for. */
export const securityHandlers = (deps: OcppDeps): Handlers => ({
  async SecurityEventNotification(station: Station, message: SecurityEventNotification) {
    const { type, timestamp, techInfo } = message
    await inStationTx(deps, station, (tx) =>
      recordEvent(tx, station, {
        type: 'security',
        at: new Date(instant(timestamp)),
        details: { type, ...(techInfo !== undefined && { tech_info: techInfo }) },
        now: new Date(deps.clock.now()),
      }),
    )
    return {}
  },

  async SignCertificate(station: Station, { csr }: SignCertificate) {
    const answer = await grantCertificate(deps, station, csr)
    return { status: answer === 'accepted' ? 'Accepted' : 'Rejected' }
  },
})
