import { expect, test } from 'vitest'
import { hasCorrectedPlanCache } from './cluster.ts'

const isCorrected = (version: string) =>
  hasCorrectedPlanCache(`Citus ${version} on x86_64-pc-linux-gnu, 64-bit`)

test('the plan cache of Citus is used from the releases on that correct its leak', () => {
  for (const version of ['13.5.0', '13.6.1', '14.3.0', '14.10.2', '15.0.0', '15.0devel'])
    expect([version, isCorrected(version)]).toEqual([version, true])
  for (const version of ['12.1.12', '13.2.0', '13.2.2', '13.4.9', '14.0.1', '14.2.0', '14.2devel'])
    expect([version, isCorrected(version)]).toEqual([version, false])
})

test('a build of an older version that names the correction has it', () => {
  expect(isCorrected('13.2.2+pr8824')).toBe(true)
  expect(isCorrected('13.2.2+pr8800')).toBe(false)
})

test('a version that cannot be read counts as one that leaks', () => {
  expect([hasCorrectedPlanCache(''), hasCorrectedPlanCache('Hydra 1.0')]).toEqual([false, false])
})
