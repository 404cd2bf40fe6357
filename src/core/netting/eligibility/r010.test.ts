import { describe, expect, it } from 'vitest'
import { inEnglish, makeGroupInput } from '../../../../test/support/netting/eligibility-input.ts'
import { r010 } from './r010.ts'
import type { EligibilityTransfer } from './types.ts'

const check = (transfers: EligibilityTransfer[]) => inEnglish(r010.check(makeGroupInput({ transfers })))
const confirmed = { movementId: 'm1', facilityId: 'c', isConfirmed: true }
const unconfirmed = { movementId: 'm2', facilityId: 'p', isConfirmed: false }

describe('R010 limit transfer', () => {
  it('passes without a transfer and when each was confirmed', () => {
    expect(check([])).toMatchObject({ status: 'pass', message: 'No limit was transferred in 2026.' })
    expect(check([confirmed])).toMatchObject({ status: 'pass' })
  })

  it('fails for an unconfirmed one', () => {
    expect(check([confirmed, unconfirmed])).toEqual({
      status: 'fail',
      reasonCode: 'CONTRACTED_POWER_NOT_CONFIRMED',
      message: 'Limit was transferred in 2026 without confirmed contracted power: P.',
      details: { year: 2026, facility_ids: ['p'], movement_ids: ['m2'] },
    })
  })

  it('names the movements in the same order for every order of the transfers', () => {
    const later = { movementId: 'm3', facilityId: 'c', isConfirmed: false }
    for (const transfers of [
      [later, unconfirmed],
      [unconfirmed, later],
    ])
      expect(check(transfers).details).toMatchObject({ movement_ids: ['m2', 'm3'] })
  })

  it('is a warning that never blocks', () => {
    expect(r010).toMatchObject({ severity: 'warning', isBlocking: false })
  })
})
