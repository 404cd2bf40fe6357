import { createHash, X509Certificate } from 'node:crypto'
import { AppError } from '../../../kernel/errors.ts'
import { inTenantTx, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { enqueueCommand, findCommand } from '../commands/index.ts'
import { recordEvent } from '../events/index.ts'
import type { IssuedCertificate } from './authority.ts'
import { openAuthority, readAuthorityCertificate } from './sealed-authority.ts'
import * as store from './store.ts'

type GrantDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'bus'>

interface Applicant {
  readonly tenantId: number
  readonly chargerId: string
  readonly cpid: string
}

/**
 * Handles a station's request for a certificate (SignCertificate). When it is granted, the certificate
 * follows as a command of its own (CertificateSigned). Idempotent: the same request is granted the same
 * certificate, which is sent once more unless the station has accepted it. The reason of a refusal is an
 * event of the charger.
 */
export async function grantCertificate(
  deps: GrantDeps,
  applicant: Applicant,
  csrPem: string,
): Promise<'accepted' | 'rejected'> {
  const { database, clock, bus } = deps
  const now = new Date(clock.now())
  const csrSha256 = createHash('sha256').update(csrPem).digest()
  const signed = await sign(deps, applicant, csrPem)
  return inTenantTx(database.kysely, applicant.tenantId, async (tx) => {
    if (typeof signed === 'string') {
      const details = { reason: signed, csr_sha256: csrSha256.toString('hex') }
      await recordEvent(tx, applicant, { type: 'certificate_refused', details, now })
      return 'rejected'
    }
    const { pem, serial, sha256, notBefore, notAfter } = signed
    await store.insertCertificate(tx, {
      charger_id: applicant.chargerId,
      serial,
      sha256,
      certificate_pem: pem,
      not_before: notBefore,
      not_after: notAfter,
      csr_sha256: csrSha256,
      created_at: now,
    })
    await sendToStation(tx, applicant, { csrSha256, now })
    return 'accepted'
  }).then((answer) => {
    bus.emit('charger_command', { tenantId: applicant.tenantId, chargerId: applicant.chargerId })
    return answer
  })
}

async function sign(
  deps: GrantDeps,
  { cpid }: Applicant,
  csrPem: string,
): Promise<IssuedCertificate | string> {
  // The packages for certificates are large, and loaded with the first request (ADR 0170).
  const { issueCertificate, readCsr } = await import('./authority.ts')
  const request = await readCsr(csrPem, [cpid])
  if (typeof request === 'string') return request
  try {
    return await issueCertificate(await openAuthority(deps), { request, cpid, now: deps.clock.now() })
  } catch (error) {
    // CREDENTIAL_ENCRYPTION_KEY is missing or differs. The operator has to correct it; the station requests
    // the certificate again later.
    if (error instanceof AppError && error.code.startsWith('encryption_')) return error.message
    throw error
  }
}

async function sendToStation(
  tx: TenantTx,
  { chargerId }: Applicant,
  { csrSha256, now }: { readonly csrSha256: Buffer; readonly now: Date },
): Promise<void> {
  const stored = await store.lockByCsr(tx, { chargerId }, csrSha256)
  if (!stored) return
  const sent = stored.command_id === null ? undefined : await findCommand(tx, stored.command_id)
  if (sent && ['pending', 'sent', 'accepted'].includes(sent.state)) return
  const command = await enqueueCommand(tx, {
    charger: { chargerId },
    action: 'sign_certificate_answer',
    request: { certificate_chain: stored.certificate_pem },
    requestedBy: null,
    now,
  })
  await store.setCommand(tx, stored.id, command.id)
}

/**
 * Returns whether a trusted certificate with the cpid of a charger belongs to this charger. A certificate of
 * the service's own authority must have been issued to it, because the cpid may have belonged to another
 * charger before, possibly of another tenant.
 */
export async function isCertificateOfCharger(
  { database }: Pick<Deps, 'database'>,
  { tenantId, chargerId }: { readonly tenantId: number; readonly chargerId: string },
  certificate: Buffer,
): Promise<boolean> {
  const authority = await readAuthorityCertificate({ database })
  const isOurs =
    authority !== undefined &&
    new X509Certificate(certificate).verify(new X509Certificate(authority).publicKey)
  if (!isOurs) return true
  const sha256 = createHash('sha256').update(certificate).digest('hex')
  return store.isGranted(tenantDb(database.kysely, tenantId), { chargerId }, sha256)
}
