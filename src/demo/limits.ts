import { DAY_MS, HOUR_MS, hoursOf, localYear, periodEnd, periodStart } from '../kernel/time.ts'
import { energyOf } from './profiles.ts'
import type { World } from './series.ts'
import type { SiteGroup } from './site.ts'

/** The time within the last full month at which the limit of its year is used up. */
const RUNS_OUT_AFTER_MS = 11.5 * DAY_MS
/** Limits are rounded to thousands of kWh, like typical declared limits. */
const ROUND_WH = 1_000_000

export interface YearLimit {
  readonly facilityName: string
  readonly year: number
  readonly limitWh: number
}

/**
 * The limits of a group in the years that the demo touches. A limit is twice the consumption of the year before,
 * which the demo does not have. For the year of the last full month it is chosen so that it runs out within that
 * month and every class of surplus can be seen; for another year it is twice the consumption of the demo's year.
 */
export function limitsOf(world: World, group: SiteGroup): YearLimit[] {
  const { calendar } = world
  const shownYear = localYear(periodStart(calendar.lastFullMonth))
  const years = [...new Set(calendar.months.map((month) => localYear(periodStart(month))))]
  const holders = group.facilities.flatMap(({ name, limit_share: share }) =>
    share === undefined ? [] : [{ facilityName: name, share }],
  )
  const shares = holders.reduce((sum, { share }) => sum + share, 0)
  return years.flatMap((year) => {
    const totalWh =
      year === shownYear ? producedUntilItRunsOut(world, group) : 2 * consumedInAYear(world, group)
    return holders.map(({ facilityName, share }) => ({
      facilityName,
      year,
      limitWh: Math.round((totalWh * share) / shares / ROUND_WH) * ROUND_WH,
    }))
  })
}

function producedUntilItRunsOut(world: World, { facilities }: SiteGroup): number {
  const { origin, lastFullMonth } = world.calendar
  const from = Math.max(origin, periodStart(`${lastFullMonth.slice(0, 4)}-01-01`))
  const hours = hoursOf({ from, to: periodStart(lastFullMonth) + RUNS_OUT_AFTER_MS })
  return sumOver(hours, (hour) =>
    sumOver(facilities, (facility) => energyOf(world.profiles, facility, hour).producedWh),
  )
}

function consumedInAYear(world: World, { facilities }: SiteGroup): number {
  const to = periodEnd(world.calendar.lastFullMonth)
  return sumOver(hoursOf({ from: to - 8760 * HOUR_MS, to }), (hour) =>
    sumOver(facilities, (facility) => energyOf(world.profiles, facility, hour).consumedWh),
  )
}

const sumOver = <T>(list: readonly T[], value: (item: T) => number): number =>
  list.reduce((sum, item) => sum + value(item), 0)
