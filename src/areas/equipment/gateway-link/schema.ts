import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable } from '../../../platform/http/fields.ts'
import { Page, PageQuery } from '../../../platform/http/page.ts'

export const TlsPort = Type.Optional(
  Type.Integer({ description: 'Port of the embedded broker for MQTT over TLS; absent if it has none.' }),
)

export const Credential = Type.Object(
  {
    gateway_id: Id,
    username: Type.String({
      description:
        'User name: the gateway id; client_id is accepted as well. A client that sends only a user name ' +
        'sends the password in that field.',
    }),
    password: Type.String({
      description: 'Password, returned only in this response; the service stores only a salted hash.',
    }),
    topic_root: Type.String({
      description:
        'Topic prefix of the gateway. Topics published without this prefix are treated as relative to it.',
    }),
    created_at: Instant,
    tls_port: TlsPort,
  },
  { title: 'GatewayCredential' },
)

export const DeadLetterFilter = Type.Object({
  gateway_id: Type.Optional(Id),
  reason: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Reason code of docs/integrate/mqtt.md.' }),
  ),
})
export type DeadLetterFilter = Static<typeof DeadLetterFilter>

export const DeadLetterQuery = Type.Object({
  ...PageQuery(['received_at']),
  ...DeadLetterFilter.properties,
})
export type DeadLetterQuery = Static<typeof DeadLetterQuery>

const deadLetter = {
  id: Id,
  gateway_id: Nullable(Id),
  topic: Type.String({ description: 'Topic relative to the root of the gateway.' }),
  reason: Type.String({ description: 'Reason code of docs/integrate/mqtt.md: not_json, unknown_device, …' }),
  detail: Type.String({ description: 'Affected part of the message and the error in it.' }),
  payload_bytes: Type.Integer({ description: 'Size of the message in bytes.' }),
  received_at: Instant,
  attempts: Type.Integer({ description: 'Number of retries so far.' }),
  retried_at: Nullable(Instant),
}

const DeadLetter = Type.Object(deadLetter, { title: 'DeadLetter' })
export const DeadLetterDetail = Type.Object(
  {
    ...deadLetter,
    payload_base64: Type.String({ description: 'Complete message as received, base64.' }),
  },
  { title: 'DeadLetterDetail' },
)
export const DeadLetterPage = Type.Object(
  {
    ...Page(DeadLetter).properties,
    dropped: Type.Integer({
      description:
        'Number of older dead letters of this tenant that were ever removed from the list because of its ' +
        'size.',
    }),
  },
  { title: 'DeadLetterPage' },
)

export const RetryResult = Type.Object(
  {
    used: Type.Boolean({ description: 'true: all its samples are stored and the dead letter is deleted.' }),
    reason: Nullable(
      Type.String({ description: 'Reason why the retry failed; replaces the previous reason.' }),
    ),
    detail: Nullable(Type.String({ description: 'Affected part of the message and the error in it.' })),
  },
  { title: 'DeadLetterRetry' },
)

export const BulkRetryResult = Type.Object(
  {
    used: Type.Integer({ description: 'Number of dead letters that were stored completely and deleted.' }),
    left: Type.Integer({
      description: 'Number of dead letters whose retry failed; their reasons are updated.',
    }),
  },
  { title: 'DeadLetterBulkRetry' },
)

export const SequenceGaps = Type.Object(
  {
    gateway_id: Id,
    first_seq: Nullable(
      Type.Integer({ description: 'First sequence number seen in the current numbering.' }),
    ),
    last_seq: Nullable(Type.Integer({ description: 'Highest stored sequence number.' })),
    begun_at: Nullable(Instant),
    restarts: Type.Integer({ description: 'Number of times the gateway restarted its numbering.' }),
    missing: Type.Integer({ description: 'Number of missing sequence numbers.' }),
    given_up: Type.Integer({
      description: 'Number of missing sequence numbers that are too old or too numerous to be listed.',
    }),
    gap_since: Nullable(Instant),
    gaps: Type.Array(
      Type.Object({
        from_seq: Type.Integer({ description: 'First missing sequence number.' }),
        to_seq: Type.Integer({ description: 'Last missing sequence number.' }),
      }),
      { description: 'Ranges of missing sequence numbers; at most 499.' },
    ),
  },
  { title: 'GatewaySequenceGaps' },
)
