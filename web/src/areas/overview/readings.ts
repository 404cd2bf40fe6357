/** The latest power of each meter: read once, then pushed by the live socket. */
import { useMemo, useRef, useState } from 'react'
import type { LiveSample } from '../../../../clients/typescript/src/index.ts'
import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import { HOUR_MS } from '../../../../src/kernel/time.ts'
import { useLiveBatches } from '../../api/live.ts'
import { useGet } from '../../api/queries.ts'
import { addFlows, type Flow, facilityFlow, NO_FLOW, type PowerMeter, wattsOf } from './power-flow.ts'

/** Assignments change rarely; without the live socket this read is what brings new values. */
const REFRESH_MS = 15_000
/** Age beyond which a power is unknown, as in the API. */
const AGE_MAX_MS = HOUR_MS

export interface Reading {
  /** Milliseconds. */
  readonly at: number
  readonly watts: number
}

export interface SiteFilter {
  readonly facility_id?: string | undefined
  readonly subregion_id?: string | undefined
}

type Snapshot = ResponseOf<'GET', '/api/overview/power'>
const NO_METERS: readonly PowerMeter[] = []

/** The meters, their latest readings, the state of the live socket, and a clock of the service. */
export function usePower(site: SiteFilter) {
  const query = useGet('/api/overview/power', { query: { ...site } }, { refetchInterval: REFRESH_MS })
  const { data, dataUpdatedAt } = query
  const meters = data?.meters ?? NO_METERS
  const live = useRef(new Map<string, Reading>())
  const [version, setVersion] = useState(0)
  const devices = useMemo(() => [...new Set(meters.map(({ device_id }) => device_id))], [meters])
  const state = useLiveBatches(devices, (samples) => {
    for (const sample of samples) keep(live.current, sample)
    setVersion((previous) => previous + 1)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the live readings
  const readings = useMemo(() => merge(meters, live.current), [meters, version])
  const clockOffset = data ? Date.parse(data.timestamp) - dataUpdatedAt : 0
  return {
    query: query as { data: Snapshot | undefined } & typeof query,
    meters,
    readings,
    state,
    clockOffset,
  }
}

function keep(readings: Map<string, Reading>, { deviceId, timestamp, values }: LiveSample): void {
  const power = values['active_power']
  const at = Date.parse(timestamp)
  const known = readings.get(deviceId)
  // A late sample is older than the reading that is known.
  if (power !== undefined && (known === undefined || known.at <= at))
    readings.set(deviceId, { at, watts: wattsOf(power) })
}

function merge(meters: readonly PowerMeter[], live: ReadonlyMap<string, Reading>): Map<string, Reading> {
  const readings = new Map<string, Reading>()
  for (const { device_id, active_power_kw, timestamp } of meters) {
    const pushed = live.get(device_id)
    const read =
      active_power_kw === null || timestamp === null
        ? undefined
        : { at: Date.parse(timestamp), watts: wattsOf(active_power_kw) }
    const newest = pushed && read ? (pushed.at >= read.at ? pushed : read) : (pushed ?? read)
    if (newest) readings.set(device_id, newest)
  }
  return readings
}

export interface FacilityPower {
  readonly id: string
  readonly name: string
  /** Undefined: the power of a meter is unknown. */
  readonly flow: Flow | undefined
  /** Time of its oldest power. */
  readonly oldestAt: number | undefined
  /** Whether one of its powers is stale. */
  readonly isStale: boolean
}

/** The flow of each facility at an instant of the service, in the sequence of the meters. */
export function facilitiesOf(
  meters: readonly PowerMeter[],
  readings: ReadonlyMap<string, Reading>,
  now: number,
): FacilityPower[] {
  const byFacility = new Map<string, PowerMeter[]>()
  for (const meter of meters) {
    const others = byFacility.get(meter.facility_id)
    if (others) others.push(meter)
    else byFacility.set(meter.facility_id, [meter])
  }
  return [...byFacility].map(([id, own]) => {
    const known = own.flatMap((meter) => {
      const reading = readings.get(meter.device_id)
      return reading && now - reading.at <= AGE_MAX_MS ? [{ meter, reading }] : []
    })
    const isKnown = known.length === own.length
    return {
      id,
      name: own[0]?.facility_name ?? id,
      flow: isKnown
        ? facilityFlow(
            known.map(({ meter, reading }) => ({ role: meter.measurement_role, watts: reading.watts })),
          )
        : undefined,
      oldestAt: isKnown ? Math.min(...known.map(({ reading }) => reading.at)) : undefined,
      isStale: known.some(({ meter, reading }) => now - reading.at > meter.stale_after_s * 1000),
    }
  })
}

/** The flow of all facilities whose power is known; undefined when none is. */
export function totalOf(facilities: readonly FacilityPower[]) {
  const known = facilities.flatMap(({ flow, oldestAt, isStale }) =>
    flow === undefined || oldestAt === undefined ? [] : [{ flow, oldestAt, isStale }],
  )
  if (known.length === 0) return undefined
  return {
    flow: known.map(({ flow }) => flow).reduce(addFlows, NO_FLOW),
    oldestAt: Math.min(...known.map(({ oldestAt }) => oldestAt)),
    isStale: known.some(({ isStale }) => isStale),
  }
}
