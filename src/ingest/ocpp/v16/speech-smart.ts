import type {
  AskComposite,
  CancelReservation,
  Change,
  ClearProfiles,
  Profile,
  Purpose,
  Reserve,
  SendList,
  SetProfile,
} from '../../../modules/chargers/index.ts'
import { capital, secondsOnly, told } from '../saying.ts'
import type { Speech } from '../types.ts'

const PURPOSES: Readonly<Record<Purpose, string>> = {
  charge_point_max: 'ChargePointMaxProfile',
  tx_default: 'TxDefaultProfile',
  tx: 'TxProfile',
}

interface StatusAnswer {
  readonly status: string
}
const whenAccepted = ({ status }: StatusAnswer) => (status === 'Accepted' ? 'accepted' : 'rejected')

/** A charging profile as SetChargingProfile and RemoteStartTransaction carry it. */
export function profile16(profile: Profile): object {
  const { schedule } = profile
  return told({
    chargingProfileId: profile.profile_number,
    transactionId: profile.transaction_number,
    stackLevel: profile.stack_level,
    chargingProfilePurpose: PURPOSES[profile.purpose],
    chargingProfileKind: capital(profile.kind),
    recurrencyKind: profile.recurrency && capital(profile.recurrency),
    validFrom: secondsOnly(profile.valid_from),
    validTo: secondsOnly(profile.valid_to),
    chargingSchedule: told({
      duration: schedule.duration_seconds,
      startSchedule: secondsOnly(schedule.start_at),
      chargingRateUnit: schedule.unit,
      chargingSchedulePeriod: schedule.periods.map(({ start_second, limit, phases }) =>
        told({ startPeriod: start_second, limit, numberPhases: phases }),
      ),
      minChargingRate: schedule.min_rate,
    }),
  })
}

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
export const SMART_SPEECH_16 = {
  reserve: {
    action: 'ReserveNow',
    payload: (request: Reserve) =>
      told({
        connectorId: request.connector_id,
        expiryDate: secondsOnly(request.expires_at),
        idTag: request.id_tag,
        parentIdTag: request.parent_tag,
        reservationId: request.reservation_number,
      }),
    verdict: whenAccepted,
  },
  cancel_reservation: {
    action: 'CancelReservation',
    payload: (request: CancelReservation) => ({ reservationId: request.reservation_number }),
    verdict: whenAccepted,
  },
  get_local_list_version: {
    action: 'GetLocalListVersion',
    payload: () => ({}),
    // -1: it keeps no list.
    verdict: ({ listVersion }: { readonly listVersion: number }) =>
      listVersion >= 0 ? 'accepted' : 'rejected',
  },
  send_local_list: {
    action: 'SendLocalList',
    payload: ({ version, mode, entries }: SendList) => ({
      listVersion: version,
      updateType: capital(mode),
      localAuthorizationList: entries.map(listEntry),
    }),
    verdict: whenAccepted,
  },
  set_charging_profile: {
    action: 'SetChargingProfile',
    payload: ({ connector_id, profile }: SetProfile) => ({
      connectorId: connector_id,
      csChargingProfiles: profile16(profile),
    }),
    verdict: whenAccepted,
  },
  clear_charging_profile: {
    action: 'ClearChargingProfile',
    payload: ({ profile_number, connector_id, purpose, stack_level }: ClearProfiles) =>
      told({
        id: profile_number,
        connectorId: connector_id,
        chargingProfilePurpose: purpose && PURPOSES[purpose],
        stackLevel: stack_level,
      }),
    // Unknown: there was none.
    verdict: whenAccepted,
  },
  get_composite_schedule: {
    action: 'GetCompositeSchedule',
    payload: ({ connector_id, duration_seconds, unit }: AskComposite) =>
      told({ connectorId: connector_id, duration: duration_seconds, chargingRateUnit: unit }),
    verdict: whenAccepted,
  },
} as const satisfies Speech
