import { rollUpMarkedDevices, rollUpSettledHours } from '../areas/metering/rollup/index.ts'
import { buildFacts, calculateRange } from '../areas/netting/index.ts'
import {
  type BillingPeriod,
  floorHour,
  nextPeriod,
  periodOf,
  periodRange,
  periodStart,
} from '../kernel/time.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { ApiRecord, Client } from './client.ts'
import { REPORTING_INTERVAL_S } from './create-site.ts'
import { sendHistory } from './live.ts'
import type { Progress } from './progress.ts'
import type { Meter } from './series.ts'
import type { Calendar, Site } from './site.ts'

/**
 * The records of the demo by name, as the public API returns them. Records that a visitor renamed, removed
 * or deactivated are absent, and records that a visitor added are ignored.
 */
export interface Records {
  readonly deviceIds: ReadonlyMap<string, string>
  /** The last sample of each of these devices. */
  readonly lastSeen: readonly number[]
  readonly facilityIds: ReadonlyMap<string, string>
  readonly groupIds: ReadonlyMap<string, string>
}

export async function readRecords(client: Client, { groups }: Site): Promise<Records> {
  const facilities = groups.flatMap((group) => group.facilities)
  const meters = facilities.flatMap((facility) => facility.meters)
  const devices = named(await client.list('devices?limit=200'), meters)
  const active = (await client.list('mahsuplasma/groups?limit=500')).filter((group) => group['is_active'])
  return {
    deviceIds: idsByName(devices),
    lastSeen: devices.map((device) => Date.parse(String(device['last_seen'] ?? NEVER))),
    facilityIds: idsByName(named(await client.list('mahsuplasma/facilities?limit=500'), facilities)),
    groupIds: idsByName(named(active, groups)),
  }
}

const NEVER = '1970-01-01T00:00:00Z'
const named = (records: readonly ApiRecord[], things: readonly { readonly name: string }[]): ApiRecord[] => {
  const names = new Set<unknown>(things.map((thing) => thing.name))
  return records.filter((record) => names.has(record['name']))
}
const idsByName = (records: readonly ApiRecord[]): Map<string, string> =>
  new Map(records.map((record) => [String(record['name']), String(record['id'])]))

/**
 * Returns the instant from which the demo has to be loaded: its origin until every month was calculated
 * once, afterwards the instant up to which all data is known to be stored. It is derived from the data, so
 * that no separate marker can disagree with it.
 */
export async function loadedUntil(
  client: Client,
  { calendar, records, now }: { calendar: Calendar; records: Records; now: number },
): Promise<number> {
  let until = Math.min(now, ...records.lastSeen)
  for (const groupId of records.groupIds.values()) {
    const path = `mahsuplasma/groups/${groupId}`
    const summaries = await client.list(`${path}/monthly-summary`)
    const calculated = new Set(summaries.map((row) => row['billing_period']))
    // The month of the load may not have had a complete hour yet.
    const full = calendar.months.filter((month) => month <= calendar.lastFullMonth)
    if (!full.every((month) => calculated.has(month))) return calendar.origin
    const [run] = await client.list(`${path}/runs?limit=1`)
    until = Math.min(until, Date.parse(String(run?.['to_hour'] ?? NEVER)))
  }
  return Math.max(floorHour(until), calendar.origin)
}

export interface Load {
  readonly deps: Deps
  readonly tenantId: number
  readonly records: Records
  readonly meters: readonly Meter[]
  readonly progress: Progress
  readonly signal: AbortSignal
}

/** Loads samples, then hourly energy, then the netting of every month in order. Each step is idempotent. */
export async function loadHistory(load: Load, from: number): Promise<void> {
  const to = load.deps.clock.now()
  await sendSamples(load, from, to)
  await rollUp(load)
  await buildAllFacts(load, from, to)
  await calculateAll(load, from, to)
}

async function sendSamples(load: Load, from: number, to: number): Promise<void> {
  const { deps, tenantId, meters, records, progress, signal } = load
  const stepMs = REPORTING_INTERVAL_S * 1000
  const perMeter = Math.floor((to - from) / stepMs) + 1
  const senders = { deps, tenantId, meters, deviceIds: records.deviceIds }
  await progress.phase('Meter samples', perMeter * meters.length, (advance) =>
    sendHistory(senders, { from, to, stepMs }, { signal, onSent: advance }),
  )
}

/** Rolls up the samples for the aggregated endpoints; otherwise the hourly job would do it hour by hour. */
const rollUp = ({ deps, progress }: Load): Promise<void> =>
  progress.phase('Roll-ups', 2, async (advance) => {
    await rollUpMarkedDevices(deps)
    advance(1)
    await rollUpSettledHours(deps, deps.clock.now())
    advance(1)
  })

const buildAllFacts = (load: Load, from: number, to: number): Promise<void> => {
  const { deps, tenantId, records, progress, signal } = load
  return progress.phase('Hourly facts', records.facilityIds.size, async (advance) => {
    for (const facilityId of records.facilityIds.values()) {
      signal.throwIfAborted()
      await buildFacts(deps, tenantId, { facilityIds: [facilityId], range: { from, to } })
      advance(1)
    }
  })
}

const calculateAll = (load: Load, from: number, to: number): Promise<void> => {
  const { deps, tenantId, records, progress, signal } = load
  const months = monthsBetween(from, to)
  return progress.phase('Netting', months.length * records.groupIds.size, async (advance) => {
    for (const billingPeriod of months) {
      for (const groupId of records.groupIds.values()) {
        signal.throwIfAborted()
        const range = periodRange(billingPeriod)
        await calculateRange(deps, tenantId, { groupId, range, triggeredBy: 'beat', startedBy: null })
        advance(1)
      }
    }
  })
}

/** Returns the months with a complete hour in the range. */
function monthsBetween(from: number, to: number): BillingPeriod[] {
  const months: BillingPeriod[] = []
  for (let month = periodOf(from); periodStart(month) < floorHour(to); month = nextPeriod(month))
    months.push(month)
  return months
}
