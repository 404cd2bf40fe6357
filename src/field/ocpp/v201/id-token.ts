import type { Authorization, AuthorizationStatus } from '../../../areas/charging/stations.ts'
import type { AuthorizationStatusEnumType, IdTokenInfoType, IdTokenType } from '../messages-v201.ts'

const STATUSES: Readonly<Record<AuthorizationStatus, AuthorizationStatusEnumType>> = {
  accepted: 'Accepted',
  // The tag is unknown; Invalid would mean that there is something wrong with it.
  invalid: 'Unknown',
  expired: 'Expired',
  blocked: 'Blocked',
  concurrent: 'ConcurrentTx',
}

/**
 * The tag of a token; undefined where the station has a button instead of a reader, so that there is none.
 */
export const tagOf = ({ type, idToken }: IdTokenType): string | undefined =>
  type === 'NoAuthorization' || idToken === '' ? undefined : idToken

/**
 * Converts an authorization to the idTokenInfo of a response. Without a tag the station may charge, since
 * it requests none.
 */
export function idTokenInfo(authorization: Authorization | undefined): IdTokenInfoType {
  if (!authorization) return { status: 'Accepted' }
  const { status, parentTag, expiresAt } = authorization
  return {
    status: STATUSES[status],
    ...(expiresAt && { cacheExpiryDateTime: expiresAt.toISOString() }),
    ...(parentTag !== null && { groupIdToken: { idToken: parentTag, type: 'Central' } }),
  }
}
