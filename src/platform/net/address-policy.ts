import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isPublicAddress, type Networks, parseNetworks } from '../http/networks.ts'

/** Decides to which addresses a connection may be opened whose target a tenant has configured. */
export interface AddressPolicy {
  /** False also for a text that is not an IP address. */
  permits(address: string): boolean
}

export interface AddressPolicyOptions {
  /** Addresses and networks in CIDR notation, from a setting of the operator. */
  readonly allowedNetworks: readonly string[]
  /** Whether addresses of the public internet are permitted in addition. */
  readonly isPublicPermitted: boolean
}

const LOOPBACK = parseNetworks(['127.0.0.0/8', '::1/128'])

/** Addresses that are never permitted, whatever a setting allows. Loopback has a rule of its own. */
const FORBIDDEN = parseNetworks([
  // Unspecified ("this network", which Linux connects to itself), link-local, multicast, reserved, broadcast.
  ...['0.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '240.0.0.0/4'],
  ...['fe80::/10', 'ff00::/8'],
  // The unspecified address, and IPv6 addresses that contain an IPv4 address: IPv4-compatible,
  // IPv4-translated (RFC 2765), NAT64 of a local prefix (RFC 8215), 6to4, Teredo.
  ...['::/96', '::ffff:0:0:0/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'],
  // Metadata services of clouds outside link-local addresses: AWS, Google, Alibaba, Azure, Oracle.
  ...['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
])

/** The prefix of NAT64 (RFC 6052): a translator delivers to the IPv4 address in the last 32 bits. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')

/**
 * One text for all forms of an address: IPv4-mapped and NAT64 addresses become the IPv4 address to which they
 * are delivered. Undefined for a text that is not an IP address, and for an address with a zone id, which
 * exists only for link-local addresses.
 */
export function canonicalAddress(text: string): string | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined
  // ipaddr.js reads ::10.0.0.1 as an IPv4-mapped address, so the text is brought into hexadecimal form first.
  const address = ipaddr.process(isIP(text) === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text)
  if (address.kind() === 'ipv6' && address.match(NAT64))
    return ipaddr.fromByteArray(address.toByteArray().slice(12)).toString()
  return address.toString()
}

export const isLoopback = (address: string): boolean => LOOPBACK.contains(address)

/** The interface identifier of ISATAP (RFC 5214): 0000:5efe or 0200:5efe and an IPv4 address. */
function isIsatap(address: string): boolean {
  const bytes = ipaddr.parse(address).toByteArray()
  return bytes.length === 16 && (bytes[8] === 0 || bytes[8] === 2) && isSameBytes(bytes.slice(9, 12))
}
const isSameBytes = ([first, second, third]: readonly number[]): boolean =>
  first === 0 && second === 0x5e && third === 0xfe

/** The entries that name loopback: a network around it, such as 0.0.0.0/0, does not. */
const namedLoopback = (texts: readonly string[]): Networks =>
  parseNetworks(
    texts.filter((text) => {
      const [base = '', bits] = text.split('/')
      const isWithin = bits === undefined || Number(bits) >= (base.includes(':') ? 128 : 8)
      return isWithin && isLoopback(base)
    }),
  )

/**
 * The policy for connections to addresses that tenants configure.
 *
 * - Never permitted: FORBIDDEN, in every form.
 * - Loopback: only by an entry that lies within 127.0.0.0/8 or is ::1.
 * - Everything else: by an entry that contains it, or, where the public internet is permitted, as a public address.
 *
 * The ports of the service itself are not part of it: `OwnEndpoints`.
 */
export function makeAddressPolicy(options: AddressPolicyOptions): AddressPolicy {
  const allowed = parseNetworks(options.allowedNetworks)
  const loopback = namedLoopback(options.allowedNetworks)
  return {
    permits(text) {
      const address = canonicalAddress(text)
      if (address === undefined) return false
      if (isLoopback(address)) return loopback.contains(address)
      if (FORBIDDEN.contains(address) || isIsatap(address)) return false
      return allowed.contains(address) || (options.isPublicPermitted && isPublicAddress(address))
    },
  }
}

/** The host of a gateway or URL as an address, without the brackets of IPv6; undefined when it is a name. */
export function literalAddress(host: string): string | undefined {
  const bare = host.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? undefined : bare
}
