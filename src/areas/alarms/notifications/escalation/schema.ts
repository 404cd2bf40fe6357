import { type Static, Type } from 'typebox'
import { EMAIL_MAX_LENGTH } from '../../../../kernel/limits.ts'
import { Id, Instant, Nullable, OneOf, Text, Word } from '../../../../platform/http/fields.ts'
import { MessageText } from '../../../../platform/http/message-texts.ts'
import { ListQuery, PageQuery, Search } from '../../../../platform/http/page.ts'
import {
  ESCALATION_DELAY_MAX_MIN,
  ESCALATION_LEVELS_MAX,
  ESCALATION_RECIPIENTS_MAX,
  ESCALATION_REPEAT_MIN_MIN,
  ESCALATION_REPEATS_MAX,
} from '../limits.ts'
import { SEVERITIES } from '../webhooks/schema.ts'

const LANGUAGES = ['tr', 'en'] as const

const Recipient = Type.Object(
  {
    user_id: Type.Optional({ ...Id, description: 'A user, who gets a mail.' }),
    role_id: Type.Optional({ ...Id, description: 'All active users with this role get a mail.' }),
    channel_id: Type.Optional({ ...Id, description: 'A notification channel.' }),
    email: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: EMAIL_MAX_LENGTH,
        description:
          'A mail address that need not belong to a user; with open signup it must be the verified address of one.',
      }),
    ),
  },
  { description: 'Exactly one of the fields.' },
)

const Level = Type.Object(
  {
    delay_minutes: Type.Integer({
      minimum: 0,
      maximum: ESCALATION_DELAY_MAX_MIN,
      description:
        'Time since the incident opened after which the level is notified; it grows with each level.',
    }),
    recipients: Type.Array(Recipient, {
      minItems: 1,
      maxItems: ESCALATION_RECIPIENTS_MAX,
      description: 'Recipients of the level.',
    }),
  },
  { title: 'EscalationLevel' },
)
export type EscalationLevel = Static<typeof Level>

const LEVELS = 'Levels in their sequence.'
const REPEAT_MINUTES = 'Interval at which the last level is repeated, minutes; null: it is not repeated.'
const REPEAT_COUNT = 'Number of repetitions of the last level. Default: 0.'
const DEFAULTS =
  'Severities for which the policy applies to incidents whose alarm policy names no escalation policy.'
const LANGUAGE = 'Language of the mails to addresses that do not belong to a user. Default: tr.'
const ACTIVE = 'Whether the policy escalates incidents. Default: true.'

export const EscalationPolicy = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'Display name, unique in the tenant.' }),
    language: { ...Word(LANGUAGES), description: LANGUAGE },
    levels: Type.Array(Level, { description: LEVELS }),
    repeat_minutes: Nullable(Type.Integer({ description: REPEAT_MINUTES })),
    repeat_count: Type.Integer({ description: REPEAT_COUNT }),
    default_severities: Type.Array(Word(SEVERITIES), { description: DEFAULTS }),
    is_active: Type.Boolean({ description: ACTIVE }),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'EscalationPolicy' },
)

export const CreateEscalationPolicy = Type.Object(
  {
    name: Text(200),
    language: Type.Optional({ ...OneOf(LANGUAGES), description: LANGUAGE }),
    levels: Type.Array(Level, { minItems: 1, maxItems: ESCALATION_LEVELS_MAX, description: LEVELS }),
    repeat_minutes: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: ESCALATION_REPEAT_MIN_MIN,
          maximum: ESCALATION_DELAY_MAX_MIN,
          description: REPEAT_MINUTES,
        }),
      ),
    ),
    repeat_count: Type.Optional(
      Type.Integer({ minimum: 0, maximum: ESCALATION_REPEATS_MAX, description: REPEAT_COUNT }),
    ),
    default_severities: Type.Optional(
      Type.Array(OneOf(SEVERITIES), {
        uniqueItems: true,
        maxItems: SEVERITIES.length,
        description: DEFAULTS,
      }),
    ),
    is_active: Type.Optional(Type.Boolean({ description: ACTIVE })),
  },
  { title: 'CreateEscalationPolicy' },
)
/** Omitted fields are unchanged. */
export const UpdateEscalationPolicy = Type.Partial(CreateEscalationPolicy, {
  title: 'UpdateEscalationPolicy',
})

export const EscalationPolicyQuery = Type.Object({
  ...PageQuery(['created_at', 'name']),
  search: Search('name'),
})

export const EscalationMessage = Type.Object(
  {
    id: Id,
    level: Type.Integer({ description: 'Number of the level, from 1.' }),
    repetition: Type.Integer({
      description: 'Number of the repetition of the last level; 0: the first time.',
    }),
    user_id: Nullable({ ...Id, description: 'User who is notified.' }),
    channel_id: Nullable({ ...Id, description: 'Notification channel.' }),
    to_address: Nullable(Type.String({ description: 'Mail address that does not belong to a user.' })),
    status: {
      ...Word(['waiting', 'sent', 'failed', 'skipped']),
      description:
        'waiting: it is sent or repeated; sent: it was accepted; failed: all attempts failed; skipped: it was not ' +
        'needed any more, or the recipient may not get it.',
    },
    attempts: Type.Integer({ description: 'Number of attempts.' }),
    error: Nullable(MessageText('Reason of the last failure, or why it was skipped.')),
    created_at: { ...Instant, description: 'Time at which the level was reached.' },
    sent_at: Nullable({ ...Instant, description: 'Time at which the message was accepted.' }),
  },
  { title: 'EscalationMessage' },
)
export const EscalationMessageQuery = Type.Object(ListQuery())

export type CreateEscalationPolicy = Static<typeof CreateEscalationPolicy>
export type UpdateEscalationPolicy = Static<typeof UpdateEscalationPolicy>
export type EscalationPolicyQuery = Static<typeof EscalationPolicyQuery>
