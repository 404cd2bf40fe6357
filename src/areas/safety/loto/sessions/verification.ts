import {
  LOTO_METER_LOOK_BACK_MS,
  LOTO_READING_AGE_MAX_MS,
  LOTO_ZERO_CURRENT_A,
  LOTO_ZERO_POWER_KW,
} from '../limits.ts'

/** The metrics that indicate energy, each with the limit up to which it counts as zero and its unit. */
const LIMITS: Readonly<Record<string, { readonly limit: number; readonly unit: string }>> =
  Object.fromEntries([
    ...['', '_l1', '_l2', '_l3'].map((phase) => [
      `active_power${phase}`,
      { limit: LOTO_ZERO_POWER_KW, unit: 'kW' },
    ]),
    ...['', '_l1', '_l2', '_l3'].map((phase) => [
      `current${phase}`,
      { limit: LOTO_ZERO_CURRENT_A, unit: 'A' },
    ]),
  ])

/** Devices of these types count as meters even while they send nothing. */
const METER_TYPES: ReadonlySet<string> = new Set(['energy_analyzer', 'inverter', 'meter', 'smart_meter'])

export interface MeterSample {
  /** Epoch milliseconds. */
  readonly at: number
  readonly values: Readonly<Record<string, number | null | undefined>>
}

/** The result for a device: no energy, energy, a silent meter, or no meter at all. */
export type Finding =
  | { readonly kind: 'zero' | 'energised'; readonly at: number; readonly values: Record<string, number> }
  | { readonly kind: 'silent'; readonly lastAt: number | null }
  | { readonly kind: 'no_meter' }

const hasMeterValue = (sample: MeterSample): boolean =>
  Object.keys(LIMITS).some((name) => isNumber(sample.values[name]))
const isNumber = (value: number | null | undefined): value is number => typeof value === 'number'

/**
 * Assesses the newest value of each metric among samples that are fresh. A value of minutes ago counts where
 * nothing newer says otherwise, because devices send their metrics in several messages.
 */
export function assessMeter(samples: readonly MeterSample[], deviceType: string, now: number): Finding {
  const measured = samples
    .filter((sample) => hasMeterValue(sample) && sample.at >= now - LOTO_METER_LOOK_BACK_MS)
    .toSorted((a, b) => b.at - a.at)
  const newest = measured[0]
  if (newest === undefined) {
    return METER_TYPES.has(deviceType) ? { kind: 'silent', lastAt: null } : { kind: 'no_meter' }
  }
  const fresh = measured.filter(({ at }) => at >= now - LOTO_READING_AGE_MAX_MS)
  if (fresh.length === 0) return { kind: 'silent', lastAt: newest.at }
  const values: Record<string, number> = {}
  for (const name of Object.keys(LIMITS)) {
    const value = fresh.map((sample) => sample.values[name]).find(isNumber)
    if (value !== undefined) values[name] = value
  }
  const isZero = Object.entries(LIMITS).every(([name, { limit }]) => Math.abs(values[name] ?? 0) <= limit)
  return { kind: isZero ? 'zero' : 'energised', at: newest.at, values }
}

/** A text of the values beyond their limits: `active_power 12.4 kW, current 18 A`. */
export const describeExceeding = (values: Readonly<Record<string, number>>): string =>
  orderedValues(values)
    .filter(({ value, limit }) => Math.abs(value) > limit)
    .map(({ name, value, unit }) => `${name} ${value} ${unit}`)
    .join(', ')

/** Orders values: powers first, then currents, phase by phase, because stored JSON does not keep an order. */
export const orderedValues = (values: Readonly<Record<string, number>>) =>
  Object.entries(LIMITS).flatMap(([name, { limit, unit }]) => {
    const value = values[name]
    return value === undefined ? [] : [{ name, value, limit, unit }]
  })
