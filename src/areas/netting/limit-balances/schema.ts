import { Type } from 'typebox'
import { described, Id, Kwh, Nullable, OneOf } from '../../../platform/http/fields.ts'

const Year = Type.Integer({ minimum: 2000, maximum: 2100, description: 'Turkey-local calendar year.' })
const INITIAL_TEXT =
  'Limit at the beginning of the year, kWh. The remaining limit is this value plus all movements.'

/** The parameter with which a list also returns limits. */
export const IncludeLimits = Type.Optional({
  ...OneOf(['limits']),
  description: 'limits: the records also contain their used and remaining limit, by the ledger of now.',
})
const USED_TEXT = 'Limit used by current calculations, kWh.'
/** The limits of one account. */
export const limitFields = {
  used_limit_kwh: described(Kwh, USED_TEXT),
  remaining_limit_kwh: described(
    Kwh,
    'Remaining limit, kWh: initial limit plus all movements. May be negative.',
  ),
}
export const FacilityLimit = Type.Object({
  account_id: described(Id, 'Limit account of the facility in the current year.'),
  year: Year,
  initial_limit_kwh: described(Kwh, INITIAL_TEXT),
  ...limitFields,
})
export const GroupLimit = Type.Object({
  year: Year,
  consumers: Type.Integer({ description: 'Number of consumption facilities of today.' }),
  consumers_without_account: Type.Integer({
    description: 'Number of them without an account in the year.',
  }),
  used_limit_kwh: Nullable(described(Kwh, `${USED_TEXT} null: no consumer has an account.`)),
  remaining_limit_kwh: Nullable(
    described(
      Kwh,
      'Sum of the remaining limits, kWh; an account below zero counts as zero. null: no consumer has an account.',
    ),
  ),
})
