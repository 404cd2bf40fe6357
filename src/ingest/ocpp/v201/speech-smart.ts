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
  charge_point_max: 'ChargingStationMaxProfile',
  tx_default: 'TxDefaultProfile',
  tx: 'TxProfile',
}

interface StatusAnswer {
  readonly status: string
}
const whenAccepted = ({ status }: StatusAnswer) => (status === 'Accepted' ? 'accepted' : 'rejected')

/** We keep no kind of a tag; what a reader of cards reads is of this kind. */
const token = (idToken: string) => ({ idToken, type: 'ISO14443' })

/** A charging profile as SetChargingProfile and RequestStartTransaction carry it; its only schedule has its number. */
export function profile201(profile: Profile): object {
  const { schedule } = profile
  return told({
    id: profile.profile_number,
    transactionId: profile.ocpp_transaction_id,
    stackLevel: profile.stack_level,
    chargingProfilePurpose: PURPOSES[profile.purpose],
    chargingProfileKind: capital(profile.kind),
    recurrencyKind: profile.recurrency && capital(profile.recurrency),
    validFrom: secondsOnly(profile.valid_from),
    validTo: secondsOnly(profile.valid_to),
    chargingSchedule: [
      told({
        id: profile.profile_number,
        duration: schedule.duration_seconds,
        startSchedule: secondsOnly(schedule.start_at),
        chargingRateUnit: schedule.unit,
        chargingSchedulePeriod: schedule.periods.map(({ start_second, limit, phases }) =>
          told({ startPeriod: start_second, limit, numberPhases: phases }),
        ),
        minChargingRate: schedule.min_rate,
      }),
    ],
  })
}

function listEntry(entry: Change): object {
  if (entry.status === null) return { idToken: token(entry.id_tag) }
  return {
    idToken: token(entry.id_tag),
    idTokenInfo: told({
      status: capital(entry.status),
      groupIdToken: entry.parent_tag && token(entry.parent_tag),
      cacheExpiryDateTime: secondsOnly(entry.expires_at),
    }),
  }
}

/** Reservations, the station's own list of tags, and charging profiles. */
export const SMART_SPEECH_201 = {
  reserve: {
    action: 'ReserveNow',
    payload: (request: Reserve) =>
      told({
        id: request.reservation_number,
        expiryDateTime: secondsOnly(request.expires_at),
        idToken: token(request.id_tag),
        groupIdToken: request.parent_tag && token(request.parent_tag),
        evseId: request.connector_id === 0 ? undefined : request.connector_id,
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
    verdict: () => 'accepted',
  },
  send_local_list: {
    action: 'SendLocalList',
    payload: ({ version, mode, entries }: SendList) =>
      told({
        versionNumber: version,
        updateType: capital(mode),
        localAuthorizationList: entries.length > 0 ? entries.map(listEntry) : undefined,
      }),
    verdict: whenAccepted,
  },
  set_charging_profile: {
    action: 'SetChargingProfile',
    payload: ({ connector_id, profile }: SetProfile) => ({
      evseId: connector_id,
      chargingProfile: profile201(profile),
    }),
    verdict: whenAccepted,
  },
  clear_charging_profile: {
    action: 'ClearChargingProfile',
    payload: ({ profile_number, connector_id, purpose, stack_level }: ClearProfiles) => {
      const criteria = told({
        evseId: connector_id,
        chargingProfilePurpose: purpose && PURPOSES[purpose],
        stackLevel: stack_level,
      })
      return told({
        chargingProfileId: profile_number,
        chargingProfileCriteria: Object.keys(criteria).length > 0 ? criteria : undefined,
      })
    },
    verdict: whenAccepted,
  },
  get_composite_schedule: {
    action: 'GetCompositeSchedule',
    payload: ({ connector_id, duration_seconds, unit }: AskComposite) =>
      told({ evseId: connector_id, duration: duration_seconds, chargingRateUnit: unit }),
    verdict: whenAccepted,
  },
} as const satisfies Speech
