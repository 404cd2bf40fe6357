import { dayStart, iso, localYear } from '../../../kernel/time.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { markBalances } from '../stale/index.ts'
import type { PeriodBase } from './input.ts'
import { listLaterUsers } from './ledger-store.ts'
import { CALCULATION_TEXTS } from './messages.ts'

/**
 * Marks the results that depend on the previous balances, which are later periods of the group and other
 * groups, and returns warnings about them.
 */
export async function staleWarnings(
  tx: TenantTx,
  { group, laterRuns }: PeriodBase,
  { moved, from, isCorrection }: { moved: readonly string[]; from: number; isCorrection: boolean },
): Promise<Warning[]> {
  if (moved.length === 0) return []
  const others = await listLaterUsers(tx, { accountIds: moved, from, groupId: group.id })
  const yearEnd = dayStart(`${localYear(from) + 1}-01-01`)
  await markBalances(tx, [
    ...laterRuns.map(({ window: hours }) => ({ groupId: group.id, hours })),
    ...others.map(({ id: groupId }) => ({ groupId, hours: { from, to: yearEnd } })),
  ])
  // The cascade corrects the later periods of its own group itself. If it stops before, the marks remain.
  const [later] = isCorrection ? [] : laterRuns
  const { LATER_PERIODS_STALE, LATER_PERIODS_OF_OTHER_GROUP_STALE } = CALCULATION_TEXTS
  const ofGroup = later && LATER_PERIODS_STALE({ group: group.name, period: later.billingPeriod })
  return [
    ...(ofGroup ? [{ id: group.id, message: ofGroup }] : []),
    ...others.map(({ id, name }) => ({
      id,
      message: LATER_PERIODS_OF_OTHER_GROUP_STALE({ group: name, from: iso(from) }),
    })),
  ].map(({ id, message }) => ({ code: 'LATER_PERIODS_STALE', subject: id, message }))
}
