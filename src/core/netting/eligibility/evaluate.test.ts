import { describe, expect, it } from 'vitest'
import { makeCandidate, makeGroupInput } from '../../../../test/support/netting/eligibility-input.ts'
import { evaluate, statusOf } from './evaluate.ts'

const ORDER = 'R001 R002 R003 R003M R005 R007 R008 R009 R010 R011 R013 R00T R00L'.split(' ')
const outcomes = (own = {}) => {
  const { status, results } = evaluate(makeGroupInput(own))
  return { status, codes: results.map(({ code }) => code), results }
}
const resultOf = (own: object, wanted: string) => outcomes(own).results.find(({ code }) => code === wanted)

describe('evaluate eligibility', () => {
  it('returns the same 13 results in the same order for any group', () => {
    expect(outcomes()).toMatchObject({ status: 'valid', codes: ORDER })
    expect(outcomes({ members: [] })).toMatchObject({ status: 'blocked', codes: ORDER })
    expect(outcomes({ scope: null })).toMatchObject({ status: 'not_checked', codes: ORDER })
  })

  it('returns no blocking unknown result except for R001', () => {
    const { results } = outcomes({
      scope: null,
      responsibleSupplierId: null,
      members: [makeCandidate('m', 'mixed', { scopeId: null, supplierId: null, aboneGrubu: null })],
    })
    const open = results.filter(({ status, isBlocking }) => status === 'not_checked' && isBlocking)
    expect(open.map(({ code }) => code)).toEqual(['R001'])
  })

  it('keeps the severity and class of the rule unless the result overrides them', () => {
    expect(resultOf({}, 'R003')).toMatchObject({ severity: 'error', isBlocking: true })
    const unknown = { members: [makeCandidate('m', 'mixed', { aboneGrubu: null })] }
    expect(resultOf(unknown, 'R003')).toMatchObject({ severity: 'warning', isBlocking: false })
  })

  it('returns the same results for any order of its lists', () => {
    const members = ['c', 'a', 'b'].map((id) => makeCandidate(id, 'mixed', { scopeId: id }))
    const own = { members, scope: null, facilityIdsWithAccount: [], facilityIdsWithMainMeter: [] }
    const messages = (input: object) => outcomes(input).results.map(({ message }) => message)
    expect(messages({ ...own, members: members.toReversed() })).toEqual(messages(own))
  })
})

describe('statusOf', () => {
  const result = (status: 'pass' | 'fail' | 'not_checked' | 'not_applicable', isBlocking = true) => ({
    status,
    isBlocking,
  })

  it('is blocked by any blocking fail', () => {
    expect(statusOf([result('not_checked'), result('fail')])).toBe('blocked')
  })

  it('is not_checked while a blocking result is unknown', () => {
    expect(statusOf([result('pass'), result('not_checked')])).toBe('not_checked')
  })

  it('is valid with warnings and inapplicable rules', () => {
    const warnings = [result('fail', false), result('not_checked', false)]
    expect(statusOf([result('pass'), result('not_applicable'), ...warnings])).toBe('valid')
  })
})
