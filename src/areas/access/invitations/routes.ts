import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { shareOfClient } from '../../../platform/auth/hash-shares.ts'
import { forEveryone, needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { addressKey } from '../../../platform/http/networks.ts'
import { Page } from '../../../platform/http/page.ts'
import { User } from '../users/index.ts'
import { AcceptInvitation, CreateInvitation, Invitation, InvitationQuery } from './schema.ts'
import { accept, invite, revoke } from './service.ts'
import { listPending } from './store.ts'

/** Mounted at /api/users/invitations: sends, lists and revokes invitations. */
export function invitationRoutes(app: App): void {
  app.get(
    '/',
    {
      ...needs('read:user'),
      schema: {
        tags: ['users'],
        operationId: 'listInvitations',
        summary: 'List the pending invitations',
        description:
          'Those that were neither accepted nor revoked, also expired ones. An invitation that was replaced by a ' +
          'newer one for its address is revoked.',
        querystring: InvitationQuery,
        response: { 200: Page(Invitation) },
      },
    },
    (request) => listPending(request.tenantDb(), request.query),
  )

  app.delete(
    '/:id',
    {
      ...needs('manage:user'),
      schema: {
        tags: ['users'],
        operationId: 'revokeInvitation',
        summary: 'Revoke a pending invitation',
        description:
          'Its link stops working at once. An invitation whose roles have permissions that the caller lacks ' +
          'cannot be revoked (403). An accepted or revoked invitation is 404.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params } = request
      const at = new Date(app.deps.clock.now())
      const revoked = await request.tenantTx((tx) => revoke(tx, principal, { id: params.id, at }))
      found('invitation', revoked)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/',
    {
      ...needs('manage:user'),
      schema: {
        tags: ['users'],
        operationId: 'inviteUser',
        summary: 'Invite a user by e-mail',
        description:
          'The link is valid for 7 days and revokes the previous one. A pending invitation whose roles have ' +
          'permissions that the caller lacks cannot be replaced (403). An address that is already registered ' +
          'in the service is 409 DUPLICATE_ENTRY. If the service sends mails (SMTP_URL), the address of the ' +
          'caller must be verified (403 EMAIL_NOT_VERIFIED).',
        body: CreateInvitation,
        response: { 201: Invitation },
      },
    },
    async ({ principal, body }, reply) => reply.code(201).send(await invite(app.deps, principal, body)),
  )
}

/** Mounted at /api/auth: accepts invitations. */
export function acceptanceRoutes(app: App): void {
  app.post(
    '/accept',
    {
      ...forEveryone,
      schema: {
        tags: ['authentication'],
        operationId: 'acceptInvitation',
        summary: 'Create the account of an invitation',
        description: 'An unknown, expired, revoked or used token is 400 INVALID_INVITATION_TOKEN.',
        security: [],
        body: AcceptInvitation,
        response: { 201: User },
      },
    },
    async ({ ip, body }, reply) =>
      reply.code(201).send(await accept(app.deps, body, shareOfClient(addressKey(ip), 'link'))),
  )
}
