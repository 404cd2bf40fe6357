import { describe, expect, it } from 'vitest'
import {
  inEnglish,
  makeCandidate,
  makeGroupInput,
} from '../../../../test/support/netting/eligibility-input.ts'
import type { AboneGrubu } from '../types.ts'
import { r003 } from './r003.ts'

/** A group of consumers f0, f1 … and a producer whose subscriber group is ignored. */
const check = (...groups: (AboneGrubu | null)[]) =>
  inEnglish(
    r003.check(
      makeGroupInput({
        members: [
          makeCandidate('p', 'production', { aboneGrubu: 'other' }),
          ...groups.map((aboneGrubu, i) => makeCandidate(`f${i}`, 'consumption', { aboneGrubu })),
        ],
      }),
    ),
  )

describe('R003 same subscriber group', () => {
  it('passes when all consumers have the same', () => {
    expect(check('sanayi', 'sanayi')).toMatchObject({ status: 'pass' })
  })

  it('fails for two known ones, even when others are unknown', () => {
    expect(check('ticarethane', null, 'sanayi')).toEqual({
      status: 'fail',
      reasonCode: 'ABONE_GRUBU_DIFFERS',
      message: 'The consuming facilities are of different subscriber groups (sanayi: F2; ticarethane: F0).',
      details: {
        abone_grubu: ['sanayi', 'ticarethane'],
        facilities: [
          { facility_id: 'f0', abone_grubu: 'ticarethane' },
          { facility_id: 'f1', abone_grubu: null },
          { facility_id: 'f2', abone_grubu: 'sanayi' },
        ],
      },
    })
  })

  it('is unknown, as a warning only, while one is unknown', () => {
    expect(check('sanayi', null)).toMatchObject({
      status: 'not_checked',
      severity: 'warning',
      isBlocking: false,
      reasonCode: 'ABONE_GRUBU_UNKNOWN',
      details: { facility_ids: ['f1'] },
    })
  })

  it('is not applicable without a consumer', () => {
    expect(check()).toMatchObject({ status: 'not_applicable' })
  })
})
