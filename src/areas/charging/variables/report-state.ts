import { CHARGER_REPORT_WAIT_MS } from '../limits.ts'

export const REPORT_KINDS = ['variables', 'monitoring', 'customer_information', 'charging_profiles'] as const
export type ReportKind = (typeof REPORT_KINDS)[number]

export const REPORT_STATES = ['receiving', 'complete', 'incomplete'] as const
export const REPORT_REASONS = ['nothing_came', 'end_missing', 'parts_missing'] as const

interface Parts {
  readonly parts: readonly number[]
  readonly last_part: number | null
  readonly heard_at: Date
}

export const isComplete = ({ parts, last_part }: Parts): boolean =>
  last_part !== null && parts.length === last_part + 1

/**
 * The state of a report. One whose next part is overdue is incomplete; a part that comes later still counts.
 */
export function reportState(report: Parts, now: Date) {
  if (isComplete(report)) return { state: 'complete', reason: null } as const
  if (now.getTime() - report.heard_at.getTime() < CHARGER_REPORT_WAIT_MS)
    return { state: 'receiving', reason: null } as const
  const [isStarted, isEnded] = [report.parts.length > 0, report.last_part !== null]
  const reason = isEnded ? 'parts_missing' : isStarted ? 'end_missing' : 'nothing_came'
  return { state: 'incomplete', reason } as const
}
