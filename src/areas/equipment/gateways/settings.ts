import { makeAddressPolicy } from '../../../platform/net/address-policy.ts'
import { type ConnectGuard, makeConnectGuard } from '../../../platform/net/connect-guard.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { Config } from '../../../platform/settings/config.ts'
import { addresses, byDefault } from '../../../platform/settings/readers.ts'
import { settingsGroup } from '../../../platform/settings/settings-group.ts'

declare module '../../../platform/settings/config.ts' {
  interface Config {
    /** Networks in which the gateways that the service connects to may be. */
    readonly fieldAllowedNetworks: readonly string[]
  }
}

/** Field devices usually are in private networks. Loopback and public addresses have to be named. */
const PRIVATE_NETWORKS = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

export const gatewaySettings = settingsGroup(
  { FIELD_ALLOWED_NETWORKS: byDefault(addresses, PRIVATE_NETWORKS) },
  { toConfig: (values) => ({ fieldAllowedNetworks: values.FIELD_ALLOWED_NETWORKS }) },
)

const fieldPolicy = ({ fieldAllowedNetworks }: Config) =>
  makeAddressPolicy({ allowedNetworks: fieldAllowedNetworks, isPublicPermitted: false })

/** Whether a gateway may have this literal address. */
export const isFieldAddress = (config: Config, address: string): boolean =>
  fieldPolicy(config).permits(address)

/** Checks every connection to a gateway. */
export const fieldGuard = ({ config, ownEndpoints }: Pick<Deps, 'config' | 'ownEndpoints'>): ConnectGuard =>
  makeConnectGuard({ policy: fieldPolicy(config), ownEndpoints })
