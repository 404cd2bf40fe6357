import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { App } from './app-type.ts'

/**
 * Requests that the service sends to itself within the process, in the name of the caller of another request. They pass
 * the same checks of permissions, tenancy and parameters. Rate limits count the request of the caller only.
 */
const HEADER = 'x-netsaat-inner'
/** Never leaves the process, so that no client can send it. */
const SECRET = randomUUID()

export const isInnerRequest = ({ headers }: FastifyRequest): boolean => headers[HEADER] === SECRET

export interface InnerResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body as text. */
  readonly text: string
}

/** Reads a path of the API with the token of the caller; texts are in the language. */
export async function readAs(
  app: App,
  { headers, ip, id }: FastifyRequest,
  { url, language }: { readonly url: string; readonly language: string },
): Promise<InnerResponse> {
  const {
    statusCode,
    headers: sent,
    body,
  } = await app.inject({
    method: 'GET',
    url,
    remoteAddress: ip,
    headers: {
      ...(headers.authorization !== undefined && { authorization: headers.authorization }),
      'accept-language': language,
      'x-request-id': id,
      [HEADER]: SECRET,
    },
  })
  const texts = Object.entries(sent).map(([name, value]) => [
    name,
    value === undefined ? value : String(value),
  ])
  return { status: statusCode, headers: Object.fromEntries(texts), text: body }
}
