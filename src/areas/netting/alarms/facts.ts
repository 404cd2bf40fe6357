import { iso } from '../../../kernel/time.ts'
import { FACTS_MISSING_ALARM_HOURS, FACTS_PARTIAL_ALARM_HOURS } from '../limits.ts'
import { type AlarmOpening, closeAlarm, type NettingAlarm } from './alarm.ts'
import { ALARM_TEXTS } from './messages.ts'

/** The state of the facts of a facility after a build. */
export interface FactsState {
  readonly facilityId: string
  /** Hours of the last day in which a main role has no value. */
  readonly hoursMissing: number
  /** Hours of the two days before that are still covered only in part after the nightly build. */
  readonly hoursPartial: number
  /** The last hour within three days that a meter reset makes suspect. */
  readonly lastSuspectHour: number | null
  /** The channels and assignments whose readings the build could not use. */
  readonly issues: BuildIssues
}

export interface BuildIssues {
  /** Channels that count each interval by itself (interval_delta), from which no fact may be derived. */
  readonly intervalChannels: readonly { readonly deviceId: string; readonly metric: string }[]
  /** Assignments that were skipped. */
  readonly skippedAssignmentIds: readonly string[]
}

/** Returns the state of the facts of a facility as alarms. */
export function factsAlarms(state: FactsState): NettingAlarm[] {
  return [missing(state), partial(state), suspect(state), ...buildAlarms(state)]
}

function missing({ facilityId, hoursMissing }: FactsState): NettingAlarm {
  const key = { policy: 'netting_facts_missing', subject: { facilityId } } as const
  if (hoursMissing < FACTS_MISSING_ALARM_HOURS) return closeAlarm(key, ALARM_TEXTS.END_METERS_SEND_AGAIN())
  const text = ALARM_TEXTS.ALARM_FACTS_MISSING({ hours: hoursMissing })
  return { ...key, isOpen: true, text, lastValue: String(hoursMissing) }
}

function partial({ facilityId, hoursPartial }: FactsState): NettingAlarm {
  const key = { policy: 'netting_facts_partial', subject: { facilityId } } as const
  if (hoursPartial < FACTS_PARTIAL_ALARM_HOURS) return closeAlarm(key, ALARM_TEXTS.END_HOURS_COVERED())
  const text = ALARM_TEXTS.ALARM_FACTS_PARTIAL({ hours: hoursPartial })
  return { ...key, isOpen: true, text, lastValue: String(hoursPartial) }
}

function suspect({ facilityId, lastSuspectHour }: FactsState): NettingAlarm {
  const key = { policy: 'netting_meter_reset_suspect', subject: { facilityId } } as const
  if (lastSuspectHour === null) return closeAlarm(key, ALARM_TEXTS.END_NO_SUSPECT_HOUR())
  const text = ALARM_TEXTS.ALARM_METER_RESET_SUSPECT({ hour: iso(lastSuspectHour) })
  return { ...key, isOpen: true, text, details: { hour: iso(lastSuspectHour) } }
}

function buildAlarms({ facilityId, issues }: FactsState): NettingAlarm[] {
  const subject = { facilityId }
  const { intervalChannels: channels, skippedAssignmentIds: skipped } = issues
  const unsupported = { policy: 'netting_interval_channel_unsupported', subject } as const
  const failed = { policy: 'netting_hourly_build_failed', subject } as const
  const interval: AlarmOpening = {
    ...unsupported,
    isOpen: true,
    text: ALARM_TEXTS.ALARM_INTERVAL_CHANNEL_UNSUPPORTED({
      metrics: [...new Set(channels.map(({ metric }) => metric))].sort(),
    }),
    details: { device_ids: [...new Set(channels.map(({ deviceId }) => deviceId))].sort() },
  }
  const skip: AlarmOpening = {
    ...failed,
    isOpen: true,
    text: ALARM_TEXTS.ALARM_HOURLY_BUILD_FAILED({ assignments: skipped.length }),
    lastValue: String(skipped.length),
    details: { assignment_ids: [...skipped].sort() },
  }
  return [
    channels.length > 0 ? interval : closeAlarm(unsupported, ALARM_TEXTS.END_CHANNEL_NOT_READ()),
    skipped.length > 0 ? skip : closeAlarm(failed, ALARM_TEXTS.END_FACTS_BUILT()),
  ]
}
