import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, OneOf, Text, Word } from '../../../../platform/http/fields.ts'
import { MessageText } from '../../../../platform/http/message-texts.ts'
import { PageQuery, Search } from '../../../../platform/http/page.ts'
import { CHANNEL_NAME_MAX, CHANNEL_TOKEN_MAX, CHANNEL_URL_MAX } from '../limits.ts'
import { SEVERITIES } from '../webhooks/schema.ts'

export const CHANNEL_TYPES = ['telegram', 'teams', 'slack', 'ntfy'] as const
export type ChannelType = (typeof CHANNEL_TYPES)[number]
const LANGUAGES = ['tr', 'en'] as const

const TYPE = 'Messaging platform of the channel.'
const LANGUAGE = 'Language of the messages.'
const MIN_SEVERITY = 'Minimum severity of the notifications that are sent.'
const CHAT_ID = 'telegram: id of the chat, or @name of a public channel.'
const SERVER_URL = 'ntfy: address of the server, without a path.'
const TOPIC = 'ntfy: topic to which messages are published.'
const REDACTED = 'null for callers without manage:alarm.'

export const NotificationChannel = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'Display name, unique in the tenant.' }),
    type: { ...Word(CHANNEL_TYPES), description: TYPE },
    language: { ...Word(LANGUAGES), description: LANGUAGE },
    chat_id: Nullable(Type.String({ description: `${CHAT_ID} ${REDACTED}` })),
    server_url: Nullable(Type.String({ description: SERVER_URL })),
    topic: Nullable(Type.String({ description: `${TOPIC} ${REDACTED}` })),
    has_secret: Type.Boolean({
      description: 'Whether a token or the URL of an incoming webhook is stored; it is never returned.',
    }),
    min_severity: { ...Word(SEVERITIES), description: MIN_SEVERITY },
    is_active: Type.Boolean({ description: 'Whether messages are sent.' }),
    disabled_at: Nullable({
      ...Instant,
      description: 'Time at which the service disabled the channel, because its platform refused messages.',
    }),
    failures: Type.Integer({ description: 'Number of failed attempts of the current message.' }),
    failing_since: Nullable({ ...Instant, description: 'Time since which all messages have failed.' }),
    last_error: Nullable(MessageText('Reason of the last failed attempt.')),
    last_success_at: Nullable({ ...Instant, description: 'Time of the last accepted message.' }),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'NotificationChannel' },
)

const settings = {
  language: Type.Optional({ ...OneOf(LANGUAGES), description: `${LANGUAGE} Default: tr.` }),
  bot_token: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,20}:[A-Za-z0-9_-]{20,100}$',
      description: 'telegram: token of the bot. It is encrypted and never returned.',
    }),
  ),
  // Not an id of a record of the tenant.
  chat_id: Type.Optional(
    Type.String({ pattern: '^(-?[0-9]{1,20}|@[A-Za-z][A-Za-z0-9_]{3,63})$', description: CHAT_ID }),
  ),
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CHANNEL_URL_MAX,
      description:
        'slack, teams: URL of the incoming webhook (teams: of the Workflows app), at a public address. It is ' +
        'encrypted and never returned.',
    }),
  ),
  server_url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CHANNEL_URL_MAX,
      description: `${SERVER_URL} It must be at a public address. Default: https://ntfy.sh.`,
    }),
  ),
  topic: Type.Optional(Type.String({ pattern: '^[-_A-Za-z0-9]{1,64}$', description: TOPIC })),
  token: Type.Optional(
    Nullable(
      Type.String({
        pattern: '^[!-~]+$',
        minLength: 1,
        maxLength: CHANNEL_TOKEN_MAX,
        description:
          'ntfy: access token; null: none. It is encrypted and never returned, and is required again with a new ' +
          'server_url.',
      }),
    ),
  ),
  min_severity: Type.Optional({ ...OneOf(SEVERITIES), description: `${MIN_SEVERITY} Default: info.` }),
  is_active: Type.Optional(
    Type.Boolean({ description: 'true also reactivates a channel that the service has disabled.' }),
  ),
}
export const CreateChannel = Type.Object(
  { name: Text(CHANNEL_NAME_MAX), type: { ...OneOf(CHANNEL_TYPES), description: TYPE }, ...settings },
  { title: 'CreateNotificationChannel' },
)
/** Omitted fields are unchanged. */
export const UpdateChannel = Type.Object(
  { name: Type.Optional(Text(CHANNEL_NAME_MAX)), ...settings },
  { title: 'UpdateNotificationChannel' },
)

export const ChannelQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'type', 'last_success_at']),
  search: Search('name'),
  type: Type.Optional({ ...OneOf(CHANNEL_TYPES), description: TYPE }),
})

export const ChannelTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the platform accepted the test message.' }),
    message: MessageText('Human-readable result.'),
  },
  { title: 'NotificationChannelTest' },
)

export type CreateChannel = Static<typeof CreateChannel>
export type UpdateChannel = Static<typeof UpdateChannel>
export type ChannelQuery = Static<typeof ChannelQuery>
