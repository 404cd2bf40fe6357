import type { Profile, ProfilePurpose } from '../../areas/charging/stations.ts'
import { capitalize, omitEmpty, secondsOnly } from './encoding.ts'

/** The names of our purposes in a version; the versions differ in that of the station as a whole. */
export const purposesWith = <const Whole extends string>(whole: Whole) =>
  ({
    charge_point_max: whole,
    tx_default: 'TxDefaultProfile',
    tx: 'TxProfile',
  }) as const satisfies Readonly<Record<ProfilePurpose, string>>

/** The fields of a charging profile that both versions name alike, beside its numbers and its schedule. */
export const profileFields = <PurposeName extends string>(
  profile: Profile,
  purposes: Readonly<Record<ProfilePurpose, PurposeName>>,
) => ({
  stackLevel: profile.stack_level,
  chargingProfilePurpose: purposes[profile.purpose],
  chargingProfileKind: capitalize(profile.kind),
  recurrencyKind: profile.recurrency && capitalize(profile.recurrency),
  validFrom: secondsOnly(profile.valid_from),
  validTo: secondsOnly(profile.valid_to),
})

export const scheduleFields = ({ schedule }: Profile) => ({
  duration: schedule.duration_seconds,
  startSchedule: secondsOnly(schedule.start_at),
  chargingRateUnit: schedule.unit,
  chargingSchedulePeriod: schedule.periods.map(({ start_second, limit, phases }) =>
    omitEmpty({ startPeriod: start_second, limit, numberPhases: phases }),
  ),
  minChargingRate: schedule.min_rate,
})
