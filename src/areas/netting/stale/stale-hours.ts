/** The reasons of stale results, in the order of their names. */
export const STALE_REASONS = [
  'BALANCE_CHANGED',
  'ELIGIBILITY_CHANGED',
  'ENERGY_CHANGED',
  'FACILITY_CHANGED',
  'LIMIT_CHANGED',
  'MEMBERS_CHANGED',
  'METERS_CHANGED',
  'OFFICIAL_ENERGY_CHANGED',
  'PRICES_CHANGED',
  'SETTINGS_CHANGED',
] as const
export type StaleReason = (typeof STALE_REASONS)[number]

/** Calculated hours whose input has changed since. */
export interface StaleHours {
  /** The number of calculated hours whose input has changed. */
  readonly hours: number
  /** These hours, ascending; the first STALE_RANGES_MAX ranges. */
  readonly ranges: readonly { readonly from_hour: string; readonly to_hour: string }[]
  readonly since: Date
  /** The instant at which the job noticed the latest of the marks; null while one of them is new. */
  readonly noticedAt: number | null
  readonly reasons: readonly StaleReason[]
}
