import { describe, expect, it } from 'vitest'
import {
  inEnglish,
  makeCandidate,
  makeGroupInput,
} from '../../../../test/support/netting/eligibility-input.ts'
import { parseKwh } from '../../../kernel/decimal.ts'
import { r009 } from './r009.ts'
import type { EligibilityMember } from './types.ts'

const HOUR = '2026-11-10T09:00:00.000Z'

const check = (own: Partial<EligibilityMember>, production: string | null = '10') =>
  inEnglish(
    r009.check(
      makeGroupInput({
        members: [makeCandidate('p', 'production', own), makeCandidate('c', 'consumption')],
        highestProduction:
          production === null
            ? []
            : [{ facilityId: 'p', hour: Date.parse(HOUR), productionKwh: parseKwh(production) }],
      }),
    ),
  )

describe('R009 installed and contracted power', () => {
  it('warns and never blocks', () => {
    expect(r009).toMatchObject({ code: 'R009', severity: 'warning', isBlocking: false })
  })

  it('passes up to the installed power and with a contracted power that is not below it', () => {
    expect(check({})).toMatchObject({ status: 'pass' })
  })

  it('fails when an hour produced more than the installed power allows', () => {
    expect(check({ contractedKwhPerHour: null }, '10.001')).toMatchObject({
      status: 'fail',
      reasonCode: 'PRODUCTION_ABOVE_INSTALLED_POWER',
      details: { hours: [{ facility_id: 'p', hour: HOUR, production_kwh: '10.001' }] },
    })
  })

  it('fails when the contracted power is below the installed power', () => {
    expect(check({ contractedKwhPerHour: parseKwh('9.999') }, null)).toMatchObject({
      status: 'fail',
      reasonCode: 'CONTRACTED_BELOW_INSTALLED_POWER',
      details: { hours: [], contracted_below_installed: ['p'] },
    })
  })

  it('is not_checked when a power or the production is unknown', () => {
    const results = [
      check({ installedKwhPerHour: null }),
      check({ contractedKwhPerHour: null }),
      check({}, null),
    ]
    for (const result of results) {
      expect(result).toMatchObject({
        status: 'not_checked',
        reasonCode: 'POWER_OR_PRODUCTION_UNKNOWN',
        details: { facility_ids: ['p'] },
      })
    }
  })

  it('does not apply to a group without producers', () => {
    expect(r009.check(makeGroupInput({ members: [makeCandidate('c', 'consumption')] }))).toMatchObject({
      status: 'not_applicable',
    })
  })
})
