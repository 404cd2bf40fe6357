import { createHash, X509Certificate } from 'node:crypto'
import { tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/deps.ts'
import { authorityCertificate } from './sealed-authority.ts'
import * as store from './store.ts'

/**
 * Whether a certificate with a charger's cpid, signed by somebody whom we trust, stands for this charger. One of our own
 * authority does when it was granted to it: a cpid may have been another charger's before, perhaps of another tenant.
 */
export async function standsFor(
  { database }: Pick<Deps, 'database'>,
  { tenantId, chargerId }: { readonly tenantId: number; readonly chargerId: string },
  certificate: Buffer,
): Promise<boolean> {
  const authority = await authorityCertificate({ database })
  const isOurs =
    authority !== undefined &&
    new X509Certificate(certificate).verify(new X509Certificate(authority).publicKey)
  if (!isOurs) return true
  const sha256 = createHash('sha256').update(certificate).digest('hex')
  return store.isGranted(tenantDb(database.kysely, tenantId), { chargerId }, sha256)
}
