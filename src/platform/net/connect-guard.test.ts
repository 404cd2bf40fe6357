import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { makeAddressPolicy } from './address-policy.ts'
import { AddressRefusedError, makeConnectGuard } from './connect-guard.ts'
import { endpointOf, makeOwnEndpoints } from './own-endpoints.ts'

const NAMES: Readonly<Record<string, readonly string[]>> = {
  private: ['10.1.2.3'],
  metadata: ['169.254.169.254'],
  mixed: ['fd12::1', '127.0.0.1', '10.1.2.3'],
  loopback: ['::1', '127.0.0.1'],
}
const guardOf = (urls: readonly string[], allowedNetworks = ['10.0.0.0/8', 'fc00::/7']) =>
  makeConnectGuard({
    policy: makeAddressPolicy({ allowedNetworks, isPublicPermitted: false }),
    ownEndpoints: makeOwnEndpoints(urls),
    async resolveName(name) {
      const addresses = NAMES[name]
      if (!addresses) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  })
const resolve = (
  host: string,
  { port = 502, urls = [] as string[], allowed = undefined as string[] | undefined } = {},
) =>
  guardOf(urls, allowed)
    .resolve({ host, port })
    .then(
      (found) => found.map(({ address }) => address).join(),
      (error: Error) => (error instanceof AddressRefusedError ? error.reason : error.message),
    )

describe('connect guard', () => {
  it('checks the addresses of a name, not the name', async () => {
    expect(await resolve('private')).toBe('10.1.2.3')
    expect(await resolve('metadata')).toBe('network')
    expect(await resolve('loopback')).toBe('network')
    expect(await resolve('mixed')).toBe('10.1.2.3,fd12::1')
    expect(await resolve('nowhere')).toBe('unknown')
  })

  it('checks literal addresses without resolving them', async () => {
    expect(await resolve('10.9.9.9')).toBe('10.9.9.9')
    expect(await resolve('[fd12::9]')).toBe('fd12::9')
    expect(await resolve('[::1]')).toBe('network')
    expect(await resolve('::ffff:127.0.0.1')).toBe('network')
  })

  it('refuses the endpoints of the service, whatever networks are allowed', async () => {
    const urls = ['postgresql://user:secret@10.1.2.3/netsaat', 'mqtts://10.1.2.4']
    expect(await resolve('private', { urls, port: 5432 })).toBe('own_endpoint')
    expect(await resolve('::ffff:10.1.2.3', { urls, port: 5432 })).toBe('own_endpoint')
    expect(await resolve('private', { urls, port: 502 })).toBe('10.1.2.3')
    expect(await resolve('10.1.2.4', { urls, port: 8883 })).toBe('own_endpoint')
    expect(await resolve('10.1.2.5', { urls, port: 8883 })).toBe('10.1.2.5')
  })

  it('refuses an endpoint on this machine under every address of the machine', async () => {
    const urls = ['redis://localhost:6390']
    const allowed = ['127.0.0.0/8', '::1', '0.0.0.0/0']
    expect(await resolve('127.0.0.2', { urls, allowed, port: 6390 })).toBe('own_endpoint')
    expect(await resolve('127.0.0.2', { urls, allowed, port: 6391 })).toBe('127.0.0.2')
    const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
    const outer = all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
    if (outer) expect(await resolve(outer, { urls, allowed, port: 6390 })).toBe('own_endpoint')
  })

  it('refuses the port of an endpoint on every address while its name cannot be resolved', async () => {
    const urls = ['postgresql://no-such-host.invalid:5432/netsaat']
    expect(await resolve('10.9.9.9', { urls, port: 5432 })).toBe('own_endpoint')
    expect(await resolve('10.9.9.9', { urls, port: 502 })).toBe('10.9.9.9')
  })

  it('knows a listener that was opened later', async () => {
    const own = makeOwnEndpoints([])
    expect(await own.contains('127.0.0.1', 8080)).toBe(false)
    own.add({ host: '0.0.0.0', port: 8080 })
    expect(await own.contains('127.0.0.1', 8080)).toBe(true)
    expect(await own.contains('::ffff:127.0.0.1', 8080)).toBe(true)
    expect(await own.contains('10.255.255.254', 8080)).toBe(false)
  })
})

describe('endpointOf', () => {
  it('reads host and port of a URL, with the default port of its protocol', () => {
    const of = (url: string) => {
      const endpoint = endpointOf(url)
      return endpoint && `${endpoint.host} ${endpoint.port}`
    }
    expect(of('postgres://u:p@db.example.com/x')).toBe('db.example.com 5432')
    expect(of('postgresql://u@localhost/x?host=10.0.0.1&port=6000')).toBe('10.0.0.1 6000')
    expect(of('postgresql://u@localhost/x?host=%2Fvar%2Frun&port=5432')).toBeUndefined()
    expect(of('mqtt://[::1]:1884')).toBe('::1 1884')
    expect(of('wss://broker.example.com/mqtt')).toBe('broker.example.com 443')
    expect(of('rediss://r')).toBe('r 6379')
    expect(of('smtps://mail')).toBe('mail 465')
  })
})
