import ipaddr from 'ipaddr.js'

/** A set of addresses and networks. */
export interface Networks {
  contains(address: string): boolean
}

type Cidr = ReturnType<typeof ipaddr.parseCIDR>

function parseNetwork(text: string): Cidr {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Throws when a text is neither an address nor a network in CIDR notation. */
export function parseNetworks(texts: readonly string[]): Networks {
  const networks = texts.map(parseNetwork)
  return {
    contains(text) {
      if (!ipaddr.isValid(text)) return false
      const address = ipaddr.process(text)
      return networks.some((network) => address.kind() === network[0].kind() && address.match(network))
    },
  }
}

/** The allocated part of IPv6. The rest contains representations of IPv4 addresses, such as ::10.0.0.1. */
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3')

/**
 * Returns whether an address is public: neither private, local, shared nor reserved, nor an IPv6
 * representation of such an IPv4 address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(PUBLIC_IPV6))
}

/**
 * Returns the rate-limit key of an address. For IPv6 it is the /64 network, because a customer receives at
 * least one.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${parsed
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}/64`
}
