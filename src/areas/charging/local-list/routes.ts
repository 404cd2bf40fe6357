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
  acceptIdempotencyKeys(app)

  app.get(
    '/:id/local-list',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getLocalList',
        summary: 'Get the local list of id tags of a charger',
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
        summary: 'Choose the id tags for the local list of a charger; the next sync sends them',
        params: IdParams,
        body: ChooseTags,
        response: { 200: LocalList },
      },
    },
    (request) => request.tenantTx((tx) => chooseTags(tx, request.params.id, request.body, now())),
  )
  addSync(app)
}

function addSync(app: App): void {
  const now = () => new Date(app.deps.clock.now())
  const notify = (tenantId: number, chargerId: string) =>
    app.deps.bus.emit('charger_command', { tenantId, chargerId })

  app.post(
    '/:id/local-list/sync',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'syncLocalList',
        summary: 'Synchronize the local list of id tags of a charger',
        description:
          'The list is sent in parts of the size that the charger supports, each after the previous one was ' +
          'accepted. 409 STATE_CONFLICT while a sync is in progress, LOCAL_LIST_TOO_LONG if the charger ' +
          'cannot store all tags.',
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
        summary:
          'Query the version of the local list of a charger; the response of the command and the local list ' +
          'contain it',
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
