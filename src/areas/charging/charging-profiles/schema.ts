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
    description: 'Start of the period in seconds from the start of the schedule.',
  }),
  limit: Type.Number({
    minimum: 0,
    maximum: PROFILE_LIMIT_MAX,
    description: 'Limit in watts, or in amperes per phase; rounded down to one decimal.',
  }),
  phases: optional(Type.Integer({ minimum: 1, maximum: 3 }), 'Number of phases. Default: 3.'),
})

const Schedule = Type.Object(
  {
    unit: described(OneOf(RATE_UNITS), 'Unit of the limits.'),
    start_at: optional(
      InstantIn,
      'Time of second 0 of the schedule. Default: now; for a relative profile the start of charging.',
    ),
    duration_seconds: optional(
      Type.Integer({ minimum: 1, maximum: SECONDS_MAX }),
      'Duration of the schedule in seconds; absent: the last period continues.',
    ),
    min_rate: optional(
      Type.Number({ minimum: 0, maximum: PROFILE_LIMIT_MAX }),
      'Minimum efficient charging rate, in the unit of the limits.',
    ),
    periods: Type.Array(Period, {
      minItems: 1,
      maxItems: PROFILE_PERIODS_MAX,
      description: 'Periods of the schedule; each lasts until the next, the first begins with second 0.',
    }),
  },
  { title: 'ChargingSchedule' },
)

/** The fields that profiles of every purpose have. */
export const ProfileFields = {
  stack_level: Type.Integer({
    minimum: 0,
    maximum: PROFILE_STACK_LEVEL_MAX,
    default: 0,
    description: 'Stack level; of two profiles with the same purpose the higher level applies.',
  }),
  kind: {
    ...OneOf(KINDS),
    default: 'absolute' as const,
    description:
      'Absolute: by the clock. Recurring: repeated every day or week. Relative: from the start of charging.',
  },
  recurrency: optional(OneOf(RECURRENCIES), 'Recurrency of a recurring profile.'),
  valid_from: optional(InstantIn, 'Start of the validity of the profile.'),
  valid_to: optional(InstantIn, 'End of the validity of the profile.'),
  schedule: described(Schedule, 'Charging schedule.'),
}
const Fields = Type.Object(ProfileFields)

const about = {
  connector_id: 'Connector number, the EVSE in OCPP 2.0.1; 0: the whole station.',
  purpose:
    'charge_point_max: all connectors together. tx_default: every session without its own profile. tx: ' +
    'one session.',
  session_id: 'Session of a tx profile; it must be active.',
}

export const CreateProfile = Type.Object(
  {
    connector_id: Type.Integer({ minimum: 0, maximum: 255, default: 0, description: about.connector_id }),
    purpose: described(OneOf(PURPOSES), about.purpose),
    session_id: optional(Id, about.session_id),
    ...ProfileFields,
  },
  { title: 'CreateChargingProfile' },
)

export const ChargingProfile = Type.Object(
  {
    id: Id,
    profile_number: Type.Integer({ description: 'Id of the record in OCPP.' }),
    charger_id: Id,
    connector_id: Type.Integer({ description: about.connector_id }),
    purpose: described(Word(PURPOSES), about.purpose),
    stack_level: Type.Integer({
      description: 'Stack level; of two profiles with the same purpose the higher level applies.',
    }),
    profile: Type.Unsafe<unknown>({
      description: 'Profile as sent: kind, recurrency, validity and schedule.',
    }),
    session_id: Nullable(described(Id, about.session_id)),
    state: described(
      Word(PROFILE_STATES),
      'State of the profile: pending until the station has responded; replaced by a later profile with ' +
        'the same purpose, level and connector; over at the end of its session.',
    ),
    reason: Nullable(Type.String({ description: 'Reason for a rejected or uncertain state.' })),
    command_id: Nullable(described(Id, 'Command that sends the password to the station.')),
    requested_by: Nullable(described(Id, 'User who requested the operation.')),
    created_at: Instant,
    updated_at: described(Instant, 'Time of the last change of the state.'),
  },
  { title: 'ChargingProfile' },
)

export const ProfileQuery = Type.Object({
  ...PageQuery(['created_at', 'profile_number', 'stack_level']),
  purpose: Type.Optional(described(OneOf(PURPOSES), 'Only profiles with this purpose.')),
  state: Type.Optional(described(OneOf(PROFILE_STATES), 'Only records in this state.')),
})

export const ClearBody = Type.Object(
  {
    connector_id: optional(
      Type.Integer({ minimum: 0, maximum: 255 }),
      `Only profiles of this connector. ${about.connector_id}`,
    ),
    purpose: optional(OneOf(PURPOSES), 'Only profiles with this purpose.'),
    stack_level: optional(
      Type.Integer({ minimum: 0, maximum: PROFILE_STACK_LEVEL_MAX }),
      'Only profiles with this stack level.',
    ),
  },
  { title: 'ClearChargingProfiles' },
)

export const CompositeBody = Type.Object(
  {
    connector_id: Type.Integer({ minimum: 0, maximum: 255, default: 0, description: about.connector_id }),
    duration_seconds: Type.Integer({
      minimum: 1,
      maximum: COMPOSITE_SECONDS_MAX,
      description: 'Duration of the requested schedule in seconds.',
    }),
    unit: optional(OneOf(RATE_UNITS), 'Unit of the limits; absent: the station chooses.'),
  },
  { title: 'RequestCompositeSchedule' },
)

export type ProfileBody = Static<typeof Fields>
export type CreateProfile = Static<typeof CreateProfile>
export type ProfileQuery = Static<typeof ProfileQuery>
export type ClearBody = Static<typeof ClearBody>
