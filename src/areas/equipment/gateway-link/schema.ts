import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable } from '../../../platform/http/fields.ts'
import { Page, PageQuery } from '../../../platform/http/page.ts'

export const Credential = Type.Object({
  gateway_id: Id,
  username: Type.String({
    description:
      'The gateway id; its client_id is taken as well. A client that sends a user name alone sends the ' +
      'password as it.',
  }),
  password: Type.String({ description: 'Shown this once; kept as a salted hash only.' }),
  topic_root: Type.String({
    description: 'What the gateway publishes without this prefix is taken as lying below it.',
  }),
  created_at: Instant,
})

export const DeadLetterFilter = Type.Object({
  gateway_id: Type.Optional(Id),
  reason: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'A word of docs/integrate/mqtt.md.' }),
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
  topic: Type.String({ description: "Below the gateway's root." }),
  reason: Type.String({ description: 'A word of docs/integrate/mqtt.md: not_json, unknown_device, …' }),
  detail: Type.String({ description: 'Which part, and what is wrong with it.' }),
  payload_bytes: Type.Integer({ description: 'Size of the message.' }),
  received_at: Instant,
  attempts: Type.Integer({ description: 'Retries so far.' }),
  retried_at: Nullable(Instant),
}

const DeadLetter = Type.Object(deadLetter)
export const DeadLetterDetail = Type.Object({
  ...deadLetter,
  payload_base64: Type.String({ description: 'The message as it was sent, whole.' }),
})
export const DeadLetterPage = Type.Object({
  ...Page(DeadLetter).properties,
  dropped: Type.Integer({ description: 'Older ones of this tenant that fell out of the list, since ever.' }),
})

export const RetryResult = Type.Object({
  used: Type.Boolean({ description: 'True: everything in it is stored, and the dead letter is gone.' }),
  reason: Nullable(Type.String({ description: 'Why not, now.' })),
  detail: Nullable(Type.String({ description: 'Which part, and what is wrong with it.' })),
})

export const BulkRetryResult = Type.Object({
  used: Type.Integer({ description: 'Stored whole, and gone.' }),
  left: Type.Integer({ description: 'Tried again in vain; their reasons are brought up to date.' }),
})

export const SequenceGaps = Type.Object({
  gateway_id: Id,
  first_seq: Nullable(Type.Integer({ description: 'Where this numbering was first seen.' })),
  last_seq: Nullable(Type.Integer({ description: 'The highest number that is stored.' })),
  begun_at: Nullable(Instant),
  restarts: Type.Integer({ description: 'How often the gateway began to count again.' }),
  missing: Type.Integer({ description: 'How many numbers are missing in between.' }),
  given_up: Type.Integer({ description: 'Missing ones that are too many and too old to be listed.' }),
  gap_since: Nullable(Instant),
  gaps: Type.Array(
    Type.Object({
      from_seq: Type.Integer({ description: 'The first missing one.' }),
      to_seq: Type.Integer({ description: 'The last missing one.' }),
    }),
    { description: 'At most 499.' },
  ),
})
