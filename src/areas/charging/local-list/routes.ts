import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { acceptIdempotencyKeys } from '../../../platform/http/idempotency.ts'
import { Command, WaitQuery, waitForEnd } from '../commands/index.ts'
import { ChooseTags, LocalList, SyncList } from './schema.ts'
import { chooseTags, findList, requestVersion, syncList } from './service.ts'

const tags = ['charging']
const read = needs('read:charger')
const manage = needs('manage:charger')

/** Below /api/ocpp/chargers. */
export function localListRoutes(app: App): void {
  const now = () => new Date(app.deps.clock.now())
  const notify = (tenantId: number, chargerId: string) =>
    app.deps.bus.emit('charger_command', { tenantId, chargerId })
  acceptIdempotencyKeys(app)

  app.get(
    '/:id/local-list',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getLocalList',
        summary: 'Get the list of id tags that a charger keeps itself',
        params: IdParams,
        response: { 200: LocalList },
      },
    },
    (request) => findList(request.tenantDb(), request.params.id),
  )

  app.put(
    '/:id/local-list',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'chooseLocalListTags',
        summary: 'Choose the id tags that a charger is to know; it hears of it with the next sync',
        params: IdParams,
        body: ChooseTags,
        response: { 200: LocalList },
      },
    },
    (request) => request.tenantTx((tx) => chooseTags(tx, request.params.id, request.body, now())),
  )

  app.post(
    '/:id/local-list/sync',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'syncLocalList',
        summary: "Bring a charger's own list of id tags up to date",
        description:
          'In as many pieces as the charger wants, each after the one before has been taken. 409 ' +
          'STATE_CONFLICT while that is under way, LOCAL_LIST_TOO_LONG for more tags than it keeps.',
        params: IdParams,
        body: SyncList,
        response: { 202: LocalList },
      },
    },
    async (request, reply) => {
      const { id: userId, tenantId } = request.principal
      const { mode } = request.body
      const list = await request.tenantTx((tx) =>
        syncList(tx, request.params.id, { mode, caller: { userId, now: now() } }),
      )
      notify(tenantId, list.charger_id)
      return reply.code(202).send(list)
    },
  )

  app.post(
    '/:id/local-list/version',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'askLocalListVersion',
        summary: "Ask a charger for the version of its list: the command's answer, and the list, tell it",
        params: IdParams,
        querystring: WaitQuery,
        response: { 202: Command },
      },
    },
    async (request, reply) => {
      const { id: userId, tenantId } = request.principal
      const command = await request.tenantTx((tx) =>
        requestVersion(tx, request.params.id, { userId, now: now() }),
      )
      notify(tenantId, command.charger_id)
      const { wait = 0 } = request.query
      const shown = wait > 0 ? await waitForEnd(app.deps, request.tenantDb(), command.id, wait) : command
      return reply.code(202).send(shown)
    },
  )
}
