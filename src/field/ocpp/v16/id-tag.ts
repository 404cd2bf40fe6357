import type { Authorization, AuthorizationStatus } from '../../../areas/charging/stations.ts'
import { secondsOnly } from '../encoding.ts'
import type { AuthorizeResponse } from '../messages-v16.ts'

type IdTagInfo = AuthorizeResponse['idTagInfo']

const STATUSES: Readonly<Record<AuthorizationStatus, IdTagInfo['status']>> = {
  accepted: 'Accepted',
  invalid: 'Invalid',
  expired: 'Expired',
  blocked: 'Blocked',
  concurrent: 'ConcurrentTx',
}

/** Converts the authorization of a tag to the idTagInfo of a response; its group is the parent tag. */
export const idTagInfo = ({ status, parentTag, expiresAt }: Authorization): IdTagInfo => ({
  status: STATUSES[status],
  ...(parentTag !== null && { parentIdTag: parentTag }),
  ...(expiresAt !== null && { expiryDate: secondsOnly(expiresAt.toISOString()) }),
})
