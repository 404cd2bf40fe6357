/**
 * The session of a browser: the refresh token of a login in a cookie that scripts cannot read, so that a page keeps its
 * access token in memory only and a reload does not sign the user out.
 *
 * The cookie has no Path attribute: a browser then sends it to the folder of the request that set it, `/api/auth`, also
 * when the service is reached below a path of a proxy. `SameSite=Strict` keeps other sites from using it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { REFRESH_TOKEN_TTL_S } from '../../../../platform/auth/limits.ts'

const NAME = 'netsaat_session'
const PATTERN = new RegExp(`(?:^|;\\s*)${NAME}=([A-Za-z0-9._-]+)`)

/** The refresh token of the request; undefined without the cookie. */
export const readCookie = ({ headers }: FastifyRequest): string | undefined =>
  PATTERN.exec(headers.cookie ?? '')?.[1]

const attributes = ({ protocol }: FastifyRequest): string =>
  `HttpOnly; SameSite=Strict${protocol === 'https' ? '; Secure' : ''}`

export function setCookie(request: FastifyRequest, reply: FastifyReply, refreshToken: string): void {
  void reply.header(
    'Set-Cookie',
    `${NAME}=${refreshToken}; Max-Age=${REFRESH_TOKEN_TTL_S}; ${attributes(request)}`,
  )
}

export function clearCookie(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('Set-Cookie', `${NAME}=; Max-Age=0; ${attributes(request)}`)
}
