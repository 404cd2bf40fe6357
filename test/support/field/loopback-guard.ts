import { makeAddressPolicy } from '../../../src/platform/net/address-policy.ts'
import { makeConnectGuard } from '../../../src/platform/net/connect-guard.ts'
import { makeOwnEndpoints } from '../../../src/platform/net/own-endpoints.ts'

/** Permits loopback, and the addresses of RFC 5737 at which no host responds. */
export const LOOPBACK_GUARD = makeConnectGuard({
  policy: makeAddressPolicy({ allowedNetworks: ['127.0.0.0/8', '192.0.2.0/24'], isPublicPermitted: false }),
  ownEndpoints: makeOwnEndpoints([]),
})
