import type { Unused } from '../../areas/equipment/gateway-link/index.ts'
import type { Sample, SampleSink } from '../../areas/metering/intake-contract/index.ts'
import { decodeMessage, type RegisterMap } from '../../core/register-map/index.ts'
import type { Reading, Refused } from './dialects/types.ts'
import { type GatewayDevices, lookUpName } from './directory.ts'
import { UNKNOWN_DEVICES_KEPT_MAX } from './limits.ts'

/** A sample of a device whose key is known. */
export interface KeyedSample extends Sample {
  readonly deviceKey: number
}

export function addSamples(samples: readonly KeyedSample[], sink: SampleSink): void {
  for (const sample of samples) sink.add(sample, sample.deviceKey)
}

export interface Resolved {
  readonly samples: readonly KeyedSample[]
  /**
   * Names without a device of the gateway. Null: the sender itself, where it is not clear which device that
   * is.
   */
  readonly unknown: ReadonlySet<string | null>
  /** Values that a template found and could not use. */
  readonly refused: readonly Refused[]
  /** Epoch milliseconds; undefined when there is no sample. */
  readonly newestAt: number | undefined
}

const NOBODY: ReadonlySet<string | null> = new Set()
const NOTHING: readonly Refused[] = []

/** The readings of a message as samples of the gateway's devices. */
export function resolveReadings(
  readings: readonly Reading[],
  devices: GatewayDevices,
  { topic, receivedAt }: { topic: string; receivedAt: number },
): Resolved {
  const samples: KeyedSample[] = []
  let unknown = NOBODY
  let refused = NOTHING
  let newestAt: number | undefined
  for (const reading of readings) {
    const device = devices.find(reading.device)
    if (!device) {
      unknown = new Set([...unknown, reading.device])
      continue
    }
    let { values } = reading
    if (device.map && reading.raw !== undefined) {
      const read = valuesOf(device.map, reading, topic)
      values = read.values
      if (read.faults.length > 0) refused = [...refused, ...read.faults]
    }
    if (isEmpty(values)) continue
    const at = reading.at ?? receivedAt
    samples.push({ deviceId: device.id, deviceKey: device.key, at, values })
    if (newestAt === undefined || at > newestAt) newestAt = at
  }
  return { samples, unknown, refused, newestAt }
}

interface TemplateValues {
  readonly values: Sample['values']
  readonly faults: readonly Refused[]
}

/**
 * Reads the values by the paths of the device's template. Where no path matches, the message is not of the
 * template's product (for example one on our own topics), and the names of the dialect apply.
 */
function valuesOf(
  map: RegisterMap,
  { device, values, raw, rawByTopic = {} }: Reading,
  topic: string,
): TemplateValues {
  const messages = [[topic, raw] as const, ...Object.entries(rawByTopic)]
  const decoded = messages.map(([end, document]) => decodeMessage(map, { topic: end, document }))
  const read: Record<string, number> = Object.assign({}, ...decoded.map((part) => part.values))
  const states = decoded.flatMap((part) => Object.entries(part.states))
  for (const [metric, state] of states) {
    if (typeof state !== 'string') read[metric] = Number(state)
  }
  const problems = decoded.flatMap((part) => part.problems)
  const faults = problems
    .filter(({ reason }) => reason !== 'not_available')
    .map(
      ({ key, reason }): Refused => ({
        reason: 'bad_value',
        detail: `${device ?? 'the gateway'}: "${key}" of its template: ${reason.replaceAll('_', ' ')}`,
      }),
    )
  const isOfTemplate = !isEmpty(read) || problems.length > 0 || states.length > 0
  return { values: isOfTemplate ? read : values, faults }
}

function isEmpty(values: object): boolean {
  for (const _metric in values) return false
  return true
}

const NAMES_SHOWN = 5

/** The reason why a part of a message could not be used; undefined when all of it was used. */
export function unusedOf(unknown: Resolved['unknown'], refused: readonly Refused[]): Unused | undefined {
  if (unknown.size > 0) {
    const named = [...unknown].slice(0, NAMES_SHOWN).map((name) => name ?? '(the gateway itself)')
    const more = unknown.size > NAMES_SHOWN ? ` and ${unknown.size - NAMES_SHOWN} more` : ''
    const others = refused.length > 0 ? `; besides, ${refused[0]?.detail}` : ''
    return {
      reason: 'unknown_device',
      detail: `the gateway has no device named ${named.join(', ')}${more}${others}`,
      unknownDevices: [...unknown].slice(0, UNKNOWN_DEVICES_KEPT_MAX).map(lookUpName),
    }
  }
  const [first] = refused
  if (!first) return undefined
  const more = refused.length > 1 ? ` (and ${refused.length - 1} more)` : ''
  return { reason: first.reason, detail: first.detail + more }
}
