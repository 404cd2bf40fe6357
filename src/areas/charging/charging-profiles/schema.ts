import { type Static, Type } from 'typebox'
import { described, Id, Instant, InstantIn, Nullable, OneOf, Word } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import {
  COMPOSITE_SECONDS_MAX,
  PROFILE_LIMIT_MAX,
  PROFILE_PERIODS_MAX,
  PROFILE_STACK_LEVEL_MAX,
} from '../limits.ts'
import { KINDS, PURPOSES, RATE_UNITS, RECURRENCIES } from './profile.ts'

const PROFILE_STATES = ['pending', 'active', 'rejected', 'replaced', 'cleared', 'over'] as const

const optional = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Optional(Nullable(described(schema, description)))
const SECONDS_MAX = 366 * 24 * 3600

const Period = Type.Object({
  start_second: Type.Integer({
    minimum: 0,
    maximum: SECONDS_MAX,
    description: 'From this second of the schedule.',
  }),
  limit: Type.Number({
    minimum: 0,
    maximum: PROFILE_LIMIT_MAX,
    description: 'Watts, or amperes for each phase; rounded down to one decimal.',
  }),
  phases: optional(Type.Integer({ minimum: 1, maximum: 3 }), 'On so many phases; 3 when absent.'),
})

const Schedule = Type.Object({
  unit: described(OneOf(RATE_UNITS), 'Of the limits.'),
  start_at: optional(
    InstantIn,
    'When second 0 is. Absent: now; of a relative profile the start of charging.',
  ),
  duration_seconds: optional(
    Type.Integer({ minimum: 1, maximum: SECONDS_MAX }),
    'It ends after that; absent: the last period goes on.',
  ),
  min_rate: optional(
    Type.Number({ minimum: 0, maximum: PROFILE_LIMIT_MAX }),
    'Below this the car cannot use it well; in the same unit.',
  ),
  periods: Type.Array(Period, {
    minItems: 1,
    maxItems: PROFILE_PERIODS_MAX,
    description: 'Each until the next; the first begins with second 0.',
  }),
})

/** The fields that profiles of every purpose have. */
export const ProfileFields = {
  stack_level: Type.Integer({
    minimum: 0,
    maximum: PROFILE_STACK_LEVEL_MAX,
    default: 0,
    description: 'Of two with the same purpose the higher level counts.',
  }),
  kind: {
    ...OneOf(KINDS),
    default: 'absolute' as const,
    description:
      'Absolute: by the clock. Recurring: again every day or week. Relative: from the start of charging.',
  },
  recurrency: optional(OneOf(RECURRENCIES), 'Of a recurring profile.'),
  valid_from: optional(InstantIn, 'It counts from then on.'),
  valid_to: optional(InstantIn, 'It counts until then.'),
  schedule: described(Schedule, 'How much may be drawn, and when.'),
}
const Fields = Type.Object(ProfileFields)

const about = {
  connector_id: 'Number of the connector, the EVSE in OCPP 2.0.1; 0: the whole station.',
  purpose:
    'charge_point_max: all connectors together. tx_default: every session without one of its own. tx: one session.',
  session_id: 'Of a tx profile: the session, which must be active.',
}

export const CreateProfile = Type.Object({
  connector_id: Type.Integer({ minimum: 0, maximum: 255, default: 0, description: about.connector_id }),
  purpose: described(OneOf(PURPOSES), about.purpose),
  session_id: optional(Id, about.session_id),
  ...ProfileFields,
})

export const ChargingProfile = Type.Object({
  id: Id,
  profile_number: Type.Integer({ description: 'What OCPP calls its id.' }),
  charger_id: Id,
  connector_id: Type.Integer({ description: about.connector_id }),
  purpose: described(Word(PURPOSES), about.purpose),
  stack_level: Type.Integer({ description: 'Of two with the same purpose the higher level counts.' }),
  profile: Type.Unsafe<unknown>({ description: 'Kind, recurrency, validity and schedule, as it was sent.' }),
  session_id: Nullable(described(Id, about.session_id)),
  state: described(
    Word(PROFILE_STATES),
    'Pending until the station has answered; replaced by a later one of the same purpose, level ' +
      'and connector; over with its session.',
  ),
  reason: Nullable(Type.String({ description: 'Why it was rejected, or is not certain.' })),
  command_id: Nullable(described(Id, 'The command that tells the station.')),
  requested_by: Nullable(described(Id, 'The user.')),
  created_at: Instant,
  updated_at: described(Instant, 'When its state last changed.'),
})

export const ProfileQuery = Type.Object({
  ...PageQuery(['created_at', 'profile_number', 'stack_level']),
  purpose: Type.Optional(described(OneOf(PURPOSES), 'Only of this purpose.')),
  state: Type.Optional(described(OneOf(PROFILE_STATES), 'Only in this state.')),
})

export const ClearBody = Type.Object({
  connector_id: optional(
    Type.Integer({ minimum: 0, maximum: 255 }),
    `Only of this one. ${about.connector_id}`,
  ),
  purpose: optional(OneOf(PURPOSES), 'Only of this purpose.'),
  stack_level: optional(
    Type.Integer({ minimum: 0, maximum: PROFILE_STACK_LEVEL_MAX }),
    'Only of this level.',
  ),
})

export const CompositeBody = Type.Object({
  connector_id: Type.Integer({ minimum: 0, maximum: 255, default: 0, description: about.connector_id }),
  duration_seconds: Type.Integer({
    minimum: 1,
    maximum: COMPOSITE_SECONDS_MAX,
    description: 'How far ahead.',
  }),
  unit: optional(OneOf(RATE_UNITS), 'Which unit is wanted; absent: the station chooses.'),
})

export type ProfileBody = Static<typeof Fields>
export type CreateProfile = Static<typeof CreateProfile>
export type ProfileQuery = Static<typeof ProfileQuery>
export type ClearBody = Static<typeof ClearBody>
