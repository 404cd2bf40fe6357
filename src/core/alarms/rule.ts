import type { Schedule } from './schedule.ts'

/**
 * The alarm types that are evaluated from samples. `limit` and `custom` belong to system alarms, which other
 * areas raise.
 */
export const RULE_KINDS = ['threshold', 'rate_of_change', 'counter_reset', 'no_data', 'offline'] as const
export type RuleKind = (typeof RULE_KINDS)[number]

export const OPERATORS = ['gt', 'gte', 'lt', 'lte', 'eq', 'ne'] as const
export type Operator = (typeof OPERATORS)[number]

/**
 * A policy applied to one device. Levels are in the unit of the metric, for a rate in that unit per
 * `ratePerMs`.
 */
export interface Rule {
  readonly kind: RuleKind
  /** Null where any sample counts: offline, and no_data of a device as a whole. */
  readonly metric: string | null
  readonly operator: Operator
  readonly threshold: number
  /** Equal to `threshold` without hysteresis. */
  readonly clearThreshold: number
  readonly delayOnMs: number
  readonly delayOffMs: number
  readonly ratePerMs: number
  /** Longest allowed silence of no_data and offline. */
  readonly silenceMs: number
  /** Undefined: at all times. */
  readonly schedule: Schedule | undefined
}

/** A sample as a rule sees it: its time, and the value of the metric, undefined when it has none. */
export interface RuleSample {
  readonly at: number
  readonly value: number | undefined
}

/**
 * A period during which the condition of a rule held; `to` is null while it does. Stored as JSON while it is
 * open.
 */
export interface Violation {
  readonly from: number
  readonly to: number | null
  /** Begin of the condition; `from` is later by the delay. */
  readonly since: number
  /** The value at `from`; null for silence. */
  readonly value: number | null
  /** The most extreme value. */
  readonly peak: number | null
  /** The value that ended it, or the last one. */
  readonly last: number | null
}

export const isSilenceRule = ({ kind }: Pick<Rule, 'kind'>): boolean =>
  kind === 'no_data' || kind === 'offline'
