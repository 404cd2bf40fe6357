import { expect, it } from 'vitest'
import { momentsOf, toSamples } from './session-marks.ts'

it('a reading at the beginning of a session has its position as a sample of its own', () => {
  const values = { import_active_energy: 0, active_power: 7 }
  expect(toSamples({ at: 5, values, moments: momentsOf([{ context: 'Transaction.Begin' }, {}]) })).toEqual([
    { at: 5, values },
    { at: 5, values: { session_begin_energy: 0 } },
  ])
})

it('a reading inside a session, without a register or with an impossible one has no position', () => {
  expect(momentsOf([{ context: 'Sample.Periodic' }, { context: 'constructor' }, {}])).toEqual([])
  for (const values of [{ active_power: 7 }, { import_active_energy: -1 }, { import_active_energy: 1e12 }]) {
    expect(toSamples({ at: 5, values, moments: ['end'] })).toEqual([{ at: 5, values }])
  }
})
