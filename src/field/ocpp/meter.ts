import {
  connectorKey,
  deviceOfConnector,
  findConnectorDevices,
  recordEvent,
} from '../../areas/charging/stations.ts'
import type { Sample } from '../../areas/metering/intake-contract/index.ts'
import { makeCoalescer } from '../../platform/async/coalesce.ts'
import { makeLru } from '../../platform/async/lru.ts'
import { systemDb } from '../../platform/db/tenant.ts'
import { inStationTx } from './fields.ts'
import { OCPP_CONNECTORS_CACHED_MAX, OCPP_UNREADABLE_KINDS_MAX } from './limits.ts'
import { type MeterReading, type MeterValue, type RefusedValue, readMeterValues } from './readings.ts'
import { toSamples } from './session-marks.ts'
import type { OcppDeps, Station } from './types.ts'

type Reading = Omit<MeterReading, 'context'>

export interface Meter {
  /**
   * The readings of a message. What cannot be read is recorded once per kind and does not affect the rest.
   */
  read(
    station: Station,
    meterValues: readonly MeterValue[],
    connectorId?: number,
  ): Promise<readonly MeterReading[]>
  /** Reads and stores the values of a message of a connector; resolves when they are committed. */
  record(station: Station, connectorId: number, meterValues: readonly MeterValue[]): Promise<void>
  /** Stores readings of a connector; resolves when they are committed. */
  store(station: Station, connectorId: number, readings: readonly Reading[]): Promise<void>
}

/** Stores the meter values of stations as measurements of the devices of their connectors. */
export function makeMeter(deps: OcppDeps): Meter {
  const { clock, ingest } = deps
  const devices = makeLru<string>(OCPP_CONNECTORS_CACHED_MAX)
  const refusals = makeLru<Set<string>>(OCPP_CONNECTORS_CACHED_MAX)

  const db = systemDb(deps.database.kysely)
  const findKnown = makeCoalescer((wanted: Parameters<typeof findConnectorDevices>[1]) =>
    findConnectorDevices(db, wanted),
  )

  async function findDevice({ tenantId, chargerId }: Station, connectorId: number): Promise<string> {
    const connector = { tenantId, chargerId, connectorId }
    const key = connectorKey(connector)
    const known = (await findKnown([connector])).get(key)
    const device =
      known ?? (await inStationTx(deps, connector, (tx) => deviceOfConnector(tx, connector, connectorId)))
    devices.set(key, device)
    return device
  }

  /**
   * Records each kind once and OCPP_UNREADABLE_KINDS_MAX per station, so that nonsense does not fill its
   * events.
   */
  async function recordUnreadable(
    station: Station,
    refused: readonly RefusedValue[],
    connectorId: number | undefined,
  ) {
    const known = refusals.get(station.chargerId) ?? new Set()
    if (known.size === 0) refusals.set(station.chargerId, known)
    for (const { what } of refused) {
      const kind = `${connectorId} ${what}`
      if (known.has(kind) || known.size >= OCPP_UNREADABLE_KINDS_MAX) continue
      known.add(kind)
      const now = new Date(clock.now())
      await inStationTx(deps, station, (tx) =>
        recordEvent(tx, station, { type: 'unreadable_values', connectorId, details: { what }, now }),
      )
    }
  }

  const offer = (station: Station, deviceId: string, samples: readonly Omit<Sample, 'deviceId'>[]) =>
    ingest.offer(
      station.tenantId,
      samples.map((sample) => ({ ...sample, deviceId })),
    )

  /** Not async, like its callers, so that neither the message nor its readings live until the commit. */
  function store(station: Station, connectorId: number, readings: readonly Reading[]): Promise<void> {
    if (readings.length === 0) return Promise.resolve()
    const samples = readings.flatMap(toSamples)
    const key = connectorKey({ chargerId: station.chargerId, connectorId })
    const known = devices.get(key)
    const stored =
      known === undefined
        ? findDevice(station, connectorId).then((deviceId) => offer(station, deviceId, samples))
        : offer(station, known, samples)
    return stored.then(ignore, (error: unknown) => {
      // The device may have been deleted since it was cached; the station sends the message again.
      devices.delete(key)
      throw error
    })
  }

  async function read(station: Station, meterValues: readonly MeterValue[], connectorId?: number) {
    const { readings, refused } = readMeterValues(meterValues)
    if (refused.length > 0) await recordUnreadable(station, refused, connectorId)
    return readings
  }

  return {
    read,
    store,
    record(station, connectorId, meterValues) {
      const { readings, refused } = readMeterValues(meterValues)
      if (refused.length === 0) return store(station, connectorId, readings)
      return recordUnreadable(station, refused, connectorId).then(() => store(station, connectorId, readings))
    },
  }
}

const ignore = (): void => {}
