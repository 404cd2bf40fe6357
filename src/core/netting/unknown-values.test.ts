import { expect, it } from 'vitest'
import { makeAssignment, makeFacts, makeMember } from '../../../test/support/netting/netting-input.ts'
import { wh } from '../../kernel/decimal.ts'
import { textOf } from '../../kernel/messages.ts'
import { HOUR_MS, periodStart } from '../../kernel/time.ts'
import { computePeriod } from './period.ts'

const PERIOD = '2026-06-01'
const START = periodStart(PERIOD)

/** Four hours of a plant and a factory, of which the given hours have a value. */
function warningsOf(produced: readonly number[], consumed: readonly number[], joins = '2020-01-01') {
  const { warnings } = computePeriod({
    groupId: 'group',
    groupName: 'Ege',
    billingPeriod: PERIOD,
    window: { from: START + 22 * HOUR_MS, to: START + 26 * HOUR_MS },
    eligibilityStatus: 'valid',
    members: ['plant', 'works'].map((id) =>
      makeMember(id, {
        facilityName: id,
        validFrom: joins,
        role: id === 'plant' ? 'production' : 'consumption',
      }),
    ),
    assignments: [makeAssignment('plant', 'main_production'), makeAssignment('works', 'main_consumption')],
    facts: [
      ...produced.flatMap((hour) => makeFacts('plant', START + hour * HOUR_MS, { production: wh(1000n) })),
      ...consumed.flatMap((hour) => makeFacts('works', START + hour * HOUR_MS, { consumption: wh(1000n) })),
    ],
    accounts: [{ accountId: 'a', facilityId: 'works', year: 2026, openingBalanceKwh: wh(9_000n) }],
    prices: [],
    stepStates: [],
  })
  const codes = ['MEMBER_VALUES_MISSING', 'HOURS_WITHOUT_MEMBERS']
  return warnings.filter(({ code }) => codes.includes(code)).map(({ message }) => textOf(message, 'en'))
}

it('unknown hours of members have one warning for each quantity, which names the group and the month', () => {
  expect(warningsOf([22, 23, 24, 25], [22, 23, 24, 25])).toEqual([])
  expect(warningsOf([22, 23, 24], [25])).toEqual([
    'works of Ege in 2026-06: the consumption of 3 of 4 hours is unknown and counts as 0',
    'plant of Ege in 2026-06: the production of 1 of 4 hours is unknown and counts as 0',
  ])
})

it('hours without a member have one warning', () => {
  expect(warningsOf([24, 25], [24, 25], '2026-06-02')).toEqual([
    'Ege in 2026-06: the group has no member in 2 of 4 hours; they are not calculated',
  ])
})
