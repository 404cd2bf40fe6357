import type { ScenarioBase } from '../../../src/core/netting/scenario/types.ts'
import type { MemberInput, PeriodInput } from '../../../src/core/netting/types.ts'
import { wh } from '../../../src/kernel/decimal.ts'
import { HOUR_MS, periodStart } from '../../../src/kernel/time.ts'
import { prices } from './netting-groups.ts'
import { makeAssignment, makeFacts, makeMember } from './netting-input.ts'

export interface OptimisedFacility {
  readonly role: MemberInput['role']
  /** Wh of each hour. */
  readonly values: readonly bigint[]
  /** Opening balance of its account, Wh. Absent: no account. */
  readonly opening?: bigint
}

interface GroupMonth {
  readonly hours: number
  readonly facilities: Readonly<Record<string, OptimisedFacility>>
}

/** The first hours of a month of a group. */
export function makeGroupMonth(
  groupId: string,
  billingPeriod: string,
  { hours, facilities }: GroupMonth,
): PeriodInput {
  const from = periodStart(billingPeriod)
  const entries = Object.entries(facilities)
  const kindOf = ({ role }: OptimisedFacility) => (role === 'production' ? 'production' : 'consumption')
  return {
    ...{ groupId, groupName: groupId, billingPeriod, window: { from, to: from + hours * HOUR_MS } },
    ...{ eligibilityStatus: 'valid', prices, stepStates: [] },
    members: entries.map(([id, { role }]) => makeMember(id, { role })),
    assignments: entries.map(([id, own]) => makeAssignment(id, `main_${kindOf(own)}`)),
    facts: entries.flatMap(([id, own]) =>
      Array.from({ length: hours }, (_, index) =>
        makeFacts(id, from + index * HOUR_MS, { [kindOf(own)]: wh(own.values[index] ?? 0n) }),
      ).flat(),
    ),
    accounts: entries.flatMap(([id, { opening }]) =>
      opening === undefined
        ? []
        : [{ accountId: `account ${id}`, facilityId: id, year: 2026, openingBalanceKwh: wh(opening) }],
    ),
  }
}

export const scenarioBase = (inputs: readonly PeriodInput[]): ScenarioBase => ({
  ...{ from: inputs[0]?.billingPeriod ?? '', to: inputs.at(-1)?.billingPeriod ?? '', inputs },
  ...{ others: [], solarShape: [], marketPrices: new Map() },
})
