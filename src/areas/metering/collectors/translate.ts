/** Translates points of collectors to samples of devices: which label names the device, which field is which metric. */

import { SAMPLE_METRICS_MAX } from '../../../kernel/limits.ts'
import type { Message } from '../../../kernel/messages.ts'
import { isRegister, METRICS, REGISTER_MAX, VALUE_MAX } from '../../../kernel/metrics.ts'
import type { Sample } from '../intake-contract/index.ts'
import { COLLECTOR_QUOTE_MAX_LENGTH } from './limits.ts'
import type { FieldValue } from './line-protocol.ts'
import { COLLECTOR_TEXTS } from './messages.ts'

export interface MetricRule {
  /** Null: any measurement. */
  readonly measurement: string | null
  readonly field: string
  readonly metric: string
  readonly factor: number
}

export interface Mapping {
  /** The first of these labels that a point has names its device. */
  readonly device_labels: readonly string[]
  readonly metrics: readonly MetricRule[]
  /** Fields without a rule that are no metrics are ignored instead of reported. */
  readonly ignore_unknown: boolean
}

/** Applies to requests that name no mapping of the tenant. */
export const DEFAULT_MAPPING: Mapping = {
  device_labels: ['device', 'host'],
  metrics: [],
  ignore_unknown: false,
}

/** Where in a request a value is: the number of its line, or the name of its time series. */
export type Origin = number | string

/** A value of a point of a request. */
export interface IncomingValue {
  readonly origin: Origin
  readonly measurement: string
  readonly field: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: FieldValue
  readonly at: number
}

/** A value with its metric, whose device is not looked up yet. */
export interface MappedValue {
  readonly origin: Origin
  readonly device: string
  readonly metric: string
  readonly value: number
  readonly at: number
}

export const quoted = (text: string): string =>
  text.length > COLLECTOR_QUOTE_MAX_LENGTH ? `${text.slice(0, COLLECTOR_QUOTE_MAX_LENGTH)}…` : text

const KNOWN: ReadonlySet<string> = new Set(METRICS)
const anyMeasurement = (field: string): string => `\n${field}`

/** Finds the rule of a field: that of its measurement before that of any measurement, the first of several. */
export function makeTranslator(
  mapping: Mapping,
): (incoming: IncomingValue) => MappedValue | Message | undefined {
  const rules = new Map<string, MetricRule>()
  for (const rule of mapping.metrics) {
    const key = rule.measurement === null ? anyMeasurement(rule.field) : `${rule.measurement}\n${rule.field}`
    if (!rules.has(key)) rules.set(key, rule)
  }
  return (incoming) => {
    const { measurement, field, labels, origin, at } = incoming
    const rule = rules.get(`${measurement}\n${field}`) ?? rules.get(anyMeasurement(field))
    const metric = rule?.metric ?? metricOf(measurement, field)
    if (metric === undefined) return mapping.ignore_unknown ? undefined : unknownMetric(incoming)
    const number = toNumber(incoming.value)
    if (number === undefined) return COLLECTOR_TEXTS.COLLECTOR_NOT_A_NUMBER({ field: quoted(field) })
    const value = scale(number, rule?.factor ?? 1)
    if (Math.abs(value) > (isRegister(metric) ? REGISTER_MAX : VALUE_MAX))
      return COLLECTOR_TEXTS.COLLECTOR_VALUE_RANGE({ field: quoted(field) })
    const label = mapping.device_labels.find((name) => labels.has(name))
    if (label === undefined)
      return COLLECTOR_TEXTS.COLLECTOR_DEVICE_MISSING({ labels: [...mapping.device_labels] })
    return { origin, device: labels.get(label) ?? '', metric, value, at }
  }
}

/** The metric of a field without a rule. Many collectors call the only field of a measurement `value`. */
function metricOf(measurement: string, field: string): string | undefined {
  if (KNOWN.has(field)) return field
  return field === 'value' && KNOWN.has(measurement) ? measurement : undefined
}

const unknownMetric = ({ measurement, field }: IncomingValue): Message =>
  COLLECTOR_TEXTS.COLLECTOR_METRIC_UNKNOWN({ field: quoted(field), measurement: quoted(measurement) })

function toNumber(value: FieldValue): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Rounds to 15 significant digits: 612.4 W are 0.6124 kW, which the multiplication alone does not yield. */
const scale = (value: number, factor: number): number =>
  factor === 1 ? value : Number((value * factor).toPrecision(15))

/** A value, or a line, that is not stored. */
export interface Fault {
  readonly origin: Origin
  readonly fault: Message
}

export interface Grouped {
  readonly samples: Sample[]
  /** Of each sample the origin of its first value. */
  readonly origins: Origin[]
  readonly faults: Fault[]
}

/** Combines the values of a device at one instant to a sample. Of a metric that is repeated, the last value counts. */
export function groupValues(
  values: readonly MappedValue[],
  deviceOf: (name: string) => string | Message,
): Grouped {
  const grouped: Grouped = { samples: [], origins: [], faults: [] }
  const indexes = new Map<string, number>()
  for (const { origin, device, metric, value, at } of values) {
    const deviceId = deviceOf(device)
    if (typeof deviceId !== 'string') {
      grouped.faults.push({ origin, fault: deviceId })
      continue
    }
    const key = `${deviceId} ${at}`
    const index = indexes.get(key) ?? grouped.samples.push({ deviceId, at, values: {} }) - 1
    indexes.set(key, index)
    const target = grouped.samples[index]?.values as Record<string, number>
    if (!Object.hasOwn(target, metric) && Object.keys(target).length >= SAMPLE_METRICS_MAX) {
      grouped.faults.push({
        origin,
        fault: COLLECTOR_TEXTS.COLLECTOR_VALUES_EXCEEDED({ max: SAMPLE_METRICS_MAX }),
      })
      continue
    }
    target[metric] = value
    grouped.origins[index] ??= origin
  }
  return grouped
}
