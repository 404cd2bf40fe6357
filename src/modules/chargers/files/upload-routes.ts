import { pipeline, Transform } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { CHARGER_FILE_BYTES_MAX, CHARGER_FILE_NAME_MAX_LENGTH } from '../../../kernel/charger-limits.ts'
import { AppError } from '../../../kernel/errors.ts'
import { REQUEST_ARRIVAL_LONG_MAX_MS } from '../../../kernel/limits.ts'
import { forEveryone } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { receiveFile } from './service.ts'

const tooLarge = () =>
  new AppError(413, 'PAYLOAD_TOO_LARGE', `a file may have ${CHARGER_FILE_BYTES_MAX} bytes at most`)

/** Passes on what may come, and fails beyond it. */
function bounded(): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > CHARGER_FILE_BYTES_MAX) done(tooLarge())
      else done(null, chunk)
    },
  })
}

/** Aborted when the sender goes before all has come. */
function goneWith({ raw }: FastifyRequest): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.complete) gone.abort(new Error('the sender has gone'))
  })
  return gone.signal
}

async function arriving(request: FastifyRequest, appended: string) {
  const file = request.isMultipart() ? await request.file() : undefined
  if (request.isMultipart() && !file) throw new AppError(400, 'VALIDATION_ERROR', 'the form has no file')
  const name = (file?.filename || appended).slice(0, CHARGER_FILE_NAME_MAX_LENGTH)
  // What goes wrong on the way comes out at its end.
  return { name, content: pipeline(file?.file ?? request.raw, bounded(), () => {}) }
}

/**
 * Where charging stations send the files that they were asked for, below /api/ocpp/uploads: by PUT or POST, as the body
 * itself or as a form with one file. A scope of its own, because its bodies are anything.
 */
export function chargerUploadRoutes(app: App): void {
  const { deps } = app
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  void app.register(multipart, {
    limits: { fileSize: CHARGER_FILE_BYTES_MAX + 1, files: 1, fields: 10, parts: 12, headerPairs: 50 },
  })
  app.after(() => {
    for (const [url, suffix] of [
      ['/:token', ''],
      // Some stations append the file's name to the address that they are given.
      ['/:token/:name', 'Named'],
    ] as const) {
      for (const method of ['PUT', 'POST'] as const) {
        app.route({
          url,
          method,
          config: { ...forEveryone.config, arrivalMaxMs: REQUEST_ARRIVAL_LONG_MAX_MS },
          bodyLimit: CHARGER_FILE_BYTES_MAX,
          schema: {
            tags: ['chargers'],
            operationId: `${method === 'PUT' ? 'put' : 'post'}ChargerFile${suffix}`,
            summary: 'Where a charging station sends diagnostics or a log',
            description:
              'The address is made for one file and expires; with any other it is 404. The file is the body, or the one ' +
              'file of a multipart form.',
            params: Type.Object({
              token: Type.String({ maxLength: 200 }),
              ...(suffix !== '' && { name: Type.String({ maxLength: CHARGER_FILE_NAME_MAX_LENGTH }) }),
            }),
            response: { 204: Type.Null() },
          },
          handler: async (request, reply) => {
            if (Number(request.headers['content-length'] ?? 0) > CHARGER_FILE_BYTES_MAX) throw tooLarge()
            const { token, name = '' } = request.params as { token: string; name?: string }
            const open = () => arriving(request, name)
            await receiveFile(deps, { token, open, signal: goneWith(request) })
            return reply.code(204).send(null)
          },
        })
      }
    }
  })
}
