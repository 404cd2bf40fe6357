export const PURPOSES = ['charge_point_max', 'tx_default', 'tx'] as const
export type ProfilePurpose = (typeof PURPOSES)[number]
export const KINDS = ['absolute', 'recurring', 'relative'] as const
export const RECURRENCIES = ['daily', 'weekly'] as const
export const RATE_UNITS = ['W', 'A'] as const

/** A charging profile, in the same form for both versions of OCPP. */
export interface Profile {
  /** The id of the profile in OCPP. */
  readonly profile_number: number
  readonly purpose: ProfilePurpose
  readonly stack_level: number
  readonly kind: (typeof KINDS)[number]
  readonly recurrency?: (typeof RECURRENCIES)[number] | null
  readonly valid_from?: string | null
  readonly valid_to?: string | null
  /** The session of a tx profile, as each version names it. */
  readonly transaction_number?: number | null
  readonly ocpp_transaction_id?: string | null
  readonly schedule: Schedule
}

export interface Schedule {
  readonly unit: (typeof RATE_UNITS)[number]
  readonly start_at?: string | null
  readonly duration_seconds?: number | null
  /** The lowest rate that the car can use well; in `unit`. */
  readonly min_rate?: number | null
  readonly periods: readonly Period[]
}

/** A limit from a second of the schedule until the next period. Amperes are for each phase. */
export interface Period {
  readonly start_second: number
  readonly limit: number
  readonly phases?: number | null
}

/** A profile as requested: without its number, its purpose and the transaction of its session. */
export type ProfileFields = Omit<
  Profile,
  'profile_number' | 'purpose' | 'transaction_number' | 'ocpp_transaction_id'
>

/** The request of `set_charging_profile`. */
export interface SetChargingProfile {
  /** 0: the whole station. */
  readonly connector_id: number
  readonly profile: Profile
}

/** The request of `clear_charging_profile`: all profiles that match, or the one with the number. */
export interface ClearChargingProfiles {
  readonly profile_number?: number | null
  readonly connector_id?: number | null
  readonly purpose?: ProfilePurpose | null
  readonly stack_level?: number | null
}

/** The request of `get_composite_schedule`. */
export interface GetCompositeSchedule {
  readonly connector_id: number
  readonly duration_seconds: number
  readonly unit?: (typeof RATE_UNITS)[number] | null
}
