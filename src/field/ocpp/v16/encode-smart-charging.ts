import type {
  CancelReservation,
  ClearChargingProfiles,
  GetCompositeSchedule,
  ListChange,
  Profile,
  Reserve,
  SendLocalList,
  SetChargingProfile,
} from '../../../areas/charging/stations.ts'
import { capitalize, encoderV16, omitEmpty, secondsOnly } from '../encoding.ts'
import { profileFields, purposesWith, scheduleFields } from '../profiles.ts'
import type { Encoders } from '../types.ts'

const PURPOSES = purposesWith('ChargePointMaxProfile')

/** A charging profile as SetChargingProfile and RemoteStartTransaction carry it. */
export const profile16 = (profile: Profile) =>
  omitEmpty({
    chargingProfileId: profile.profile_number,
    transactionId: profile.transaction_number,
    ...profileFields(profile, PURPOSES),
    chargingSchedule: omitEmpty(scheduleFields(profile)),
  })

function listEntry(entry: ListChange) {
  if (entry.status === null) return { idTag: entry.id_tag }
  return {
    idTag: entry.id_tag,
    idTagInfo: omitEmpty({
      status: capitalize(entry.status),
      parentIdTag: entry.parent_tag,
      expiryDate: secondsOnly(entry.expires_at),
    }),
  }
}

/** Reservations, the station's own list of tags, and charging profiles. */
export const SMART_CHARGING_ENCODERS_16: Encoders = {
  reserve: encoderV16('ReserveNow', (request: Reserve) =>
    omitEmpty({
      connectorId: request.connector_id,
      expiryDate: secondsOnly(request.expires_at),
      idTag: request.id_tag,
      parentIdTag: request.parent_tag,
      reservationId: request.reservation_number,
    }),
  ),
  cancel_reservation: encoderV16('CancelReservation', (request: CancelReservation) => ({
    reservationId: request.reservation_number,
  })),
  get_local_list_version: encoderV16(
    'GetLocalListVersion',
    () => ({}),
    // -1: it keeps no list.
    ({ listVersion }: { readonly listVersion: number }) => (listVersion >= 0 ? 'accepted' : 'rejected'),
  ),
  send_local_list: encoderV16('SendLocalList', ({ version, mode, entries }: SendLocalList) => ({
    listVersion: version,
    updateType: capitalize(mode),
    localAuthorizationList: entries.map(listEntry),
  })),
  set_charging_profile: encoderV16('SetChargingProfile', ({ connector_id, profile }: SetChargingProfile) => ({
    connectorId: connector_id,
    csChargingProfiles: profile16(profile),
  })),
  clear_charging_profile: encoderV16(
    'ClearChargingProfile',
    ({ profile_number, connector_id, purpose, stack_level }: ClearChargingProfiles) =>
      omitEmpty({
        id: profile_number,
        connectorId: connector_id,
        chargingProfilePurpose: purpose && PURPOSES[purpose],
        stackLevel: stack_level,
      }),
  ),
  get_composite_schedule: encoderV16(
    'GetCompositeSchedule',
    ({ connector_id, duration_seconds, unit }: GetCompositeSchedule) =>
      omitEmpty({ connectorId: connector_id, duration: duration_seconds, chargingRateUnit: unit }),
  ),
}
