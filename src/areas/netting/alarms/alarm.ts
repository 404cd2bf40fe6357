import type { Message } from '../../../kernel/messages.ts'
import { addMonths, type BillingPeriod, periodOf } from '../../../kernel/time.ts'
import type { AlarmSeverity, SystemPolicyName } from '../../alarms/system-alarms/index.ts'

/**
 * The subject of a netting alarm: a facility, or a group, with a period where each period has its own state.
 */
export type AlarmSubject =
  | {
      readonly groupId: string
      readonly billingPeriod?: BillingPeriod
      /** An objection to an invoice of the period, which has its own state. */
      readonly objectionId?: string
    }
  | { readonly facilityId: string }

interface AlarmKey {
  readonly policy: SystemPolicyName
  readonly subject: AlarmSubject
}

/** A condition that opens an incident. The text follows the name of the subject: `Roof: <text>`. */
export interface AlarmOpening extends AlarmKey {
  readonly isOpen: true
  readonly text: Message
  readonly severity?: AlarmSeverity
  /** A decimal text. */
  readonly lastValue?: string
  readonly ruleCode?: string
  /** Sent unchanged: snake_case keys, ids and codes. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** A condition that does not hold, or no longer holds; it closes an open incident. */
export interface AlarmClosing extends AlarmKey {
  readonly isOpen: false
  readonly reason: Message
}

export type NettingAlarm = AlarmOpening | AlarmClosing

export const subjectKey = (subject: AlarmSubject): string =>
  'facilityId' in subject ? `facility:${subject.facilityId}` : `group:${subject.groupId}`

/** The cause of an incident. One incident is open for each policy and cause. */
export const causeOf = (subject: AlarmSubject): string =>
  [
    subjectKey(subject),
    ...('facilityId' in subject ? [] : [subject.billingPeriod ?? [], subject.objectionId ?? []].flat()),
  ].join('|')

/**
 * A finding in an older period opens no alarm, but its absence closes an open one. Otherwise a loaded or
 * recalculated history would be reported as if it happened today. [our decision]
 */
export const isRecent = (billingPeriod: BillingPeriod, now: number): boolean =>
  billingPeriod >= addMonths(periodOf(now), -1)

export const closeAlarm = (key: AlarmKey, reason: Message): AlarmClosing => ({
  ...key,
  isOpen: false,
  reason,
})
