import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a download link is for: one attempt of one update, until then. */
export interface Link {
  readonly tenantId: number
  /** UUID in small letters. */
  readonly updateId: string
  readonly attempt: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

const BODY_BYTES = 32
const MAC_BYTES = 32

/** The prefix keeps it apart from everything else that the key signs. */
const macOf = (body: Buffer, secretKey: string): Buffer =>
  createHmac('sha256', secretKey).update('netsaat firmware link 1\n').update(body).digest()

/** The token of a link, 86 letters that a URL takes. */
export function makeLink({ tenantId, updateId, attempt, expiresAt }: Link, secretKey: string): string {
  const body = Buffer.alloc(BODY_BYTES)
  body.writeUInt32BE(tenantId, 0)
  body.write(updateId.replaceAll('-', ''), 4, 'hex')
  body.writeUInt32BE(attempt, 20)
  body.writeBigUInt64BE(BigInt(expiresAt), 24)
  return Buffer.concat([body, macOf(body, secretKey)]).toString('base64url')
}

/** Undefined for what we have not signed, and for what has expired. */
export function readLink(token: string, secretKey: string, now: number): Link | undefined {
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
