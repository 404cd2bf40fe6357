import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const isInstalled = analyze('--version').status === 0

describe.skipIf(!isInstalled)(`the systemd unit${isInstalled ? '' : ' (needs systemd-analyze)'}`, () => {
  it('has no unknown directive and no wrong value', () => {
    const { status, stdout, stderr } = analyze('verify', '--man=no', 'packaging/systemd/netsaat.service')
    expect([status, stdout, stderr]).toEqual([0, '', ''])
  })
})
