import type { TenantDb } from '../../../platform/db/tenant.ts'
import { hasActiveSession, lockTag, readTagWithGroups } from './store.ts'

export const AUTHORIZATIONS = ['accepted', 'invalid', 'expired', 'blocked', 'concurrent'] as const
export type AuthorizationStatus = (typeof AUTHORIZATIONS)[number]

export interface Authorization {
  readonly status: AuthorizationStatus
  /** The tag of its group. */
  readonly parentTag: string | null
  /** The earliest end among the tag and its groups. */
  readonly expiresAt: Date | null
}

interface AuthorizeOptions {
  /**
   * True when the tag is used to start a session in this transaction. Most tags may have only one session at
   * a time.
   */
  readonly isStart?: boolean
}

/** Authorizes a tag at a time. A blocked or expired group applies to its members. */
export async function authorize(
  tenant: TenantDb,
  tag: string,
  now: Date,
  { isStart = false }: AuthorizeOptions = {},
): Promise<Authorization> {
  const levels = await readTagWithGroups(tenant, tag)
  const [own, parent] = levels
  if (!own) return { status: 'invalid', parentTag: null, expiresAt: null }
  const ends = levels.flatMap(({ expires_at }) => (expires_at ? [expires_at.getTime()] : []))
  const end = ends.length > 0 ? Math.min(...ends) : null
  const status = async (): Promise<AuthorizationStatus> => {
    if (levels.some((entry) => entry.status === 'blocked')) return 'blocked'
    if (end !== null && end <= now.getTime()) return 'expired'
    if (!isStart || own.allows_concurrent) return 'accepted'
    await lockTag(tenant, own.id)
    return (await hasActiveSession(tenant, tag)) ? 'concurrent' : 'accepted'
  }
  return {
    status: await status(),
    parentTag: parent?.tag ?? null,
    expiresAt: end === null ? null : new Date(end),
  }
}
