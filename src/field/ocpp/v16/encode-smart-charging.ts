import type {
  AskComposite,
  CancelReservation,
  Change,
  ClearProfiles,
  Profile,
  Reserve,
  SendList,
  SetProfile,
} from '../../../areas/charging/index.ts'
import { capital, says, secondsOnly, told } from '../omit-empty.ts'
import { profileFields, purposesWith, scheduleFields } from '../profiles.ts'
import type { Speech } from '../types.ts'

const PURPOSES = purposesWith('ChargePointMaxProfile')

/** A charging profile as SetChargingProfile and RemoteStartTransaction carry it. */
export const profile16 = (profile: Profile): object =>
  told({
    chargingProfileId: profile.profile_number,
    transactionId: profile.transaction_number,
    ...profileFields(profile, PURPOSES),
    chargingSchedule: told(scheduleFields(profile)),
  })

function listEntry(entry: Change): object {
  if (entry.status === null) return { idTag: entry.id_tag }
  return {
    idTag: entry.id_tag,
    idTagInfo: told({
      status: capital(entry.status),
      parentIdTag: entry.parent_tag,
      expiryDate: secondsOnly(entry.expires_at),
    }),
  }
}

/** Reservations, the station's own list of tags, and charging profiles. */
export const SMART_SPEECH_16: Speech = {
  reserve: says('ReserveNow', (request: Reserve) =>
    told({
      connectorId: request.connector_id,
      expiryDate: secondsOnly(request.expires_at),
      idTag: request.id_tag,
      parentIdTag: request.parent_tag,
      reservationId: request.reservation_number,
    }),
  ),
  cancel_reservation: says('CancelReservation', (request: CancelReservation) => ({
    reservationId: request.reservation_number,
  })),
  get_local_list_version: says(
    'GetLocalListVersion',
    () => ({}),
    // -1: it keeps no list.
    ({ listVersion }: { readonly listVersion: number }) => (listVersion >= 0 ? 'accepted' : 'rejected'),
  ),
  send_local_list: says('SendLocalList', ({ version, mode, entries }: SendList) => ({
    listVersion: version,
    updateType: capital(mode),
    localAuthorizationList: entries.map(listEntry),
  })),
  set_charging_profile: says('SetChargingProfile', ({ connector_id, profile }: SetProfile) => ({
    connectorId: connector_id,
    csChargingProfiles: profile16(profile),
  })),
  clear_charging_profile: says(
    'ClearChargingProfile',
    ({ profile_number, connector_id, purpose, stack_level }: ClearProfiles) =>
      told({
        id: profile_number,
        connectorId: connector_id,
        chargingProfilePurpose: purpose && PURPOSES[purpose],
        stackLevel: stack_level,
      }),
  ),
  get_composite_schedule: says(
    'GetCompositeSchedule',
    ({ connector_id, duration_seconds, unit }: AskComposite) =>
      told({ connectorId: connector_id, duration: duration_seconds, chargingRateUnit: unit }),
  ),
}
