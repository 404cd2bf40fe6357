import { describe, expect, it } from 'vitest'
import {
  inEnglish,
  makeCandidate,
  makeGroupInput,
} from '../../../../test/support/netting/eligibility-input.ts'
import type { SupplyType } from '../types.ts'
import { r008 } from './r008.ts'

const check = (...supplyTypes: (SupplyType | null)[]) =>
  inEnglish(
    r008.check(
      makeGroupInput({
        members: supplyTypes.map((supplyType, index) => makeCandidate(`c${index}`, 'mixed', { supplyType })),
      }),
    ),
  )

describe('R008 supply type', () => {
  it('informs and never blocks', () => {
    expect(r008).toMatchObject({ code: 'R008', severity: 'info', isBlocking: false })
  })

  it('passes when every consumer has the same supply type', () => {
    expect(check('sktt', 'sktt')).toMatchObject({ status: 'pass' })
  })

  it('fails when two supply types are known, also beside an unknown one', () => {
    expect(check('sktt', 'regulated', null)).toMatchObject({
      status: 'fail',
      reasonCode: 'SUPPLY_TYPE_DIFFERS',
      details: { tariff_supply_type: ['regulated', 'sktt'] },
    })
  })

  it('is not_checked when a supply type is unknown', () => {
    expect(check('sktt', null)).toMatchObject({
      status: 'not_checked',
      reasonCode: 'SUPPLY_TYPE_UNKNOWN',
      message: 'The supply type is unknown of C1.',
      details: { facility_ids: ['c1'] },
    })
  })

  it('does not apply to a group without consumers, and ignores the supply of pure producers', () => {
    expect(r008.check(makeGroupInput({ members: [makeCandidate('p', 'production')] }))).toMatchObject({
      status: 'not_applicable',
    })
    const producer = makeCandidate('p', 'production', { supplyType: null })
    const members = [producer, makeCandidate('c', 'consumption')]
    expect(r008.check(makeGroupInput({ members }))).toMatchObject({ status: 'pass' })
  })
})
