import { fromMillionths, isRegister, METRICS } from '../../../kernel/metrics.ts'
import { HOME_ASSISTANT_ENTITIES_MAX } from '../limits.ts'

type Metric = (typeof METRICS)[number]

/** The fields of a sensor of Home Assistant that depend on the metric. */
interface SensorKind {
  readonly device_class?: string
  readonly unit_of_measurement?: string
  readonly state_class: 'measurement' | 'total_increasing'
}

const gauge = (device_class: string | undefined, unit_of_measurement?: string): SensorKind => ({
  ...(device_class !== undefined && { device_class }),
  ...(unit_of_measurement !== undefined && { unit_of_measurement }),
  state_class: 'measurement',
})
/** With these fields the energy dashboard offers the sensor. */
const ENERGY: SensorKind = {
  device_class: 'energy',
  unit_of_measurement: 'kWh',
  state_class: 'total_increasing',
}
/** Older versions of Home Assistant refuse a sensor with a class or a unit of a class that they do not know. */
const REACTIVE_ENERGY: SensorKind = { unit_of_measurement: 'kvarh', state_class: 'total_increasing' }

function kindOf(metric: Metric): SensorKind {
  if (isRegister(metric)) return metric.includes('reactive') ? REACTIVE_ENERGY : ENERGY
  if (metric.startsWith('voltage')) return gauge('voltage', 'V')
  if (metric.startsWith('current')) return gauge('current', 'A')
  if (metric.startsWith('active_power')) return gauge('power', 'kW')
  if (metric === 'reactive_power') return gauge(undefined, 'kvar')
  if (metric === 'apparent_power') return gauge(undefined, 'kVA')
  if (metric === 'frequency') return gauge('frequency', 'Hz')
  if (metric === 'state_of_charge') return gauge('battery', '%')
  return metric === 'temperature' ? gauge('temperature', '°C') : gauge('power_factor')
}

const ABBREVIATION = /^l\d$/
const nameOf = (metric: string): string => {
  const words = metric.split('_').map((word) => (ABBREVIATION.test(word) ? word.toUpperCase() : word))
  const name = words.join(' ')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

export interface AnnouncedDevice {
  readonly id: string
  readonly name: string
  readonly is_online: boolean
  /** Rows of `measurement`, newest first. */
  readonly samples: readonly Readonly<Record<string, unknown>>[] | null
}

const stateTopicOf = (deviceId: string): string => `netsaat/${deviceId}/state`
const configTopicOf = (deviceId: string, metric: string): string =>
  `homeassistant/sensor/netsaat_${deviceId}/${metric}/config`

/** Of each metric the newest value, in the units of the API. */
function newestValues(samples: NonNullable<AnnouncedDevice['samples']>): Map<Metric, number> {
  const values = new Map<Metric, number>()
  for (const metric of METRICS) {
    const sample = samples.find((one) => typeof one[metric] === 'number')
    if (!sample) continue
    const value = Number(sample[metric])
    values.set(metric, isRegister(metric) ? fromMillionths(value) : value)
  }
  return values
}

const configOf = ({ id, name }: AnnouncedDevice, metric: Metric): string =>
  JSON.stringify({
    name: nameOf(metric),
    unique_id: `netsaat_${id}_${metric}`,
    ...kindOf(metric),
    state_topic: stateTopicOf(id),
    value_template: `{{ value_json.${metric} }}`,
    availability_topic: stateTopicOf(id),
    availability_template: '{{ value_json.availability }}',
    device: { identifiers: [`netsaat_${id}`], name, manufacturer: 'Netsaat' },
    origin: { name: 'Netsaat' },
  })

/** The retained messages that announce the devices and their values, by topic, below the root of the gateway. */
export function announcementsOf(devices: readonly AnnouncedDevice[]): Map<string, string> {
  const messages = new Map<string, string>()
  let entities = 0
  for (const device of devices) {
    const values = newestValues(device.samples ?? [])
    entities += values.size
    if (entities > HOME_ASSISTANT_ENTITIES_MAX) break
    if (values.size === 0) continue
    for (const metric of values.keys())
      messages.set(configTopicOf(device.id, metric), configOf(device, metric))
    const availability = device.is_online ? 'online' : 'offline'
    messages.set(stateTopicOf(device.id), JSON.stringify({ ...Object.fromEntries(values), availability }))
  }
  return messages
}
