import { readPage } from '../../../platform/db/list.ts'
import type { SystemDb, SystemTx, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { ChargerRef } from '../registry/index.ts'
import type { CertificateQuery } from './schema.ts'

export interface SealedAuthority {
  readonly certificate_pem: string
  readonly private_key_sealed: string
}

/** The authority of this installation; undefined until a station first requested a certificate. */
export const findAuthority = ({ db }: SystemDb): Promise<SealedAuthority | undefined> =>
  db.selectFrom('charger_authority').select(['certificate_pem', 'private_key_sealed']).executeTakeFirst()

/** Inserts the authority unless there is one, and returns the stored one. */
export async function insertAuthority(
  tx: SystemTx,
  authority: SealedAuthority,
  createdAt: Date,
): Promise<SealedAuthority> {
  await tx.db
    .insertInto('charger_authority')
    .values({ ...authority, created_at: createdAt })
    .onConflict((on) => on.doNothing())
    .execute()
  return (await findAuthority(tx)) ?? authority
}

/** Locks the authority, to seal its key with another key. */
export const lockAuthority = ({ db }: SystemTx) =>
  db.selectFrom('charger_authority').select('private_key_sealed').forUpdate().executeTakeFirst()

export async function setSealedKey({ db }: SystemTx, sealed: string): Promise<void> {
  await db.updateTable('charger_authority').set({ private_key_sealed: sealed }).execute()
}

const columns = [
  'id',
  'serial',
  'sha256',
  'certificate_pem',
  'not_before',
  'not_after',
  'created_at',
] as const

export const listCertificates = (tenant: TenantDb, { chargerId }: ChargerRef, query: CertificateQuery) =>
  readPage(
    selectRows(tenant, 'charger_certificate').select(columns).where('charger_id', '=', chargerId),
    query,
  )

/** Locks the certificate that was granted for a request. */
export const lockByCsr = (tx: TenantTx, { chargerId }: ChargerRef, csrSha256: Buffer) =>
  selectRows(tx, 'charger_certificate')
    .select(['id', 'certificate_pem', 'command_id'])
    .where('charger_id', '=', chargerId)
    .where('csr_sha256', '=', csrSha256)
    .forUpdate()
    .executeTakeFirst()

/** Whether the certificate with this hash was granted to the charger. */
export const isGranted = async (
  tenant: TenantDb,
  { chargerId }: ChargerRef,
  sha256: string,
): Promise<boolean> =>
  (await selectRows(tenant, 'charger_certificate')
    .select('id')
    .where('charger_id', '=', chargerId)
    .where('sha256', '=', sha256)
    .executeTakeFirst()) !== undefined

/** Whether a certificate of the charger is valid at a time. */
export const hasValidCertificate = async (
  tenant: TenantDb,
  { chargerId }: ChargerRef,
  at: Date,
): Promise<boolean> =>
  (await selectRows(tenant, 'charger_certificate')
    .select('id')
    .where('charger_id', '=', chargerId)
    .where('not_after', '>', at)
    .limit(1)
    .executeTakeFirst()) !== undefined

export interface NewCertificate {
  readonly charger_id: string
  readonly serial: string
  readonly sha256: string
  readonly certificate_pem: string
  readonly not_before: Date
  readonly not_after: Date
  readonly csr_sha256: Buffer
  readonly created_at: Date
}

/** Inserts a certificate unless one was granted for the same request before. */
export async function insertCertificate(
  { db, tenantId }: TenantTx,
  certificate: NewCertificate,
): Promise<void> {
  await db
    .insertInto('charger_certificate')
    .values({ tenant_id: tenantId, ...certificate })
    .onConflict((on) => on.columns(['tenant_id', 'charger_id', 'csr_sha256']).doNothing())
    .execute()
}

export async function setCommand(tx: TenantTx, id: string, commandId: string): Promise<void> {
  await updateRows(tx, 'charger_certificate').set({ command_id: commandId }).where('id', '=', id).execute()
}
