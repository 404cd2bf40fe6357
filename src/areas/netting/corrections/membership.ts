import { AppError } from '../../../kernel/errors.ts'
import { type BillingPeriod, dayStart, type LocalDate } from '../../../kernel/time.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import { inTenantTx, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { ALARM_TEXTS, raiseFailure } from '../alarms/index.ts'
import { lockGroup } from '../calculation/index.ts'
import { completeChain, type InTx, type OwnChain } from './cascade.ts'
import { CORRECTION_REASONS, CORRECTION_TEXTS } from './messages.ts'
import { firstCalculatedBeyond, openChain } from './store.ts'

/** The fields of a membership that decide who belongs to the group at which time. */
export interface MembershipSpan {
  readonly member_role: string
  readonly valid_from: LocalDate
  /** The exclusive end; null while the membership is open. */
  readonly valid_to: LocalDate | null
}

const LAST_DAY = '9999-12-31'
const endOf = ({ valid_to }: MembershipSpan): LocalDate => valid_to ?? LAST_DAY
const smaller = (a: string, b: string): string => (a < b ? a : b)

/** The first day on which a change alters the membership or its role. `after` is undefined for a deletion. */
function firstChangedDay(before: MembershipSpan, after: MembershipSpan | undefined): LocalDate | undefined {
  if (!after) return before.valid_from
  const isMoved = before.valid_from !== after.valid_from || before.member_role !== after.member_role
  if (isMoved) return smaller(before.valid_from, after.valid_from)
  return before.valid_to === after.valid_to ? undefined : smaller(endOf(before), endOf(after))
}

export interface MemberChange {
  readonly memberId: string
  readonly groupId: string
  readonly before: MembershipSpan
  /** The membership after the change; undefined when it was deleted. */
  readonly after: MembershipSpan | undefined
  /** The user who changed it. */
  readonly by: string | null
  readonly at: number
}

/** A correction that follows from a change of a membership. */
export interface MembershipCorrection extends OwnChain {
  readonly memberId: string
}

/**
 * Opens the correction that a change of a membership requires. It is the last part of the transaction of the
 * change, so that a crash right after the commit does not lose it. The correction starts with the first
 * calculated period that the change affects; undefined when there is none. The lock on the group prevents a
 * concurrent calculation with the previous members.
 */
export async function openMembershipCorrection(
  tx: TenantTx,
  change: MemberChange,
): Promise<MembershipCorrection | undefined> {
  const { memberId, groupId, by, at } = change
  const day = firstChangedDay(change.before, change.after)
  if (day === undefined) return undefined
  await lockGroup(tx, groupId)
  const billingPeriod = await firstCalculatedBeyond(tx, groupId, dayStart(day))
  if (billingPeriod === undefined) return undefined
  const textOfChange = change.after
    ? CORRECTION_REASONS.MEMBERSHIP_WAS_CHANGED
    : CORRECTION_REASONS.MEMBERSHIP_WAS_DELETED
  const reason = textOfChange({ membership: memberId, day })
  const chain = { groupId, billingPeriod, reason, cause: 'member_change', startedBy: by } as const
  return {
    tenantId: tx.tenantId,
    id: await openChain(tx, chain, at),
    groupId,
    billingPeriod,
    donePeriods: [],
    memberId,
  }
}

/**
 * Runs an opened correction after the commit of the change. A failure does not revert the change; it becomes
 * a warning and an alarm.
 */
export async function runMembershipCorrection(
  deps: Pick<Deps, 'clock' | 'log' | 'database'>,
  tenantId: number,
  correction: MembershipCorrection | undefined,
): Promise<readonly Warning[]> {
  if (!correction) return []
  const { groupId, memberId, billingPeriod } = correction
  const inTx: InTx = (work) => inTenantTx(deps.database.kysely, tenantId, work)
  try {
    const { warnings, failedPeriod } = await completeChain(deps, inTx, correction)
    return failedPeriod ? [...warnings, failureWarning(memberId, failedPeriod)] : warnings
  } catch (error) {
    deps.log.error({ err: error, groupId, memberId }, 'the correction after a change of a membership failed')
    await raiseFailure(deps, tenantId, {
      policy: 'netting_member_change_correction_failed',
      subject: { groupId },
      what: ALARM_TEXTS.FAILURE_OF_MEMBERSHIP_CORRECTION(),
    })
    return [failureWarning(memberId, billingPeriod, error)]
  }
}

function failureWarning(memberId: string, period: BillingPeriod, error?: unknown): Warning {
  const message =
    error instanceof AppError
      ? CORRECTION_TEXTS.MEMBER_CHANGE_CORRECTION_REFUSED({ period, reason: error.content ?? error.message })
      : CORRECTION_TEXTS.MEMBER_CHANGE_CORRECTION_FAILED({ period })
  return { code: 'MEMBER_CHANGE_CORRECTION_FAILED', subject: memberId, message }
}
