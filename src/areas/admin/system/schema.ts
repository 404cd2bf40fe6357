import { Type } from 'typebox'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../kernel/limits.ts'
import { Instant, Nullable } from '../../../platform/http/fields.ts'

export const Health = Type.Object({
  status: Type.Literal('ok', {
    description: 'The process answers; what it depends on is asked at /readiness.',
  }),
})

export const ReadinessResponse = Type.Object({
  status: Type.Unsafe<'ready' | 'not_ready'>({ type: 'string', enum: ['ready', 'not_ready'] }),
  checks: Type.Record(Type.String(), Type.String(), {
    description: 'By dependency: "ok", or why it does not serve.',
  }),
  notes: Type.Array(Type.String(), {
    description: 'What an operator should know although the service is ready.',
  }),
  jobs: Type.Array(
    Type.Object({
      name: Type.String({ description: 'A job of the timetable.' }),
      last_slot: Nullable({ ...Instant, description: 'The last slot that was done. Null before the first.' }),
      last_success_at: Nullable({
        ...Instant,
        description: 'When that was finished. Null before the first.',
      }),
      lag_seconds: Type.Integer({
        description:
          'How long its next slot has been waiting beyond its time; 0 when all that was due is done.',
      }),
    }),
    { description: 'How the timetable stands; empty in a process without the role jobs.' },
  ),
})

export const PublicConfig = Type.Object({
  name: Type.String({ description: 'The product.' }),
  version: Type.String({ description: 'Version of the service.' }),
  tenant_signup_enabled: Type.Boolean({ description: 'Whether POST /api/auth/signup is open.' }),
  password_policy: Type.Object(
    {
      min_length: Type.Integer({ description: `Characters, ${PASSWORD_MIN_LENGTH}.` }),
      max_length: Type.Integer({ description: `Characters, ${PASSWORD_MAX_LENGTH}.` }),
      requires_letter: Type.Boolean({ description: 'At least one letter of any alphabet.' }),
      requires_digit: Type.Boolean({ description: 'At least one digit.' }),
    },
    { description: 'Shared by reset, signup and invitation.' },
  ),
  access_token_ttl_seconds: Type.Integer({ description: 'After this long a client asks for a new token.' }),
  time_zone: Type.String({ description: 'The zone of all days, months and hours of the market.' }),
  currency: Type.String({ description: 'Of all money in the answers.' }),
})
