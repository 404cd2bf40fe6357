import { Type } from 'typebox'
import { documentSchema, framesSchema } from '../../../core/register-map/index.ts'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { isKnown } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { REGISTER_MAP_BODY_BYTES_MAX } from '../limits.ts'
import { decodeFrames, toMapFile, uploadMap } from './register-map-service.ts'
import { DecodedFrames, MapQuery, TemplateWithNotes } from './schema.ts'
import * as templates from './store.ts'

const tags = ['device templates']
const path = '/:id/register-map'

/**
 * A separate Fastify scope, because bodies may be CSV and the service validates them instead of the schema.
 */
export function registerMapRoutes(app: App): void {
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  downloadRoute(app)
  uploadRoute(app)
  framesRoute(app)
}

function downloadRoute(app: App): void {
  app.get(
    `${path}/download`,
    {
      ...withErrors(needs('read:device'), 409),
      schema: {
        tags,
        operationId: 'downloadRegisterMap',
        summary: 'Download the register map of a template as JSON or CSV',
        description:
          'JSON and CSV have the same content, and an upload of either restores the downloaded map. ' +
          'docs/integrate/register-maps.md describes both. 404 when the template has no map; 409 for CSV ' +
          'when the map has no format.',
        params: IdParams,
        querystring: MapQuery,
        response: {
          200: {
            description: 'The file as an attachment.',
            headers: { ETag: { type: 'string', description: 'Version of the file, for If-None-Match.' } },
            content: {
              'application/json': { schema: Type.Unsafe<Buffer>({}) },
              'text/csv': { schema: Type.Unsafe<Buffer>({ type: 'string' }) },
            },
          },
          304: Type.Null({ description: 'The file is unchanged since the version in If-None-Match.' }),
        },
      },
    },
    async (request, reply) => {
      const template = found('device template', await templates.find(request.tenantDb(), request.params.id))
      const { name, type, body, etag } = toMapFile(template, request.query.format)
      void reply.header('ETag', etag).header('Cache-Control', 'private, no-cache')
      const known = request.headers['if-none-match']
      if (known !== undefined && isKnown(known, etag)) return reply.code(304).send(null)
      return reply
        .header('Content-Disposition', `attachment; filename="${name}"`)
        .type(type)
        .send(Buffer.from(body))
    },
  )
}

/** The service validates the body: it finds more faults than a schema can, and a CSV has no schema. */
const bodyCheckedByService = (app: App) => ({
  bodyLimit: REGISTER_MAP_BODY_BYTES_MAX,
  validatorCompiler: ((route) =>
    route.httpPart === 'body'
      ? () => true
      : (app.validatorCompiler?.(route) ?? (() => true))) satisfies App['validatorCompiler'],
})

function framesRoute(app: App): void {
  app.post(
    '/run-frames',
    {
      ...needs('read:device'),
      ...bodyCheckedByService(app),
      schema: {
        tags,
        operationId: 'runFrames',
        summary: 'Decode recorded frames with a register map; nothing is stored',
        description:
          'The body is a register map like that of an upload, whose `tests` are the frames; `expect` may be absent. ' +
          'The response has every value of each frame, and whether it is the expected one. A map or a frame that ' +
          'cannot be used is 422 with all faults and their positions, as at an upload.',
        body: Type.Unsafe<unknown>({ ...framesSchema(), title: 'RunFrames' }),
        response: { 200: DecodedFrames },
      },
    },
    (request) => decodeFrames(request.body),
  )
}

function uploadRoute(app: App): void {
  app.put(
    path,
    {
      ...needs('manage:device'),
      ...bodyCheckedByService(app),
      schema: {
        tags,
        operationId: 'uploadRegisterMap',
        summary: 'Replace the register map of a template from JSON or CSV, if the whole map is valid',
        description:
          'The whole map is validated, its golden frames are run, and all failures are returned together: ' +
          'with the position in the document, or the line and column of the CSV. The failure of a golden ' +
          'frame has the type golden_frame and contains `expected` and `actual`. The transports of the map ' +
          'become the protocols of the template. `notes` contain remarks on valid entries. 409 for a system ' +
          'template; If-Match with the ETag of a download is 412 when the map has changed since.',
        consumes: ['application/json', 'text/csv'],
        params: IdParams,
        body: Type.Unsafe<unknown>(documentSchema()),
        response: { 200: TemplateWithNotes },
      },
    },
    async (request) => {
      const { body, headers, params } = request
      const content = Buffer.isBuffer(body) ? { csv: body } : { json: body }
      const template = await request.tenantTx((tx) =>
        uploadMap(tx, { id: params.id, content, ifMatch: headers['if-match'] }),
      )
      app.deps.bus.emit('device_templates_changed', { tenantId: request.principal.tenantId })
      return template
    },
  )
}
