import { type Static, Type } from 'typebox'
import {
  described,
  Id,
  Instant,
  Kwh,
  KwhIn,
  Nullable,
  OneOf,
  Warnings,
  Word,
} from '../../../../platform/http/fields.ts'
import { ListQuery } from '../../../../platform/http/page.ts'
import { Origin } from '../../shared/index.ts'

const LIMIT_SOURCES = [
  'previous_year_consumption',
  'customer_declaration',
  'official_document',
  'lum_report',
  'gts_report',
  'manual',
] as const
const MOVEMENT_TYPES = [
  'initial',
  'manual_adjustment',
  'group_transfer_out',
  'group_transfer_in',
  'mahsuplasan_consumption',
  'bedelli_ihtiyac_fazlasi',
  'correction_reversal',
  'correction_reapply',
] as const

const Year = Type.Integer({ minimum: 2000, maximum: 2100, description: 'Turkey-local calendar year.' })
const INITIAL_TEXT = 'The limit at the beginning of the year, kWh. What remains is this plus all movements.'
const REMAINING_TEXT = 'initial_limit_kwh plus all movements, this one included, kWh. May be below zero.'

export const LimitAccount = Type.Object({
  id: Id,
  facility_id: described(Id, 'One account for each facility and year.'),
  year: Year,
  initial_limit_kwh: described(Kwh, INITIAL_TEXT),
  limit_source: described(Word(LIMIT_SOURCES), 'What the initial limit rests on.'),
  origin: Origin,
  created_at: Instant,
})
export const CreateLimitAccount = Type.Object({
  facility_id: described(Id, 'One account for each facility and year.'),
  year: Year,
  initial_limit_kwh: described(KwhIn('nonnegative'), INITIAL_TEXT),
  limit_source: described(OneOf(LIMIT_SOURCES), 'What the initial limit rests on.'),
})
export const LimitAccountQuery = Type.Object({
  ...ListQuery(),
  facility_id: Type.Optional(Id),
  year: Type.Optional(Year),
})

const movement = {
  id: Id,
  account_id: Id,
  movement_type: Word(MOVEMENT_TYPES),
  amount_kwh: described(Kwh, 'Usage is negative, an increase positive, kWh.'),
  reason: Nullable(Type.String({ description: 'Given with a manual adjustment.' })),
  contracted_power_confirmed: Nullable(
    Type.Boolean({ description: 'Declared with a transfer; not verified. Null on other movements.' }),
  ),
  calculation_run_id: Nullable(described(Id, 'The run that booked it.')),
  created_by: Nullable(described(Id, 'The user who booked it.')),
  created_at: Instant,
}
export const Movement = Type.Object(movement)
export const MovementQuery = Type.Object(ListQuery())

export const AdjustLimit = Type.Object({
  amount_kwh: described(KwhIn('nonzero'), 'Signed, not zero, kWh. It may take what remains below zero.'),
  reason: Type.String({
    minLength: 1,
    maxLength: 2000,
    pattern: '\\S',
    description: 'Why; kept with the movement.',
  }),
})
export const Adjustment = Type.Object({
  ...movement,
  remaining_limit_kwh: described(Kwh, REMAINING_TEXT),
})

export const TransferLimit = Type.Object({
  source_account_id: described(Id, 'Has to have the amount left.'),
  target_account_id: described(Id, 'Another account of the same year.'),
  amount_kwh: described(KwhIn('positive'), 'Above zero, kWh.'),
  contracted_power_confirmed: Type.Boolean({
    default: false,
    description: 'A declaration about the contracted power, not verified; false gives a warning.',
  }),
})
export const Transfer = Type.Object({
  movements: Type.Array(Movement, { description: 'group_transfer_out, then group_transfer_in.' }),
  source_remaining_limit_kwh: described(Kwh, 'What the source has left, kWh.'),
  target_remaining_limit_kwh: described(Kwh, 'What the target has now, kWh.'),
  ...Warnings,
})

export type CreateLimitAccount = Static<typeof CreateLimitAccount>
export type LimitAccountQuery = Static<typeof LimitAccountQuery>
export type MovementQuery = Static<typeof MovementQuery>
export type AdjustLimit = Static<typeof AdjustLimit>
export type TransferLimit = Static<typeof TransferLimit>
