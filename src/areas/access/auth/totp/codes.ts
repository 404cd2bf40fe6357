import { createHash, randomBytes } from 'node:crypto'
import { makeSealer } from '../../../../platform/auth/sealer.ts'
import { isTotpCode, matchingStep, toBase32 } from '../../../../platform/auth/totp.ts'
import { inTenantTx } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { RECOVERY_CODE_BYTES, RECOVERY_CODES } from '../../limits.ts'
import type { Lockout } from '../lockout.ts'
import * as store from './store.ts'

export interface UserOfTenant {
  readonly tenantId: number
  readonly userId: string
}

export const secretContext = (userId: string): string => `user_totp ${userId} secret`

const normalize = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase()
/** SHA-256, because 80 random bits need no slow hash. */
const hashOf = (code: string): Buffer => createHash('sha256').update(normalize(code)).digest()

/** Makes recovery codes: 80 random bits each, in groups of four letters and digits. */
export function makeRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    toBase32(randomBytes(RECOVERY_CODE_BYTES)).replace(/.{4}(?=.)/g, '$&-'),
  )
  return { codes, hashes: codes.map(hashOf) }
}

type CodeDeps = Pick<Deps, 'config' | 'clock' | 'database'>

/**
 * Whether the code is a one-time password or a recovery code of the user; it is used up. The attempt is counted
 * before the code is compared, so that concurrent guesses do not exceed the lockout. Throws 429 for a user who is
 * locked out.
 */
export async function acceptCode(
  deps: CodeDeps,
  lockout: Lockout,
  { tenantId, userId, code }: UserOfTenant & { readonly code: string },
): Promise<boolean> {
  await lockout.countCode(userId)
  const text = code.trim()
  const isAccepted = await inTenantTx(deps.database.kysely, tenantId, async (tx) => {
    const now = deps.clock.now()
    if (!isTotpCode(text)) {
      if (!(await store.useRecoveryCode(tx, userId, hashOf(text)))) return false
      await store.record(tx, { userId, actorId: userId, event: 'recovery_code_used', at: new Date(now) })
      return true
    }
    const row = await store.find(tx, userId)
    if (!row) return false
    const step = matchingStep(openSecret(deps, userId, row.secret_sealed), text, now)
    return step !== undefined && (await store.useStep(tx, userId, step))
  })
  if (isAccepted) await lockout.codeAccepted(userId)
  return isAccepted
}

export const openSecret = ({ config }: Pick<Deps, 'config'>, userId: string, sealed: string): Buffer =>
  Buffer.from(makeSealer(config.credentialEncryptionKey).open(sealed, secretContext(userId)), 'base64')
