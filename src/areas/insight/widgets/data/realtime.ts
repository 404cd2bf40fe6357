import { iso } from '../../../../kernel/time.ts'
import { ANY_METRIC, type NewestValue } from '../../../metering/samples/index.ts'
import type { Plan } from './plan.ts'
import { metricOf, valuesOf } from './realtime-plan.ts'
import type { Sources } from './sources.ts'

/** Units of the metrics that are named in the kernel. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/^voltage(_l[1-3])?$/, 'V'],
  [/^current(_l[1-3])?$/, 'A'],
  [/^active_power(_l[1-3])?$/, 'kW'],
  [/^reactive_power$/, 'kvar'],
  [/^apparent_power$/, 'kVA'],
  [/^frequency$/, 'Hz'],
  [/^state_of_charge$/, '%'],
  [/^temperature$/, '°C'],
  [/^(import_active|export_active|production_active|battery_charge|battery_discharge)_energy$/, 'kWh'],
  [/^(inductive|capacitive)_reactive_energy$/, 'kvarh'],
]

/**
 * The values by metric, the instant of the newest of them, and whether the device sent anything within its
 * window.
 */
function readLive(plan: Plan, sources: Sources, now: number) {
  // Without a prototype: a metric may be called anything, also __proto__.
  const values: Record<string, number | null> = Object.create(null)
  let newest: NewestValue | undefined
  let isOnline = false
  for (const request of valuesOf(plan, now)) {
    const found = sources.value(request)
    if (request.metric === ANY_METRIC) {
      isOnline = found !== undefined
      continue
    }
    values[request.metric] = found?.value ?? null
    if (found && (!newest || found.at > newest.at)) newest = found
  }
  const [device] = plan.devices
  return {
    values,
    head: { device_id: device?.id ?? '', device_name: device?.name ?? '' },
    tail: { timestamp: newest ? iso(newest.at) : null, device_status: isOnline ? 'online' : 'offline' },
  }
}

const unitOf = (metric: string): string | null => UNITS.find(([pattern]) => pattern.test(metric))?.[1] ?? null
const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null)

export function realtimeValue(plan: Plan, sources: Sources, now: number) {
  const metric = metricOf(plan)
  const { head, values, tail } = readLive(plan, sources, now)
  const { unit } = plan.widget.config
  return {
    ...head,
    metric,
    unit: typeof unit === 'string' ? unit : unitOf(metric),
    value: values[metric] ?? null,
    ...tail,
  }
}

export function realtimeGauge(plan: Plan, sources: Sources, now: number) {
  const { min_range, max_range, warning_threshold, critical_threshold } = plan.widget.config
  return {
    ...realtimeValue(plan, sources, now),
    min_range: numberIn(min_range),
    max_range: numberIn(max_range),
    warning_threshold: numberIn(warning_threshold),
    critical_threshold: numberIn(critical_threshold),
  }
}

export function realtimeMetrics(plan: Plan, sources: Sources, now: number) {
  const { head, values, tail } = readLive(plan, sources, now)
  return { ...head, ...values, ...tail }
}
