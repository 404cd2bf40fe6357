import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, OneOf, Word } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { SEVERITIES } from './webhooks/schema.ts'

export const Notification = Type.Object({
  id: Id,
  incident_id: Nullable({
    ...Id,
    description: 'The incident that it tells of; null for what the service says of its sending.',
  }),
  device_id: Nullable({ ...Id, description: 'Of the incident.' }),
  event_type: {
    ...Word(['raised', 'severity_changed', 'woken', 'closed', 'webhook_disabled']),
    description: 'What happened.',
  },
  severity: { ...Word(SEVERITIES), description: 'Of the incident when it happened.' },
  title: Type.String({ description: 'The name of the policy, or of the webhook.' }),
  message: Type.String({ description: 'What is wrong, for people.' }),
  occurred_at: { ...Instant, description: 'When it happened; of a device, in the time of its samples.' },
  created_at: { ...Instant, description: 'When it was told.' },
  is_read: Type.Boolean({ description: 'Whether you have read it.' }),
})

export const NotificationQuery = Type.Object({
  ...PageQuery(['created_at', 'occurred_at', 'severity']),
  unread: Type.Optional(
    Type.Boolean({ description: 'true: only what you have not read; false: only the rest.' }),
  ),
  severity: Type.Optional({ ...OneOf(SEVERITIES), description: 'Only of this severity.' }),
  incident_id: Type.Optional({ ...Id, description: 'Only of this incident.' }),
})

export const UnreadCount = Type.Object({
  unread: Type.Integer({ description: 'Notifications that you have not read.' }),
})

const LANGUAGES = ['tr', 'en'] as const
const Clock = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: 'Turkey-local, HH:MM. Quiet hours may span midnight.',
})

const settings = {
  email_enabled: Type.Boolean({
    description:
      'Whether you get e-mails of policies that notify by e-mail. By default those with manage:alarm do.',
  }),
  email_min_severity: {
    ...OneOf(SEVERITIES),
    description: 'Only what is so severe, or more. By default warning.',
  },
  quiet_from: Nullable(Clock),
  quiet_to: Nullable(Clock),
  language: { ...OneOf(LANGUAGES), description: 'Of the e-mails. By default tr.' },
}
export const Settings = Type.Object(settings)
/** Omitted fields are unchanged; null clears. */
export const UpdateSettings = Type.Partial(Settings)

export type NotificationQuery = Static<typeof NotificationQuery>
export type Settings = Static<typeof Settings>
export type UpdateSettings = Static<typeof UpdateSettings>
