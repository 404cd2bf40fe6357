import { describe, expect, it } from 'vitest'
import { interpretReport } from './report.ts'

const sha256 = 'ab'.repeat(32)
const command = { sha256, version: '2.0.0', status: 'installing' } as const

describe('effect of a report', () => {
  it.each([
    [{ state: 'Downloading' }, 'download'],
    [{ state: 'VERIFIED', sha256: sha256.toUpperCase() }, 'finish_download'],
    [{ state: 'verified', sha256: 'cd'.repeat(32) }, 'fail'],
    [{ sha256: 'none' }, 'fail'],
    [{ state: 'UPDATED', version: '2.0.0' }, 'succeed'],
    [{ state: 'UPDATED', version: '1.0.0' }, 'fail'],
    [{ state: 'installing', version: '1.0.0' }, 'install'],
    [{ state: 'failed' }, 'fail'],
    [{ version: '2.0.0' }, 'succeed'],
    [{ version: '1.0.0' }, undefined],
    [{ state: 'IDLE', version: '2.0.0' }, undefined],
    [{ state: 'constructor' }, undefined],
    [{}, undefined],
  ])('%o', (report, transition) => {
    expect(interpretReport(report, command).transition).toBe(transition)
  })

  it('is no success for a device that was just notified and already runs the version', () => {
    expect(
      interpretReport({ version: '2.0.0' }, { ...command, status: 'notified' }).transition,
    ).toBeUndefined()
  })

  it('keeps the failure message of the device, with a limit', () => {
    const { error } = interpretReport({ state: 'failed', error: `a\0b${'x'.repeat(1000)}` }, command)
    expect(error?.code).toBe('OTA_DEVICE_REASON')
    expect(error?.parameters['text']).toMatch(/^abx{498}$/)
    const silent = interpretReport({ state: 'failed' }, command).error
    expect(silent?.code).toBe('OTA_DEVICE_WITHOUT_REASON')
  })
})
