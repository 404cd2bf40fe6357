import type { Schedule } from './schedule.ts'

/** What the service judges by itself. `limit` and `custom` belong to system policies, which others raise. */
export const RULE_KINDS = ['threshold', 'rate_of_change', 'counter_reset', 'no_data', 'offline'] as const
export type RuleKind = (typeof RULE_KINDS)[number]

export const OPERATORS = ['gt', 'gte', 'lt', 'lte', 'eq', 'ne'] as const
export type Operator = (typeof OPERATORS)[number]

/** A policy as it bears on one device. Levels in the unit of the metric, of a rate in that unit per `ratePerMs`. */
export interface Rule {
  readonly kind: RuleKind
  /** Null where any sample counts: offline, and no_data of a device as a whole. */
  readonly metric: string | null
  readonly operator: Operator
  readonly threshold: number
  /** The same as `threshold` where there is no hysteresis. */
  readonly clearThreshold: number
  readonly delayOnMs: number
  readonly delayOffMs: number
  readonly ratePerMs: number
  /** Of no_data and offline. */
  readonly silenceMs: number
  /** Undefined: at all times. */
  readonly schedule: Schedule | undefined
}

/** What a rule sees of a sample: its time, and the value of the metric if it has one. */
export interface RuleSample {
  readonly at: number
  readonly value: number | undefined
}

/** A time during which a condition held; `to` is null while it does. */
export interface Violation {
  readonly from: number
  readonly to: number | null
  /** When the condition began to hold; `from` is later by the delay. */
  readonly since: number
  /** At `from`; null for silence. */
  readonly value: number | null
  /** The value furthest beyond the level. */
  readonly peak: number | null
  /** The value that ended it, or the last one. */
  readonly last: number | null
}

export const isSilenceRule = ({ kind }: Pick<Rule, 'kind'>): boolean =>
  kind === 'no_data' || kind === 'offline'
