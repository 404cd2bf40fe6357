import { isRegister } from '../../kernel/metrics.ts'
import type { Input } from './machine.ts'
import type { Operator, Rule } from './rule.ts'

/** A value at an instant. */
export interface Point {
  readonly at: number
  readonly value: number
}

const BEYOND: Readonly<Record<Operator, (value: number, level: number) => boolean>> = {
  gt: (value, level) => value > level,
  gte: (value, level) => value >= level,
  lt: (value, level) => value < level,
  lte: (value, level) => value <= level,
  eq: (value, level) => value === level,
  ne: (value, level) => value !== level,
}

/**
 * The number that is compared with the levels: the value, its rate of change since the sample before, or the
 * change of a counter. Undefined when there is none.
 */
export function comparedValue(rule: Rule, point: Point, before: Point | null): number | undefined {
  if (rule.kind === 'threshold') return point.value
  if (before === null || point.at <= before.at) return undefined
  const change = point.value - before.value
  if (rule.kind === 'counter_reset') return change
  // A counter that restarts has no rate; counter_reset rules find it.
  if (change < 0 && rule.metric !== null && isRegister(rule.metric)) return undefined
  return (change / (point.at - before.at)) * rule.ratePerMs
}

export function inputOf({ kind, operator, threshold, clearThreshold }: Rule, value: number): Input {
  if (kind === 'counter_reset') return value < 0 ? 'trips' : 'clears'
  if (BEYOND[operator](value, threshold)) return 'trips'
  return BEYOND[operator](value, clearThreshold) ? 'holds' : 'clears'
}

/** The more extreme of two values, seen from the trip level. */
export function furthestBeyond({ kind, operator, threshold }: Rule, a: number, b: number): number {
  if (kind === 'counter_reset') return Math.min(a, b)
  if (operator === 'gt' || operator === 'gte') return Math.max(a, b)
  if (operator === 'lt' || operator === 'lte') return Math.min(a, b)
  return Math.abs(b - threshold) > Math.abs(a - threshold) ? b : a
}
