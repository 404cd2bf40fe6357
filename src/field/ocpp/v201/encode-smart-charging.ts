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
import { capitalize, encoderV201, omitEmpty, secondsOnly } from '../encoding.ts'
import { profileFields, purposesWith, scheduleFields } from '../profiles.ts'
import type { Encoders } from '../types.ts'

const PURPOSES = purposesWith('ChargingStationMaxProfile')

/** Tags have no type here; what a card reader reads is of this type. */
const token = (idToken: string) => ({ idToken, type: 'ISO14443' }) as const

/**
 * A charging profile as SetChargingProfile and RequestStartTransaction carry it; its only schedule has its
 * number.
 */
export const profile201 = (profile: Profile) =>
  omitEmpty({
    id: profile.profile_number,
    transactionId: profile.ocpp_transaction_id,
    ...profileFields(profile, PURPOSES),
    chargingSchedule: [omitEmpty({ id: profile.profile_number, ...scheduleFields(profile) })],
  })

function listEntry(entry: ListChange) {
  if (entry.status === null) return { idToken: token(entry.id_tag) }
  return {
    idToken: token(entry.id_tag),
    idTokenInfo: omitEmpty({
      status: capitalize(entry.status),
      groupIdToken: entry.parent_tag ? token(entry.parent_tag) : undefined,
      cacheExpiryDateTime: secondsOnly(entry.expires_at),
    }),
  }
}

/** Reservations, the station's own list of tags, and charging profiles. */
export const SMART_CHARGING_ENCODERS_201: Encoders = {
  reserve: encoderV201('ReserveNow', (request: Reserve) =>
    omitEmpty({
      id: request.reservation_number,
      expiryDateTime: secondsOnly(request.expires_at),
      idToken: token(request.id_tag),
      groupIdToken: request.parent_tag ? token(request.parent_tag) : undefined,
      evseId: request.connector_id === 0 ? undefined : request.connector_id,
    }),
  ),
  cancel_reservation: encoderV201('CancelReservation', (request: CancelReservation) => ({
    reservationId: request.reservation_number,
  })),
  get_local_list_version: encoderV201(
    'GetLocalListVersion',
    () => ({}),
    () => 'accepted',
  ),
  send_local_list: encoderV201('SendLocalList', ({ version, mode, entries }: SendLocalList) =>
    omitEmpty({
      versionNumber: version,
      updateType: capitalize(mode),
      localAuthorizationList: entries.length > 0 ? entries.map(listEntry) : undefined,
    }),
  ),
  set_charging_profile: encoderV201(
    'SetChargingProfile',
    ({ connector_id, profile }: SetChargingProfile) => ({
      evseId: connector_id,
      chargingProfile: profile201(profile),
    }),
  ),
  clear_charging_profile: encoderV201(
    'ClearChargingProfile',
    ({ profile_number, connector_id, purpose, stack_level }: ClearChargingProfiles) => {
      const criteria = omitEmpty({
        evseId: connector_id,
        chargingProfilePurpose: purpose && PURPOSES[purpose],
        stackLevel: stack_level,
      })
      return omitEmpty({
        chargingProfileId: profile_number,
        chargingProfileCriteria: Object.keys(criteria).length > 0 ? criteria : undefined,
      })
    },
  ),
  get_composite_schedule: encoderV201(
    'GetCompositeSchedule',
    ({ connector_id, duration_seconds, unit }: GetCompositeSchedule) =>
      omitEmpty({ evseId: connector_id, duration: duration_seconds, chargingRateUnit: unit }),
  ),
}
