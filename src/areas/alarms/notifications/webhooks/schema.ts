import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, OneOf, Text, Word } from '../../../../platform/http/fields.ts'
import { PageQuery } from '../../../../platform/http/page.ts'
import { WEBHOOK_NAME_MAX, WEBHOOK_URL_MAX } from '../limits.ts'

export const SEVERITIES = ['info', 'warning', 'critical'] as const

const MIN_SEVERITY_TEXT = 'Only events of this severity or a higher one are sent.'

const fields = {
  id: Id,
  name: Type.String({ description: 'What people call it; unique in the tenant.' }),
  url: Type.String({
    description: 'Where deliveries are posted to; without manage:alarm only the host is shown.',
  }),
  min_severity: { ...Word(SEVERITIES), description: MIN_SEVERITY_TEXT },
  is_active: Type.Boolean({ description: 'Whether anything is sent. What comes while it is not waits.' }),
  disabled_at: Nullable({
    ...Instant,
    description: 'When the service itself stopped sending, after too many failures.',
  }),
  failures: Type.Integer({ description: 'Attempts at the delivery that is due, without success so far.' }),
  failing_since: Nullable({ ...Instant, description: 'Since when nothing got through.' }),
  last_error: Nullable(Type.String({ description: 'Why the last attempt failed.' })),
  last_success_at: Nullable({ ...Instant, description: 'When a delivery was last taken.' }),
  created_at: Instant,
  updated_at: Instant,
}

export const Webhook = Type.Object(fields)
export const WebhookWithSecret = Type.Object({
  ...fields,
  secret: Type.String({
    description: 'What deliveries are signed with (whsec_ and base64). Shown this once and never again.',
  }),
})

const writable = {
  name: Text(WEBHOOK_NAME_MAX),
  url: Type.String({
    minLength: 1,
    maxLength: WEBHOOK_URL_MAX,
    description: 'http:// or https://, without user name and password, at a public address.',
  }),
  min_severity: Type.Optional({
    ...OneOf(SEVERITIES),
    description: `${MIN_SEVERITY_TEXT} info when left out.`,
  }),
  is_active: Type.Optional(
    Type.Boolean({ description: 'true also takes a webhook up again that the service stopped sending to.' }),
  ),
}
export const CreateWebhook = Type.Object(writable)
/** Omitted fields are unchanged. */
export const UpdateWebhook = Type.Partial(CreateWebhook)

export const WebhookQuery = Type.Object(PageQuery(['created_at', 'name', 'last_success_at']))

export const WebhookTest = Type.Object({
  ok: Type.Boolean({ description: 'Whether a test delivery was taken.' }),
  message: Type.String({ description: 'What came of it, for people.' }),
})

export type CreateWebhook = Static<typeof CreateWebhook>
export type UpdateWebhook = Static<typeof UpdateWebhook>
export type WebhookQuery = Static<typeof WebhookQuery>
