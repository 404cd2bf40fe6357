import { describe, expect, it } from 'vitest'
import {
  inEnglish,
  makeCandidate,
  makeGroupInput,
} from '../../../../test/support/netting/eligibility-input.ts'
import { r002 } from './r002.ts'
import type { EligibilityMember } from './types.ts'

const check = (members: EligibilityMember[]) => inEnglish(r002.check(makeGroupInput({ members })))

describe('R002 structure', () => {
  it('passes with a producer and a consumer, which may be one facility', () => {
    const two = [makeCandidate('p', 'production'), makeCandidate('c', 'consumption')]
    expect(check(two)).toMatchObject({ status: 'pass', details: { producers: 1, consumers: 1 } })
    expect(check(two)).not.toHaveProperty('reasonCode')
    expect(check([makeCandidate('m', 'mixed')])).toMatchObject({
      status: 'pass',
      details: { producers: 1, consumers: 1 },
    })
  })

  it('passes with producers only, and states so', () => {
    expect(check([makeCandidate('p', 'production')])).toMatchObject({
      status: 'pass',
      reasonCode: 'NO_CONSUMPTION',
    })
  })

  it('fails without a member and without a producer', () => {
    expect(check([])).toMatchObject({ status: 'fail', reasonCode: 'NO_ACTIVE_MEMBER' })
    expect(check([makeCandidate('c', 'consumption')])).toMatchObject({
      status: 'fail',
      reasonCode: 'NO_PRODUCER',
    })
  })
})
