import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const isInstalled = analyze('--version').status === 0

describe.skipIf(!isInstalled)(`the systemd units${isInstalled ? '' : ' (needs systemd-analyze)'}`, () => {
  it.each(['netsaat', 'netsaat@'])('%s has no unknown directive and no wrong value', (name) => {
    const { status, stdout, stderr } = analyze('verify', '--man=no', `packaging/systemd/${name}.service`)
    expect([status, stdout, stderr]).toEqual([0, '', ''])
  })
})
