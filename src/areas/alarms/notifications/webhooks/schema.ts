import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, OneOf, Text, Word } from '../../../../platform/http/fields.ts'
import { MessageText } from '../../../../platform/http/message-texts.ts'
import { PageQuery, Search } from '../../../../platform/http/page.ts'
import { WEBHOOK_NAME_MAX, WEBHOOK_URL_MAX } from '../limits.ts'

export const SEVERITIES = ['info', 'warning', 'critical'] as const

const MIN_SEVERITY_TEXT = 'Minimum severity of the events that are sent.'

const fields = {
  id: Id,
  name: Type.String({ description: 'Display name, unique in the tenant.' }),
  url: Type.String({
    description: 'URL to which deliveries are posted; callers without manage:alarm receive only the host.',
  }),
  min_severity: { ...Word(SEVERITIES), description: MIN_SEVERITY_TEXT },
  is_active: Type.Boolean({
    description: 'Whether deliveries are sent. Events that occur while the webhook is inactive wait.',
  }),
  disabled_at: Nullable({
    ...Instant,
    description: 'Time at which the service disabled the webhook because of too many failures.',
  }),
  failures: Type.Integer({ description: 'Number of failed attempts of the current delivery.' }),
  failing_since: Nullable({ ...Instant, description: 'Time since which all deliveries have failed.' }),
  last_error: Nullable(MessageText('Reason of the last failed attempt.')),
  last_success_at: Nullable({ ...Instant, description: 'Time of the last successful delivery.' }),
  created_at: Instant,
  updated_at: Instant,
}

export const Webhook = Type.Object(fields, { title: 'NotificationWebhook' })
export const WebhookWithSecret = Type.Object(
  {
    ...fields,
    secret: Type.String({
      description:
        'Secret with which deliveries are signed (whsec_ and base64), returned only in this response.',
    }),
  },
  { title: 'NotificationWebhookWithSecret' },
)

const writable = {
  name: Text(WEBHOOK_NAME_MAX),
  url: Type.String({
    minLength: 1,
    maxLength: WEBHOOK_URL_MAX,
    description: 'http:// or https://, without user name and password, at a public address.',
  }),
  min_severity: Type.Optional({
    ...OneOf(SEVERITIES),
    description: `${MIN_SEVERITY_TEXT} Default: info.`,
  }),
  is_active: Type.Optional(
    Type.Boolean({ description: 'true also reactivates a webhook that the service has disabled.' }),
  ),
}
export const CreateWebhook = Type.Object(writable, { title: 'CreateNotificationWebhook' })
/** Omitted fields are unchanged. */
export const UpdateWebhook = Type.Partial(CreateWebhook, { title: 'UpdateNotificationWebhook' })

export const WebhookQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'last_success_at']),
  search: Search('name'),
})

export const WebhookTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the receiver accepted the test delivery.' }),
    message: MessageText('Human-readable result.'),
  },
  { title: 'NotificationWebhookTest' },
)

export type CreateWebhook = Static<typeof CreateWebhook>
export type UpdateWebhook = Static<typeof UpdateWebhook>
export type WebhookQuery = Static<typeof WebhookQuery>
