import { describe, expect, it } from 'vitest'
import { inEnglish, makeGroupInput } from '../../../../test/support/netting/eligibility-input.ts'
import { r013 } from './r013.ts'
import type { EligibilityInput } from './types.ts'

const check = (own: Partial<EligibilityInput> = {}) => inEnglish(r013.check(makeGroupInput(own)))

describe('R013 official notification', () => {
  it('passes once the grid operator confirmed and every member is metered', () => {
    for (const groupStatus of ['grid_operator_confirmed', 'lum_reported']) {
      expect(check({ groupStatus })).toMatchObject({ status: 'pass' })
    }
  })

  it('fails before the confirmation, and in an inactive group', () => {
    for (const groupStatus of ['customer_defined', 'ek1_submitted', 'inactive']) {
      expect(check({ groupStatus })).toEqual({
        status: 'fail',
        reasonCode: 'EK1_NOT_CONFIRMED',
        message: `The grid operator has not confirmed the group (${groupStatus}).`,
        details: { group_status: groupStatus, facility_ids: [] },
      })
    }
  })

  it('fails for a member without a meter in a main role', () => {
    expect(check({ facilityIdsWithMainMeter: ['p'] })).toMatchObject({
      status: 'fail',
      reasonCode: 'MAIN_METER_MISSING',
      message: 'No meter in a main role: C.',
      details: { facility_ids: ['c'] },
    })
  })

  it('reports both faults together', () => {
    expect(check({ groupStatus: 'ek1_submitted', facilityIdsWithMainMeter: [] })).toMatchObject({
      reasonCode: 'EK1_NOT_CONFIRMED',
      message:
        'The grid operator has not confirmed the group (ek1_submitted). No meter in a main role: C and P.',
      details: { facility_ids: ['c', 'p'] },
    })
  })

  it('is a warning that never blocks', () => {
    expect(r013).toMatchObject({ severity: 'warning', isBlocking: false })
  })
})
