export const PURPOSES = ['charge_point_max', 'tx_default', 'tx'] as const
export type ProfilePurpose = (typeof PURPOSES)[number]
export const KINDS = ['absolute', 'recurring', 'relative'] as const
export const RECURRENCIES = ['daily', 'weekly'] as const
export const RATE_UNITS = ['W', 'A'] as const

/** A charging profile in our words: the same for both versions of OCPP. */
export interface Profile {
  /** What OCPP calls its id. */
  readonly profile_number: number
  readonly purpose: ProfilePurpose
  readonly stack_level: number
  readonly kind: (typeof KINDS)[number]
  readonly recurrency?: (typeof RECURRENCIES)[number] | null
  readonly valid_from?: string | null
  readonly valid_to?: string | null
  /** Of a tx profile: what each version calls its session. */
  readonly transaction_number?: number | null
  readonly ocpp_transaction_id?: string | null
  readonly schedule: Schedule
}

export interface Schedule {
  readonly unit: (typeof RATE_UNITS)[number]
  readonly start_at?: string | null
  readonly duration_seconds?: number | null
  /** Below this the car cannot use it well; in `unit`. */
  readonly min_rate?: number | null
  readonly periods: readonly Period[]
}

/** From a second of the schedule until the next period. Amperes are for each phase. */
export interface Period {
  readonly start_second: number
  readonly limit: number
  readonly phases?: number | null
}

/** What `set_charging_profile` is asked to do. */
export interface SetChargingProfile {
  /** 0: the whole station. */
  readonly connector_id: number
  readonly profile: Profile
}

/** What `clear_charging_profile` is asked to do: all that fit, or the one of that number. */
export interface ClearChargingProfiles {
  readonly profile_number?: number | null
  readonly connector_id?: number | null
  readonly purpose?: ProfilePurpose | null
  readonly stack_level?: number | null
}

/** What `get_composite_schedule` is asked. */
export interface GetCompositeSchedule {
  readonly connector_id: number
  readonly duration_seconds: number
  readonly unit?: (typeof RATE_UNITS)[number] | null
}
