import { describe, expect, it } from 'vitest'
import {
  inEnglish,
  makeCandidate,
  makeGroupInput,
} from '../../../../test/support/netting/eligibility-input.ts'
import { r005 } from './r005.ts'

/**
 * A group with the given supplier, its consumers f0, f1 … with theirs, and a producer whose supplier is
 * ignored.
 */
const check = (responsibleSupplierId: string | null, ...suppliers: (string | null)[]) =>
  inEnglish(
    r005.check(
      makeGroupInput({
        responsibleSupplierId,
        members: [
          makeCandidate('p', 'production', { supplierId: 'other' }),
          ...suppliers.map((supplierId, i) => makeCandidate(`f${i}`, 'mixed', { supplierId })),
        ],
      }),
    ),
  )

describe('R005 same supplier', () => {
  it('passes when every consumer has the supplier of the group', () => {
    expect(check('X', 'X', 'X')).toMatchObject({ status: 'pass' })
  })

  it('fails for another supplier than that of the group, even when others are unknown', () => {
    expect(check('X', 'X', 'Y', null)).toEqual({
      status: 'fail',
      reasonCode: 'SUPPLIER_DIFFERS',
      message: "Another supplier than the group's: F1.",
      details: {
        responsible_supplier_id: 'X',
        facilities: [
          { facility_id: 'f0', supplier_id: 'X' },
          { facility_id: 'f1', supplier_id: 'Y' },
          { facility_id: 'f2', supplier_id: null },
        ],
      },
    })
  })

  it('fails when all consumers have one other supplier than the group', () => {
    expect(check('X', 'Y', 'Y')).toMatchObject({
      status: 'fail',
      reasonCode: 'SUPPLIER_DIFFERS',
      message: "Another supplier than the group's: F0 and F1.",
    })
  })

  it('fails for two known ones in a group without a supplier', () => {
    expect(check(null, 'X', 'Y')).toMatchObject({
      status: 'fail',
      message: 'The consuming facilities have different suppliers: F0 and F1.',
    })
  })

  it('is unknown, as a warning only, while one is unknown', () => {
    const open = { status: 'not_checked', severity: 'warning', isBlocking: false }
    expect(check('X', 'X', null)).toMatchObject({
      ...open,
      reasonCode: 'SUPPLIER_UNKNOWN',
      details: { facility_ids: ['f1'] },
    })
    expect(check(null, 'X')).toMatchObject({ ...open, reasonCode: 'GROUP_SUPPLIER_UNKNOWN' })
  })

  it('is not applicable without a consumer', () => {
    expect(check('X')).toMatchObject({ status: 'not_applicable' })
  })
})
