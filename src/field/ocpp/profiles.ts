import type { Profile, ProfilePurpose } from '../../areas/charging/stations.ts'
import { capitalize, omitEmpty, secondsOnly } from './omit-empty.ts'

/** What the versions call our purposes: only that of the station as a whole differs. */
export const purposesWith = (whole: string): Readonly<Record<ProfilePurpose, string>> => ({
  charge_point_max: whole,
  tx_default: 'TxDefaultProfile',
  tx: 'TxProfile',
})

/** What both versions say of a charging profile in the same words, beside its numbers and its schedule. */
export const profileFields = (profile: Profile, purposes: Readonly<Record<ProfilePurpose, string>>) => ({
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
