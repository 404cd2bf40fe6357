import { addMonths, type BillingPeriod, periodOf } from '../../../kernel/time.ts'
import type { AlarmSeverity, SystemPolicyName } from '../../alarms/system-alarms/index.ts'

/** What an alarm of netting is about: a group or a facility, and a period where each period has its own answer. */
export type AlarmSubject =
  | { readonly groupId: string; readonly billingPeriod?: BillingPeriod }
  | { readonly facilityId: string }

interface AlarmKey {
  readonly policy: SystemPolicyName
  readonly subject: AlarmSubject
}

/** Something is wrong. The sentence begins behind the subject's name: `Roof: <text>`. */
export interface AlarmOpening extends AlarmKey {
  readonly isOpen: true
  readonly text: string
  readonly severity?: AlarmSeverity
  /** A decimal text. */
  readonly lastValue?: string
  readonly ruleCode?: string
  /** Goes out as it is: snake_case keys, ids and words. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** It is not wrong, or not any more. */
export interface AlarmClosing extends AlarmKey {
  readonly isOpen: false
  readonly reason: string
}

export type NettingAlarm = AlarmOpening | AlarmClosing

export const subjectKey = (subject: AlarmSubject): string =>
  'facilityId' in subject ? `facility:${subject.facilityId}` : `group:${subject.groupId}`

/** Of one policy and cause one incident is open at a time. */
export const causeOf = (subject: AlarmSubject): string =>
  'billingPeriod' in subject && subject.billingPeriod !== undefined
    ? `${subjectKey(subject)}|${subject.billingPeriod}`
    : subjectKey(subject)

/**
 * What is found in an older period opens no alarm, though what is right in it closes one: the history that is loaded or
 * calculated anew would else be told as if it happened today. [our decision]
 */
export const isRecent = (billingPeriod: BillingPeriod, now: number): boolean =>
  billingPeriod >= addMonths(periodOf(now), -1)

export const closeAlarm = (about: AlarmKey, reason: string): AlarmClosing => ({
  ...about,
  isOpen: false,
  reason,
})
