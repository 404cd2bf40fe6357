import { describe, expect, it } from 'vitest'
import { canonicalAddress, literalAddress, makeAddressPolicy } from './address-policy.ts'

const EVERYTHING = ['0.0.0.0/0', '::/0']
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']
const policyOf = (allowedNetworks: readonly string[], isPublicPermitted = false) =>
  makeAddressPolicy({ allowedNetworks, isPublicPermitted })

describe('address policy', () => {
  it.each([
    ...['0.0.0.0', '0.1.2.3', '169.254.0.1', '169.254.169.254', '224.0.0.1', '239.255.255.255'],
    ...['240.0.0.1', '255.255.255.255', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
    ...['::', 'fe80::1', 'febf::1', 'ff02::1', 'fd00:ec2::254', 'fd20:ce::254'],
    ...['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::ffff:0.0.0.0', '::ffff:224.0.0.1'],
    ...['64:ff9b::169.254.169.254', '64:ff9b::a9fe:a9fe', '64:ff9b:1::10.0.0.1'],
    ...['::10.0.0.1', '::127.0.0.1', '::ffff:0:10.0.0.1', '2002:a00:1::', '2001:0:1::1'],
    ...['fd12::5efe:10.0.0.1', 'fd12::200:5efe:127.0.0.1'],
    ...['fe80::1%eth0', 'fe80::1%1', 'fd12::1%eth0', '::1%lo'],
    ...['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '64:ff9b::127.0.0.1'],
    ...['', 'localhost', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '[::1]', '10.0.0.1:502'],
  ])('never permits %s, even when every network is allowed', (address) => {
    expect(policyOf(EVERYTHING, true).permits(address)).toBe(false)
  })

  it('permits loopback only by an entry within loopback', () => {
    const v4 = policyOf(['127.0.0.0/8'])
    expect(['127.0.0.1', '127.9.9.9', '::ffff:127.0.0.1', '::1'].map(v4.permits)).toEqual([
      ...[true, true, true, false],
    ])
    expect(policyOf(['127.0.0.1']).permits('127.0.0.1')).toBe(true)
    expect(policyOf(['127.0.0.1']).permits('127.0.0.2')).toBe(false)
    expect(policyOf(['::1']).permits('::1')).toBe(true)
    expect(policyOf(['::1/128']).permits('127.0.0.1')).toBe(false)
    for (const wide of ['126.0.0.0/7', '127.0.0.0/7', '0.0.0.0/0'])
      expect([wide, policyOf([wide]).permits('127.0.0.1')]).toEqual([wide, false])
    expect(policyOf(['::/0']).permits('::1')).toBe(false)
  })

  it('permits the allowed networks, in every form of an address, and no public address', () => {
    const policy = policyOf(PRIVATE)
    for (const address of ['10.1.2.3', '172.31.0.1', '192.168.1.1', '::ffff:10.1.2.3', 'fd12::1'])
      expect([address, policy.permits(address)]).toEqual([address, true])
    expect(policy.permits('64:ff9b::a01:203')).toBe(true)
    for (const address of ['8.8.8.8', '172.32.0.1', '100.64.0.1', '2a00::1', '::ffff:8.8.8.8'])
      expect([address, policy.permits(address)]).toEqual([address, false])
  })

  it('permits public addresses in addition where they are permitted', () => {
    const policy = policyOf([], true)
    for (const address of ['8.8.8.8', '2a00:1450::1', '::ffff:8.8.8.8', '64:ff9b::808:808'])
      expect([address, policy.permits(address)]).toEqual([address, true])
    for (const address of ['10.1.2.3', 'fd12::1', '100.64.0.1', '198.18.0.1', '64:ff9b::a01:203'])
      expect([address, policy.permits(address)]).toEqual([address, false])
  })
})

describe('canonicalAddress', () => {
  it('gives one text for all forms of an address', () => {
    const forms = ['10.1.2.3', '::ffff:10.1.2.3', '::FFFF:a01:203', '64:ff9b::10.1.2.3']
    expect(new Set(forms.map(canonicalAddress))).toEqual(new Set(['10.1.2.3']))
    expect(canonicalAddress('FD12:0:0::0001')).toBe('fd12::1')
    expect(canonicalAddress('127.1')).toBeUndefined()
  })
})

describe('literalAddress', () => {
  it('removes brackets, and returns undefined for a name', () => {
    expect(['[::1]', '::1', '10.0.0.1', 'host', '127.1'].map(literalAddress)).toEqual([
      ...['::1', '::1', '10.0.0.1', undefined, undefined],
    ])
  })
})
