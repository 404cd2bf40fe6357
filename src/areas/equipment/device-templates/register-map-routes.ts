import { Type } from 'typebox'
import { documentSchema } from '../../../core/register-map/index.ts'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { isKnown } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { REGISTER_MAP_BODY_BYTES_MAX } from '../limits.ts'
import { toMapFile, uploadMap } from './register-map-service.ts'
import { MapQuery, TemplateWithNotes } from './schema.ts'
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
}

function downloadRoute(app: App): void {
  app.get(
    `${path}/download`,
    {
      ...needs('read:device'),
      schema: {
        tags,
        operationId: 'downloadRegisterMap',
        summary: 'Download the register map of a template as JSON or CSV',
        description:
          'Both forms hold the same, and an upload of either gives back what was downloaded. ' +
          'docs/integrate/register-maps.md explains them. 404 when the template has none; 409 for CSV when the ' +
          'map names no format.',
        params: IdParams,
        querystring: MapQuery,
        response: {
          200: Type.Unsafe<Buffer>({ description: 'The file, as an attachment.' }),
          304: Type.Null({ description: 'The file of If-None-Match still holds.' }),
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

function uploadRoute(app: App): void {
  app.put(
    path,
    {
      ...needs('manage:device'),
      bodyLimit: REGISTER_MAP_BODY_BYTES_MAX,
      // The service validates the body: it finds more faults than a schema can, and a CSV has no schema.
      validatorCompiler: (route) =>
        route.httpPart === 'body' ? () => true : (app.validatorCompiler?.(route) ?? (() => true)),
      schema: {
        tags,
        operationId: 'uploadRegisterMap',
        summary: 'Replace the register map of a template, from JSON or CSV, when all of it is right',
        description:
          'The map is checked whole, its golden frames are run, and every fault is listed at once: at ' +
          'its place in the document, or at the line and column of the CSV. A golden frame that fails ' +
          'is of type golden_frame and has `expected` and `actual`. The protocols of the template ' +
          'become the transports of the map. `notes` say what is right and still worth knowing. 409 for ' +
          'a system template; If-Match with the ETag of a download answers 412 when the map has changed ' +
          'since.',
        consumes: ['application/json', 'text/csv'],
        params: IdParams,
        body: Type.Unsafe<unknown>(documentSchema()),
        response: { 200: TemplateWithNotes },
      },
    },
    (request) => {
      const { body, headers, params } = request
      const content = Buffer.isBuffer(body) ? { csv: body } : { json: body }
      return request.tenantTx((tx) => uploadMap(tx, { id: params.id, content, ifMatch: headers['if-match'] }))
    },
  )
}
