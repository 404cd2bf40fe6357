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
import { TextOrMessage } from '../../../../platform/http/message-texts.ts'
import { ListQuery } from '../../../../platform/http/page.ts'
import { IncludeLimits, limitFields } from '../../limit-balances/index.ts'
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
const INITIAL_TEXT =
  'Limit at the beginning of the year, kWh. The remaining limit is this value plus all movements.'
const REMAINING_TEXT =
  'Remaining limit: initial_limit_kwh plus all movements including this one, kWh. May be negative.'

export const LimitAccount = Type.Object(
  {
    id: Id,
    facility_id: described(Id, 'Facility; it has one account per year.'),
    year: Year,
    initial_limit_kwh: described(Kwh, INITIAL_TEXT),
    limit_source: described(Word(LIMIT_SOURCES), 'Source of the initial limit.'),
    origin: Origin,
    created_at: Instant,
  },
  { title: 'LimitAccount' },
)
export const CreateLimitAccount = Type.Object(
  {
    facility_id: described(Id, 'Facility; it has one account per year.'),
    year: Year,
    initial_limit_kwh: described(KwhIn('nonnegative'), INITIAL_TEXT),
    limit_source: described(OneOf(LIMIT_SOURCES), 'Source of the initial limit.'),
  },
  { title: 'CreateLimitAccount' },
)
export const ListedLimitAccount = Type.Object(
  {
    ...LimitAccount.properties,
    used_limit_kwh: Type.Optional(limitFields.used_limit_kwh),
    remaining_limit_kwh: Type.Optional(limitFields.remaining_limit_kwh),
  },
  { title: 'ListedLimitAccount' },
)
export const LimitAccountQuery = Type.Object({
  ...ListQuery(),
  include: IncludeLimits,
  facility_id: Type.Optional(Id),
  year: Type.Optional(Year),
})

const movement = {
  id: Id,
  account_id: Id,
  movement_type: Word(MOVEMENT_TYPES),
  amount_kwh: described(Kwh, 'Amount, kWh; usage is negative, an increase positive.'),
  reason: Nullable(TextOrMessage('Reason of a manual adjustment or of a correction.')),
  contracted_power_confirmed: Nullable(
    Type.Boolean({ description: 'Declaration made with a transfer, not verified; null on other movements.' }),
  ),
  calculation_run_id: Nullable(described(Id, 'Calculation run that booked the movement.')),
  created_by: Nullable(described(Id, 'User who booked the movement.')),
  created_at: Instant,
}
export const Movement = Type.Object(movement, { title: 'LimitMovement' })
export const MovementQuery = Type.Object({
  ...ListQuery(),
  calculation_run_id: Type.Optional(described(Id, 'Only movements that this run booked.')),
})

export const MovementTotals = Type.Object(
  {
    rows: Type.Integer({ description: 'Number of movements.' }),
    initial_limit_kwh: described(Kwh, INITIAL_TEXT),
    remaining_limit_kwh: described(Kwh, 'Remaining limit: initial_limit_kwh plus all movements, kWh.'),
    by_type: Type.Array(
      Type.Object({
        movement_type: Word(MOVEMENT_TYPES),
        rows: Type.Integer({ description: 'Number of movements of the type.' }),
        amount_kwh: described(Kwh, 'Sum of the movements of the type, kWh.'),
      }),
      { description: 'The types that occur, by name.' },
    ),
  },
  { title: 'LimitMovementTotals' },
)

export const AdjustLimit = Type.Object(
  {
    amount_kwh: described(
      KwhIn('nonzero'),
      'Signed amount other than zero, kWh. It may make the remaining limit negative.',
    ),
    reason: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '\\S',
      description: 'Reason; stored with the movement.',
    }),
  },
  { title: 'AdjustLimit' },
)
export const Adjustment = Type.Object(
  {
    ...movement,
    remaining_limit_kwh: described(Kwh, REMAINING_TEXT),
  },
  { title: 'LimitAdjustment' },
)

export const TransferLimit = Type.Object(
  {
    source_account_id: described(Id, 'Source account; its remaining limit must cover the amount.'),
    target_account_id: described(Id, 'Target account; another account of the same year.'),
    amount_kwh: described(KwhIn('positive'), 'Amount above zero, kWh.'),
    contracted_power_confirmed: Type.Boolean({
      default: false,
      description: 'Declaration about the contracted power, not verified; false produces a warning.',
    }),
  },
  { title: 'TransferLimit' },
)
export const Transfer = Type.Object(
  {
    movements: Type.Array(Movement, {
      description: 'Movements: group_transfer_out, then group_transfer_in.',
    }),
    source_remaining_limit_kwh: described(Kwh, 'Remaining limit of the source account, kWh.'),
    target_remaining_limit_kwh: described(Kwh, 'Remaining limit of the target account, kWh.'),
    ...Warnings,
  },
  { title: 'LimitTransfer' },
)

export type CreateLimitAccount = Static<typeof CreateLimitAccount>
export type LimitAccountQuery = Static<typeof LimitAccountQuery>
export type MovementQuery = Static<typeof MovementQuery>
export type AdjustLimit = Static<typeof AdjustLimit>
export type TransferLimit = Static<typeof TransferLimit>
