import { DAY_MS } from '../../../kernel/time.ts'
import type { SetChargingProfile } from '../charging-profiles/index.ts'
import { NOMINAL_VOLTAGE } from '../limits.ts'
import type { ShareProfile } from './plan.ts'

/**
 * The number of the profile of a group. The numbers of the table `charging_profile` begin with
 * PROFILE_NUMBER_FIRST.
 */
export const GROUP_PROFILE_NUMBER = 1

interface UnitOptions {
  readonly unit: string
  readonly phases: number
}

/**
 * Encodes a share and its fallback as one charging profile. Its schedule starts a day ago, so that it is in
 * force on a station whose clock is behind.
 */
export function toChargingProfile(profile: ShareProfile, { unit, phases }: UnitOptions): SetChargingProfile {
  const isAmperes = unit === 'A'
  const start = Math.floor((profile.at - DAY_MS) / 1000)
  const limit = (watts: number) =>
    isAmperes ? Math.floor((watts * 10) / (NOMINAL_VOLTAGE * phases)) / 10 : watts
  const period = (second: number, watts: number) => ({
    start_second: second,
    limit: limit(watts),
    ...(isAmperes && { phases }),
  })
  return {
    connector_id: 0,
    profile: {
      profile_number: GROUP_PROFILE_NUMBER,
      purpose: 'charge_point_max',
      stack_level: 0,
      kind: 'absolute',
      schedule: {
        unit: isAmperes ? 'A' : 'W',
        start_at: new Date(start * 1000).toISOString(),
        periods: [
          period(0, profile.shareW),
          ...(profile.until === null
            ? []
            : [period(Math.floor(profile.until / 1000) - start, profile.fallbackW)]),
        ],
      },
    },
  }
}
