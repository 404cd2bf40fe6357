import { formatTry, parseTry } from '../../../kernel/decimal.ts'
import { type BillingPeriod, DAY_MS, dayStart, localDate } from '../../../kernel/time.ts'
import { type AlarmSubject, closeAlarm, type NettingAlarm } from './alarm.ts'
import { ALARM_TEXTS } from './messages.ts'

/** An objection to an invoice with the result of the latest check of it. Dates are YYYY-MM-DD. */
export interface ObjectionState {
  readonly id: string
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly fileName: string
  readonly invoiceNumber: string | null
  readonly dueOn: string
  readonly status: string
  readonly differing: number
  readonly claimTry: string
}

/** The day that is some days before a date. */
export const daysBefore = (date: string, days: number): string => localDate(dayStart(date) - days * DAY_MS)

const subjectOf = ({ id, groupId, billingPeriod }: ObjectionKey): AlarmSubject => ({
  ...{ groupId, billingPeriod, objectionId: id },
})
type ObjectionKey = Pick<ObjectionState, 'id' | 'groupId' | 'billingPeriod'>

/**
 * The reminder of an objection: open from `reminderDays` before its last day to that day, while it was not sent and
 * lines differ; critical on the last day.
 */
export function objectionAlarm(
  objection: ObjectionState,
  { reminderDays, now }: { readonly reminderDays: number; readonly now: number },
): NettingAlarm {
  const key = { policy: 'netting_objection_due', subject: subjectOf(objection) } as const
  const { status, differing, dueOn, claimTry } = objection
  const today = localDate(now)
  if (status !== 'open') return closeAlarm(key, ALARM_TEXTS.END_OBJECTION_SENT())
  if (differing === 0) return closeAlarm(key, ALARM_TEXTS.END_OBJECTION_NOT_NEEDED())
  if (today > dueOn) return closeAlarm(key, ALARM_TEXTS.END_OBJECTION_TERM_OVER())
  if (today < daysBefore(dueOn, reminderDays)) return closeAlarm(key, ALARM_TEXTS.END_OBJECTION_NOT_YET())
  const claim = formatTry(parseTry(claimTry))
  return {
    ...key,
    isOpen: true,
    severity: today === dueOn ? 'critical' : 'warning',
    text: ALARM_TEXTS.ALARM_OBJECTION_DUE({
      invoice: objection.invoiceNumber ?? objection.fileName,
      due: dueOn,
      lines: differing,
      claim_try: claim,
    }),
    lastValue: claim,
    details: { billing_period: objection.billingPeriod, objection_id: objection.id, due_on: dueOn },
  }
}

/** Closes the reminder of an objection whose checks were deleted. */
export const objectionDeleted = (objection: ObjectionKey): NettingAlarm =>
  closeAlarm(
    { policy: 'netting_objection_due', subject: subjectOf(objection) },
    ALARM_TEXTS.END_OBJECTION_DELETED(),
  )
