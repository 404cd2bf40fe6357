import type { Authorization, AuthorizationStatus } from '../../../areas/charging/stations.ts'
import type { IdToken } from './fields.ts'

const STATUSES: Readonly<Record<AuthorizationStatus, string>> = {
  accepted: 'Accepted',
  // The tag is none of ours; Invalid would say that there is something wrong with it.
  invalid: 'Unknown',
  expired: 'Expired',
  blocked: 'Blocked',
  concurrent: 'ConcurrentTx',
}

/** Undefined where the station has a button instead of a reader: there is nobody to be asked for. */
export const tagOf = ({ type, idToken }: IdToken): string | undefined =>
  type === 'NoAuthorization' || idToken === '' ? undefined : idToken

/** What a station is answered about a tag; without one it may charge, since it asks for none. */
export function idTokenInfo(authorization: Authorization | undefined): object {
  if (!authorization) return { status: 'Accepted' }
  const { status, parentTag, expiresAt } = authorization
  return {
    status: STATUSES[status],
    ...(expiresAt && { cacheExpiryDateTime: expiresAt.toISOString() }),
    ...(parentTag !== null && { groupIdToken: { idToken: parentTag, type: 'Central' } }),
  }
}
