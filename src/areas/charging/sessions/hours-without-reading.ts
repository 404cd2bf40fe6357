import { floorHour, HOUR_MS } from '../../../kernel/time.ts'
import type { NearestReadings } from '../../metering/samples/index.ts'
import { energyOf, isTooLong, type MeteredSession } from './cost.ts'

/**
 * The hours of a session for which the station reported nothing. The energy of the session is exact all the same,
 * but how much of it belongs to such an hour is an estimate: hourly energy marks the hour as estimated, and in
 * netting it is missing.
 */

/** The hours that lie within a session as a whole; none of one without energy or that is too long to be priced. */
export function wholeHours(session: MeteredSession): number[] {
  if (energyOf(session) === null || isTooLong(session)) return []
  const hours: number[] = []
  for (let hour = floorHour(session.from + HOUR_MS - 1); hour + HOUR_MS <= session.to; hour += HOUR_MS)
    hours.push(hour)
  return hours
}

/**
 * The hours that have no reading, neither inside nor on their edges. `around` has the readings nearest to each
 * start.
 */
export const hoursWithoutReading = (hours: readonly number[], around: readonly NearestReadings[]): number[] =>
  hours.filter((hour, index) => {
    const { before, after } = around[index] ?? {}
    return before?.at !== hour && (after === undefined || after.at > hour + HOUR_MS)
  })

/** Whether the energy of a part [from, to) is an estimate, because the register at one of its ends is not known. */
export const isEstimatedPart = (
  { from, to }: { readonly from: number; readonly to: number },
  unread: ReadonlySet<number>,
): boolean => [from, to].some((edge) => unread.has(edge) || unread.has(edge - HOUR_MS))
