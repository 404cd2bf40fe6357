import { Type } from 'typebox'
import { REQUEST_ARRIVAL_LONG_MAX_MS } from '../../../kernel/limits.ts'
import { forEveryone } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { abortSignalOf, acceptAnyBody, openFile } from '../../../platform/http/upload-any.ts'
import { CHARGER_FILE_BYTES_MAX, CHARGER_FILE_NAME_MAX_LENGTH } from '../limits.ts'
import { receiveFile } from './service.ts'

const Token = Type.String({ maxLength: 200, description: 'Secret token of the address.' })
const Name = Type.String({ maxLength: CHARGER_FILE_NAME_MAX_LENGTH, description: 'Of the file.' })

/** The two forms of the address: some stations append the name of the file. */
const ADDRESSES = [
  { url: '/:token', params: Type.Object({ token: Token }), suffix: '' },
  { url: '/:token/:name', params: Type.Object({ token: Token, name: Name }), suffix: 'Named' },
]

/**
 * Below /api/ocpp/uploads: charging stations upload the requested files by PUT or POST, as the body itself or
 * as a form with one file. A scope of its own, because any content type is accepted.
 */
export const chargerUploadRoutes = (app: App): void =>
  acceptAnyBody(app, CHARGER_FILE_BYTES_MAX, () => {
    for (const address of ADDRESSES)
      for (const method of ['PUT', 'POST'] as const) addRoute(app, method, address)
  })

function addRoute(
  app: App,
  method: 'PUT' | 'POST',
  { url, params, suffix }: (typeof ADDRESSES)[number],
): void {
  app.route({
    url,
    method,
    config: { ...withErrors(forEveryone, 507).config, arrivalMaxMs: REQUEST_ARRIVAL_LONG_MAX_MS },
    bodyLimit: CHARGER_FILE_BYTES_MAX,
    schema: {
      tags: ['chargers'],
      operationId: `${method.toLowerCase()}ChargerFile${suffix}`,
      summary: 'Upload diagnostics or a log (called by charging stations)',
      description:
        'The address is valid for one file and expires; an unknown address is 404. The file is the request ' +
        'body, or the only file of a multipart form.',
      params,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { token, name: appended = '' } = request.params as { token: string; name?: string }
      const open = async () => {
        const { name, content } = await openFile(request, CHARGER_FILE_BYTES_MAX)
        return { name: (name || appended).slice(0, CHARGER_FILE_NAME_MAX_LENGTH), content }
      }
      await receiveFile(app.deps, { token, open, signal: abortSignalOf(request) })
      return reply.code(204).send(null)
    },
  })
}
