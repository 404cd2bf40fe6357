import { dailyStepThreshold } from '../../../core/netting/steps.ts'
import type { AboneGrubu, VoltageLevel } from '../../../core/netting/types.ts'
import { at as elementAt } from '../../../kernel/checked.ts'
import { formatKwh, wh } from '../../../kernel/decimal.ts'
import { found } from '../../../kernel/errors.ts'
import { iso, periodOf, periodStart } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { SampleValues } from '../../metering/intake-contract/index.ts'
import {
  type NearestReadingsQuery,
  type RegisterReading,
  readCurve,
  readNearestReadings,
} from '../../metering/samples/index.ts'
import { approvedPrices, openBooks } from '../../netting/tariffs/index.ts'
import { SESSION_PRICED_MAX_MS } from '../limits.ts'
import {
  energyOf,
  type MeteredSession,
  priceBoundaries,
  priceSession,
  type SessionCost,
  slicesOf,
} from './cost.ts'
import { hoursWithoutReading, isEstimatedPart, wholeHours } from './hours-without-reading.ts'
import { readingsAround, toRegister } from './intervals.ts'
import type { CurveQuery, PricingQuery, SessionQuery } from './schema.ts'
import * as store from './store.ts'

export type ReadDeps = Pick<Deps, 'database' | 'clock'>

/** A session with its register and its tariff. */
interface BilledSession {
  readonly row: store.SessionRow
  readonly metered: MeteredSession
  /** The intervals as a register that begins at 0, where the session has no register. */
  readonly rising: readonly RegisterReading[] | undefined
  readonly facilityId: string | null
  readonly aboneGrubu: AboneGrubu | null
  readonly isMultiTime: boolean
  readonly voltageLevel: VoltageLevel | null
}

const isOfIntervals = ({ meter_start_wh, interval_wh }: store.SessionRow): boolean =>
  meter_start_wh === null && interval_wh !== null

/** Reads the registers; that of an active session is its newest reading. */
async function readMeters(tenant: TenantDb, rows: readonly store.SessionRow[], now: number) {
  const active = rows.filter((row) => row.ended_at === null && !isOfIntervals(row))
  const around = await readNearestReadings(
    tenant,
    active.map(({ device_id, started_at }) => ({
      deviceId: device_id,
      at: now,
      from: started_at.getTime(),
      to: now,
    })),
  )
  const newest = new Map(active.map(({ id }, index) => [id, around[index]?.before]))
  return rows.map((row): MeteredSession => {
    const from = row.started_at.getTime()
    const startWh = isOfIntervals(row) ? 0 : row.meter_start_wh
    const endWh = isOfIntervals(row) ? row.interval_wh : row.meter_stop_wh
    if (row.ended_at !== null) return { from, to: row.ended_at.getTime(), startWh, endWh }
    if (isOfIntervals(row)) return { from, to: row.interval_last_at?.getTime() ?? from, startWh, endWh }
    const last = newest.get(row.id)
    return { from, to: last?.at ?? from, startWh, endWh: last?.wh ?? null }
  })
}

async function readBilling(
  tenant: TenantDb,
  rows: readonly store.SessionRow[],
  { abone_grubu, is_multi_time, now }: PricingQuery & { readonly now: number },
): Promise<BilledSession[]> {
  const [meters, intervals, facilities] = await Promise.all([
    readMeters(tenant, rows, now),
    store.readIntervals(
      tenant,
      rows.filter(isOfIntervals).map(({ id }) => id),
    ),
    store.readFacilities(
      tenant,
      rows.map(({ id }) => id),
    ),
  ])
  const bySession = new Map(facilities.map((facility) => [facility.session_id, facility]))
  return rows.flatMap((row, index) => {
    const metered = meters[index]
    const own = intervals.get(row.id)
    const facility = bySession.get(row.id)
    if (!metered) return []
    return {
      row,
      metered,
      rising: own && toRegister(own),
      facilityId: facility?.facility_id ?? null,
      aboneGrubu: abone_grubu ?? facility?.abone_grubu ?? null,
      voltageLevel: facility?.voltage_level ?? null,
      isMultiTime: is_multi_time ?? facility?.is_multi_time ?? false,
    }
  })
}

/**
 * The query for the register at the start of the month, for tariffs whose price depends on the month so far.
 */
const monthStartOf = ({ row, metered: { from } }: BilledSession): NearestReadingsQuery => {
  const month = periodStart(periodOf(from))
  return { deviceId: row.device_id, at: month, from: periodStart(periodOf(month - 1)), to: from }
}

const hasSteps = ({ aboneGrubu }: BilledSession): boolean => dailyStepThreshold(aboneGrubu) !== undefined

/** Prices several sessions: the readings around all price boundaries, and all prices, are read at once. */
async function priceAll(tenant: TenantDb, billed: readonly BilledSession[]): Promise<SessionCost[]> {
  const priced = billed.filter(({ aboneGrubu, metered }) => aboneGrubu !== null && energyOf(metered) !== null)
  const cuts = billed.map((one) => (priced.includes(one) ? priceBoundaries(one.metered) : []))
  const instants = billed.flatMap(({ row, metered, rising }, index) =>
    (rising ? [] : elementAt(cuts, index)).map((at) => {
      const { from, to } = metered
      return { deviceId: row.device_id, at, from, to }
    }),
  )
  const stepped = priced.filter(hasSteps)
  const range = {
    from: Math.min(...priced.map(({ metered }) => metered.from)),
    to: Math.max(...priced.map(({ metered }) => metered.to)) + 1,
  }
  const [around, months, prices] = await Promise.all([
    readNearestReadings(tenant, instants),
    readNearestReadings(tenant, stepped.map(monthStartOf)),
    priced.length > 0 ? approvedPrices(tenant, range) : [],
  ])
  const books = openBooks(prices)
  let next = 0
  return billed.map((one, index) => {
    const own = elementAt(cuts, index)
    const read = one.rising ? readingsAround(one.rising, own) : around.slice(next, next + own.length)
    if (!one.rising) next += own.length
    const slices = slicesOf(one.metered, own, read)
    const month = months[stepped.indexOf(one)]
    const register = month?.before ?? month?.after
    const usedWh = register ? Math.max(0, (one.metered.startWh ?? 0) - register.wh) : 0
    return priceSession(one.metered, { tariff: one, slices, usedWh, books })
  })
}

function toResponse({ row, metered, rising }: BilledSession, { costTry, reason }: SessionCost) {
  const energy = energyOf(metered)
  const { interval_wh: _, interval_last_at: __, ...session } = row
  return {
    ...session,
    energy_source: energy === null ? null : rising ? ('intervals' as const) : ('register' as const),
    last_reading_at: metered.endWh === null ? null : new Date(metered.to),
    energy_kwh: energy === null ? null : formatKwh(wh(BigInt(energy))),
    cost_try: costTry,
    cost_reason: reason,
  }
}

async function sumSessions(tenant: TenantDb, query: SessionQuery) {
  const { energy_wh, ...counts } = await store.sum(tenant, query)
  return { ...counts, energy_kwh: formatKwh(wh(BigInt(energy_wh))) }
}

export async function listSessions({ clock }: ReadDeps, tenant: TenantDb, query: SessionQuery) {
  const page = await store.list(tenant, query)
  const totals = query.include === 'totals' ? await sumSessions(tenant, query) : undefined
  const billed = await readBilling(tenant, page.items, { ...query, now: clock.now() })
  const costs = await priceAll(tenant, billed)
  return {
    ...page,
    ...(totals && { totals }),
    items: billed.flatMap((one, index) => (costs[index] ? [toResponse(one, costs[index])] : [])),
  }
}

interface OneSession<Query> {
  readonly id: string
  readonly query: Query
}

/** 404 when unknown. */
export async function findSession(
  { clock }: ReadDeps,
  tenant: TenantDb,
  { id, query }: OneSession<PricingQuery>,
) {
  const row = found('session', await store.find(tenant, id))
  const billed = await readBilling(tenant, [row], { ...query, now: clock.now() })
  const [[one], [cost], stop] = [
    billed,
    await priceAll(tenant, billed),
    await store.findRemoteStop(tenant, row),
  ]
  const session = found('session', one)
  const unread = await readHoursWithoutReading(tenant, session)
  const { facilityId, aboneGrubu, isMultiTime, voltageLevel } = session
  return {
    ...toResponse(session, found('session', cost)),
    stop_command_id: stop,
    tariff: {
      facility_id: facilityId,
      abone_grubu: aboneGrubu,
      is_multi_time: isMultiTime,
      voltage_level: voltageLevel,
    },
    hours_without_reading: unread.map(iso),
    cost_parts: markEstimated(cost?.parts ?? [], session.metered.to, new Set(unread)),
  }
}

async function readHoursWithoutReading(tenant: TenantDb, { row, metered, rising }: BilledSession) {
  const hours = wholeHours(metered)
  const { from, to } = metered
  const around = rising
    ? readingsAround(rising, hours)
    : await readNearestReadings(
        tenant,
        hours.map((at) => ({ deviceId: row.device_id, at, from, to })),
      )
  return hoursWithoutReading(hours, around)
}

const markEstimated = (parts: SessionCost['parts'], end: number, unread: ReadonlySet<number>) =>
  parts.map((part, index) => {
    const next = parts[index + 1]
    const range = { from: Date.parse(part.timestamp), to: next ? Date.parse(next.timestamp) : end }
    return { ...part, is_estimated: isEstimatedPart(range, unread) }
  })

const MILLIWH_PER_KWH = 1000

function pointOf(at: number, values: SampleValues, startWh: number | null) {
  const register = values['import_active_energy']
  const energy =
    register === undefined || startWh === null ? null : Math.round(register * MILLIWH_PER_KWH) - startWh
  return {
    timestamp: iso(at),
    energy_kwh: energy === null ? null : formatKwh(wh(BigInt(energy))),
    power_kw: values['active_power'] ?? null,
    current_a: values['current'] ?? values['current_l1'] ?? null,
    voltage_v: values['voltage'] ?? values['voltage_l1'] ?? null,
    state_of_charge: values['state_of_charge'] ?? null,
  }
}

/** The measurements of the connector during a session. 404 when unknown. */
export async function readSessionCurve(
  { database, clock }: ReadDeps,
  tenant: TenantDb,
  { id, query }: OneSession<CurveQuery>,
) {
  const session = found('session', await store.find(tenant, id))
  const from = session.started_at.getTime()
  const to = Math.min(session.ended_at?.getTime() ?? clock.now(), from + SESSION_PRICED_MAX_MS)
  const { tenantId } = tenant
  // The reading at the end is part of the range.
  const range = { from, to: to + 1 }
  const instants = { tenantId, deviceId: session.device_id, range, points: query.limit }
  const { points, samples } = await readCurve(database.pool, instants)
  return {
    session_id: session.id,
    device_id: session.device_id,
    start: iso(from),
    end: iso(to),
    samples,
    points: points.map(({ at, values }) => pointOf(at, values, session.meter_start_wh)),
  }
}
