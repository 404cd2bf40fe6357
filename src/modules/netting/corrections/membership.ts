import { AppError } from '../../../kernel/errors.ts'
import { type BillingPeriod, dayStart, type LocalDate } from '../../../kernel/time.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import { tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/deps.ts'
import { raiseFailure } from '../alarms/index.ts'
import { correctApart } from './cascade.ts'
import { firstCalculatedBeyond } from './store.ts'

/** What of a membership decides who belonged to the group when. */
export interface Span {
  readonly member_role: string
  readonly valid_from: LocalDate
  /** Not included; null: open. */
  readonly valid_to: LocalDate | null
}

const LAST_DAY = '9999-12-31'
const endOf = ({ valid_to }: Span): LocalDate => valid_to ?? LAST_DAY
const smaller = (a: string, b: string): string => (a < b ? a : b)

/** The first day on which a change makes somebody a member, none, or one in another role; `after` undefined: deleted. */
export function firstChangedDay(before: Span, after: Span | undefined): LocalDate | undefined {
  if (!after) return before.valid_from
  const isMoved = before.valid_from !== after.valid_from || before.member_role !== after.member_role
  if (isMoved) return smaller(before.valid_from, after.valid_from)
  return before.valid_to === after.valid_to ? undefined : smaller(endOf(before), endOf(after))
}

export interface PastMember {
  readonly memberId: string
  readonly groupId: string
  readonly before: Span
  readonly after: Span | undefined
  /** The user who changed it. */
  readonly by: string | null
}

/**
 * After a change of a membership was committed: corrects the group from the first calculated period that the change
 * reaches back into. Nothing calculated is reached: nothing is done. A failure leaves the change as it is and is told.
 */
export async function correctMembership(
  deps: Pick<Deps, 'clock' | 'log' | 'database'>,
  tenantId: number,
  change: PastMember,
): Promise<readonly Warning[]> {
  const { groupId, memberId } = change
  const day = firstChangedDay(change.before, change.after)
  if (day === undefined) return []
  let period: BillingPeriod | undefined
  try {
    period = await firstCalculatedBeyond(tenantDb(deps.database.kysely, tenantId), groupId, dayStart(day))
    if (period === undefined) return []
    const { warnings, failedPeriod } = await correctApart(deps, tenantId, {
      groupId,
      billingPeriod: period,
      reason: `membership ${memberId} was ${change.after ? 'changed' : 'deleted'} from ${day} on`,
      cause: 'member_change',
      startedBy: change.by,
    })
    return failedPeriod ? [...warnings, failed(memberId, failedPeriod)] : warnings
  } catch (error) {
    deps.log.error({ err: error, groupId, memberId }, 'the correction after a change of a membership failed')
    await raiseFailure(deps, tenantId, {
      policy: 'netting_member_change_correction_failed',
      subject: { groupId },
      what: 'the correction after a change of a membership',
    })
    return [failed(memberId, period ?? `${day.slice(0, 7)}-01`, error)]
  }
}

function failed(memberId: string, period: BillingPeriod, error?: unknown): Warning {
  const why = error instanceof AppError ? ` (${error.message})` : ''
  const text = `the membership was changed, but the correction that follows from it failed${why}; run a correction of ${period}`
  return { code: 'MEMBER_CHANGE_CORRECTION_FAILED', subject: memberId, text }
}
