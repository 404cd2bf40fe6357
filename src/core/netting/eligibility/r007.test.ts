import { describe, expect, it } from 'vitest'
import {
  inEnglish,
  makeCandidate,
  makeGroupInput,
} from '../../../../test/support/netting/eligibility-input.ts'
import { r007 } from './r007.ts'
import type { EligibilityInput } from './types.ts'

const check = (own: Partial<EligibilityInput> = {}) => inEnglish(r007.check(makeGroupInput(own)))
const producer = makeCandidate('p', 'production')

describe('R007 limit account', () => {
  it('passes when every consumer has one; a producer needs none', () => {
    expect(check()).toMatchObject({
      status: 'pass',
      message: 'Every consuming facility has a limit account for 2026.',
    })
  })

  it('fails for consumption and mixed members without one, and names them', () => {
    const members = [producer, makeCandidate('m', 'mixed'), makeCandidate('c', 'consumption')]
    expect(check({ members, facilityIdsWithAccount: ['p'] })).toEqual({
      status: 'fail',
      reasonCode: 'LIMIT_ACCOUNT_MISSING',
      message: 'No limit account for 2026: C and M.',
      details: { year: 2026, facility_ids: ['c', 'm'] },
    })
  })

  it('names the first few of many, and returns all their ids', () => {
    const members = Array.from({ length: 9 }, (_, i) => makeCandidate(`f${i}`, 'consumption'))
    const { message, details } = check({ members, facilityIdsWithAccount: [] })
    expect(message).toBe('No limit account for 2026: F0, F1, F2, F3, F4 and 4 more.')
    expect(details?.['facility_ids']).toHaveLength(9)
  })

  it('is not applicable to a residential group and to one without consumers', () => {
    const home = makeCandidate('c', 'consumption', { aboneGrubu: 'mesken' })
    expect(check({ members: [producer, home], facilityIdsWithAccount: [] })).toMatchObject({
      status: 'not_applicable',
      message: 'A residential group is netted without a limit.',
    })
    expect(check({ members: [producer], facilityIdsWithAccount: [] })).toMatchObject({
      status: 'not_applicable',
    })
  })

  it('applies to a mixed group of homes and others', () => {
    const members = [
      makeCandidate('h', 'consumption', { aboneGrubu: 'mesken' }),
      makeCandidate('c', 'consumption'),
    ]
    expect(check({ members, facilityIdsWithAccount: ['c'] })).toMatchObject({
      status: 'fail',
      details: { facility_ids: ['h'] },
    })
  })
})
