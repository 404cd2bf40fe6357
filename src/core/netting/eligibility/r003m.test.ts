import { describe, expect, it } from 'vitest'
import {
  inEnglish,
  makeCandidate,
  makeGroupInput,
} from '../../../../test/support/netting/eligibility-input.ts'
import type { AboneGrubu } from '../types.ts'
import { r003m } from './r003m.ts'

const check = (...groups: (AboneGrubu | null)[]) =>
  inEnglish(
    r003m.check(
      makeGroupInput({
        members: [
          makeCandidate('p', 'production', { aboneGrubu: 'mesken' }),
          ...groups.map((aboneGrubu, i) => makeCandidate(`f${i}`, 'consumption', { aboneGrubu })),
        ],
      }),
    ),
  )

describe('R003M homes are not mixed with others', () => {
  it('passes when all consumers are homes', () => {
    expect(check('mesken', 'mesken')).toMatchObject({ status: 'pass' })
  })

  it('fails when a home meets another subscriber group', () => {
    expect(check('mesken', 'ticarethane', null)).toEqual({
      status: 'fail',
      reasonCode: 'MESKEN_MIXED',
      message: 'Homes (F0) share the group with ticarethane facilities.',
      details: { mesken_facility_ids: ['f0'], abone_grubu: ['mesken', 'ticarethane'] },
    })
  })

  it('is unknown, as a warning only, while the group of a member beside a home is unknown', () => {
    expect(check('mesken', null)).toMatchObject({
      status: 'not_checked',
      severity: 'warning',
      isBlocking: false,
      details: { facility_ids: ['f1'] },
    })
  })

  it('is not applicable without a consuming home', () => {
    expect(check('sanayi', null)).toMatchObject({ status: 'not_applicable' })
    expect(check()).toMatchObject({ status: 'not_applicable' })
  })
})
