import { randomUUID } from 'node:crypto'
import { parse } from 'semver'
import { conflict, found } from '../../../kernel/errors.ts'
import { systemDb, type TenantDb, type TenantTx } from '../../../platform/db/tenant.ts'
import { keepPart } from '../../../platform/files/upload-file.ts'
import { isThere, type SentFile } from '../../../platform/http/send-file.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { deleteFile, firmwarePath, hashOfFile, listStaleFiles, type ReceivedFirmware } from './folder.ts'
import { FIRMWARE_FILE_NAME_MAX_LENGTH, FIRMWARE_VERSIONS_MAX } from './limits.ts'
import { FIRMWARE_TEXTS } from './messages.ts'
import type { UpdateFirmware, UploadFirmware } from './schema.ts'
import { checkCertificateSignature, checkSignature, requireSignature } from './signatures.ts'
import { applyFirmwareTransition } from './states.ts'
import * as firmware from './store.ts'

type FirmwareDeps = Pick<Deps, 'config' | 'clock'>

/**
 * Throws 422 unless the text is a semantic version in canonical form. A lenient form would allow two texts
 * for one version.
 */
function checkVersion(version: string): void {
  const parsed = parse(version)
  const build = parsed && parsed.build.length > 0 ? `+${parsed.build.join('.')}` : ''
  if (!parsed || parsed.version + build !== version)
    throw invalidInput(['body', 'version'], FIRMWARE_TEXTS.FIRMWARE_VERSION_SYNTAX())
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}]/gu

/** The last segment of the sender's path, without unprintable characters. */
const storedFileName = ({ fileName }: ReceivedFirmware): string =>
  fileName.split(/[\\/]/).at(-1)?.replace(UNPRINTABLE, '').slice(0, FIRMWARE_FILE_NAME_MAX_LENGTH) ||
  'firmware.bin'

/** Creates a draft for a received file. The file is moved to its final path before the row is committed. */
export async function addVersion(
  { config, clock }: FirmwareDeps,
  tx: TenantTx,
  { body, userId }: { readonly body: UploadFirmware; readonly userId: string },
) {
  const { file, version, device_model } = body
  checkVersion(version)
  if (file.sizeBytes === 0) throw invalidInput(['body', 'file'], FIRMWARE_TEXTS.FIRMWARE_FILE_EMPTY())
  const signature = body.signature ?? null
  checkSignature({ sha256: file.sha256, signature }, config.firmwarePublicKeys)
  const certificateSignature = {
    signing_certificate: body.signing_certificate ?? null,
    certificate_signature: body.certificate_signature ?? null,
  }
  await checkCertificateSignature(file.part, certificateSignature)
  if ((await firmware.count(tx)) >= FIRMWARE_VERSIONS_MAX)
    throw conflict('STATE_CONFLICT', FIRMWARE_TEXTS.FIRMWARE_LIMIT_REACHED({ max: FIRMWARE_VERSIONS_MAX }))
  const id = randomUUID()
  const row = await firmware.insert(tx, {
    id,
    version,
    device_model,
    file_name: storedFileName(file),
    size_bytes: file.sizeBytes,
    sha256: file.sha256,
    signature,
    ...certificateSignature,
    release_notes: body.release_notes ?? null,
    created_by: userId,
    created_at: new Date(clock.now()),
  })
  await keepPart(file, firmwarePath(config, { tenantId: tx.tenantId, id }))
  return row
}

/** Changes a draft. Throws 409 for any other status. */
export async function updateVersion(
  { config }: FirmwareDeps,
  tx: TenantTx,
  { id, body }: { readonly id: string; readonly body: UpdateFirmware },
) {
  const row = found('firmware version', await firmware.lock(tx, id))
  applyFirmwareTransition('change', row.status)
  if (body.version !== undefined) checkVersion(body.version)
  if (body.signature !== undefined)
    checkSignature({ sha256: row.sha256, signature: body.signature }, config.firmwarePublicKeys)
  const { signing_certificate = row.signing_certificate, certificate_signature = row.certificate_signature } =
    body
  await checkCertificateSignature(firmwarePath(config, { tenantId: tx.tenantId, id: row.id }), {
    signing_certificate,
    certificate_signature,
  })
  await firmware.update(tx, id, body)
  return found('firmware version', await firmware.find(tx, id))
}

/**
 * Releases a draft after checking the stored file against the hash of its upload, and the signature against
 * the keys.
 */
export async function releaseVersion({ config, clock }: FirmwareDeps, tx: TenantTx, id: string) {
  const row = found('firmware version', await firmware.lock(tx, id))
  const status = applyFirmwareTransition('release', row.status)
  requireSignature(row, config.firmwarePublicKeys)
  const sha256 = await hashOfFile(firmwarePath(config, { tenantId: tx.tenantId, id: row.id }))
  if (sha256 === undefined) throw fileNotHere()
  if (sha256 !== row.sha256) throw conflict('STATE_CONFLICT', FIRMWARE_TEXTS.FIRMWARE_FILE_OTHER())
  await checkCertificateSignature(firmwarePath(config, { tenantId: tx.tenantId, id: row.id }), row)
  return firmware.setStatus(tx, { id, status, at: new Date(clock.now()) })
}

export async function deprecateVersion({ clock }: FirmwareDeps, tx: TenantTx, id: string) {
  const row = found('firmware version', await firmware.lock(tx, id))
  const status = applyFirmwareTransition('deprecate', row.status)
  return firmware.setStatus(tx, { id, status, at: new Date(clock.now()) })
}

const fileNotHere = () => conflict('STATE_CONFLICT', FIRMWARE_TEXTS.FIRMWARE_FILE_ELSEWHERE())

/** Returns the file of a version for a download. Throws 409 when it is stored on another machine. */
export async function firmwareFile(
  { config }: Pick<Deps, 'config'>,
  { tenantId }: Pick<TenantDb, 'tenantId'>,
  row: Pick<firmware.FirmwareRow, 'id' | 'file_name' | 'size_bytes' | 'sha256'>,
): Promise<SentFile> {
  const { id, file_name: fileName, size_bytes: sizeBytes, sha256 } = row
  const file = { path: firmwarePath(config, { tenantId, id }), sizeBytes, etag: `"${sha256}"`, fileName }
  if (!(await isThere(file))) throw fileNotHere()
  return file
}

/** Deletes the remains of interrupted uploads: partial files, and files without a version. */
export async function sweepFirmware({ config, database }: Pick<Deps, 'config' | 'database'>, since: number) {
  const db = systemDb(database.kysely)
  for (const { path, version } of await listStaleFiles(config, since)) {
    if (version && (await firmware.exists(db, version))) continue
    await deleteFile(path)
  }
}
