import { describe, expect, it } from 'vitest'
import {
  inEnglish,
  makeCandidate,
  makeGroupInput,
} from '../../../../test/support/netting/eligibility-input.ts'
import { r001 } from './r001.ts'
import type { EligibilityInput } from './types.ts'

const check = (own: Partial<EligibilityInput> = {}) => inEnglish(r001.check(makeGroupInput(own)))
const producer = makeCandidate('p', 'production')

describe('R001 same person', () => {
  it('passes when every facility is in the declared scope', () => {
    expect(check()).toMatchObject({ status: 'pass' })
  })

  it('fails for a member in another scope, declared or not', () => {
    for (const isDeclared of [true, false]) {
      const result = check({
        scope: { id: 'S', name: 'Acme', isDeclared },
        members: [producer, makeCandidate('c', 'consumption', { scopeId: 'T' })],
      })
      expect(result).toEqual({
        status: 'fail',
        reasonCode: 'OTHER_SCOPE',
        message: "Not of one official party: C is in another scope than the group's, Acme.",
        details: { scope_id: 'S', facility_ids: ['c'] },
      })
    }
  })

  it('fails when members differ although the group has no scope', () => {
    const members = [producer, makeCandidate('c', 'consumption', { scopeId: 'T' })]
    expect(check({ scope: null, members })).toMatchObject({
      status: 'fail',
      details: { facility_ids: ['c', 'p'] },
    })
  })

  it('is not_checked without a scope, a declaration or the scope of a member', () => {
    expect(check({ scope: null })).toMatchObject({ status: 'not_checked', reasonCode: 'GROUP_SCOPE_MISSING' })
    const undeclared = { id: 'S', name: 'Acme', isDeclared: false }
    expect(check({ scope: undeclared })).toMatchObject({
      status: 'not_checked',
      reasonCode: 'SCOPE_NOT_DECLARED',
    })
    const members = [producer, makeCandidate('c', 'consumption', { scopeId: null })]
    expect(check({ members })).toMatchObject({
      status: 'not_checked',
      reasonCode: 'FACILITY_SCOPE_UNKNOWN',
      details: { facility_ids: ['c'] },
    })
  })

  it('has the blocking class', () => {
    expect(r001).toMatchObject({ severity: 'error', isBlocking: true })
  })
})
