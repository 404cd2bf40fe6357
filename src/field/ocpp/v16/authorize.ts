import { type Authorization, type AuthorizationStatus, authorize } from '../../../areas/charging/stations.ts'
import { tenantDb } from '../../../platform/db/tenant.ts'
import { secondsOnly } from '../omit-empty.ts'
import type { Handlers, OcppDeps, Station } from '../types.ts'

const STATUSES: Readonly<Record<AuthorizationStatus, string>> = {
  accepted: 'Accepted',
  invalid: 'Invalid',
  expired: 'Expired',
  blocked: 'Blocked',
  concurrent: 'ConcurrentTx',
}

export const idTagInfo = ({ status, parentTag, expiresAt }: Authorization) => ({
  status: STATUSES[status],
  ...(parentTag !== null && { parentIdTag: parentTag }),
  ...(expiresAt !== null && { expiryDate: secondsOnly(expiresAt.toISOString()) }),
})

/**
 * Whether a tag may charge. A tag that is charging already is not refused here: it may be shown to end that session.
 * `ConcurrentTx` is an answer to a start.
 */
export const authorizeHandlers = ({ database, clock }: OcppDeps): Handlers => ({
  async Authorize({ tenantId }: Station, { idTag }: { readonly idTag: string }) {
    const now = new Date(clock.now())
    return { idTagInfo: idTagInfo(await authorize(tenantDb(database.kysely, tenantId), idTag, now)) }
  },
})
