import { segmentOf } from '../../../core/netting/amounts/price-choice.ts'
import { add, formatKwh, formatTry, type Try, wh } from '../../../kernel/decimal.ts'
import { floorHour, HOUR_MS, iso, localHour, periodOf, periodStart } from '../../../kernel/time.ts'
import type { NearestReadings, RegisterReading } from '../../metering/samples/index.ts'
import {
  type BillSlice,
  type BillTariff,
  COST_REASONS,
  type openBooks,
  type PricedPart,
  priceSlices,
} from '../../netting/tariffs/index.ts'
import { SESSION_PRICED_MAX_MS } from '../limits.ts'

/** The reasons for which a session has no cost. */
export const SESSION_COST_REASONS = [...COST_REASONS, 'too_long'] as const
type Reason = (typeof SESSION_COST_REASONS)[number]

/**
 * The register of a session at its start, and at its end or newest reading. For a session of intervals it is
 * their sum, from 0.
 */
export interface MeteredSession {
  /** Epoch milliseconds. */
  readonly from: number
  readonly to: number
  readonly startWh: number | null
  readonly endWh: number | null
}

/** The energy in Wh; null where one of the two readings is missing or they contradict each other. */
export function energyOf({ startWh, endWh }: MeteredSession): number | null {
  if (startWh === null || endWh === null || startWh < 0 || endWh < startWh) return null
  return endWh - startWh
}

/** Longer sessions are not priced. */
export const isTooLong = ({ from, to }: MeteredSession): boolean => to - from > SESSION_PRICED_MAX_MS

/** A price may change with the local day and with the segment of a multi-time tariff. */
const isPriceBoundary = (hour: number): boolean =>
  localHour(hour) === 0 || segmentOf(hour) !== segmentOf(hour - HOUR_MS)

/** The instants within a session at which its price may change; none of one that is not priced. */
export function priceBoundaries(session: MeteredSession): number[] {
  const cuts: number[] = []
  if (energyOf(session) === null || isTooLong(session)) return cuts
  const { from, to } = session
  for (let hour = floorHour(from) + HOUR_MS; hour < to; hour += HOUR_MS)
    if (isPriceBoundary(hour)) cuts.push(hour)
  return cuts
}

/** The register at an instant between two readings, by linear interpolation. */
function between(before: RegisterReading, after: RegisterReading, at: number): number {
  if (after.at <= before.at) return before.wh
  const share = (at - before.at) / (after.at - before.at)
  return before.wh + Math.round((after.wh - before.wh) * share)
}

/**
 * The energy of a session between its price boundaries; `around` has the readings nearest to each. The sum is
 * the energy of the session, to the Wh.
 */
export function slicesOf(
  session: MeteredSession,
  cuts: readonly number[],
  around: readonly NearestReadings[],
): BillSlice[] {
  const { from, to } = session
  const start = { at: from, wh: session.startWh ?? 0 }
  const end = { at: to, wh: session.endWh ?? 0 }
  const slices: BillSlice[] = []
  let last = start
  for (const [index, at] of cuts.entries()) {
    const { before = start, after = end } = around[index] ?? {}
    // A reading that contradicts those of the start and the end moves no energy out of the session.
    const reading = Math.min(Math.max(between(before, after, at), last.wh), end.wh)
    slices.push({ start: last.at, energyWh: reading - last.wh, isEstimated: false })
    last = { at, wh: reading }
  }
  slices.push({ start: last.at, energyWh: end.wh - last.wh, isEstimated: false })
  return slices
}

export interface Billing {
  readonly tariff: BillTariff
  readonly slices: readonly BillSlice[]
  /** The energy of the connector in the month before the session, for tariffs with steps. */
  readonly usedWh: number
  readonly books: ReturnType<typeof openBooks>
}

export interface SessionCost {
  /** A decimal string. */
  readonly costTry: string | null
  readonly reason: Reason | null
  readonly parts: { timestamp: string; energy_kwh: string; cost_try: string | null }[]
}

const none = (reason: Reason): SessionCost => ({ costTry: null, reason, parts: [] })

/** Prices a session by the approved tariffs. It has no cost when a part has no price. */
export function priceSession(
  session: MeteredSession,
  { tariff, slices, usedWh, books }: Billing,
): SessionCost {
  if (energyOf(session) === null) return none('no_data')
  if (isTooLong(session)) return none('too_long')
  const month = periodStart(periodOf(session.from))
  const soFar = { start: month, energyWh: usedWh, isEstimated: false }
  const priced = priceSlices(tariff, month < session.from ? [soFar, ...slices] : slices, books)
  const parts = priced.slice(priced.length - slices.length)
  const reason = parts.find((part) => part.reason !== null)?.reason ?? null
  return {
    costTry: reason === null ? formatTry(sumOf(parts)) : null,
    reason,
    parts: parts.map(({ start, energyWh, cost }) => ({
      timestamp: iso(start),
      energy_kwh: formatKwh(wh(BigInt(energyWh))),
      cost_try: cost === null ? null : formatTry(cost),
    })),
  }
}

const sumOf = (parts: readonly PricedPart[]): Try =>
  parts.reduce((sum, { cost }) => add(sum, cost ?? (0n as Try)), 0n as Try)
