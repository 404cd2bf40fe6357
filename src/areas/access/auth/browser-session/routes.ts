import { Type } from 'typebox'
import { AppError } from '../../../../kernel/errors.ts'
import { forEveryone } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { withErrors } from '../../../../platform/http/openapi.ts'
import { Refresh, RefreshResponse } from '../schema.ts'
import { refresh } from '../service.ts'
import { clearCookie, readCookie, setCookie } from './cookie.ts'

const tags = ['authentication']
const noSecurity: [] = []

/** The session of a browser; mounted at /api/auth. */
export function browserSessionRoutes(app: App): void {
  const { deps } = app

  app.put(
    '/session',
    {
      ...withErrors(forEveryone, 401),
      schema: {
        tags,
        operationId: 'startBrowserSession',
        summary: 'Store the refresh token of a login in a cookie of the browser',
        description:
          'For pages that keep no token: the cookie is not readable by scripts (HttpOnly), is sent by pages of ' +
          'this service only (SameSite=Strict), and lasts seven days. A refresh token that is not valid is 401.',
        security: noSecurity,
        body: Refresh,
        response: { 204: Type.Null({ description: 'The cookie was set.' }) },
      },
    },
    async (request, reply) => {
      const { refresh_token } = request.body
      await refresh(deps, refresh_token)
      setCookie(request, reply, refresh_token)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/session/refresh',
    {
      ...withErrors(forEveryone, 401),
      schema: {
        tags,
        operationId: 'refreshBrowserSession',
        summary: 'Exchange the cookie of the browser for a new access token',
        description:
          'A browser without the cookie gets 204. A cookie that is not valid any more is 401, and is deleted.',
        security: noSecurity,
        response: { 200: RefreshResponse, 204: Type.Null({ description: 'The browser is not signed in.' }) },
      },
    },
    async (request, reply) => {
      const refreshToken = readCookie(request)
      if (refreshToken === undefined) return reply.code(204).send(null)
      try {
        return await refresh(deps, refreshToken)
      } catch (error) {
        // During an outage of the database the session stays.
        if (error instanceof AppError && error.status === 401) clearCookie(request, reply)
        throw error
      }
    },
  )

  app.delete(
    '/session',
    {
      ...forEveryone,
      schema: {
        tags,
        operationId: 'endBrowserSession',
        summary: 'Delete the cookie of the browser',
        description: 'Tokens are not stored by the service: copies of them stay valid until they expire.',
        security: noSecurity,
        response: { 204: Type.Null({ description: 'The cookie was deleted.' }) },
      },
    },
    async (request, reply) => {
      clearCookie(request, reply)
      return reply.code(204).send(null)
    },
  )
}
