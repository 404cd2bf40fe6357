import { Type } from 'typebox'
import { Id, Instant, OneOf } from '../../../platform/http/fields.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const numbers = {
  sockets: count('Open sockets.'),
  subscriptions: count('Pairs of a socket and a device that it watches.'),
  devices: count('Devices that somebody watches; a device watched in two processes counts in both.'),
  sent: count('Samples that were sent.'),
  coalesced: count(
    'Samples that waited because their client was slow: the newest value of each metric is kept.',
  ),
  dropped: count('Of these, samples that newer ones took the place of.'),
  rejected: count(
    'Sockets that were not let in. A tenant sees those whose token was its own; all of them are in the totals only.',
  ),
}

export const Stats = Type.Object({
  scope: Type.Unsafe<'tenant' | 'all'>({
    ...OneOf(['tenant', 'all']),
    description: 'tenant: the caller’s own. all: every tenant, for superusers.',
  }),
  ...numbers,
  processes: Type.Array(
    Type.Object({
      process_id: Type.String({
        description: 'A process with the role realtime; a new one after each start.',
      }),
      is_self: Type.Boolean({ description: 'The one that answers.' }),
      started_at: Instant,
      told_at: Type.Unsafe<string>({
        ...Instant,
        description: 'When its numbers were heard; the others tell them every 5 seconds.',
      }),
      ...numbers,
    }),
    { description: 'The same by process.' },
  ),
  connections: Type.Array(
    Type.Object({
      id: Id,
      user_id: Type.String({ format: 'uuid', description: 'Whose token opened it.' }),
      connected_at: Instant,
      expires_at: Type.Unsafe<string>({
        ...Instant,
        description: 'When its token expires, and it is closed.',
      }),
      devices: count('Devices that it watches.'),
      buffered_bytes: count('Bytes that its client has not taken yet.'),
      sent: numbers.sent,
      coalesced: numbers.coalesced,
      dropped: numbers.dropped,
    }),
    { description: 'Open sockets of the answering process, those that lost most first; at most 100.' },
  ),
})
