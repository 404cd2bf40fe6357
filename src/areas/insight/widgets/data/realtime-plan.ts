import { ANY_METRIC, type NewestValueQuery } from '../../../metering/samples/index.ts'
import { REALTIME_WINDOW_MAX_MS } from '../limits.ts'
import type { DataType } from '../types.ts'
import type { Plan } from './plan.ts'
import type { Device } from './store.ts'

const THREE_PHASE = [
  ...['voltage_l1', 'voltage_l2', 'voltage_l3'],
  ...['current_l1', 'current_l2', 'current_l3'],
  ...['active_power_l1', 'active_power_l2', 'active_power_l3'],
] as const
const POWER = ['active_power', 'reactive_power', 'apparent_power', 'power_factor'] as const
const DEFAULT_METRIC = 'active_power'

const METRICS_OF: Readonly<Partial<Record<DataType, (plan: Plan) => readonly string[]>>> = {
  realtime_value: (plan) => [metricOf(plan)],
  realtime_gauge: (plan) => [metricOf(plan)],
  realtime_3phase: () => THREE_PHASE,
  realtime_power: () => POWER,
}

/** What a card of one metric shows. */
export function metricOf({ widget: { config } }: Plan): string {
  const { metric } = config
  return typeof metric === 'string' ? metric : DEFAULT_METRIC
}

/**
 * How old a measurement may be to be shown as live: the offline threshold of the device, which is 60 minutes
 * unless it was set, and never more than 60 minutes. One that is exactly so old is shown.
 */
const windowOf = ({ offline_threshold_s }: Pick<Device, 'offline_threshold_s'>): number =>
  Math.min(offline_threshold_s * 1000, REALTIME_WINDOW_MAX_MS)

/** The newest values that a realtime card shows; none for other widgets. */
export function valuesOf(plan: Plan, now: number): NewestValueQuery[] {
  const metrics = METRICS_OF[plan.widget.widget_type]?.(plan) ?? []
  const [device] = plan.devices
  if (!device || metrics.length === 0) return []
  const from = now - windowOf(device)
  return [...metrics, ANY_METRIC].map((metric) => ({ deviceKey: device.key, metric, from }))
}
