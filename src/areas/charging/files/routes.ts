import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { acceptIdempotencyKeys } from '../../../platform/http/idempotency.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { Page } from '../../../platform/http/page.ts'
import { FileResponses, sendFile } from '../../../platform/http/send-file.ts'
import { requireCharger } from '../registry/index.ts'
import { requestFile } from './request-file.ts'
import { ChargerFile, ChargerFileQuery, FileParams, RequestedFile, RequestFile } from './schema.ts'
import { fileOf } from './service.ts'
import { find, list } from './store.ts'

const tags = ['chargers']
const read = needs('read:charger')
const manage = needs('manage:charger')

/** Below /api/ocpp/chargers. */
export function chargerFileRoutes(app: App): void {
  const { deps } = app
  acceptIdempotencyKeys(app)

  app.post(
    '/:id/files',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'askForChargerFile',
        summary: 'Request the diagnostics or the security log of a charging station',
        description:
          '409 STATE_CONFLICT while another request is in progress, and if no location is given and ' +
          'PUBLIC_BASE_URL is not set.',
        params: IdParams,
        body: RequestFile,
        response: { 202: RequestedFile },
      },
    },
    async (request, reply) => {
      const { body, params, principal } = request
      const options = {
        chargerId: params.id,
        body,
        userId: principal.id,
        now: new Date(deps.clock.now()),
      }
      const requested = await request.tenantTx((tx) => requestFile(deps, tx, options))
      deps.bus.emit('charger_command', { tenantId: principal.tenantId, chargerId: params.id })
      return reply.code(202).send(requested)
    },
  )

  readRoutes(app)
}

function readRoutes(app: App): void {
  const { deps } = app
  app.get(
    '/:id/files',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listChargerFiles',
        summary: 'List the files that were requested from a charging station',
        params: IdParams,
        querystring: ChargerFileQuery,
        response: { 200: Page(ChargerFile) },
      },
    },
    async (request) => {
      const tenant = request.tenantDb()
      await requireCharger(tenant, request.params.id)
      return list(tenant, request.params.id, request.query)
    },
  )

  getResource(
    app,
    '/:id/files/:file_id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getChargerFile',
        summary: 'Get the metadata of a file of a charging station',
        params: FileParams,
        response: { 200: ChargerFile },
      },
    },
    async (request) => {
      const { id, file_id } = request.params
      return found('file', await find(request.tenantDb(), id, file_id))
    },
  )

  app.get(
    '/:id/files/:file_id/download',
    {
      ...withErrors(read, 409, 416),
      schema: {
        tags,
        operationId: 'downloadChargerFile',
        summary: 'Download a file that a charging station has sent',
        description:
          'Range, If-Range and a strong ETag are supported. 409 STATE_CONFLICT until the file is received.',
        params: FileParams,
        response: FileResponses,
      },
    },
    async (request, reply) => {
      const { id: chargerId, file_id: id } = request.params
      return sendFile(request, reply, await fileOf(deps, request.tenantDb(), { chargerId, id }))
    },
  )
}
