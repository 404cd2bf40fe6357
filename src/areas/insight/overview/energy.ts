import { at } from '../../../kernel/checked.ts'
import { add, formatKwh, type Kwh } from '../../../kernel/decimal.ts'
import { DAY_MS, dayStart, iso, localDate } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { type FacilityHourEnergy, readFacilityHours } from '../../netting/index.ts'
import { OVERVIEW_FACILITIES_IN_TURN, OVERVIEW_FACILITIES_MAX } from './limits.ts'
import type { OverviewEnergy, OverviewQuery } from './schema.ts'
import { listFacilityIds } from './store.ts'

const HOURS = 24
const ENERGIES = ['production', 'consumption'] as const
type Energy = (typeof ENERGIES)[number]

/** The energies of an hour or of several; null: none is known. */
type Sums = Record<Energy, Kwh | null>
const noSums = (): Sums => ({ production: null, consumption: null })
const addTo = (sums: Sums, energy: Energy, kwh: Kwh): void => {
  sums[energy] = add(sums[energy] ?? (0n as Kwh), kwh)
}

interface DayHour {
  readonly sums: Sums
  unknown: number
}
type Hours = readonly FacilityHourEnergy[]

/** Adds up the hours of yesterday and today, whose index in a list of 48 is 24 higher. */
class Comparison {
  private readonly hours = Array.from({ length: 2 * HOURS }, (): DayHour => ({ sums: noSums(), unknown: 0 }))
  /** The values of a facility that were expected in an hour of the day, and are known on both days or not. */
  private readonly both = Array.from({ length: HOURS }, () => ({
    today: noSums(),
    yesterday: noSums(),
    leftOut: 0,
  }))

  addFacility(facilityHours: Hours): void {
    for (const [index, hour] of facilityHours.entries()) {
      const { sums } = at(this.hours, index)
      let isUnknown = false
      for (const energy of ENERGIES) {
        const { kwh, isExpected } = hour[energy]
        if (kwh !== null) addTo(sums, energy, kwh)
        else if (isExpected) isUnknown = true
      }
      if (isUnknown) at(this.hours, index).unknown += 1
    }
    for (let hour = 0; hour < HOURS; hour += 1) this.addBoth(hour, facilityHours)
  }

  private addBoth(hour: number, facilityHours: Hours): void {
    const both = at(this.both, hour)
    for (const energy of ENERGIES) {
      const yesterday = at(facilityHours, hour)[energy]
      const today = at(facilityHours, hour + HOURS)[energy]
      if (yesterday.kwh !== null && today.kwh !== null) {
        addTo(both.today, energy, today.kwh)
        addTo(both.yesterday, energy, yesterday.kwh)
      } else if (yesterday.isExpected || today.isExpected) both.leftOut += 1
    }
  }

  toResponse(): Pick<OverviewEnergy, 'hours' | 'compared_hours' | 'values_left_out' | 'so_far'> {
    const known = this.hours.slice(HOURS).map(({ sums }) => ENERGIES.some((energy) => sums[energy] !== null))
    const compared = known.lastIndexOf(true) + 1
    const soFar = { today: noSums(), yesterday: noSums() }
    let leftOut = 0
    for (const both of this.both.slice(0, compared)) {
      leftOut += both.leftOut
      for (const day of ['today', 'yesterday'] as const)
        for (const energy of ENERGIES) {
          const kwh = both[day][energy]
          if (kwh !== null) addTo(soFar[day], energy, kwh)
        }
    }
    return {
      hours: Array.from({ length: HOURS }, (_item, hour) => ({
        hour,
        today: dayHour(at(this.hours, hour + HOURS)),
        yesterday: dayHour(at(this.hours, hour)),
      })),
      compared_hours: compared,
      values_left_out: leftOut,
      so_far: { today: texts(soFar.today), yesterday: texts(soFar.yesterday) },
    }
  }
}

const text = (kwh: Kwh | null): string | null => (kwh === null ? null : formatKwh(kwh))
const texts = ({ production, consumption }: Sums) => ({
  production_kwh: text(production),
  consumption_kwh: text(consumption),
})
const dayHour = ({ sums, unknown }: DayHour) => ({ ...texts(sums), facilities_unknown: unknown })

/** The energy of the facilities by hour, today and yesterday, from their facts. */
export async function readEnergyOfDays(
  tenant: TenantDb,
  query: OverviewQuery,
  now: number,
): Promise<OverviewEnergy> {
  const found = await listFacilityIds(tenant, query, OVERVIEW_FACILITIES_MAX + 1)
  const facilityIds = found.slice(0, OVERVIEW_FACILITIES_MAX)
  const date = localDate(now)
  const midnight = dayStart(date)
  const window = { from: midnight - DAY_MS, to: midnight + DAY_MS }
  const comparison = new Comparison()
  for (let start = 0; start < facilityIds.length; start += OVERVIEW_FACILITIES_IN_TURN) {
    const ids = facilityIds.slice(start, start + OVERVIEW_FACILITIES_IN_TURN)
    for (const hours of (await readFacilityHours(tenant, ids, window)).values()) comparison.addFacility(hours)
  }
  return {
    timestamp: iso(now),
    date,
    facilities: facilityIds.length,
    is_truncated: found.length > OVERVIEW_FACILITIES_MAX,
    ...comparison.toResponse(),
  }
}
