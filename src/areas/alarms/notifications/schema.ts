import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, OneOf, Word } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { SEVERITIES } from './webhooks/schema.ts'

export const Notification = Type.Object(
  {
    id: Id,
    incident_id: Nullable({
      ...Id,
      description:
        'Incident of the notification; null for messages of the service about the delivery itself.',
    }),
    device_id: Nullable({ ...Id, description: 'Device of the incident.' }),
    event_type: {
      ...Word(['raised', 'severity_changed', 'woken', 'closed', 'webhook_disabled', 'channel_disabled']),
      description: 'Type of the event.',
    },
    severity: { ...Word(SEVERITIES), description: 'Severity of the incident at the time of the event.' },
    title: Type.String({ description: 'Name of the policy, webhook or channel.' }),
    title_text: Type.String({
      description: 'The title for people, in the language of the request: system policies have one in words.',
    }),
    message: Type.String({ description: 'Human-readable description of the problem.' }),
    occurred_at: { ...Instant, description: 'Time of the event; for a device by sample time.' },
    created_at: { ...Instant, description: 'Time at which the notification was created.' },
    is_read: Type.Boolean({ description: 'Whether the caller has read the notification.' }),
  },
  { title: 'Notification' },
)

export const NotificationQuery = Type.Object({
  ...PageQuery(['created_at', 'occurred_at', 'severity']),
  search: Search('title and message'),
  unread: Type.Optional(
    Type.Boolean({
      description:
        'true: only notifications that the caller has not read; false: only those that the caller has read.',
    }),
  ),
  severity: Type.Optional({ ...OneOf(SEVERITIES), description: 'Only incidents of this severity.' }),
  incident_id: Type.Optional({ ...Id, description: 'Only notifications of this incident.' }),
})

export const UnreadCount = Type.Object(
  {
    unread: Type.Integer({ description: 'Number of notifications that the caller has not read.' }),
  },
  { title: 'UnreadNotificationCount' },
)

const LANGUAGES = ['tr', 'en'] as const
const Clock = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: 'Quiet hours, Turkey-local, HH:MM; they may span midnight.',
})

const settings = {
  email_enabled: Type.Boolean({
    description:
      'Whether the caller receives e-mails of policies that notify by e-mail. Default: true for users ' +
      'with manage:alarm.',
  }),
  email_min_severity: {
    ...OneOf(SEVERITIES),
    description: 'Minimum severity of e-mails. Default: warning.',
  },
  quiet_from: Nullable(Clock),
  quiet_to: Nullable(Clock),
  language: { ...OneOf(LANGUAGES), description: 'Language of the e-mails. Default: tr.' },
}
export const Settings = Type.Object(settings, { title: 'NotificationSettings' })
/** Omitted fields are unchanged; null clears. */
export const UpdateSettings = Type.Partial(Settings, { title: 'UpdateNotificationSettings' })

export type NotificationQuery = Static<typeof NotificationQuery>
export type Settings = Static<typeof Settings>
export type UpdateSettings = Static<typeof UpdateSettings>
