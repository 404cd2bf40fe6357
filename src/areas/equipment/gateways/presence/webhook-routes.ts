import { Type } from 'typebox'
import { forBroker } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import type { SessionEvent } from './session-state.ts'
import { countUnmatchedCalls, handleWebhook } from './webhook-service.ts'

const tags = ['internal']

const BODY =
  'EMQX 4 and 5, VerneMQ (with its header vernemq-hook), or our own {clientid, username?, timestamp, ' +
  'connected_at?, node?, reason?}; times in milliseconds, seconds or ISO 8601. ' +
  'What the body calls the event counts more than the path.'

const Body = Type.Unknown({ description: 'Body of the webhook; unknown keys are ignored.' })
const Headers = Type.Object({
  'vernemq-hook': Type.Optional(Type.String({ description: 'Name of the hook in requests of VerneMQ.' })),
})
/** VerneMQ requires an empty object; the other brokers ignore the body. */
const Accepted = Type.Object(
  {},
  {
    title: 'BrokerWebhookResult',
    description: 'The event was accepted, whether or not the client is a gateway.',
  },
)

/** Mounted at /api/internal/gateway. */
export function gatewayWebhookRoutes(app: App): void {
  const unmatched = countUnmatchedCalls(app.deps)
  app.deps.readiness.note(unmatched.notes)
  const add = (path: string, operationId: string, kind: SessionEvent['kind']) =>
    app.post(
      path,
      {
        ...forBroker,
        schema: {
          tags,
          operationId,
          summary: `Webhook of a message broker: a client has ${kind}`,
          description: BODY,
          headers: Headers,
          body: Body,
          response: { 200: Accepted },
        },
      },
      async (request) => {
        const hook = request.headers['vernemq-hook']
        await handleWebhook(app.deps, { kind, body: request.body, hook }, unmatched)
        return {}
      },
    )
  add('/connected', 'brokerTellsConnected', 'connected')
  add('/disconnected', 'brokerTellsDisconnected', 'disconnected')
}
