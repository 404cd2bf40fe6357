import { type Static, Type } from 'typebox'
import { BillingPeriod, described, Instant, Nullable } from '../../../platform/http/fields.ts'
import { STALE_RANGES_MAX } from '../limits.ts'
import type { StaleHours } from './stale-hours.ts'

const REASONS_TEXT =
  'What has changed: OFFICIAL_ENERGY_CHANGED official readings, ENERGY_CHANGED hourly energy of other sources, ' +
  'MEMBERS_CHANGED memberships, FACILITY_CHANGED a facility, METERS_CHANGED meters and their roles, LIMIT_CHANGED ' +
  'an account, an adjustment or a transfer, BALANCE_CHANGED earlier usage of an account, PRICES_CHANGED approved ' +
  'prices, ELIGIBILITY_CHANGED the evaluation, ' +
  'SETTINGS_CHANGED a setting of the tenant. Clients must ignore unknown codes.'

const Reasons = Type.Array(Type.String(), { description: REASONS_TEXT })

/** The fields of a result that can be outdated. */
export const STALE_FIELDS = {
  stale: Type.Boolean({
    description: 'true if the input of calculated hours has changed since their calculation.',
  }),
  stale_hours: Type.Integer({
    description: 'Number of these hours. Later hours may change as well, because the balances continue.',
  }),
  stale_ranges: Type.Array(
    Type.Object({
      from_hour: described(Instant, 'First hour, inclusive.'),
      to_hour: described(Instant, 'End, exclusive.'),
    }),
    { description: `The hours as ranges, ascending; the first ${STALE_RANGES_MAX}.` },
  ),
  stale_since: Nullable(described(Instant, 'Time of the first of these changes; null if not stale.')),
  stale_reasons: Reasons,
}
const StaleFields = Type.Object(STALE_FIELDS)

/** The fields of a group. */
export const GROUP_STALE_FIELDS = {
  stale: Type.Boolean({ description: 'true if a calculated period is stale.' }),
  stale_periods: Type.Array(BillingPeriod, {
    description: 'Periods with calculated hours whose input has changed since, in time order.',
  }),
}

/** The fields of a period or a run; `undefined` for one that is not stale. */
export const staleFields = (period: StaleHours | undefined): Static<typeof StaleFields> =>
  period
    ? {
        stale: true,
        stale_hours: period.hours,
        stale_ranges: [...period.ranges],
        stale_since: period.since.toISOString(),
        stale_reasons: [...period.reasons],
      }
    : { stale: false, stale_hours: 0, stale_ranges: [], stale_since: null, stale_reasons: [] }
