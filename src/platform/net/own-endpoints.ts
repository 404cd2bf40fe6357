import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { canonicalAddress, isLoopback, literalAddress } from './address-policy.ts'

export interface Endpoint {
  /** An address or a name. */
  readonly host: string
  readonly port: number
}

/** The endpoints that belong to the service itself: its database, brokers, mail server and listeners. */
export interface OwnEndpoints {
  /** Called when a listener of this process has been opened. */
  add(endpoint: Endpoint): void
  /** Whether a connection to this address and port would reach an endpoint of the service. */
  contains(address: string, port: number): Promise<boolean>
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  ...{ 'postgresql:': 5432, 'postgres:': 5432, 'mqtt:': 1883, 'mqtts:': 8883, 'ws:': 80, 'wss:': 443 },
  ...{ 'redis:': 6379, 'rediss:': 6379, 'smtp:': 587, 'smtps:': 465 },
}

/** The endpoint of a URL; undefined for a Unix socket. `host` and `port` are parameters of PostgreSQL. */
export function endpointOf(text: string): Endpoint | undefined {
  const url = new URL(text)
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  if (host.startsWith('/')) return undefined
  const port = url.searchParams.get('port') ?? url.port
  return {
    host: literalAddress(host) ?? (host || 'localhost'),
    port: Number(port) || (DEFAULT_PORTS[url.protocol] ?? 0),
  }
}

/** Every address of this machine, and the unspecified ones, on which a listener has all of them. */
function isLocal(address: string): boolean {
  if (isLoopback(address) || address === '0.0.0.0' || address === '::') return true
  return Object.values(networkInterfaces()).some((addresses = []) =>
    addresses.some((one) => canonicalAddress(one.address) === address),
  )
}

async function addressesOf({ host }: Endpoint): Promise<readonly string[]> {
  const literal = literalAddress(host)
  const found = literal === undefined ? await lookup(host, { all: true }) : [{ address: literal }]
  return found.flatMap(({ address }) => canonicalAddress(address) ?? [])
}

/**
 * An endpoint on this machine is found under every address of the machine, because the server behind it may
 * listen on several. The name of an endpoint is resolved again at each question; while it cannot be resolved,
 * its port counts as the service's own on every address.
 */
export function makeOwnEndpoints(urls: readonly (string | undefined)[]): OwnEndpoints {
  const endpoints: Endpoint[] = urls.flatMap((url) => (url === undefined ? [] : (endpointOf(url) ?? [])))
  return {
    add(endpoint) {
      endpoints.push(endpoint)
    },
    async contains(text, port) {
      const address = canonicalAddress(text)
      if (address === undefined) return true
      for (const endpoint of endpoints) {
        if (endpoint.port !== port) continue
        const own = await addressesOf(endpoint).catch(() => undefined)
        if (own === undefined || own.includes(address)) return true
        if (isLocal(address) && own.some(isLocal)) return true
      }
      return false
    },
  }
}
