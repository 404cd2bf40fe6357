import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { OTA_LINK_TTL_MS } from '../limits.ts'
import type { UpdateCommand } from '../updates/command-store.ts'

/** The claims of a download link: it is valid for one attempt of one update, until `expiresAt`. */
export interface DownloadLink {
  readonly tenantId: number
  /** UUID in lower case. */
  readonly updateId: string
  readonly attempt: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

const BODY_BYTES = 32
const MAC_BYTES = 32

/** The prefix separates the domain of this signature from everything else that the key signs. */
const macOf = (body: Buffer, secretKey: string): Buffer =>
  createHmac('sha256', secretKey).update('netsaat firmware link 1\n').update(body).digest()

/** The token of a link: 86 characters of base64url over the claims and their HMAC-SHA-256. */
export function signDownloadToken(
  { tenantId, updateId, attempt, expiresAt }: DownloadLink,
  secretKey: string,
): string {
  const body = Buffer.alloc(BODY_BYTES)
  body.writeUInt32BE(tenantId, 0)
  body.write(updateId.replaceAll('-', ''), 4, 'hex')
  body.writeUInt32BE(attempt, 20)
  body.writeBigUInt64BE(BigInt(expiresAt), 24)
  return Buffer.concat([body, macOf(body, secretKey)]).toString('base64url')
}

/** The claims of a token; undefined when its signature is not ours or it has expired. */
export function verifyDownloadToken(token: string, secretKey: string, now: number): DownloadLink | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== BODY_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return undefined
  const body = bytes.subarray(0, BODY_BYTES)
  if (!timingSafeEqual(macOf(body, secretKey), bytes.subarray(BODY_BYTES))) return undefined
  const expiresAt = Number(body.readBigUInt64BE(24))
  if (expiresAt <= now) return undefined
  const hex = body.toString('hex', 4, 20)
  const updateId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { tenantId: body.readUInt32BE(0), updateId, attempt: body.readUInt32BE(20), expiresAt }
}

/**
 * The URL of the file for the present attempt of an update, and when it expires; a path alone without
 * PUBLIC_BASE_URL.
 */
export function downloadUrlOf(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  tenantId: number,
  command: UpdateCommand,
): { readonly url: string; readonly expiresAt: Date } {
  const expiresAt = Math.min(clock.now() + OTA_LINK_TTL_MS, command.deadline_at?.getTime() ?? Infinity)
  const token = signDownloadToken(
    { tenantId, updateId: command.id, attempt: command.attempt, expiresAt },
    config.secretKey,
  )
  return {
    url: `${config.publicBaseUrl ?? ''}/api/firmware/download/${token}`,
    expiresAt: new Date(expiresAt),
  }
}
