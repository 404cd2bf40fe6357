import { Type } from 'typebox'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../kernel/limits.ts'
import { Instant, Nullable } from '../../../platform/http/fields.ts'

const ProcessRoles = Type.Array(Type.String(), {
  description: 'The roles of the process: some of api, realtime, ingest, ocpp and jobs.',
})

export const Health = Type.Object(
  {
    status: Type.Literal('ok', {
      description: 'The process responds. GET /readiness checks its dependencies.',
    }),
  },
  { title: 'Health' },
)

export const ReadinessResponse = Type.Object(
  {
    status: Type.Unsafe<'ready' | 'not_ready'>({ type: 'string', enum: ['ready', 'not_ready'] }),
    roles: ProcessRoles,
    checks: Type.Record(Type.String(), Type.String(), {
      description: 'State of each dependency: "ok", or the reason why it is unavailable.',
    }),
    notes: Type.Array(Type.String(), {
      description: 'Notes for the operator that do not affect readiness.',
    }),
    jobs: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of a scheduled job.' }),
        last_slot: Nullable({ ...Instant, description: 'The last completed slot; null before the first.' }),
        last_success_at: Nullable({
          ...Instant,
          description: 'Time at which the last slot was completed; null before the first.',
        }),
        lag_seconds: Type.Integer({
          description: 'Seconds by which the next slot is overdue; 0 when all due slots are completed.',
        }),
      }),
      { description: 'State of the scheduled jobs; empty in a process without the role jobs.' },
    ),
  },
  { title: 'ReadinessResponse' },
)

export const PublicConfig = Type.Object(
  {
    name: Type.String({ description: 'Name of the product.' }),
    version: Type.String({ description: 'Version of the service.' }),
    tenant_signup_enabled: Type.Boolean({ description: 'Whether POST /api/auth/signup is open.' }),
    signup_verification_required: Type.Boolean({
      description: 'Whether a signup has to be confirmed by a link before the account is created.',
    }),
    market_prices_enabled: Type.Boolean({
      description: 'Whether market prices are read and listed (MARKETOP_ENABLED).',
    }),
    password_policy: Type.Object(
      {
        min_length: Type.Integer({ description: `Minimum number of characters: ${PASSWORD_MIN_LENGTH}.` }),
        max_length: Type.Integer({ description: `Maximum number of characters: ${PASSWORD_MAX_LENGTH}.` }),
        requires_letter: Type.Boolean({
          description: 'Whether a password needs at least one letter of any alphabet.',
        }),
        requires_digit: Type.Boolean({ description: 'Whether a password needs at least one digit.' }),
      },
      { description: 'Password policy for password reset, signup and invitation.' },
    ),
    access_token_ttl_seconds: Type.Integer({ description: 'Lifetime of an access token in seconds.' }),
    time_zone: Type.String({ description: 'Time zone of all days, months and hours of the market.' }),
    currency: Type.String({ description: 'Currency of all amounts in the responses.' }),
  },
  { title: 'PublicConfig' },
)
