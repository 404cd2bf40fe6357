import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '../kernel/errors.ts'
import { forAnyUser } from '../platform/http/access.ts'
import type { App } from '../platform/http/app-type.ts'
import { MCP_TEXTS } from './messages.ts'
import { type ApiResponse, respond } from './protocol.ts'
import type { ApiCall } from './tools.ts'

/**
 * The MCP server over streamable HTTP, without sessions: each POST holds one message, and its response is JSON. The
 * tools call the API within the process with the token of the caller, so that permissions, tenancy, limits and the
 * change log are those of the API.
 */
export function mcpRoutes(app: App): void {
  const { mcpTools, corsOrigins } = app.deps.config
  if (mcpTools === 'off') return

  app.post(
    '/mcp',
    {
      ...forAnyUser,
      schema: { hide: true, body: Type.Unknown(), response: { 200: Type.Unknown(), 202: Type.Null() } },
    },
    async (request, reply) => {
      refuseOtherOrigins(request, corsOrigins)
      const callApi = (call: ApiCall) => inject(app, request, call)
      const response = await respond(request.body, { allowsWrites: mcpTools === 'write', callApi })
      return response ? reply.send(response) : reply.code(202).send(null)
    },
  )

  // There are neither streams of the server nor sessions to end: clients expect 405.
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    ...forAnyUser,
    schema: { hide: true },
    handler: (_request, reply) => reply.code(405).header('Allow', 'POST').send(),
  })
}

/** A page of another origin must not reach the server through the browser of a user (DNS rebinding). */
function refuseOtherOrigins({ headers }: FastifyRequest, allowed: readonly string[]): void {
  const { origin, host } = headers
  if (origin === undefined || allowed.includes(origin)) return
  if (URL.canParse(origin) && new URL(origin).host === host) return
  throw new AppError(403, 'PERMISSION_DENIED', MCP_TEXTS.MCP_ORIGIN_NOT_ALLOWED())
}

async function inject(
  app: App,
  { headers, ip, id }: FastifyRequest,
  { method, path, query = {}, body }: ApiCall,
): Promise<ApiResponse> {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  const response = await app.inject({
    method,
    url: `${path}?${given}`,
    remoteAddress: ip,
    headers: {
      ...(headers.authorization !== undefined && { authorization: headers.authorization }),
      ...(headers['accept-language'] !== undefined && { 'accept-language': headers['accept-language'] }),
      'x-request-id': id,
    },
    ...(body && { payload: body }),
  })
  const total = response.headers['x-total-count']
  return {
    status: response.statusCode,
    text: response.body,
    total: total === undefined ? undefined : String(total),
  }
}
