import { UUID } from '../../../kernel/uuid.ts'
import type { ReadDatabase } from '../../../platform/db/replica-reads.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { METERING_TEXTS } from '../messages.ts'
import { LatestJson, type LatestValue } from './latest-json.ts'
import { LATEST_DEVICES_MAX, LATEST_METRICS_MAX } from './limits.ts'
import { readNewestByDevice } from './newest-of-metrics-store.ts'
import type { NewestSample } from './newest-store.ts'
import type { LatestQuery } from './schema.ts'
import { type DeviceState, listDeviceStates, readDeviceStates } from './store.ts'

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

interface ChosenDevices {
  readonly devices: readonly DeviceState[]
  readonly total: number
  /** Ids of the request that are no device. */
  readonly unknown: readonly string[]
}

async function chooseDevices(tenant: TenantDb, query: LatestQuery, now: number): Promise<ChosenDevices> {
  const { device_ids, gateway_id: gatewayId, skip, limit } = query
  if (device_ids === undefined)
    return { ...(await readDeviceStates(tenant, { gatewayId, skip, limit }, now)), unknown: [] }
  const ids = deviceIdsOf(device_ids)
  const known = new Map((await listDeviceStates(tenant, ids, now)).map((device) => [device.id, device]))
  const devices = ids.flatMap((id) => known.get(id) ?? [])
  return { devices, total: devices.length, unknown: ids.filter((id) => !known.has(id)) }
}

/**
 * The latest values of many devices, in a few statements. The number of samples of each device is bounded, so that
 * the cost follows the number of devices and not their sampling interval; a metric that the device sends more
 * rarely than every LATEST_SAMPLES_PER_DEVICE samples is missing.
 */
export async function readLatest(
  { database, tenant }: { readonly database: ReadDatabase; readonly tenant: TenantDb },
  query: LatestQuery,
  now: number,
): Promise<LatestJson> {
  const metrics = metricsOf(query)
  const { devices, total, unknown } = await chooseDevices(tenant, query, now)
  const byDevice = await readNewestByDevice(database.pool, {
    tenantId: tenant.tenantId,
    deviceKeys: devices.map(({ key }) => key),
    from: now - query.max_age_s * 1000,
    now,
    metrics,
  })
  return new LatestJson({
    now,
    devices: devices.map((state) => ({
      state,
      values: newestValues(byDevice.get(state.key) ?? [], metrics),
    })),
    total,
    unknown,
  })
}
