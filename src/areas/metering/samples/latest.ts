import { UUID } from '../../../kernel/uuid.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { METERING_TEXTS } from '../messages.ts'
import { LatestJson, type LatestValue } from './latest-json.ts'
import { LATEST_DEVICES_MAX, LATEST_METRICS_MAX } from './limits.ts'
import { countDevices, type NewestOfDevice, readNewestByDevice } from './newest-of-metrics-store.ts'
import type { NewestSample } from './newest-store.ts'
import type { LatestQuery } from './schema.ts'

const partsOf = (text: string): string[] => [...new Set(text.split(',').map((part) => part.trim()))]

/** The distinct ids of a request, in its order. Throws 422 for a text that is no id, and for too many. */
function deviceIdsOf(device_ids: string): string[] {
  const ids = partsOf(device_ids.toLowerCase())
  if (!ids.every((id) => UUID.test(id)))
    throw invalidInput(['query', 'device_ids'], METERING_TEXTS.LATEST_DEVICE_IDS())
  if (ids.length > LATEST_DEVICES_MAX)
    throw invalidInput(
      ['query', 'device_ids'],
      METERING_TEXTS.LATEST_TOO_MANY_DEVICES({ max: LATEST_DEVICES_MAX }),
    )
  return ids
}

/** Undefined: every metric. */
function metricsOf({ metrics }: LatestQuery): ReadonlySet<string> | undefined {
  const names = partsOf(metrics ?? '').filter((name) => name !== '')
  if (names.length > LATEST_METRICS_MAX)
    throw invalidInput(
      ['query', 'metrics'],
      METERING_TEXTS.LATEST_TOO_MANY_METRICS({ max: LATEST_METRICS_MAX }),
    )
  return names.length > 0 ? new Set(names) : undefined
}

/** The newest value of each metric in samples of one device, by name. */
function newestValues(
  samples: readonly NewestSample[],
  wanted: ReadonlySet<string> | undefined,
): LatestValue[] {
  const newest = new Map<string, LatestValue>()
  for (const { at, values } of samples)
    for (const [metric, value] of Object.entries(values)) {
      if (wanted && !wanted.has(metric)) continue
      const known = newest.get(metric)
      if (!known || known.at < at) newest.set(metric, { metric, at, value })
    }
  return [...newest.values()].sort((a, b) => (a.metric < b.metric ? -1 : 1))
}

/**
 * The latest values of many devices, in a few statements. The number of samples of each device is bounded, so that
 * the cost follows the number of devices and not their sampling interval; a metric that the device sends more
 * rarely than every LATEST_SAMPLES_PER_DEVICE samples is missing.
 */
export async function readLatest(
  db: Queryable,
  tenantId: number,
  query: LatestQuery,
  now: number,
): Promise<LatestJson> {
  const metrics = metricsOf(query)
  const { device_ids, gateway_id: gatewayId, skip, limit } = query
  const options = { tenantId, from: now - query.max_age_s * 1000, now, metrics }
  const toDevice = ({ state, samples }: NewestOfDevice) => ({ state, values: newestValues(samples, metrics) })
  if (device_ids === undefined) {
    const [devices, total] = await Promise.all([
      readNewestByDevice(db, { ...options, devices: { gatewayId, skip, limit } }),
      countDevices(db, tenantId, gatewayId),
    ])
    return new LatestJson({ now, devices: devices.map(toDevice), total, unknown: [] })
  }
  const ids = deviceIdsOf(device_ids)
  const known = new Map(
    (await readNewestByDevice(db, { ...options, devices: { ids } })).map((device) => [
      device.state.id,
      device,
    ]),
  )
  const devices = ids.flatMap((id) => known.get(id) ?? [])
  const unknown = ids.filter((id) => !known.has(id))
  return new LatestJson({ now, devices: devices.map(toDevice), total: devices.length, unknown })
}
