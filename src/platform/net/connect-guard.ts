import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type AddressPolicy, literalAddress } from './address-policy.ts'
import type { OwnEndpoints } from './own-endpoints.ts'

/** The target is not permitted. The message is for the operator; a tenant must not see the difference. */
export class AddressRefusedError extends Error {
  readonly reason: 'network' | 'own_endpoint'
  constructor(reason: AddressRefusedError['reason']) {
    super(reason === 'network' ? 'the address is not in an allowed network' : 'the service itself is there')
    this.reason = reason
  }
}

export interface GuardedTarget {
  /** An address or a name. */
  readonly host: string
  readonly port: number
}

/** Resolves and checks the target of a connection that a tenant has configured. */
export interface ConnectGuard {
  /**
   * The permitted addresses of the target, IPv4 first, never none. The caller connects to these addresses and
   * does not resolve the name again, because a DNS server may give another address then. Throws
   * AddressRefusedError, or the error of the resolver.
   */
  resolve(target: GuardedTarget): Promise<readonly LookupAddress[]>
}

export interface ConnectGuardOptions {
  readonly policy: AddressPolicy
  readonly ownEndpoints: OwnEndpoints
  /** Resolves a name to all of its addresses. */
  readonly resolveName?: (name: string) => Promise<readonly LookupAddress[]>
}

const resolveWithSystem = (name: string): Promise<LookupAddress[]> => lookup(name, { all: true })

export function makeConnectGuard(options: ConnectGuardOptions): ConnectGuard {
  const { policy, ownEndpoints, resolveName = resolveWithSystem } = options
  return {
    async resolve({ host, port }) {
      const literal = literalAddress(host)
      const found =
        literal === undefined ? await resolveName(host) : [{ address: literal, family: isIP(literal) }]
      const permitted = found.filter(({ address }) => policy.permits(address))
      if (permitted.length === 0) throw new AddressRefusedError('network')
      for (const { address } of permitted)
        if (await ownEndpoints.contains(address, port)) throw new AddressRefusedError('own_endpoint')
      return permitted.toSorted((one, other) => one.family - other.family)
    },
  }
}
