import { Type } from 'typebox'
import { Id, Instant, OneOf } from '../../../platform/http/fields.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const numbers = {
  sockets: count('Number of open sockets.'),
  subscriptions: count('Number of subscriptions: pairs of a socket and a subscribed device.'),
  devices: count('Number of subscribed devices; a device subscribed in two processes counts twice.'),
  sent: count('Number of sent samples.'),
  coalesced: count(
    'Number of samples coalesced because the client was slow: the latest value of each metric is kept.',
  ),
  dropped: count('Number of coalesced samples that newer samples replaced.'),
  rejected: count(
    'Number of rejected sockets. A tenant sees those with its own token; all rejected sockets are only ' +
      'in the totals.',
  ),
}

export const Stats = Type.Object(
  {
    scope: Type.Unsafe<'tenant' | 'all'>({
      ...OneOf(['tenant', 'all']),
      description: 'tenant: the caller’s own. all: every tenant, for superusers.',
    }),
    ...numbers,
    processes: Type.Array(
      Type.Object({
        process_id: Type.String({
          description: 'Id of a process with the role realtime; it changes at each start.',
        }),
        is_self: Type.Boolean({ description: 'Whether this is the responding process.' }),
        started_at: Instant,
        told_at: Type.Unsafe<string>({
          ...Instant,
          description: 'Time at which the numbers were received; other processes send them every 5 seconds.',
        }),
        ...numbers,
      }),
      { description: 'Statistics by process.' },
    ),
    connections: Type.Array(
      Type.Object({
        id: Id,
        user_id: Type.String({ format: 'uuid', description: 'User of the token of the socket.' }),
        connected_at: Instant,
        expires_at: Type.Unsafe<string>({
          ...Instant,
          description: 'Time at which the token expires and the socket is closed.',
        }),
        devices: count('Number of devices to which the socket is subscribed.'),
        buffered_bytes: count('Number of bytes that the client has not received yet.'),
        sent: numbers.sent,
        coalesced: numbers.coalesced,
        dropped: numbers.dropped,
      }),
      { description: 'Open sockets of the responding process, ordered by lost samples; at most 100.' },
    ),
  },
  { title: 'LiveStats' },
)

export const LiveTicket = Type.Object(
  {
    ticket: Type.String({
      description: 'Value of the query parameter `ticket` of the socket. It is secret.',
    }),
    expires_at: Type.Unsafe<Date | string>({
      ...Instant,
      description: 'Time until which the ticket can be used: 30 seconds after its creation.',
    }),
  },
  { title: 'LiveTicket' },
)
