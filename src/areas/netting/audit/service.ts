import { createHash } from 'node:crypto'
import { ENGINE_VERSION } from '../../../core/netting/input-hash.ts'
import { conflict, found, unprocessable } from '../../../kernel/errors.ts'
import { iso, parsePeriod } from '../../../kernel/time.ts'
import { inTenantSnapshot, type TenantDb } from '../../../platform/db/tenant.ts'
import type { ZipEntry } from '../../../platform/files/zip.ts'
import { findGroup, readRunInput } from '../calculation/index.ts'
import { NETTING_ERRORS } from '../shared/index.ts'
import { toInputText } from './input-text.ts'
import {
  ELIGIBILITY_FILE,
  FORMAT,
  FORMAT_VERSION,
  inputFile,
  MANIFEST_FILE,
  type Manifest,
  PUBLIC_KEY_FILE,
  README,
  README_FILE,
  resultFile,
  SIGNATURE_FILE,
  SUMMARY_FILE,
} from './package.ts'
import { type PackageSigner, SIGNATURE_ALGORITHM } from './signature.ts'
import * as store from './store.ts'

export interface PackageRequest {
  readonly groupId: string
  /** The period of the request. It matches the schema's format but is not truncated yet. */
  readonly billingPeriod: string
  readonly now: number
  readonly signer: PackageSigner
}

export interface AuditPackage {
  /**
   * The file name. It contains the id of the group, because the name of a group may contain any character.
   */
  readonly fileName: string
  readonly entries: readonly ZipEntry[]
}

/**
 * Collects the audit package of the current figures of a period. Throws 404 for an unknown group and 422 when
 * nothing is calculated. Everything is read in one snapshot and before the response begins, so that a slow
 * reader holds no connection and no failure follows a 200.
 */
export async function packPeriod(
  tenant: TenantDb,
  { groupId, billingPeriod: text, now, signer }: PackageRequest,
): Promise<AuditPackage> {
  const billingPeriod = parsePeriod(text) ?? text
  return inTenantSnapshot(tenant, async (snapshot) => {
    const group = found('group', await findGroup(snapshot, groupId))
    const runs = await store.listRuns(snapshot, groupId, billingPeriod)
    const summary = await store.readSummary(snapshot, groupId, billingPeriod)
    if (runs.length === 0 || !summary) {
      throw unprocessable('BUSINESS_RULE_VIOLATION', NETTING_ERRORS.NOTHING_TO_PROVE())
    }
    const entries: ZipEntry[] = [
      { name: README_FILE, bytes: Buffer.from(README) },
      { name: PUBLIC_KEY_FILE, bytes: Buffer.from(signer.publicKeyPem) },
      jsonEntry(SUMMARY_FILE, summary),
      jsonEntry(ELIGIBILITY_FILE, { evaluations: await store.listEvaluations(snapshot, runs) }),
    ]
    for (const { id } of runs) {
      const input = await readRunInput(snapshot, id)
      if (!input) throw conflict('STATE_CONFLICT', NETTING_ERRORS.RUN_WITHOUT_INPUTS({ run: id }))
      entries.push(jsonEntry(inputFile(id), toInputText(input)))
      entries.push(jsonEntry(resultFile(id), await store.readResult(snapshot, id)))
    }
    const manifest: Manifest = {
      format: FORMAT,
      format_version: FORMAT_VERSION,
      group: { id: group.id, name: group.name },
      billing_period: billingPeriod,
      engine_version: ENGINE_VERSION,
      created_at: iso(now),
      signed_by: { algorithm: SIGNATURE_ALGORITHM, key_id: signer.keyId },
      runs: runs.map((run) => ({
        ...run,
        from_hour: run.from_hour.toISOString(),
        to_hour: run.to_hour.toISOString(),
        started_at: run.started_at.toISOString(),
        finished_at: run.finished_at.toISOString(),
      })),
      files: Object.fromEntries(entries.map(({ name, bytes }) => [name, sha256(bytes)])),
    }
    const fileName = `netsaat-audit-${billingPeriod.slice(0, 7)}-${group.id}.zip`
    const manifestEntry = jsonEntry(MANIFEST_FILE, manifest)
    const signature = { name: SIGNATURE_FILE, bytes: signer.sign(manifestEntry.bytes) }
    return { fileName, entries: [manifestEntry, signature, ...entries] }
  })
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Writes one row per line, so that the file is suitable for reading and for a line-by-line comparison. */
function jsonEntry(name: string, value: object): ZipEntry {
  const fields = Object.entries(value).map(([key, field]) => {
    const text = Array.isArray(field)
      ? `[${field.map((row) => `\n    ${JSON.stringify(row)}`).join()}\n  ]`
      : JSON.stringify(field)
    return `  ${JSON.stringify(key)}: ${text}`
  })
  return { name, bytes: Buffer.from(`{\n${fields.join(',\n')}\n}\n`) }
}
