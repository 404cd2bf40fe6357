import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from '../http/networks.ts'
import type { ConnectGuard } from './connect-guard.ts'

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

export const arePublic = (addresses: readonly LookupAddress[]): boolean =>
  addresses.every(({ address }) => isPublicAddress(address))

/**
 * The permitted addresses of the host of a URL that a tenant has configured: public ones, or else one address,
 * because a choice among several would reveal which of them is open. Throws AddressRefusedError, or the error of
 * the resolver.
 */
export async function resolveTarget(guard: ConnectGuard, target: URL): Promise<readonly LookupAddress[]> {
  const port = Number(target.port) || (DEFAULT_PORTS[target.protocol] ?? 0)
  const found = await guard.resolve({ host: target.hostname, port })
  return arePublic(found) ? found : found.slice(0, 1)
}

/** Connects to the addresses that were checked; a name is not resolved a second time. */
export const lookupOf =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_hostname, options, done) => {
    const [first = { address: '', family: 0 }] = addresses
    if (options.all) done(null, [...addresses])
    else done(null, first.address, first.family)
  }

/** The resolver of the system cannot be interrupted, so its result is ignored after an abort. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
