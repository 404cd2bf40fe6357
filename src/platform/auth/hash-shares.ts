import type { SharePath } from '../async/fair-limit.ts'

/**
 * The share under which a password hash waits: kind, group and member. Kinds take turns, then the groups of a
 * kind, then the members of a group.
 */
export type HashShare = SharePath & { readonly length: 3 }

const share = (kind: string, group: string, member: string): HashShare => [kind, group, member]

/** Hashes of the service itself, such as that of its first administrator. */
export const SERVICE_SHARE = share('service', '', '')

/** A signed-in user; users of one tenant share its part. */
export const shareOfUser = ({
  tenantId,
  id,
}: {
  readonly tenantId: number
  readonly id: string
}): HashShare => share('signed in', String(tenantId), id)

/**
 * A client that is not signed in. Its group is its address and not the tenant of the user that it names,
 * because the wait must not disclose which users exist.
 */
export const shareOfClient = (addressKey: string, name: string): HashShare =>
  share('anonymous', addressKey, name)

/** A client that signed in with the same name from the same address before. */
export const shareOfKnownClient = (addressKey: string, name: string): HashShare =>
  share('known', addressKey, name)

/** A charging station, by its address. All stations are one group, so that people can sign in meanwhile. */
export const shareOfStation = (addressKey: string): HashShare => share('stations', '', addressKey)
