import { bearerToken, needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { LiveTicket } from './schema.ts'
import { createTicket } from './tickets.ts'

export function liveTicketRoutes(app: App): void {
  app.post(
    '/',
    {
      ...needs('read:measurement'),
      schema: {
        tags: ['live values'],
        operationId: 'createLiveTicket',
        summary: 'Create a ticket that opens one socket for live values',
        description:
          'The ticket replaces the token in the URL of the socket: `/ws/telemetry?ticket=&devices=&since=`. It ' +
          'can be used once, within 30 seconds. The socket has the permissions and the expiry of the access token ' +
          'or API key of this request. A user can have 100 unused tickets (429).',
        response: { 201: LiveTicket },
      },
    },
    async (request, reply) => {
      const { headers, principal } = request
      const input = {
        userId: principal.id,
        credential: bearerToken(headers.authorization),
        now: app.deps.clock.now(),
      }
      return reply.code(201).send(await request.tenantTx((tx) => createTicket(tx, input)))
    },
  )
}
